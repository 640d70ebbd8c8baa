//! Which engine evaluates, with which set: chosen once, for every door alike, by the time of the whole job.
mod detour;
mod integers;
mod least;
pub(crate) mod pace;
pub(crate) mod prediction;
mod race;

use crate::engines::EngineParams;
use crate::engines::of::{Of, each, of_engine};
use crate::threads::apart;
use crate::{
    Cancel, Engine, Error, FailureTarget, Function, Load, Lut, MaskStorage, Params, Prediction, Program, Space,
    SpaceError, bfv, engines,
};
use bootes_lut::Congruent;
use bootes_lut::planning::{self, Waiting};
use bootes_lut::table::MAX_BITS;
pub use detour::Detour;
pub use integers::has_slots;
use least::{VECTOR_KEY_BYTES, least_seconds};
use race::{Pace, Race};
use std::cmp::Reverse;
use std::sync::Arc;

/// A function of fresh values, to be planned before there are keys.
#[derive(Clone, Debug)]
pub struct Request {
    /// A table, also by a named algorithm, or of several values; a function of integers; or a program.
    pub function: Function,
    /// The message space of the values. A table of several says how many each has: [`Space::Modular`] are residues, and
    /// integers have room for all together, as [`Offer::space`] says.
    pub space: Space,
    /// The failure probability of a value, at most.
    pub target: FailureTarget,
}

/// A set of one engine, and what a request takes with it.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The set.
    pub params: Params,
    /// The message space to encrypt in: for a program of integers with the room that makes it fastest, as for a table
    /// of several.
    pub space: Space,
    /// Time, memory and failure with it.
    pub prediction: Prediction,
}

/// The reason why an engine was not chosen.
#[derive(Debug)]
pub enum Reason {
    /// Its job takes longer.
    Slower(Box<Offer>),
    /// Its job takes at least so many seconds, for its keys alone: more than the choice's whole.
    NotTried(f64),
    /// It cannot, or must not.
    Refused(Error),
}

/// The engine and set of least predicted time for a whole job, and why not the others.
#[derive(Debug)]
pub struct Choice {
    /// The chosen set and its prediction.
    pub offer: Offer,
    /// The other engines.
    pub others: Vec<(Engine, Reason)>,
}

/// The engine and its default set with which the whole job takes the least predicted time
/// ([`Prediction::job_seconds`]): making, sending and expanding keys, unless they are there, encryption, evaluation and
/// decryption.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// use bootes::planner::{Request, choose};
/// use bootes::{Engine, Load, Lut};
/// let request = Request::table(Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?);
/// let few = choose(&request, &Load { threads: 1, ..Load::of(1) })?;
/// assert_eq!(few.offer.params.engine(), Engine::Fhew);
/// let many = choose(&request, &Load { threads: 1, ..Load::of(65536) })?;
/// assert_eq!(many.offer.params.engine(), Engine::Ckks);
/// assert!(many.others.iter().any(|(engine, _)| *engine == Engine::Fhew));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Where no engine can: the refusal of engine fhew, or of the one that has sets for such values.
pub fn choose(request: &Request, load: &Load) -> Result<Choice, Error> {
    choose_under(request, load, f64::INFINITY)
}

/// The same where what takes `limit` seconds or more is of no use: engines that are known to are not tried.
///
/// # Errors
/// As [`choose`], or where none is tried.
pub fn choose_under(request: &Request, load: &Load, limit: f64) -> Result<Choice, Error> {
    let mut race = Race::new(request, load, &|_| 1.0).under(limit);
    let mut all = Engine::ALL;
    if request.is_of_one_value() {
        // What takes milliseconds to plan and to do leaves little to ask of others, which take seconds.
        all.reverse();
    }
    all.into_iter().enumerate().for_each(|(i, engine)| planning::part(i, all.len(), || race.ask(engine)));
    race.finish()
}

