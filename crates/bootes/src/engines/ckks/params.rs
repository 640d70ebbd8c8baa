//! Parameter sets of engine ckks.
use super::ciphertexts::budget;
use super::circuits::{Predictor, bootstraps, function_prediction, multivariate, widens};
use super::predict::{CiphertextLoad, CiphertextPrediction, fresh_bytes, key_memory, largest_stages};
use super::{EncryptedTable, Params, VERSION};
use crate::door::space::Integers;
use crate::engines::rlwe_keys::RlweParams;
use crate::engines::{Elapsed, EngineParams, MORE_ROOM, check_integers, check_residues};
use crate::kept::Kept;
use crate::memory::{Room, check_set, masks_that_fit};
use crate::names::hex;
use crate::threads::on_all_threads;
use crate::{Engine, Error, FailureTarget, IntegerOp, Load, Prediction, Security, Space};
use bootes_lattice::port::RlweEncoding;
use bootes_lattice::rns::MaskStorage;
use bootes_lattice::wire::ObjectKind;
use bootes_lut::ckks::params::literals;
use bootes_lut::ckks::{TableLiteral, Tables};
use bootes_lut::integer::{IntegerLimbs, MAX_WIDTH};
use bootes_lut::{Interval, Lut, LutError, MultivariateLut, Program};
use bootes_schemes::ckks::CkksParams;
use bootes_schemes::ckks::bootstrap::Transforms;
use bootes_schemes::fhew::FhewParams;

/// The sets that were used last.
static KEPT: Kept<Params> = Kept::new();

/// Words a coefficient that a set takes while it is made, at most: three a prime, and as many again in passing.
const SET_WORDS: u64 = 128;

/// The same of a plan, beside the diagonals of its maps: what they are made of and what bounds of noise are, in the
/// pieces that threads leave. Measured by the peak of `plan` and `params` on two threads, 20 MB of the program and what
/// is counted here for diagonals taken off: 60 to 190 words.
const PLAN_WORDS: u64 = 192;

/// Bytes of a plan for each entry of the largest table: measured are 40.
const ENTRY_BYTES: u64 = 48;

impl EngineParams for Params {
    const ENGINE: Engine = Engine::Ckks;

    fn named(name: &str) -> Result<Self, Error> {
        let unknown = |unknown: LutError| match FhewParams::by_name(name) {
            Ok(_) => Error::SetOf { name: name.into(), found: Engine::Fhew, expected: Engine::Ckks },
            Err(_) => unknown.into(),
        };
        KEPT.or_built(name, || {
            if let Some(literal) = literals().iter().find(|set| set.name == name) {
                check_set(1 << literal.log2_degree, SET_WORDS)?;
            }
            Self::named(name).map_err(unknown)
        })
    }

    fn keep(&self) {
        KEPT.keep(self.name(), self);
    }

    fn names() -> Vec<String> {
        literals().iter().map(|set| set.name.clone()).collect()
    }

    fn for_tables(p: u64, _target: FailureTarget) -> Result<Self, Error> {
        for_modulus(p)
    }

    fn for_integers(width: u32, _target: FailureTarget) -> Result<Self, Error> {
        for_integers(width)
    }

    fn candidates_for(lut: &Lut, target: FailureTarget) -> Vec<Self> {
        let sets = sets_for(lut.in_modulus()).unwrap_or_default();
        sets.into_iter().filter(|set| set.log2_p_fail() <= f64::from(target.log2())).collect()
    }

    fn least_key_bytes(p: u64) -> u64 {
        least_key_bytes(p)
    }

    fn named_key_bytes(name: &str) -> u64 {
        literals().iter().find(|set| set.name == name).map_or(0, TableLiteral::least_key_bytes)
    }

    fn least_integer_bytes() -> (u64, u64) {
        (least_integer_key_bytes(), integer_plan_bytes())
    }

    fn plan_bytes(p: u64) -> u64 {
        table_plan_bytes(p)
    }

    fn name(&self) -> &str {
        self.name()
    }

    fn bits(&self) -> u32 {
        self.literal().bits
    }

    fn security(&self) -> Option<Security> {
        let secure = self.literal().class.is_secure();
        self.ckks().security_bits().filter(|_| secure).map(|standard| Security { standard, strict: None })
    }

    fn log2_p_fail(&self) -> f64 {
        self.log2_p_fail()
    }

    fn is_chosen_by_default(&self) -> bool {
        self.literal().class.is_secure()
    }

    fn description(&self) -> String {
        description(self)
    }

    fn fingerprint(&self) -> [u8; 16] {
        self.fingerprint()
    }

