//! Parameter sets of engine bfv.
use super::server::{check_key_memory, check_program_memory, fresh_bytes, key_memory, predict};
use super::{LOG2_P_FAIL, Params, Plan, VERSION};
use crate::engines::rlwe_keys::RlweParams;
use crate::engines::{Elapsed, EngineParams, check_residues};
use crate::kept::Kept;
use crate::memory::{Room, check_set};
use crate::names::hex;
use crate::threads::on_all_threads;
use crate::{BfvError, Engine, Error, FailureTarget, Load, Prediction, Program, Security, Space};
use bootes_lattice::wire::ObjectKind;
use bootes_lut::Lut;
use bootes_ring::primes;
use bootes_schemes::bfv::{BfvLiteral, BfvParams};
use bootes_schemes::class::SetClass;

/// The sets that were used last.
pub(super) static KEPT: Kept<Params> = Kept::new();

impl EngineParams for Params {
    const ENGINE: Engine = Engine::Bfv;

    /// It takes 0.2 s at most, and its memory until it is dropped.
    fn named(name: &str) -> Result<Self, Error> {
        KEPT.or_built(name, || {
            if let Some(log2_degree) = Self::log2_degree_of(name) {
                check_set(1 << log2_degree, SET_WORDS)?;
            }
            on_all_threads(|| Ok(Self::named(name).ok_or_else(|| BfvError::Set { name: name.into() })??))
        })
    }

    fn keep(&self) {
        KEPT.keep(self.name(), self);
    }

    fn names() -> Vec<String> {
        names().collect()
    }

    fn for_tables(p: u64, _target: FailureTarget) -> Result<Self, Error> {
        for_tables(p)
    }

    fn candidates_for(lut: &Lut, target: FailureTarget) -> Vec<Self> {
        for_tables(lut.in_modulus()).into_iter().filter(|_| LOG2_P_FAIL <= f64::from(target.log2())).collect()
    }

    fn name(&self) -> &str {
        (**self).name()
    }

    fn bits(&self) -> u32 {
        self.modulus().ilog2()
    }

    fn security(&self) -> Option<Security> {
        let toy = self.literal().class == SetClass::Toy;
        self.security_bits().filter(|_| !toy).map(|standard| Security { standard, strict: None })
    }

    fn log2_p_fail(&self) -> f64 {
        LOG2_P_FAIL
    }

    fn is_chosen_by_default(&self) -> bool {
        self.literal().class.is_secure()
    }

    fn description(&self) -> String {
        description(self)
    }

    fn fingerprint(&self) -> [u8; 16] {
        (**self).fingerprint()
    }

    fn modulus(&self) -> Option<u64> {
        Some(self.modulus())
    }

    fn slot_shape(&self) -> Option<[usize; 2]> {
        Some(self.slots().shape())
    }

    fn capacity(&self) -> usize {
        self.slots().count()
    }

    fn depth(&self) -> Option<u32> {
        Self::depth(self)
    }

    fn predict(&self, lut: &Lut, load: &Load) -> Result<Prediction, Error> {
        predict(self, &Plan::tables(std::slice::from_ref(lut)), load, load.room())
    }

    fn predict_program(&self, program: &Program, space: Space, load: &Load) -> Result<Prediction, Error> {
        let (expected, params) = (self.modulus(), self.name().into());
        match space {
            Space::Modular(p) if p == expected => {}
            Space::Modular(found) => return Err(BfvError::Modulus { found, expected, params }.into()),
            space @ Space::Integers(_) => return Err(BfvError::Integers { space, expected, params }.into()),
        }
        predict(self, program, load, load.room())
    }

    fn elapsed(&self, lut: &Lut, load: &Load) -> Result<Elapsed, Error> {
        let vector = self.predict(lut, &Load { values: 1, memory: None, ..*load })?;
        Ok(Box::new(move |count| vector.seconds * count.div_ceil(vector.capacity as u64) as f64))
    }

    fn candidates(&self, lut: &Lut, load: &Load) -> Vec<(String, Result<Prediction, Error>)> {
        vec![("polynomial modulo p".into(), self.predict(lut, load))]
    }

    fn key_memory(&self) -> Result<u64, Error> {
        key_memory(self)
    }

    fn check_key_memory(&self, room: Room) -> Result<(), Error> {
        check_key_memory(self, room)
    }

    fn check_program_memory(&self, program: &Program, load: &Load, room: Room) -> Result<(), Error> {
        check_program_memory(self, program, load, room)
    }

    fn space_modulo(&self, values: &[i128], p: u64) -> Result<Space, Error> {
        let expected = self.modulus();
        if p != expected {
            return Err(BfvError::Modulus { found: p, expected, params: self.name().into() }.into());
        }
        check_residues(values, p).map(|()| Space::Modular(p))
    }

    fn fresh_bytes(&self, values: usize) -> u64 {
        fresh_bytes(self, values)
    }
}

impl RlweParams for Params {
    type Scheme = BfvParams;
    const CLIENT_KEY: ObjectKind = ObjectKind::BfvClientKey;
    const PUBLIC_KEY: ObjectKind = ObjectKind::BfvPublicKey;
    const SERVER_KEY: ObjectKind = ObjectKind::BfvServerKey;
    const VERSION: u16 = VERSION;

    fn scheme(&self) -> &BfvParams {
        self
    }

    fn public_level(&self) -> usize {
        // The highest where nothing is bootstrapped, which has room for the noise.
        (self.fresh_level() + 1).min(self.max_level())
    }
}