/// Plans what somebody waits for, or does other work that may take long: encrypts, decrypts, makes keys or a server,
/// adds vectors up, reads or writes. `tell` hears which part of a plan is done, from 0 to 1. From when `cancel` says so
/// all ends within a second, with [`Error::Cancelled`].
///
/// ```
/// use bootes::planner::{Request, choose, watched};
/// use bootes::{Cancel, Error, Load, Lut};
/// let (cancel, request) = (Cancel::new(), Request::table(Lut::modular((0..16).collect(), 16).unwrap()));
/// let plan = || watched(&cancel, |part| assert!(part <= 1.0), || choose(&request, &Load::of(1)));
/// assert!(plan().is_ok());
/// cancel.cancel(); // from another thread, in earnest
/// assert!(matches!(plan(), Err(Error::Cancelled)));
/// ```
///
/// # Errors
/// Those of `plan`; [`Error::Cancelled`].
pub fn watched<T: Send>(
    cancel: &Cancel,
    tell: impl Fn(f64) + Send + Sync + 'static,
    plan: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    waited(Waiting::new(cancel, Arc::new(tell)), cancel, plan)
}

/// The same for whoever waits already, of what `cancel` ends too.
pub(crate) fn unless<T: Send>(cancel: &Cancel, plan: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    waited(Waiting::here_or(cancel), cancel, plan)
}

fn waited<T: Send>(
    waiting: Waiting,
    cancel: &Cancel,
    plan: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    let planned = || apart(|| waiting.while_planning(plan));
    let made = if cancel.is_cancelled() { Err(Error::Cancelled) } else { planned() };
    // What was refused, or left out, was so for want of time.
    if cancel.is_cancelled() { Err(Error::Cancelled) } else { made }
}

/// [`choose`], corrected by a measurement of this machine where that may change it: where the job is predicted to take
/// a second or more, and another engine's three times as long at most. It takes some 40 ms, once a process. Predictions
/// are then those of this machine.
///
/// # Errors
/// As [`choose`].
pub fn choose_here(request: &Request, load: &Load) -> Result<Choice, Error> {
    corrected(choose(request, load)?, request, load, &|engine| engine.world().pace())
}

/// Seconds of a job that are worth a measurement.
const WORTH: f64 = 1.0;

/// How many times as long as the choice an engine may take and be chosen by a measurement.
const NEAR: f64 = 3.0;

/// The choice where engines take `pace` times as long as predicted, which is asked for only where it may matter.
fn corrected(choice: Choice, request: &Request, load: &Load, pace: &Pace<'_>) -> Result<Choice, Error> {
    let most = NEAR * choice.offer.prediction.job_seconds;
    let is_near = |reason: &Reason| match reason {
        Reason::Slower(offer) => offer.prediction.job_seconds <= most,
        Reason::NotTried(least) => *least <= most,
        Reason::Refused(_) => false,
    };
    if choice.offer.prediction.job_seconds < WORTH || !choice.others.iter().any(|(_, reason)| is_near(reason)) {
        return Ok(choice);
    }
    let mut race = Race::new(request, load, pace);
    race.enter(choice.offer.params.engine(), Ok(choice.offer));
    let (tried, rest): (Vec<_>, Vec<_>) =
        choice.others.into_iter().partition(|(_, reason)| matches!(reason, Reason::Slower(_)));
    for (engine, reason) in tried.into_iter().chain(rest) {
        match reason {
            Reason::Slower(offer) => race.enter(engine, Ok(*offer)),
            Reason::NotTried(_) => race.ask(engine),
            Reason::Refused(error) => race.enter(engine, Err(error)),
        }
    }
    race.finish()
}

impl Request {
    /// A table of fresh residues, wrong with 2^-128.
    pub fn table(lut: Lut) -> Self {
        let space = Space::Modular(lut.in_modulus());
        Self { function: Function::Table(lut), space, target: FailureTarget::Two128 }
    }

    /// The engine for it, if nothing else is known: fhew where it has sets for it.
    pub fn own_engine(&self) -> Engine {
        match &self.function {
            Function::Table(lut) => Engine::for_entries(lut.in_modulus()),
            Function::PerSlot(_) | Function::Encrypted(_) => Engine::Ckks,
            Function::Program(_) if self.space.integers().is_none() => self.function.engines()[0],
            _ => Engine::default(),
        }
    }

    /// The offer of an engine with its default set.
    ///
    /// # Errors
    /// As its sets refuse; [`Error::InputBits`], [`Error::InputModulus`], [`LutError::Domain`](crate::LutError::Domain)
    /// for a table of other values; [`Error::Failure`] for a set that promises less; [`Error::NotWith`] for what the
    /// engine has not, or is not predicted before there are ciphertexts; [`Error::Memory`] with what is enough.
    pub fn offer(&self, engine: Engine, load: &Load) -> Result<Offer, Error> {
        self.offered(engine, load).map_err(|error| self.refusal_in_full(error, engine, load))
    }