    fn integer_bits(&self) -> Option<u32> {
        Some(self.literal().integer_bits).filter(|&bits| bits > 0)
    }

    fn max_integer_bits(&self) -> Option<u32> {
        Some(self.max_integer_bits()).filter(|&bits| bits > 0)
    }

    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn result_budget(&self) -> Option<f64> {
        result_budget(self).ok()
    }

    fn predict(&self, lut: &Lut, load: &Load) -> Result<Prediction, Error> {
        let (of, luts) = (CiphertextLoad::of(self, load), std::slice::from_ref(lut));
        // Bounds of tables are found by all threads, of which the system may start few.
        let fit = |masks| CiphertextPrediction::in_room(self, luts, of, masks, load.room());
        Ok(on_all_threads(|| masks_that_fit(load.masks, fit))?.of_load(load))
    }

    fn predict_integers(&self, op: IntegerOp, width: u32, load: &Load) -> Result<Prediction, Error> {
        on_all_threads(|| function_prediction(self, op, width, load))
    }

    fn predict_program(&self, program: &Program, space: Space, load: &Load) -> Result<Prediction, Error> {
        let space = own_space(self, space)?;
        on_all_threads(|| Predictor::new(self, load).program(program, &vec![space; program.inputs()]))
    }

    fn predict_multivariate(&self, table: &MultivariateLut, space: Space, load: &Load) -> Result<Prediction, Error> {
        let spaces = self.spaces_of(table, space)?;
        on_all_threads(|| Predictor::new(self, load).multivariate(table, &spaces))
    }

    fn program_bootstraps(&self, program: &Program, space: Space) -> Option<usize> {
        bootstraps(self, program, own_space(self, space).ok()?).ok()
    }

    fn multivariate_bootstraps(&self, table: &MultivariateLut, space: Space) -> Option<usize> {
        Some(multivariate(self, table, &self.spaces_of(table, space).ok()?).ok()?.bootstraps())
    }

    /// A set that has room is named, none that has not.
    fn program_refusal(&self, error: Error, program: &Program, space: Space) -> Error {
        let fits = |name: &String| {
            let set = <Self as EngineParams>::named(name).ok().filter(|set| set.name() != self.name());
            set.is_some_and(|set| own_space(&set, space).is_ok_and(|space| bootstraps(&set, program, space).is_ok()))
        };
        match error {
            Error::Lut(LutError::Room { range, found, bits, params, residues, .. }) => {
                let other = Self::program_sets(FailureTarget::Two128).into_iter().find(fits);
                LutError::Room { range, found, bits, params, other, residues }.into()
            }
            error => error,
        }
    }

    fn program_offer(&self, program: &Program, space: Space, load: &Load) -> Result<(Space, Prediction), Error> {
        let space = own_space(self, space)?;
        on_all_threads(|| {
            let predictor = Predictor::new(self, load);
            let own = || predictor.program(program, &vec![space; program.inputs()]);
            let Some(wider) = wider(self, program, space) else { return own().map(|own| (space, own)) };
            match (own(), predictor.program(program, &vec![wider; program.inputs()])) {
                (Ok(own), Ok(other)) if own.job_seconds <= other.job_seconds => Ok((space, own)),
                (_, Ok(other)) => Ok((wider, other)),
                (own, Err(_)) => own.map(|own| (space, own)),
            }
        })
    }

    fn program_sets(target: FailureTarget) -> Vec<String> {
        let promises = |set: &&TableLiteral| set.class.is_secure() && set.log2_p_fail <= f64::from(target.log2());
        // Those of integers first, then by the size of tables.
        let mut sets: Vec<_> = literals().iter().filter(promises).collect();
        sets.sort_by_key(|set| (set.integer_bits == 0, set.bits));
        sets.into_iter().map(|set| set.name.clone()).collect()
    }

    fn elapsed(&self, lut: &Lut, load: &Load) -> Result<Elapsed, Error> {
        let (of, luts) = (CiphertextLoad::of(self, load), std::slice::from_ref(lut));
        let fit = |masks| CiphertextPrediction::in_room(self, luts, of, masks, Room::default());
        let prediction = on_all_threads(|| masks_that_fit(load.masks, fit))?;
        Ok(Box::new(move |count| prediction.elapsed_for(count)))
    }

    fn candidates(&self, lut: &Lut, load: &Load) -> Vec<(String, Result<Prediction, Error>)> {
        let masks = load.masks.unwrap_or(MaskStorage::Expanded);
        match on_all_threads(|| CiphertextPrediction::methods(self, lut, CiphertextLoad::of(self, load), masks)) {
            Ok(all) => all.into_iter().map(|(name, found)| (name, found.map(|found| found.of_load(load)))).collect(),
            Err(refusal) => vec![("functional bootstrapping".into(), Err(refusal))],
        }
    }

