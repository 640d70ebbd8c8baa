//! Parameter sets of all engines.
use crate::engine::{Engine, Of};
use crate::{Error, FailureTarget, Lut, MaskStorage, ckks, fhew};

/// A checked parameter set of one engine; cheap to clone.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// use bootes::{Engine, Params};
/// let params = Params::for_bits(8)?;
/// assert_eq!((params.engine(), params.bits()), (Engine::Fhew, 8));
/// assert!(params.log2_p_fail() <= -128.0);
/// // Many values take less time at once.
/// assert_eq!(params.many(65536)?.engine(), Engine::Ckks);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Params(pub(crate) Of<fhew::Params, ckks::Params>);

impl Params {
    /// The default set for tables on `bits`-bit integers (1 to 8), a value at a time: at least 128 bits of security,
    /// failure 2^-128 a value.
    ///
    /// # Errors
    /// [`Error::Params`] for other widths.
    pub fn for_bits(bits: u32) -> Result<Self, Error> {
        Self::for_bits_with(bits, FailureTarget::Two128)
    }

    /// [`Self::for_bits`] at the given failure probability.
    ///
    /// # Errors
    /// As [`Self::for_bits`].
    pub fn for_bits_with(bits: u32, target: FailureTarget) -> Result<Self, Error> {
        Ok(Self(Of::Fhew(fhew::Params::for_bits_with(bits, target)?)))
    }

    /// The default set for integers of `width` bits (1 to 32), and functions of them.
    ///
    /// # Errors
    /// [`Error::Params`] for other widths.
    pub fn for_integers(width: u32) -> Result<Self, Error> {
        Ok(Self(Of::Fhew(fhew::Params::for_integers(width)?)))
    }

    /// The default set for tables of `p` entries, 2 to 65536: of residues modulo p up to 256
    /// ([`Client::encrypt_modulo`](crate::Client::encrypt_modulo)), of integers without a sign above
    /// ([`Client::encrypt_unsigned`](crate::Client::encrypt_unsigned), [`LargeLut`](crate::LargeLut)).
    ///
    /// # Errors
    /// [`Error::Params`], [`Error::Lut`] for other moduli.
    pub fn for_modulus(p: u64) -> Result<Self, Error> {
        let bits = p.saturating_sub(1).checked_ilog2().map_or(0, |log2| log2 + 1);
        Ok(Self(Of::Fhew(match bits {
            0..=8 => fhew::Params::for_bits(bits)?,
            _ => fhew::Params::for_large_tables(bits)?,
        })))
    }

    /// The set of this name, of whichever engine: `bootes params` lists them.
    ///
    /// # Errors
    /// [`Error::Params`], [`Error::Lut`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        match fhew::Params::by_name(name) {
            Ok(params) => Ok(Self(Of::Fhew(params))),
            Err(Error::BatchSet { .. }) => Ok(Self(Of::Ckks(ckks::by_name(name)?))),
            Err(error) => Err(error),
        }
    }

    /// This set, or that of the other engine for messages of as many bits, if a table without structure on `values` of
    /// them is predicted to take less time with it, on one thread and without the keys.
    ///
    /// # Errors
    /// [`Error::Lut`], [`Error::Params`] where the engine has no such set.
    pub fn many(&self, values: usize) -> Result<Self, Error> {
        let bits = self.bits();
        let lut = Lut::unstructured(bits);
        let (fhew, ckks) = match &self.0 {
            Of::Fhew(params) => (params.clone(), ckks::Params::for_bits(bits)?),
            Of::Ckks(params) => (fhew::Params::for_bits(bits)?, params.clone()),
        };
        let Some(single) = fhew.least_seconds(&lut, values as u64) else { return Ok(self.clone()) };
        let load = ckks::Load::new(&ckks, values, 1);
        let batch = ckks::Prediction::with_storage(&ckks, &[lut], load, MaskStorage::Seeded)?;
        let is_batch = batch.elapsed_for(values as u64) < single;
        Ok(Self(if is_batch { Of::Ckks(ckks) } else { Of::Fhew(fhew) }))
    }

    /// What evaluates with it.
    pub fn engine(&self) -> Engine {
        self.0.engine()
    }

    /// The name.
    pub fn name(&self) -> &str {
        match &self.0 {
            Of::Fhew(params) => params.name(),
            Of::Ckks(params) => params.name(),
        }
    }

    /// Bits of the widest message.
    pub fn bits(&self) -> u32 {
        match &self.0 {
            Of::Fhew(params) => params.bits(),
            Of::Ckks(params) => params.literal().bits,
        }
    }

    /// Values that are evaluated at the price of one.
    pub fn capacity(&self) -> usize {
        match &self.0 {
            Of::Fhew(_) => 1,
            Of::Ckks(params) => params.capacity(),
        }
    }

    /// log2 of the failure probability of a value that is promised.
    pub fn log2_p_fail(&self) -> f64 {
        match &self.0 {
            Of::Fhew(params) => params.log2_p_fail(),
            Of::Ckks(params) => params.log2_p_fail(),
        }
    }

    /// What keys and ciphertexts of the set have in common.
    pub fn fingerprint(&self) -> [u8; 16] {
        match &self.0 {
            Of::Fhew(params) => params.fingerprint(),
            Of::Ckks(params) => params.fingerprint(),
        }
    }
}

impl PartialEq for Params {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint() == other.fingerprint()
    }
}