    /// The same, whose refusal may name less memory than the whole job takes: what is known before it is planned.
    fn offered(&self, engine: Engine, load: &Load) -> Result<Offer, Error> {
        if let Some(program) = self.as_program(engine) {
            return program.offered(engine, load);
        }
        if matches!(
            (&self.function, engine),
            (Function::Program(_) | Function::Multivariate(_), Engine::Fhew | Engine::Ckks)
        ) {
            return self.fastest(engine, load);
        }
        if let (Function::Program(program), Engine::Bfv, Space::Modular(p)) = (&self.function, engine, self.space) {
            return self.of_vectors(program, p, load);
        }
        self.check_entries()?;
        if let (Function::Table(lut), Engine::Bfv) = (&self.function, engine) {
            return self.of_vectors(&bfv::Plan::tables(std::slice::from_ref(lut)), lut.in_modulus(), load);
        }
        let params = self.params(engine, load)?;
        params.promises(self.target)?;
        self.offer_of(params, load)
    }

    /// The program of a table of integers that are too long for one ciphertext, or whose results are, and of a function
    /// of integers that is of residues.
    fn as_program(&self, engine: Engine) -> Option<Self> {
        match (&self.function, engine, self.space) {
            (Function::Table(lut), Engine::Fhew, Space::Integers(_))
                if lut.gives_integers() && (lut.out_bits() > MAX_BITS || lut.in_bits() > LARGEST) =>
            {
                Some(Self { function: Program::of_table(lut).into(), ..self.clone() })
            }
            (Function::Integers(op), Engine::Fhew, Space::Modular(_)) => {
                Some(Self { function: Program::of_function(*op).into(), ..self.clone() })
            }
            _ => None,
        }
    }

    /// The refusal of an engine for want of memory with as much as is enough, where this machine has it: with what is
    /// named the job is planned, until it is.
    fn refusal_in_full(&self, error: Error, engine: Engine, load: &Load) -> Error {
        in_full(error, load, |load| self.offered(engine, load))
    }

    /// A refusal for want of memory of what is made first, as a key, with as much as is enough for the whole job with
    /// this set, where this machine has it. Others are as they are.
    #[must_use]
    pub fn refusal_with(&self, error: Error, set: &Params, load: &Load) -> Error {
        in_full(error, load, |load| self.offer_of(set.clone(), load))
    }

    /// Refuses a table that has not an entry for each value.
    fn check_entries(&self) -> Result<(), Error> {
        match &self.function {
            Function::Table(lut) | Function::TableBy(lut, _) => self.space.check_entries(lut.in_modulus()),
            _ => Ok(()),
        }
    }

    /// The offer for a program of vectors, or for a table as such, of the set with which it takes less time, keys
    /// included: one with room for its products, or one that bootstraps.
    fn of_vectors(&self, program: &Program, p: u64, load: &Load) -> Result<Offer, Error> {
        let offer = |params: Params| {
            params.promises(self.target)?;
            self.offer_of(params, load)
        };
        let leveled = bfv::params::leveled_for(p, program, load.values).map(|set| offer(Params(Of::Bfv(set))));
        // The keys of the others are known to take as long before the maps of bootstrapping are made, which takes a
        // second.
        let least = if load.has_keys { 0.0 } else { least_seconds(VECTOR_KEY_BYTES, 1.0, load) };
        let leveled = match leveled {
            Some(Ok(offer)) if offer.prediction.job_seconds <= least => return Ok(offer),
            leveled => leveled,
        };
        let others = self.params(Engine::Bfv, load).and_then(offer);
        match (leveled, others) {
            (Some(Ok(leveled)), Ok(other)) => {
                let faster = other.prediction.job_seconds < leveled.prediction.job_seconds;
                Ok(if faster { other } else { leveled })
            }
            (Some(Ok(leveled)), Err(_)) => Ok(leveled),
            // The lesser need.
            (Some(Err(error @ Error::Memory { .. })), Err(_)) => Err(error),
            // Of what has no other set, what a set of one product refuses.
            (_, Err(error)) => match Params::for_vectors_to_depth(p, 1) {
                Ok(set) if program.tables().is_empty() && Params::for_vectors(p).is_err() => offer(set),
                _ => Err(error),
            },
            (_, other) => other,
        }
    }

