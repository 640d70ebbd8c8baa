//! Parameter sets of all engines.
use crate::engines::of::{Of, each, named, of_engine};
use crate::engines::{self, EngineParams, Stored};
use crate::memory::{Room, check_addresses};
use crate::names::read_name;
use crate::planner::Request;
use crate::wire::{ObjectKind, Reader};
use crate::{Engine, Error, FailureTarget, Load, Lut, MaskStorage, bfv, ckks, fhew};

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

    /// The default set for integers of `width` bits (1 to 64), and functions of them.
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
    /// without end; tables too up to p = 509, beyond it with [`Self::for_vector_tables`]. A ciphertext holds
    /// [`Self::capacity`] values; there are many for p ≡ ±1 modulo a large power of two, as 127, 257 and 12289 are.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// use bootes::{Engine, Params};
    /// let params = Params::for_vectors(257)?;
    /// assert_eq!((params.engine(), params.capacity()), (Engine::Bfv, 128));
    /// assert!(params.log2_p_fail() <= -128.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Lut`] for a p that is no odd prime, too large (p < 2^17; 2^16.5 with more than 2048 slots), or
    /// ≡ 3 modulo 4 with more than 2048 slots.
    pub fn for_vectors(p: u64) -> Result<Self, Error> {
        Self::for_vectors_of(p, 1)
    }

    /// The same with tables of Z_p of any p: from p = 521 on in a ring of twice the degree and with more levels, in
    /// which all operations take longer.
    ///
    /// # Errors
    /// As [`Self::for_vectors`].
    pub fn for_vector_tables(p: u64) -> Result<Self, Error> {
        Ok(Self(Of::Bfv(<bfv::Params as EngineParams>::for_tables(p, FailureTarget::Two128)?)))
    }

    /// The same modulo p^r, with sums, products and rotations.
    ///
    /// # Errors
    /// As [`Self::for_vectors`]; p^(r + 1) < 2^34 for p > 40, and below that fewer powers.
    pub fn for_vectors_of(p: u64, r: u32) -> Result<Self, Error> {
        Ok(Self(Of::Bfv(bfv::params::of(p, r)?)))
    }

    /// The set for vectors of residues modulo an odd prime p below 2^40, or a power of two to 2^40, with room for
    /// `depth` products in a row, and rotations: nothing is bootstrapped, and keys are some hundred times smaller than
    /// those of [`Self::for_vectors`].
    /// Each product may be one of rotated factors, and the result a sum of products, of all slots or of any
    /// max([`Self::capacity`], √p, 256). The ring is the smallest with such a modulus, from N = 2^12 to 2^16; for p ≡ 1
    /// modulo 2^17, as 65929217 is, all of it are slots. p may be a product of distinct primes ≡ 1 modulo 2N. Of powers
    /// of two a ciphertext holds one value, and nothing is rotated.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// use bootes::Params;
    /// let params = Params::for_vectors_to_depth(65537, 1)?;
    /// assert_eq!((params.name(), params.depth(), params.capacity()), ("slots_65537_depth_1", Some(1), 8192));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Lut`] for another p that is no odd prime, or a depth of 0 or beyond what is secure;
    /// [`Error::BfvScheme`] for p beyond 2^40.
    pub fn for_vectors_to_depth(p: u64, depth: u32) -> Result<Self, Error> {
        Ok(Self(Of::Bfv(bfv::params::leveled(p, depth)?)))
    }

    /// The default set of an engine for integers of `width` bits, 1 to 64, with engine ckks to 32, and functions of
    /// them.
    ///
    /// # Errors
    /// [`Error::Params`], [`Error::Width`] for other widths; [`Error::Failure`] if its set promises less.
    pub fn integers_on(engine: Engine, width: u32, target: FailureTarget) -> Result<Self, Error> {
        let params = Self(named!(engine, E => <E as engines::Engine>::Params::for_integers(width, target)?));
        params.promises(target).map(|()| params)
    }

    /// The default set for tables of `p` entries, 2 to 65536, on messages modulo p
    /// ([`Client::encrypt_modulo`](crate::Client::encrypt_modulo)): those of more than 256 entries are evaluated on
    /// digits. Larger ones, up to 2^20, have engine ckks ([`Self::on`]), or are of integers ([`Self::for_integers`]).
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
        let params =
            Self(named!(engine, E => <<E as engines::Engine>::Params as EngineParams>::for_tables(p, target)?));
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
    pub fn all(engine: Engine) -> impl Iterator<Item = Self> {
        let named =
            move |name: String| Some(Self(named!(engine, E => <E as engines::Engine>::Params::by_name(&name).ok()?)));
        Self::names(engine).into_iter().filter_map(named)
    }

    /// Their names; none is built.
    pub fn names(engine: Engine) -> Vec<String> {
        of_engine!(engine, E => <E as engines::Engine>::Params::names())
    }

    /// The set of this name, of whichever engine: `bootes params` lists them.
    ///
    /// # Errors
    /// [`Error::Params`], [`Error::Lut`] if there is none.
    pub fn named(name: &str) -> Result<Self, Error> {
        Ok(Self(named!(engines::of_set(name), E => <E as engines::Engine>::Params::by_name(name)?)))
    }

    /// The name of the set of an object of this kind, of which the payload begins so, where it looks like one: no set
    /// is looked for, and nothing checked.
    pub fn name_in(kind: ObjectKind, payload: &[u8]) -> Option<String> {
        let at = of_engine!(engines::of_kind(kind), E => match kind == <E as engines::Engine>::Ciphertexts::KIND {
            true => <E as engines::Engine>::Ciphertexts::NAME_AT,
            false => 0,
        });
        let name = read_name(&mut Reader::new(payload.get(at..)?)).ok()?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        (!name.is_empty() && name.bytes().all(is_plain)).then(|| name.into())
    }

    /// [`Self::named`], unless making its server key takes more than `memory` bytes, or than the system has: what is
    /// far too much is told before the set is made, which takes tens of megabytes with engines ckks and bfv.
    ///
    /// # Errors
    /// [`Error::Memory`]; as [`Self::named`].
    pub fn named_within(name: &str, memory: Option<u64>) -> Result<Self, Error> {
        let engine = engines::of_set(name);
        let needed = of_engine!(engine, E => <E as engines::Engine>::Params::named_key_bytes(name));
        Room::now(memory).check(0, needed)?;
        check_addresses(engine.least_client_bytes())?;
        Self::named(name)
    }

    /// Bytes that making a server key for tables of `p` entries takes at least, as far as is known before the set is
    /// made, which takes tens of megabytes with engine ckks; 0 with the others.
    pub fn least_key_bytes(engine: Engine, p: u64) -> u64 {
        of_engine!(engine, E => <E as engines::Engine>::Params::least_key_bytes(p))
    }

    /// Bytes that planning a table of `p` entries with the engine's default set takes at most, known before a set is
    /// made; 0 where it is little.
    pub fn plan_bytes(engine: Engine, p: u64) -> u64 {
        of_engine!(engine, E => <E as engines::Engine>::Params::plan_bytes(p))
    }

    /// [`Self::least_key_bytes`] for functions of integers.
    pub fn least_integer_key_bytes(engine: Engine) -> u64 {
        of_engine!(engine, E => <E as engines::Engine>::Params::least_integer_bytes().0)
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
        let keys = of_engine!(engine, E => <E as engines::Engine>::Params::table_key_bytes(p, target));
        Room::now(memory).check(0, keys.max(plan))
    }

    /// [`Self::check_table_memory`] for functions of integers.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn check_integer_memory(engine: Engine, memory: Option<u64>) -> Result<(), Error> {
        let (keys, plan) = of_engine!(engine, E => <E as engines::Engine>::Params::least_integer_bytes());
        Room::now(memory).check(0, keys.max(plan))
    }

    /// This set, or that of the other engine for messages of as many bits, if a table without structure on `values` of
    /// them is predicted to take less time with it, on one thread and without the keys.
    ///
    /// # Errors
    /// [`Error::Lut`], [`Error::Params`] where the engine has no such set.
    pub fn many(&self, values: usize) -> Result<Self, Error> {
        let (bits, load) = (self.bits(), Load { threads: 1, masks: Some(MaskStorage::Seeded), ..Load::of(values) });
        let request = Request::table(Lut::unstructured(bits));
        let other = match self.engine() {
            Engine::Bfv => return Ok(self.clone()),
            Engine::Fhew => request.offer(Engine::Ckks, &load)?,
            Engine::Ckks => request.offer(Engine::Fhew, &load)?,
        };
        let own = self.predict(&Lut::unstructured(bits), &load);
        Ok(match own {
            Ok(own) if other.prediction.seconds < own.seconds => other.params,
            _ => self.clone(),
        })
    }

    /// The engine that evaluates with it.
    pub fn engine(&self) -> Engine {
        self.0.engine()
    }

    /// The name.
    pub fn name(&self) -> &str {
        each!(&self.0, params => EngineParams::name(params))
    }

    /// Bits of the widest message; with engine bfv those that residues modulo p^r hold all of.
    pub fn bits(&self) -> u32 {
        each!(&self.0, params => EngineParams::bits(params))
    }

    /// The modulus of residues, where there is one for all: p^r with engine bfv.
    pub fn modulus(&self) -> Option<u64> {
        each!(&self.0, params => EngineParams::modulus(params))
    }

    /// Rows and columns of the slots of a ciphertext, with engine bfv: each row rotates by itself.
    pub fn slot_shape(&self) -> Option<[usize; 2]> {
        each!(&self.0, params => EngineParams::slot_shape(params))
    }

    /// Products in a row that there is room for, of a set of engine bfv that bootstraps nothing.
    pub fn depth(&self) -> Option<u32> {
        each!(&self.0, params => EngineParams::depth(params))
    }

    /// Bits of the longest integers in one ciphertext, which tables are evaluated on, and functions of
    /// integers: `None` for sets that are not made for them.
    pub fn integer_bits(&self) -> Option<u32> {
        each!(&self.0, params => EngineParams::integer_bits(params))
    }

    /// Bits of the longest integers, in as many ciphertexts as they take: of programs, and of functions where the set
    /// has [`Self::integer_bits`].
    pub fn max_integer_bits(&self) -> Option<u32> {
        each!(&self.0, params => EngineParams::max_integer_bits(params))
    }

    /// Bits of security, `SECURITY.md` says by which data; `None` for a toy set, which has none, and for a paper's set
    /// that they do not cover.
    pub fn security(&self) -> Option<Security> {
        each!(&self.0, params => EngineParams::security(params))
    }

    /// Values that are evaluated at the price of one.
    pub fn capacity(&self) -> usize {
        each!(&self.0, params => EngineParams::capacity(params))
    }

    /// log2 of the failure probability of a value that is promised.
    pub fn log2_p_fail(&self) -> f64 {
        each!(&self.0, params => EngineParams::log2_p_fail(params))
    }

    /// log2 of the factor by which the noise of a table's results, of the set's widest messages, may grow in sums and
    /// products with constants within the promise. With engine ckks, where it takes a second, of whatever table; `None`
    /// with engine bfv, where each result has its own
    /// ([`Ciphertexts::noise_budget`](crate::Ciphertexts::noise_budget)).
    pub fn result_budget(&self) -> Option<f64> {
        each!(&self.0, params => EngineParams::result_budget(params))
    }

    /// Whether it is a default of some message size: at least 128 bits of security, chosen by the search.
    pub fn is_default(&self) -> bool {
        each!(&self.0, params => EngineParams::is_chosen_by_default(params))
    }

    /// The set in words, several lines.
    pub fn description(&self) -> String {
        each!(&self.0, params => EngineParams::description(params))
    }

    /// A hash of the set, 16 bytes, that its keys and ciphertexts carry.
    pub fn fingerprint(&self) -> [u8; 16] {
        each!(&self.0, params => EngineParams::fingerprint(params))
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