    fn key_memory(&self) -> Result<u64, Error> {
        key_memory(self)
    }

    fn space_modulo(&self, values: &[i128], p: u64) -> Result<Space, Error> {
        let max = 1 << self.literal().bits;
        if !(2..=max).contains(&p) {
            return Err(Error::Modulus { found: p, max, params: self.name().into() });
        }
        check_residues(values, p).map(|()| Space::Modular(p))
    }

    /// With sets for tables, longer ones than fit with a sign are residues that may have more bits than tables take:
    /// for digits.
    fn space_of_unsigned(&self, values: &[i128], width: u32) -> Result<Space, Error> {
        let literal = self.literal();
        if literal.integer_bits > 0 || (1..literal.bits).contains(&width) {
            return self.space_within(values, Interval::unsigned(width.clamp(1, MAX_WIDTH)), width);
        }
        let max = literal.bits + RlweEncoding::MAX_LOG2_MODULUS - literal.log2_modulus;
        if !(1..=max).contains(&width) {
            return Err(Error::Bits { found: width, max, params: self.name().into() });
        }
        check_residues(values, 1 << width).map(|()| Space::Modular(1 << width))
    }

    /// With sets for tables, integers for programs.
    fn space_within(&self, values: &[i128], range: Interval, width: u32) -> Result<Space, Error> {
        let (most, tables) = (self.max_integer_bits(), self.literal().bits.saturating_sub(1));
        let (max, limbs) = match most {
            0 if (1..=tables).contains(&width) => (tables, Ok(IntegerLimbs::one(width))),
            most => (most.max(tables), self.integer_limbs(width)),
        };
        let limbs = limbs.map_err(|_| Error::Width { found: width, max, params: self.name().into() })?;
        let integers = Integers::new(limbs, range).filter(|_| range.width() <= width);
        let integers = integers.ok_or(Error::Room { range, width, engine: Engine::Ckks })?;
        check_integers(values, range, width)?;
        Ok(Space::Integers(integers))
    }

    fn fresh_bytes(&self, values: usize) -> u64 {
        fresh_bytes(self, values, 1)
    }

    fn encrypted_table_bytes(&self, entries: u64, values: Option<usize>) -> Result<u64, Error> {
        EncryptedTable::bytes_of(self, entries, values)
    }
}

impl RlweParams for Params {
    type Scheme = CkksParams;
    const CLIENT_KEY: ObjectKind = ObjectKind::CkksClientKey;
    const PUBLIC_KEY: ObjectKind = ObjectKind::CkksPublicKey;
    const SERVER_KEY: ObjectKind = ObjectKind::CkksServerKey;
    const VERSION: u16 = VERSION;

    fn scheme(&self) -> &CkksParams {
        self.ckks()
    }

    fn public_level(&self) -> usize {
        1
    }
}

/// The space in which a program's values are encrypted with a set, long integers in limbs.
///
/// # Errors
/// What encryption refuses.
fn own_space(params: &Params, space: Space) -> Result<Space, Error> {
    match space {
        Space::Modular(p) => params.space_modulo(&[], p),
        Space::Integers(integers) => params.space_within(&[], integers.range(), integers.width()),
    }
}

/// The least space in which no input of a program has to be made anew, where one has to be in the given space.
fn wider(params: &Params, program: &Program, space: Space) -> Option<Space> {
    let whole = space.integers().filter(|_| space.limbs() == 1);
    let integers = whole.filter(|_| widens(params, program, space).unwrap_or(false))?;
    let most = space_bits(params);
    let room = MORE_ROOM.iter().map(|more| integers.width() + more).chain([most - 1]);
    let room = room.filter(|width| (integers.width() + 1..most).contains(width));
    let mut wider = room.filter_map(|width| Space::within(integers.range(), width).ok());
    wider.find(|&space| widens(params, program, space).is_ok_and(|widens| !widens))
}

/// Bits of messages that programs take in one ciphertext.
pub(super) fn space_bits(params: &Params) -> u32 {
    params.literal().bits.max(params.literal().integer_bits + 1)
}

/// log2 of the modulus of fresh ciphertexts of such values. Messages of more bits than the set's are for digits, as far
/// apart as its own.
pub(crate) fn fresh_log2_modulus(params: &Params, space: Space) -> u32 {
    let (literal, p) = (params.literal(), space.moduli()[0]);
    let bits = if space.integers().is_some() { 0 } else { p.next_power_of_two().ilog2() };
    literal.log2_modulus + bits.saturating_sub(literal.bits)
}