    /// The offer of a set.
    ///
    /// # Errors
    /// As [`Self::offer`].
    pub fn offer_of(&self, params: Params, load: &Load) -> Result<Offer, Error> {
        if let Some(program) = self.as_program(params.engine()) {
            return program.offer_of(params, load);
        }
        self.check_entries()?;
        let found = self.space_and_prediction(&params, load).map_err(|error| self.refusal_of(error, &params));
        found.map(|(space, prediction)| Offer { params, space, prediction })
    }

    /// The refusal of a set with what to do.
    fn refusal_of(&self, error: Error, set: &Params) -> Error {
        match &self.function {
            Function::Program(program) => each!(&set.0, set => set.program_refusal(error, program, self.space)),
            _ => error,
        }
    }

    /// What an offer of a set has, or what [`Self::refusal_of`] takes.
    fn space_and_prediction(&self, params: &Params, load: &Load) -> Result<(Space, Prediction), Error> {
        Ok(match &self.function {
            Function::Program(program) => each!(&params.0, set => set.program_offer(program, self.space, load))?,
            // Packed integers are in the whole circle, or leave half of it free.
            Function::Multivariate(table) if self.space.integers().is_some() => {
                let bits = table.lut().in_bits();
                let of = |width| -> Result<_, Error> {
                    let space = Space::unsigned(width);
                    Ok((space, params.predict_function(&self.function, space, load)?))
                };
                let (whole, half) = (of(bits - 1), of(bits));
                let seconds = |found: &Result<(Space, Prediction), Error>| match found {
                    Ok((_, prediction)) => prediction.job_seconds,
                    Err(_) => f64::INFINITY,
                };
                if seconds(&half) < seconds(&whole) { half? } else { whole? }
            }
            function => (self.space, params.predict_function(function, self.space, load)?),
        })
    }

    /// The offer of the set with which a program or a table of several values takes least time, keys included.
    ///
    /// # Errors
    /// [`Error::Memory`] with the least that a set needs; where no set has room for it, or all are too noisy, the
    /// refusal of the one with the most room; [`Error::NotWith`].
    fn fastest(&self, engine: Engine, load: &Load) -> Result<Offer, Error> {
        if !self.function.engines().contains(&engine) {
            return Err(Error::not_with(&self.function.name(), engine, self.function.engines()));
        }
        // What no set has is told as such, and not for one of them.
        if let Function::Program(program) = &self.function {
            self.check_kinds(program, engine)?;
        }
        let mut offers: Vec<Offer> = Vec::new();
        let sets = of_engine!(engine, E => <<E as engines::Engine>::Params as EngineParams>::program_sets(self.target));
        let sets = sets.iter().map(|name| Params::named(name)).collect::<Result<Vec<_>, _>>()?;
        let mut refusal: Option<(Error, &Params)> = None;
        // What would do with more memory is a way out, and the least of it is the nearest; else that of most room.
        let nearness = |error: &Error, set: &Params| {
            let need = match error {
                Error::Memory { needed, .. } => *needed,
                _ => u64::MAX,
            };
            (need, Reverse(set.integer_bits().map_or(0, |bits| bits + 1).max(set.bits())))
        };
        let least: Vec<f64> = sets.iter().map(|set| self.least_of(set, load, f64::INFINITY).unwrap_or(0.0)).collect();
        // Those first that may take least time: others are then known to take longer.
        let mut order: Vec<usize> = (0..sets.len()).collect();
        order.sort_by(|&i, &j| least[i].total_cmp(&least[j]));
        // Latencies of those that are compared.
        let mut compared: Vec<Option<f64>> = vec![None; sets.len()];
        let count = order.len();
        for (place, number) in order.into_iter().enumerate() {
            planning::wanted()?;
            let best = offers.iter().map(|offer| offer.prediction.job_seconds).fold(f64::INFINITY, f64::min);
            for (latency, _) in compared.iter_mut().zip(&least).filter(|(_, least)| **least >= best) {
                latency.get_or_insert(f64::INFINITY);
            }
            if compared[number].is_some() || engine == Engine::Ckks && number > last_of_few(&compared) {
                continue;
            }
            let set = &sets[number];
            match planning::part(place, count, || self.space_and_prediction(set, load)) {
                Ok((space, prediction)) => {
                    compared[number] = Some(prediction.latency_seconds);
                    offers.push(Offer { params: set.clone(), space, prediction });
                }
                Err(error) => {
                    if refusal.as_ref().is_none_or(|(kept, of)| nearness(&error, set) < nearness(kept, of)) {
                        refusal = Some((error, set));
                    }
                }
            }
        }
        let seconds = |offer: &Offer| offer.prediction.job_seconds;
        let best = offers.into_iter().min_by(|a, b| seconds(a).total_cmp(&seconds(b)));
        match (best, refusal) {
            (Some(offer), _) => Ok(offer),
            (None, Some((error, set))) => Err(self.refusal_of(error, set)),
            (None, None) => Err(Error::not_with(&self.function.name(), engine, self.function.engines())),
        }
    }

