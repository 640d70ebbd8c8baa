//! Parameter sets of all engines.
use bootes_schemes::class::SetClass;

use crate::engines::{Engine, Of};
use crate::memory::Room;
use crate::{Error, FailureTarget, Load, Lut, MaskStorage, bfv, ckks, fhew};

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
pub struct Params(pub(crate) Of<fhew::Params, ckks::Params, bfv::Params>);

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
        Self::for_integers_with(width, FailureTarget::Two128)
    }

    /// [`Self::for_integers`] at the given failure probability.
    ///
    /// # Errors
    /// As [`Self::for_integers`].
    pub fn for_integers_with(width: u32, target: FailureTarget) -> Result<Self, Error> {
        Ok(Self(Of::Fhew(fhew::Params::for_integers_with(width, target)?)))
    }

    /// The set for vectors of residues modulo an odd prime p, with engine bfv: sums, products and rotations modulo p,
    /// without end; tables too up to p = 509, beyond it with [`Self::for_slot_tables`]. A ciphertext holds
    /// [`Self::capacity`] values; there are many for p ≡ ±1 modulo a large power of two, as 127, 257 and 12289 are.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// use bootes::{Engine, Params};
    /// let params = Params::for_slots(257)?;
    /// assert_eq!((params.engine(), params.capacity()), (Engine::Bfv, 128));
    /// assert!(params.log2_p_fail() <= -128.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Lut`] for a p that is no odd prime, too large (p < 2^17; 2^16.5 with more than 2048 slots), or
    /// ≡ 3 modulo 4 with more than 2048 slots.
    pub fn for_slots(p: u64) -> Result<Self, Error> {
        Self::for_slots_of(p, 1)
    }

    /// The same with tables of Z_p of any p: from p = 521 on in a ring of twice the degree and with more levels, in
    /// which all operations take longer.
    ///
    /// # Errors
    /// As [`Self::for_slots`].
    pub fn for_slot_tables(p: u64) -> Result<Self, Error> {
        Ok(Self(Of::Bfv(bfv::for_tables(p)?)))
    }

    /// The same modulo p^r, with sums, products and rotations.
    ///
    /// # Errors
    /// As [`Self::for_slots`]; p^(r + 1) < 2^34 for p > 40, and below that fewer powers.
    pub fn for_slots_of(p: u64, r: u32) -> Result<Self, Error> {
        Ok(Self(Of::Bfv(bfv::of(p, r)?)))
    }

    /// The default set of an engine for integers of `width` bits, 1 to 32, and functions of them.
    ///
    /// # Errors
    /// [`Error::Params`], [`Error::Width`] for other widths; [`Error::Failure`] if its set promises less.
    pub fn integers_on(engine: Engine, width: u32, target: FailureTarget) -> Result<Self, Error> {
        let params = match engine {
            Engine::Fhew => Self::for_integers_with(width, target)?,
            Engine::Ckks => Self(Of::Ckks(ckks::for_integers(width)?)),
            Engine::Bfv => return Err(Error::not_with("an integer of a range", Engine::Bfv)),
        };
        params.promises(target).map(|()| params)
    }

    /// The default set for tables of `p` entries, 2 to 65536, on messages modulo p
    /// ([`Client::encrypt_modulo`](crate::Client::encrypt_modulo)): those of more than 256 entries are evaluated on
    /// digits. Larger ones, up to 2^20, have engine ckks ([`Self::on`]).
    ///
    /// # Errors
    /// [`Error::Params`], [`Error::Lut`] for other moduli.
    pub fn for_modulus(p: u64) -> Result<Self, Error> {
        Self::on(Engine::Fhew, p, FailureTarget::Two128)
    }

    /// The default set of an engine for tables of `p` entries, on messages modulo p.
    ///
    /// # Errors
    /// [`Error::Params`], [`Error::Lut`] for moduli that the engine has no set for; [`Error::Failure`] if its set
    /// promises less.
    pub fn on(engine: Engine, p: u64, target: FailureTarget) -> Result<Self, Error> {
        let bits = p.saturating_sub(1).checked_ilog2().map_or(0, |log2| log2 + 1);
        let params = Self(match (engine, bits) {
            (Engine::Fhew, 0..=8) => Of::Fhew(fhew::Params::for_bits_with(bits, target)?),
            (Engine::Fhew, _) => Of::Fhew(fhew::Params::for_large_tables_with(bits, target)?),
            (Engine::Ckks, _) => Of::Ckks(ckks::for_modulus(p)?),
            (Engine::Bfv, _) => Of::Bfv(bfv::for_tables(p)?),
        });
        params.promises(target).map(|()| params)
    }

    /// Whether the set keeps a failure probability.
    ///
    /// # Errors
    /// [`Error::Failure`] if it promises less.
    pub fn promises(&self, target: FailureTarget) -> Result<(), Error> {
        let (found, expected) = (self.log2_p_fail(), f64::from(target.log2()));
        if found > expected {
            return Err(Error::Failure { params: self.name().into(), found, expected });
        }
        Ok(())
    }

    /// The default set on which the algorithm of this name evaluates `lut` in the least predicted time.
    ///
    /// # Errors
    /// [`Error::Lut`] if there is no such algorithm, or it evaluates the table with none: the refusal of the last set.
    pub fn for_algorithm(algorithm: &str, lut: &Lut, target: FailureTarget) -> Result<Self, Error> {
        Ok(Self(Of::Fhew(fhew::Params::for_algorithm(algorithm, lut, target)?)))
    }

    /// All sets of an engine, toy sets among them; those of engines ckks and bfv are built as they are asked for, which
    /// takes a while, and left out where there is too little memory: [`Self::names`] with [`Self::named`] tells.
    pub fn all(engine: Engine) -> Box<dyn Iterator<Item = Self>> {
        match engine {
            Engine::Fhew => Box::new(fhew::Params::all().into_iter().map(|set| Self(Of::Fhew(set)))),
            Engine::Ckks => {
                let sets = ckks::literals().iter().filter_map(|set| ckks::by_name(&set.name).ok());
                Box::new(sets.map(|set| Self(Of::Ckks(set))))
            }
            // Those of some primes with many slots: there is one for every odd prime. Those of papers.
            Engine::Bfv => Box::new(bfv::names().filter_map(|name| Some(Self(Of::Bfv(bfv::by_name(&name).ok()?))))),
        }
    }

    /// Their names; none is built.
    pub fn names(engine: Engine) -> Vec<String> {
        match engine {
            Engine::Fhew => fhew::Params::all().iter().map(|set| set.name().to_string()).collect(),
            Engine::Ckks => ckks::literals().iter().map(|set| set.name.clone()).collect(),
            Engine::Bfv => bfv::names().collect(),
        }
    }

    /// The set of this name, of whichever engine: `bootes params` lists them.
    ///
    /// # Errors
    /// [`Error::Params`], [`Error::Lut`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        if bfv::is_named(name) {
            return Ok(Self(Of::Bfv(bfv::by_name(name)?)));
        }
        match fhew::Params::by_name(name) {
            Ok(params) => Ok(Self(Of::Fhew(params))),
            Err(Error::BatchSet { .. }) => Ok(Self(Of::Ckks(ckks::by_name(name)?))),
            // The refusal tells the names that are alike.
            Err(_) if name.contains("batch") => Ok(Self(Of::Ckks(ckks::by_name(name)?))),
            Err(error) => Err(error),
        }
    }

    /// [`Self::named`], unless making its server key takes more than `memory` bytes, or than the system has: with
    /// engine ckks what is far too much is told before the set is made, which takes tens of megabytes.
    ///
    /// # Errors
    /// [`Error::Memory`]; as [`Self::named`].
    pub fn named_within(name: &str, memory: Option<u64>) -> Result<Self, Error> {
        if let Some(literal) = ckks::literals().iter().find(|set| set.name == name) {
            Room::now(memory).check(0, literal.least_key_bytes())?;
        }
        Self::named(name)
    }

    /// Bytes that making a server key for tables of `p` entries takes at least, as far as is known before the set is
    /// made, which takes tens of megabytes with engine ckks; 0 with the others.
    pub fn least_key_bytes(engine: Engine, p: u64) -> u64 {
        if engine == Engine::Ckks { ckks::least_key_bytes(p) } else { 0 }
    }

    /// Bytes that planning a table of `p` entries with the engine's default set takes at most, known before a set is
    /// made; 0 where it is little.
    pub fn plan_bytes(engine: Engine, p: u64) -> u64 {
        match engine {
            Engine::Ckks => ckks::table_plan_bytes(p),
            // Trees: measured are 60 MB for 2^16 entries.
            Engine::Fhew if p > 256 => p << 10,
            _ => 0,
        }
    }

    /// [`Self::least_key_bytes`] for functions of integers.
    pub fn least_integer_key_bytes(engine: Engine) -> u64 {
        if engine == Engine::Ckks { ckks::least_integer_key_bytes() } else { 0 }
    }

    /// Refuses a job on tables of `p` entries with the engine's default set that takes more than `memory` bytes, or
    /// than the system has, as far as is known before anything large is made: planning, and making keys, with engine
    /// fhew expanded beside themselves.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn check_table_memory(engine: Engine, p: u64, target: FailureTarget, memory: Option<u64>) -> Result<(), Error> {
        let plan = Self::plan_bytes(engine, p);
        // Where there is hardly any memory, sets are not looked at.
        Room::now(None).check(0, plan)?;
        let keys = match engine {
            Engine::Fhew if p > 256 => Self::on(engine, p, target).map_or(0, |set| match &set.0 {
                Of::Fhew(params) => {
                    let sizes = fhew::KeySizes::of(params, &params.integer_keys());
                    (sizes.stored + sizes.memory) as u64
                }
                _ => 0,
            }),
            _ => Self::least_key_bytes(engine, p),
        };
        Room::now(memory).check(0, keys.max(plan))
    }

    /// [`Self::check_table_memory`] for functions of integers.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn check_integer_memory(engine: Engine, memory: Option<u64>) -> Result<(), Error> {
        match engine {
            Engine::Ckks => Room::now(memory).check(0, ckks::least_integer_key_bytes().max(ckks::integer_plan_bytes())),
            _ => Ok(()),
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
            Of::Fhew(params) => (params.clone(), ckks::for_modulus(1 << bits)?),
            Of::Ckks(params) => (fhew::Params::for_bits(bits)?, params.clone()),
            Of::Bfv(_) => return Ok(self.clone()),
        };
        let load = Load { threads: 1, masks: Some(MaskStorage::Seeded), ..Load::of(values) };
        let [fhew, ckks] = [Self(Of::Fhew(fhew)), Self(Of::Ckks(ckks))];
        match [&fhew, &ckks].map(|params| params.predict(&lut, &load)) {
            [Ok(single), Ok(batch)] => Ok(if batch.seconds < single.seconds { ckks } else { fhew }),
            _ => Ok(self.clone()),
        }
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
            Of::Bfv(params) => params.name(),
        }
    }

    /// Bits of the widest message; with engine bfv those that residues modulo p^r hold all of.
    pub fn bits(&self) -> u32 {
        match &self.0 {
            Of::Fhew(params) => params.bits(),
            Of::Ckks(params) => params.literal().bits,
            Of::Bfv(params) => params.modulus().ilog2(),
        }
    }

    /// What residues are modulo, where there is one modulus for all: p^r with engine bfv.
    pub fn modulus(&self) -> Option<u64> {
        match &self.0 {
            Of::Bfv(params) => Some(params.modulus()),
            _ => None,
        }
    }

    /// Rows and columns of the slots of a ciphertext, with engine bfv: each row rotates by itself.
    pub fn slot_shape(&self) -> Option<[usize; 2]> {
        match &self.0 {
            Of::Bfv(params) => Some(params.slots().shape()),
            _ => None,
        }
    }

    /// Bits of the longest integers in one ciphertext, which tables are evaluated on, and functions of
    /// integers: `None` for sets that are not made for them.
    pub fn integer_bits(&self) -> Option<u32> {
        match &self.0 {
            Of::Fhew(params) => params.integer_bits(),
            Of::Ckks(params) => Some(params.literal().integer_bits).filter(|&bits| bits > 0),
            Of::Bfv(_) => None,
        }
    }

    /// Bits of the longest integers, in two ciphertexts.
    pub fn max_integer_bits(&self) -> Option<u32> {
        match &self.0 {
            Of::Fhew(params) => params.max_integer_bits(),
            Of::Ckks(params) => Some(params.max_integer_bits()).filter(|&bits| bits > 0),
            Of::Bfv(_) => None,
        }
    }

    /// Bits of security, `SECURITY.md` says by which data; `None` for a toy set, which has none, and for a paper's set
    /// that they do not cover.
    pub fn security(&self) -> Option<Security> {
        match &self.0 {
            Of::Fhew(params) => params
                .security()
                .ok()
                .map(|estimate| Security { standard: estimate.standard_bits, strict: Some(estimate.strict_bits) }),
            Of::Ckks(params) => {
                let secure = params.literal().class.is_secure();
                params.ckks().security_bits().filter(|_| secure).map(|standard| Security { standard, strict: None })
            }
            Of::Bfv(params) => {
                let toy = params.literal().class == SetClass::Toy;
                params.security_bits().filter(|_| !toy).map(|standard| Security { standard, strict: None })
            }
        }
    }

    /// Values that are evaluated at the price of one.
    pub fn capacity(&self) -> usize {
        match &self.0 {
            Of::Fhew(_) => 1,
            Of::Ckks(params) => params.capacity(),
            Of::Bfv(params) => params.slots().count(),
        }
    }

    /// log2 of the failure probability of a value that is promised.
    pub fn log2_p_fail(&self) -> f64 {
        match &self.0 {
            Of::Fhew(params) => params.log2_p_fail(),
            Of::Ckks(params) => params.log2_p_fail(),
            Of::Bfv(_) => bfv::LOG2_P_FAIL,
        }
    }

    /// log2 of the factor by which the noise of a table's results, of the set's widest messages, may grow in sums and
    /// products with constants within the promise. With engine ckks, where it takes a second, of whatever table; `None`
    /// with engine bfv, where each result has its own
    /// ([`Ciphertexts::noise_budget`](crate::Ciphertexts::noise_budget)).
    pub fn result_budget(&self) -> Option<f64> {
        match &self.0 {
            Of::Fhew(params) => params.result_budget(),
            Of::Ckks(params) => ckks::result_budget(params).ok(),
            Of::Bfv(_) => None,
        }
    }

    /// Whether it is a default of some message size: at least 128 bits of security, chosen by the search.
    pub fn is_default(&self) -> bool {
        match &self.0 {
            Of::Fhew(params) => params.is_default(),
            Of::Ckks(params) => params.literal().class.is_secure(),
            Of::Bfv(params) => params.literal().class.is_secure(),
        }
    }

    /// The set in words, several lines.
    pub fn description(&self) -> String {
        match &self.0 {
            Of::Fhew(params) => params.description(),
            Of::Ckks(params) => ckks::description(params),
            Of::Bfv(params) => bfv::description(params),
        }
    }

    /// What keys and ciphertexts of the set have in common.
    pub fn fingerprint(&self) -> [u8; 16] {
        match &self.0 {
            Of::Fhew(params) => params.fingerprint(),
            Of::Ckks(params) => params.fingerprint(),
            Of::Bfv(params) => params.fingerprint(),
        }
    }
}

/// Estimates of security, in bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Security {
    /// By the usual cost model of lattice reduction; with engines ckks and bfv the least of all estimates.
    pub standard: f64,
    /// By the most cautious one, where there is such an estimate.
    pub strict: Option<f64>,
}

impl PartialEq for Params {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint() == other.fingerprint()
    }
}