/// Bytes that planning with a set takes at most, known before the set is made: the maps to slots and back, of which the
/// largest stage each way has most diagonals, one word a coefficient each, tables, and bounds of noise.
fn plan_bytes(literal: &TableLiteral) -> u64 {
    let words = PLAN_WORDS + largest_stages(literal).iter().sum::<usize>() as u64;
    ((8 * words) << literal.log2_degree) + (ENTRY_BYTES << literal.bits)
}

/// The same for tables of p entries, with one of the smallest sets for them.
fn table_plan_bytes(p: u64) -> u64 {
    literals_for(p).into_iter().map(plan_bytes).max().unwrap_or(0)
}

/// The maps to slots and back, if there is room for them.
///
/// # Errors
/// [`Error::Memory`] before anything is taken; as [`Params::transforms`].
pub(super) fn maps(params: &Params) -> Result<Transforms, Error> {
    check_plan(params, Room::now(None))?;
    Ok(params.transforms()?)
}

/// Refuses to plan with a set where there is too little memory; with a toy set it is never too little.
///
/// # Errors
/// [`Error::Memory`].
pub(super) fn check_plan(params: &Params, room: Room) -> Result<(), Error> {
    let needed = plan_bytes(params.literal());
    if params.literal().log2_degree <= 10 { Ok(()) } else { room.check(0, needed) }
}

/// Bytes that making a key for functions of integers takes at least, known before a set is made.
fn least_integer_key_bytes() -> u64 {
    let sets = literals().iter().filter(|set| set.class.is_secure() && set.integer_bits > 0);
    sets.map(|set| set.least_key_bytes()).min().unwrap_or(0)
}

/// Bytes that planning a function of integers takes, known before a set is made.
fn integer_plan_bytes() -> u64 {
    let sets = literals().iter().filter(|set| set.class.is_secure() && set.integer_bits > 0);
    sets.map(plan_bytes).min().unwrap_or(0)
}

/// The default set for integers of so many bits.
///
/// # Errors
/// [`Error::Width`] for none, or more than there is a set for.
fn for_integers(width: u32) -> Result<Params, Error> {
    let sets = literals().iter().filter(|set| set.class.is_secure() && set.integer_bits > 0);
    let mut last = Err(Error::not_with("a function of integers", Engine::Ckks, &[Engine::Fhew]));
    for set in sets {
        let params = Params::by_name(&set.name)?;
        let max = params.max_integer_bits();
        if (1..=max).contains(&width) {
            return Ok(params);
        }
        last = Err(Error::Width { found: width, max, params: params.name().into() });
    }
    last
}

/// The smallest sets for tables of p entries, or so many bits: one that evaluates them whole, or by digits, or both.
///
/// # Errors
/// [`Error::NotWith`] for more entries than there are sets for.
fn sets_for(p: u64) -> Result<Vec<Params>, Error> {
    let sets = literals_for(p);
    if sets.is_empty() {
        let most = literals().iter().map(|set| set.bits).max().unwrap_or(0);
        let what = format!("a table of {p} entries, more than the 2^{most} that there are sets for,");
        return Err(Error::not_with(&what, Engine::Ckks, &[]));
    }
    sets.iter().map(|set| Params::by_name(&set.name)).collect()
}

/// The literals that these are made of.
fn literals_for(p: u64) -> Vec<&'static TableLiteral> {
    let is_for_tables = |set: &TableLiteral| set.class.is_secure() && set.integer_bits == 0;
    let mut sets: Vec<_> = literals().iter().filter(|set| is_for_tables(set) && 1 << set.bits >= p).collect();
    let bits = sets.iter().map(|set| set.bits).min();
    sets.retain(|set| Some(set.bits) == bits);
    sets
}

/// Bytes that making a key for tables of p entries takes at least, known before a set is made.
fn least_key_bytes(p: u64) -> u64 {
    literals_for(p).into_iter().map(TableLiteral::least_key_bytes).min().unwrap_or(0)
}

/// The set of least predicted time among [`sets_for`] p.
///
/// # Errors
/// As [`sets_for`]; the refusal of the last set if none evaluates such tables.
fn for_modulus(p: u64) -> Result<Params, Error> {
    let mut sets = sets_for(p)?;
    if sets.len() == 1 {
        return Ok(sets.remove(0));
    }
    let (lut, load) = ([Lut::unstructured_modulo(p)], CiphertextLoad { ciphertexts: 1, threads: 1 });
    let seconds = |params: &Params| {
        let prediction = CiphertextPrediction::with_storage(params, &lut, load, MaskStorage::Expanded);
        prediction.map_or(f64::INFINITY, |prediction| prediction.seconds)
    };
    let timed = sets.into_iter().map(|set| (seconds(&set), set));
    timed.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, set)| set).ok_or(Error::NoValues)
}