    /// Refuses a program that no set of an engine has of these values.
    fn check_kinds(&self, program: &Program, engine: Engine) -> Result<(), Error> {
        let refusal = match program.kinds(&vec![self.space.kind(); program.inputs()]) {
            Ok(_) => return Ok(()),
            Err(refusal) => refusal,
        };
        // Functions of residues are those of integers.
        let kept = Congruent::of(self.space.kind());
        let (inputs, kinds) = (vec![kept; program.inputs()], vec![kept.kind; program.inputs()]);
        let of_integers = || program.congruent(&inputs, MAX_BITS, false, &|_| true)?.0.kinds(&kinds);
        match engine == Engine::Fhew && kept.modulus.is_some() && of_integers().is_ok() {
            true => Ok(()),
            false => Err(refusal.into()),
        }
    }

    /// The default set of an engine for it.
    fn params(&self, engine: Engine, load: &Load) -> Result<Params, Error> {
        match &self.function {
            Function::Table(lut) => {
                Params::check_table_memory(engine, lut.in_modulus(), self.target, load.memory)?;
                Params::for_table(engine, lut, self.target)
            }
            Function::TableBy(lut, name) if engine == Engine::Fhew => Params::for_algorithm(name, lut, self.target),
            Function::Integers(_) => {
                Params::check_integer_memory(engine, load.memory)?;
                let residues = || Error::Space(SpaceError::Residues { what: self.function.name(), space: self.space });
                let width = self.space.integers().ok_or_else(residues)?.width();
                Params::integers_on(engine, width, self.target)
            }
            Function::Program(_) if engine == Engine::Bfv => match self.space {
                Space::Modular(p) => Params::for_vectors(p),
                _ => Err(Error::not_with(&self.function.name(), engine, &[Engine::Fhew, Engine::Ckks])),
            },
            function => Err(Error::not_with(&function.name(), engine, function.engines())),
        }
    }
}

/// A refusal for want of memory that names as much as an offer takes.
fn in_full(error: Error, load: &Load, offer: impl Fn(&Load) -> Result<Offer, Error>) -> Error {
    let Error::Memory { mut needed, available } = error else { return error };
    while let Err(Error::Memory { needed: more, .. }) = offer(&Load { memory: Some(needed), ..*load })
        && more > needed
    {
        needed = more;
    }
    Error::Memory { needed, available }
}

/// The last of the sets that are compared where these were, with their latencies: larger ones take longer, and a while
/// to plan; a division is a table in a large one.
fn last_of_few(compared: &[Option<f64>]) -> usize {
    let (mut count, mut latency) = (0, f64::INFINITY);
    let enough = compared.iter().position(|set| {
        count += usize::from(set.is_some());
        latency = set.map_or(latency, |seconds| latency.min(seconds));
        count >= ENOUGH && latency < LONG
    });
    enough.unwrap_or(compared.len())
}

/// Sets of engine ckks for a program that are compared, where the best takes less than a table of 16 bits, in seconds.
const ENOUGH: usize = 3;
const LONG: f64 = 30.0;

/// Values of which times of sets are compared: full batches.
const MANY: usize = 1 << 10;