/// Words a coefficient that a set takes while it is made and a client of it thereafter, at most.
const SET_WORDS: u64 = 160;

/// The set for vectors modulo p^r.
///
/// # Errors
/// [`Error::Lut`] for a p that has no set.
pub(crate) fn of(p: u64, r: u32) -> Result<Params, Error> {
    match r {
        1 => Params::by_name(&format!("slots_{p}")),
        0 => Ok(Params::new(p, r)?),
        _ => Params::by_name(&format!("slots_{p}_{r}")),
    }
}

/// The set for vectors modulo p and so many products in a row, without bootstrapping.
///
/// # Errors
/// [`Error::Lut`] for a p or a depth that has no set.
pub(crate) fn leveled(p: u64, depth: u32) -> Result<Params, Error> {
    // The names of others are not those of numbers.
    match depth {
        0 => Ok(Params::leveled(p, 1, depth)?),
        _ => Params::by_name(&format!("slots_{p}_depth_{depth}")),
    }
}

/// The set for a program of so many values modulo p that bootstraps nothing, if there is one and memory to look for it.
pub(crate) fn leveled_for(p: u64, program: &Program, values: usize) -> Option<Params> {
    check_set(1 << Params::MAX_LOG2_DEGREE, SET_WORDS).ok()?;
    let set = on_all_threads(|| Ok::<_, Error>(Params::leveled_for(p, 1, program, values))).ok()??;
    set.keep();
    Some(set)
}

/// The set for vectors modulo p and tables of Z_p.
///
/// # Errors
/// [`Error::Lut`] for a p that has no set.
fn for_tables(p: u64) -> Result<Params, Error> {
    match Params::by_name(&format!("slots_{p}_tables")) {
        // Where the set for arithmetic has them.
        Err(Error::Bfv(BfvError::Set { .. })) => of(p, 1),
        found => found,
    }
}

/// Sets to show: of some primes with many slots, some without bootstrapping, and those of papers.
fn names() -> impl Iterator<Item = String> {
    let ours = [
        "slots_17",
        "slots_127",
        "slots_127_2",
        "slots_257",
        "slots_257_2",
        "slots_65537",
        "slots_65537_tables",
        "slots_65537_depth_1",
        "slots_65929217_depth_2",
    ];
    ours.into_iter().map(String::from).chain(BfvLiteral::of_papers().iter().map(|set| set.name.clone()))
}

/// Whether a set has this name, or would.
pub(crate) fn is_named(name: &str) -> bool {
    name.trim_start_matches("toy_").trim_start_matches("paper_").starts_with("slots")
}

/// A set in words, several lines.
fn description(params: &Params) -> String {
    let literal = params.literal();
    let security = match (literal.class, params.security_bits().map(|bits| (bits * 10.0).floor() / 10.0)) {
        (SetClass::Secure, Some(bits)) => format!("{bits:.1} bits by the least of all estimates"),
        (SetClass::Paper, Some(bits)) => {
            format!("{bits:.1} bits by the least of all estimates: a paper's set, no default")
        }
        (SetClass::Paper, None) => "no estimate, the data do not cover it: a paper's set, no default".to_string(),
        _ => "INSECURE, for tests only".to_string(),
    };
    let primes: Vec<String> = literal.primes.iter().map(|(bits, count)| format!("{count} of {bits} bits")).collect();
    let ([rows, columns], count) = (params.slots().shape(), params.slots().count());
    let shape = if count == 1 { String::new() } else { format!(": {rows} x {columns}") };
    let tables = match params.exponent() {
        1 if !primes::is_prime(params.modulus()) => "none: arithmetic only".to_string(),
        1 if params.depth().is_some() => "those of few enough products in a row".to_string(),
        1 if params.has_tables() => format!("any, of {} entries", params.modulus()),
        1 => format!("of few coefficients only; any with the set slots_{}_tables, if there is one", params.modulus()),
        _ => "none: arithmetic only".to_string(),
    };
    let digits = params.max_exponent() - params.exponent();
    let keys = match literal.sparse_weight {
        0 => "ternary, dense".to_string(),
        sparse => format!("ternary of weight {}, raised under one of weight {sparse}", literal.weight),
    };
    let bootstrapping = match params.depth() {
        None => format!("modulo {}^{}, {digits} digits removed", params.base(), params.max_exponent()),
        Some(1) => "none: room for 1 product".to_string(),
        Some(depth) => format!("none: room for {depth} products in a row"),
    };
    let failure = if params.depth().is_none() { "a vector and bootstrapping" } else { "a vector" };
    let lines = [
        ("engine", "bfv".to_string()),
        ("values", format!("modulo {}, {count} a ciphertext{shape}", params.modulus())),
        ("tables", tables),
        ("security", security),
        ("ring", format!("N = {}", params.degree())),
        ("moduli", format!("log QP = {:.1}: primes above q_0 {}", params.log2_modulus(), primes.join(", "))),
        ("keys", keys),
        ("bootstrapping", bootstrapping),
        ("gadget", format!("digits of {} primes, {} special primes", literal.digit_primes, literal.special_primes)),
        ("failure", format!("at most 2^{LOG2_P_FAIL} {failure}, with every key")),
        ("fingerprint", hex(&params.fingerprint())),
    ];
    let lines: String = lines.into_iter().map(|(name, value)| format!("  {name:<16}{value}\n")).collect();
    format!("parameter set {}\n{lines}", params.name())
}