/// How many tables in a row keep the set's promise whatever they are, each on results of the one before, up to `most`.
/// More do where tables are less noisy: [`Server::plan`](crate::Server::plan) goes by the bound that travels with its
/// inputs.
///
/// # Errors
/// [`Error::Lut`] for what the set refuses.
fn chain(params: &Params, most: u32) -> Result<u32, Error> {
    let transforms = maps(params)?;
    Ok(Tables::chain(params, &transforms, most)?.0)
}

/// log2 of the factor by which the noise of results of the largest tables may grow within the promise, whatever the
/// tables are.
///
/// # Errors
/// As [`chain`].
fn result_budget(params: &Params) -> Result<f64, Error> {
    let (_, first) = Tables::chain(params, &maps(params)?, 1)?;
    Ok(budget(params, first, Space::of_bits(params.literal().bits), 0.0))
}

/// A set in words, several lines.
fn description(params: &Params) -> String {
    let (literal, ckks, exponential) = (params.literal(), params.ckks(), params.exponential());
    let security = ckks.security_bits().filter(|_| params.literal().class.is_secure());
    let security = match security {
        Some(bits) => format!("{:.1} bits by the least of all estimates", (bits * 10.0).floor() / 10.0),
        None => "INSECURE, for tests only".to_string(),
    };
    let rows = [
        ("engine", "ckks".to_string()),
        ("tables", format!("of up to {} bits, full domain, {}", literal.bits, moduli_in_words(literal))),
        ("ciphertext", format!("N = {} values, modulus 2^{}", params.capacity(), literal.log2_modulus)),
        ("security", security),
        (
            "moduli",
            format!("log QP = {:.1}: {} levels of {} bits", ckks.log2_modulus(), ckks.max_level(), literal.scale_bits),
        ),
        ("keys", format!("ternary of weight {}, raised under one of weight {}", literal.weight, literal.sparse_weight)),
        ("integers", integers_in_words(params)),
        ("digits", digits_in_words(literal)),
        ("gadget", format!("digits of {} primes, {} special primes", literal.digit_primes, literal.special_primes)),
        ("maps", format!("{} stages to slots, {} back", literal.to_slots, literal.to_coeffs)),
        (
            "circle",
            format!(
                "degree {}, {} squarings, phases up to {}",
                exponential.degree(),
                exponential.doublings(),
                exponential.bound()
            ),
        ),
        ("failure", format!("at most 2^{} a value, with every key", (params.log2_p_fail() * 10.0).round() / 10.0)),
        ("chains", chains_in_words(params)),
        ("results", result_budget(params).map_or(String::new(), budget_in_words)),
        ("fingerprint", hex(&params.fingerprint())),
    ];
    let rows =
        rows.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("  {name:<16}{value}\n"));
    format!("parameter set {}\n{}", params.name(), rows.collect::<String>())
}

fn moduli_in_words(literal: &TableLiteral) -> String {
    match literal.digits.is_empty() {
        true => "any modulus".to_string(),
        false => format!("moduli that are products of numbers up to {}", literal.largest_digit()),
    }
}

fn budget_in_words(bits: f64) -> String {
    format!("of the largest tables have a noise budget of {bits:.1} bits, for sums and products with constants")
}

/// The widths of integers, in words, of sets that are made for functions of integers.
fn integers_in_words(params: &Params) -> String {
    match (params.max_integer_bits(), params.literal().integer_bits) {
        (0, _) => String::new(),
        (most, one) => format!("of up to {one} bits in one ciphertext and {most} in two, and functions of them"),
    }
}

/// The digits of the largest tables, in words; nothing for sets that evaluate all tables whole.
fn digits_in_words(literal: &TableLiteral) -> String {
    let moduli: Vec<String> = literal.digits.iter().map(u64::to_string).collect();
    match moduli.is_empty() {
        true => String::new(),
        false => format!("{} for the largest tables; up to {} entries whole", moduli.join(" x "), literal.whole()),
    }
}

fn chains_in_words(params: &Params) -> String {
    const MOST: u32 = 32;
    let tables = "any tables";
    match chain(params, MOST) {
        Ok(MOST) => format!("{tables} on results, and so on without end"),
        Ok(1) => "tables on fresh ciphertexts; on results where their noise allows it".to_string(),
        Ok(count) => format!("{tables}, {count} in a row; more where their noise allows it"),
        Err(error) => error.to_string(),
    }
}