/// How many times as long as the fastest set a narrower one may take and be chosen.
const LEAST_GAIN: f64 = 1.03;

/// Bits of the longest tables of engine fhew.
pub(crate) const LARGEST: u32 = bootes_lut::fhew::digits::MAX_LARGE_BITS;

impl Params {
    /// The default set of an engine on which `lut` is evaluated on fresh values: of engine fhew the one for messages of
    /// as many bits as inputs and results have. For a number of entries that is no power of two, which that set may be
    /// too noisy or slow for, it is the narrowest of as many bits or more that takes at most 3 % longer than the
    /// fastest.
    ///
    /// # Errors
    /// As [`Self::on`].
    pub fn for_table(engine: Engine, lut: &Lut, target: FailureTarget) -> Result<Self, Error> {
        let bits = lut.in_bits().max(lut.out_bits());
        let own = match engine {
            Engine::Bfv => return Self::on(engine, lut.in_modulus(), target),
            Engine::Fhew | Engine::Ckks => Self::on(engine, 1 << bits, target)?,
        };
        if engine == Engine::Ckks || bits >= MAX_BITS {
            return Ok(own);
        }
        let load = Load { threads: 1, ..Load::of(MANY) };
        let seconds = |set: &Self| set.predict(lut, &load).ok().map(|prediction| prediction.cpu_seconds);
        if lut.in_modulus().is_power_of_two() && seconds(&own).is_some() {
            return Ok(own);
        }
        let wider = (bits + 1..=MAX_BITS).filter_map(|bits| Self::for_bits_with(bits, target).ok());
        let sets = std::iter::once(own.clone()).chain(wider);
        let timed: Vec<(f64, Self)> = sets.filter_map(|set| Some((seconds(&set)?, set))).collect();
        let least = timed.iter().map(|(seconds, _)| *seconds).fold(f64::INFINITY, f64::min);
        let narrowest = timed.into_iter().find(|(seconds, _)| *seconds <= LEAST_GAIN * least);
        Ok(narrowest.map_or(own, |(_, set)| set))
    }

    /// The default set of an engine with which a program of fresh values of a space takes least time, keys included.
    ///
    /// # Errors
    /// Where no set has room for it, or all are too noisy: the refusal of the one with the most room.
    pub fn for_program(
        engine: Engine,
        program: &Program,
        space: Space,
        target: FailureTarget,
        load: &Load,
    ) -> Result<Self, Error> {
        let request = Request { function: program.into(), space, target };
        request.offer(engine, load).map(|offer| offer.params)
    }

    /// The prediction of a function of fresh values with these parameters, by the algorithm of least predicted time.
    ///
    /// # Errors
    /// As [`Self::predict`] and [`Self::predict_integers`]; [`Error::NotWith`] for functions that are not predicted
    /// before there are ciphertexts.
    pub fn predict_function(&self, function: &Function, space: Space, load: &Load) -> Result<Prediction, Error> {
        match function {
            Function::Table(lut) => self.predict(lut, load),
            Function::TableBy(lut, name) => each!(&self.0, params => params.predict_by(lut, name, load)),
            Function::Integers(op) => {
                let width = space.integers().map_or(0, |integers| integers.width());
                self.predict_integers(*op, width, load)
            }
            Function::Program(program) => each!(&self.0, params => params.predict_program(program, space, load)),
            Function::Multivariate(table) => {
                each!(&self.0, params => params.predict_multivariate(table, space, load))
            }
            _ => Err(Error::not_with(&function.name(), self.engine(), function.engines())),
        }
    }

    /// How a server for a function of fresh values is to keep the masks of its keys: as `load` says, or where there is
    /// memory beside them; `None` where it is the server's to find out, or there is no choice.
    ///
    /// # Errors
    /// As [`Self::predict_function`], of several tables for the first.
    pub fn masks_for(&self, function: &Function, space: Space, load: &Load) -> Result<Option<MaskStorage>, Error> {
        let prediction = match function {
            _ if !self.engine().has_masks() => return Ok(None),
            Function::Program(_) => return Ok(load.masks),
            Function::Tables(luts) if !luts.is_empty() => self.predict(&luts[0], load)?,
            function => self.predict_function(function, space, load)?,
        };
        Ok(Some(prediction.masks))
    }
}

#[cfg(test)]
mod tests;
