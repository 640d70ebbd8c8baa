//! The evaluation side: no secrets here.
use crate::door::rows::of_one_engine;
use crate::engines::EngineServer;
use crate::engines::of::{Of, alike, each};
use crate::engines::watch::{Progress, Watch};
use crate::kept::Kept;
use crate::planner::unless;
use crate::threads::{on_threads, useful};
use crate::{
    Cancel, CiphertextReader, Ciphertexts, Error, Function, MaskStorage, Node, Params, Plan, Program, ServerKey, bfv,
    ckks, fhew,
};
use bootes_lut::planning::{self, Waiting};
use std::fmt;
use std::io::Write;
use std::sync::Arc;

/// Evaluates functions of ciphertexts, and never sees what they hold; immutable, shared freely between
/// threads, and cheap to clone.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, IntegerOp, Lut, Params, Server};
/// let client = Client::generate(&Params::named("toy_4")?)?; // Params::for_bits(4)? in earnest
/// let server = Server::builder(client.server_key()?).threads(2).memory(4 << 30).build()?;
/// let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
/// let results = server.evaluate(&square, &client.encrypt(&[3, 5])?)?;
/// assert_eq!(client.decrypt(&results)?, [9, 9]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Server {
    pub(super) engine: Arc<Of<fhew::Server, ckks::Server, bfv::Server>>,
    pub(super) threads: usize,
    progress: Option<Progress>,
    pub(super) cancel: Cancel,
    /// Plans of the functions that were evaluated last.
    kept: Arc<Kept<Arc<Plan>>>,
}

/// Entries of the tables of a function whose plan is kept, at most: what is prepared of them takes some megabytes.
const KEPT_ENTRIES: usize = 1 << 12;

/// The options of a server: see [`Server::builder`].
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, Params, Server};
/// # let client = Client::generate(&Params::named("toy_4")?)?;
/// let server = Server::builder(client.server_key()?).threads(1).progress(|done| eprintln!("{done:.0}")).build()?;
/// # Ok(())
/// # }
/// ```
pub struct ServerBuilder {
    key: ServerKey,
    threads: usize,
    memory: Option<u64>,
    masks: Option<MaskStorage>,
    progress: Option<Progress>,
}

impl ServerBuilder {
    /// So many threads, instead of one for each processor.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// So many bytes of memory at most, for keys, ciphertexts and workspace.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Whether engine ckks keeps the masks of its keys in memory, or makes them from their seeds at every
    /// use: twice the memory for keys, or more time. Without this it keeps them where there is room.
    #[must_use]
    pub fn masks(self, masks: MaskStorage) -> Self {
        Self { masks: Some(masks), ..self }
    }

    /// Hears which part of each evaluation is done, from 0 to 1, from whichever thread.
    #[must_use]
    pub fn progress(self, progress: impl Fn(f64) + Send + Sync + 'static) -> Self {
        Self { progress: Some(Arc::new(progress)), ..self }
    }

    /// Expands the key: the server.
    ///
    /// # Errors
    /// [`Error::Memory`] if it does not fit, before it is expanded; [`Error::Threads`] for none;
    /// [`Error::MissingKeys`], [`Error::Lattice`].
    pub fn build(self) -> Result<Server, Error> {
        if self.threads == 0 {
            return Err(Error::Threads);
        }
        let (threads, masks, memory) = (self.threads, self.masks, self.memory);
        let engine = alike!(self.key.0, key => on_threads(threads, || EngineServer::within(key, masks, memory))??);
        // What is no longer wanted is not whole.
        planning::wanted()?;
        Ok(Server {
            engine: Arc::new(engine),
            threads: useful(self.threads),
            progress: self.progress,
            cancel: Cancel::new(),
            kept: Arc::new(Kept::new()),
        })
    }
}

/// Vectors of inputs, of one length: one (`&x`), or several (`[&x, &y]`, `&vectors`, whatever iterates).
pub trait Inputs<'a> {
    /// Them all.
    fn columns(self) -> Vec<&'a Ciphertexts>;
}

impl<'a> Inputs<'a> for &'a Ciphertexts {
    fn columns(self) -> Vec<&'a Ciphertexts> {
        vec![self]
    }
}

impl<'a, I: IntoIterator<Item = &'a Ciphertexts>> Inputs<'a> for I {
    fn columns(self) -> Vec<&'a Ciphertexts> {
        self.into_iter().collect()
    }
}

impl Server {
    /// A server with all threads and all memory there are.
    ///
    /// # Errors
    /// As [`ServerBuilder::build`].
    pub fn new(key: ServerKey) -> Result<Self, Error> {
        Self::builder(key).build()
    }

    /// A server with limits, or someone who watches it.
    #[must_use]
    pub fn builder(key: ServerKey) -> ServerBuilder {
        ServerBuilder { key, threads: usize::MAX, memory: None, masks: None, progress: None }
    }

    /// The same server, with the same keys, whose evaluations somebody else watches: which part is done, from 0 to 1.
    #[must_use]
    pub fn watched(&self, progress: impl Fn(f64) + Send + Sync + 'static) -> Self {
        Self { progress: Some(Arc::new(progress)), ..self.clone() }
    }

    /// The same server, with the same keys, whose evaluations end within a second from when `cancel` says so, with
    /// [`Error::Cancelled`]; this one's go on.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Cancel, Client, Error, Lut, Params, Server};
    /// # let client = Client::generate(&Params::named("toy_4")?)?;
    /// # let server = Server::new(client.server_key()?)?;
    /// let (cancel, encrypted) = (Cancel::new(), client.encrypt(&[1; 1000])?);
    /// let other = server.cancelled_by(&cancel);
    /// cancel.cancel(); // from another thread, in earnest
    /// let refused = other.evaluate(&Lut::modular((0..16).collect(), 16)?, &encrypted);
    /// assert!(matches!(refused, Err(Error::Cancelled)));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn cancelled_by(&self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self.clone() }
    }

    /// Bytes of its keys in memory.
    pub fn key_bytes(&self) -> u64 {
        each!(&*self.engine, server => server.key_bytes()) as u64
    }

    /// Whether it keeps the masks of its keys.
    pub fn masks(&self) -> MaskStorage {
        each!(&*self.engine, server => server.storage())
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        Params(alike!(&*self.engine, server => server.params().clone()))
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        each!(&*self.engine, server => server.key_id())
    }

    /// Plans `function` on inputs like these, with the algorithm of least predicted time. Tables are
    /// prepared here, once.
    ///
    /// A table has an entry for each residue of its inputs, or for each integer of their range.
    ///
    /// # Errors
    /// [`Error::OperandCount`]; [`Error::ResultCount`] for no tables; [`Error::InputBits`], [`Error::InputModulus`],
    /// [`Error::Lut`] for a table of other entries, or one that the parameters do not hold; [`Error::Noise`] for inputs
    /// too noisy; [`Error::Space`] for operands of functions of integers; [`Error::NotWith`] for
    /// what the engine has not; [`Error::OtherParams`], [`Error::OtherKey`], [`Error::OtherEngine`];
    /// [`Error::Cancelled`].
    pub fn plan<'a>(&self, function: impl Into<Function>, inputs: impl Inputs<'a>) -> Result<Plan, Error> {
        let (function, inputs) = (function.into(), inputs.columns());
        if inputs.len() != function.operands() {
            let (what, expected) = (function.name(), function.operands());
            return Err(Error::OperandCount { what, found: inputs.len(), expected });
        }
        if inputs.is_empty() {
            return Err(Error::OperandCount { what: function.name(), found: 0, expected: 1 });
        }
        if function.results() == Some(0) {
            return Err(Error::ResultCount { found: 0, expected: 1 });
        }
        let both = (*self.engine).as_ref().with(of_one_engine(inputs.iter().copied())?, "ciphertext")?;
        let plan = || Ok(alike!(both, (server, inputs) => server.plan(&function, &inputs)?));
        let engine = unless(&self.cancel, plan)?;
        Ok(Plan { function, engine, threads: self.threads, masks: self.masks() })
    }

    /// Evaluates what was planned: a vector for each result.
    ///
    /// # Errors
    /// [`Error::Plan`] for inputs that it
    /// was not made for;
    /// [`Error::OtherParams`], [`Error::OtherKey`], [`Error::OtherEngine`]; [`Error::Memory`],
    /// [`Error::CiphertextMemory`] before anything is done; [`Error::Cancelled`].
    pub fn run<'a>(&self, plan: &Plan, inputs: impl Inputs<'a>) -> Result<Vec<Ciphertexts>, Error> {
        self.watch(|| self.run_columns(plan, &inputs.columns()))
    }

    /// Tells that an evaluation begins and that it has ended, which is all of some, unless it is cancelled.
    pub(super) fn watch<T>(&self, evaluate: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.tell(0.0);
        let evaluate = || match rayon::current_thread_index() {
            // A thread of a pool does others' work while it waits.
            Some(_) => evaluate(),
            None => Waiting::here_or(&self.cancel).while_planning(evaluate),
        };
        let result = if self.cancel.is_cancelled() { Err(Error::Cancelled) } else { evaluate() };
        let result = result.map_err(|error| self.or_cancelled(error))?;
        self.tell(1.0);
        Ok(result)
    }

    fn or_cancelled(&self, error: Error) -> Error {
        if self.cancel.is_cancelled() { Error::Cancelled } else { error }
    }

    fn run_columns(&self, plan: &Plan, inputs: &[&Ciphertexts]) -> Result<Vec<Ciphertexts>, Error> {
        let planned = (*self.engine).as_ref().with(plan.engine.as_ref(), "plan")?;
        if inputs.is_empty() {
            let (what, expected) = (plan.function.name(), plan.function.operands().max(1));
            return Err(Error::OperandCount { what, found: 0, expected });
        }
        let all = planned.with(of_one_engine(inputs.iter().copied())?, "ciphertext")?;
        let watch = Watch { progress: &|done| self.tell(done), cancel: &self.cancel };
        let results = alike!(all, ((server, plan), inputs) => server.run(plan, &inputs, self.threads, &watch)?);
        Ok(results.each(Ciphertexts))
    }

    /// [`Self::run`] of ciphertexts that are read as they are needed, whose results are written as they come,
    /// a vector to each of `outputs`; gives the outputs back. A few ciphertexts at a time are in memory.
    ///
    /// # Errors
    /// As [`Self::run`]; [`Error::ResultCount`] unless there is an output for each result; [`Error::Stream`], where
    /// what was written is worth nothing.
    pub fn run_to<W: Write>(
        &self,
        plan: &Plan,
        inputs: Vec<CiphertextReader<'_>>,
        outputs: Vec<W>,
    ) -> Result<Vec<W>, Error> {
        self.watch(|| self.run_streams(plan, inputs, outputs))
    }

    fn run_streams<W: Write>(
        &self,
        plan: &Plan,
        inputs: Vec<CiphertextReader<'_>>,
        outputs: Vec<W>,
    ) -> Result<Vec<W>, Error> {
        let planned = (*self.engine).as_ref().with(plan.engine.as_ref(), "plan")?;
        let all = planned.with(CiphertextReader::inputs(inputs)?, "ciphertext")?;
        let watch = Watch { progress: &|done| self.tell(done), cancel: &self.cancel };
        each!(all, ((server, plan), inputs) => server.run_to(plan, inputs, outputs, self.threads, &watch))
    }

    /// Evaluates a function of one result: [`Self::plan`] and [`Self::run`].
    ///
    /// # Errors
    /// As these; [`Error::SeveralResults`] for a function of several, before anything is done.
    pub fn evaluate<'a>(&self, function: impl Into<Function>, inputs: impl Inputs<'a>) -> Result<Ciphertexts, Error> {
        let function = function.into();
        if function.results().is_none_or(|results| results > 1) {
            return Err(Error::SeveralResults { function: function.name() });
        }
        self.evaluate_all(function, inputs)?.pop().ok_or(Error::NoValues)
    }

    /// Evaluates a function of several results, a vector each.
    ///
    /// # Errors
    /// As [`Self::plan`] and [`Self::run`].
    pub fn evaluate_all<'a>(
        &self,
        function: impl Into<Function>,
        inputs: impl Inputs<'a>,
    ) -> Result<Vec<Ciphertexts>, Error> {
        let columns = inputs.columns();
        let plan = self.plan_kept(function.into(), &columns)?;
        self.run(&plan, columns)
    }

    /// The plan for inputs like these, kept of an evaluation before, or made.
    fn plan_kept(&self, function: Function, inputs: &[&Ciphertexts]) -> Result<Arc<Plan>, Error> {
        if inputs.is_empty() || function.entries().is_none_or(|entries| entries > KEPT_ENTRIES) {
            return Ok(Arc::new(self.plan(function, inputs.iter().copied())?));
        }
        let both = (*self.engine).as_ref().with(of_one_engine(inputs.iter().copied())?, "ciphertext")?;
        let name = format!("{function:?} {}", each!(both, (server, inputs) => server.likeness(&inputs)));
        let plan = self.kept.or_built(&name, || self.plan(function, inputs.iter().copied()).map(Arc::new))?;
        self.kept.keep(&name, &plan);
        Ok(plan)
    }

    /// The same values in fewer bytes, to be sent and decrypted: results of 8 bits of engine fhew take four bytes each
    /// instead of eight thousand, where they are thousands, and as much as one result together where they are few.
    ///
    /// With engine fhew values are packed, and what decryption does not need of them is dropped: their noise becomes as
    /// much as the promise of the parameters allows. So no sum and no table takes them any more
    /// ([`Error::Compressed`]); slices and concatenations do.
    ///
    /// Engine ckks drops what decryption does not need, half of the bits or more, and engine bfv the primes that
    /// neither decryption nor a bootstrapping needs. What is left of the noise budget is left for sums and functions.
    ///
    /// What would not get smaller, such as a few fresh ciphertexts of engine fhew, stays as it is.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Ciphertexts, Client, Lut, Params, Server};
    /// let client = Client::generate(&Params::named("toy_4")?)?; // Params::for_bits(4)? in earnest
    /// let server = Server::new(client.server_key_builder().compression().build()?)?;
    /// let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
    /// let results = server.evaluate(&square, &client.encrypt(0..16)?)?;
    /// let sent = server.compress(&results)?.to_bytes()?;
    /// assert!(20 * sent.len() < results.to_bytes()?.len());
    /// assert_eq!(client.decrypt(&Ciphertexts::from_bytes(&sent)?)?[..5], [0, 1, 4, 9, 0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::CompressionKey`]; [`Error::NoiseBudget`] for results at the edge of the promise; [`Error::Compressed`];
    /// [`Error::OtherParams`], [`Error::OtherKey`], [`Error::OtherEngine`]; [`Error::Memory`],
    /// [`Error::CiphertextMemory`]; [`Error::Cancelled`].
    pub fn compress(&self, x: &Ciphertexts) -> Result<Ciphertexts, Error> {
        self.watch(|| {
            let both = (*self.engine).as_ref().with(x.0.as_ref(), "ciphertext")?;
            let watch = Watch { progress: &|done| self.tell(done), cancel: &self.cancel };
            Ok(Ciphertexts(alike!(both, (server, x) => server.compress(x, self.threads, &watch)?)))
        })
    }

    /// [`Self::compress`] of ciphertexts that are read as they are needed.
    ///
    /// # Errors
    /// As [`Self::compress`]; [`Error::Stream`].
    pub fn compress_from(&self, x: CiphertextReader<'_>) -> Result<Ciphertexts, Error> {
        self.watch(|| {
            let both = (*self.engine).as_ref().with(x.input, "ciphertext")?;
            let watch = Watch { progress: &|done| self.tell(done), cancel: &self.cancel };
            Ok(Ciphertexts(alike!(both, (server, x) => server.compress_from(x, self.threads, &watch)?)))
        })
    }

    /// x·y, slot by slot, with engine bfv; bootstrapped where it has to be, as all of these.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Client, Params, Program, Server};
    /// let client = Client::generate(&Params::named("toy_slots_257")?)?; // Params::for_vectors(257)? in earnest
    /// let server = Server::new(client.server_key()?)?;
    /// let (x, y) = (client.encrypt(&[1, 2, 200])?, client.encrypt(&[3, 4, 5])?);
    /// assert_eq!(client.decrypt(&server.multiply(&x, &y)?)?, [3, 8, 1000 % 257]);
    /// assert_eq!(client.decrypt(&server.rotate(&x, 1)?)?[..2], [2, 200]);
    /// assert_eq!(client.decrypt(&server.inner_product(&x, &y)?)?, [1011 % 257; 3]);
    /// let program = Program::parse("x*y + 3*rot(x, 1)", &[])?;
    /// assert_eq!(client.decrypt(&server.evaluate(program, [&x, &y])?)?[0], 9);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn multiply(&self, x: &Ciphertexts, y: &Ciphertexts) -> Result<Ciphertexts, Error> {
        let mut program = Program::new();
        let [a, b] = ["x", "y"].map(|name| program.input(name));
        let product = program.mul(a, b);
        program.output(product);
        self.evaluate(program, [x, y])
    }

    /// Both rows of slots rotated to the left, with engine bfv.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn rotate(&self, x: &Ciphertexts, by: i64) -> Result<Ciphertexts, Error> {
        self.evaluate_one(x, |program, x| program.rotate(x, by))
    }

    /// The sum of all slots in every slot, with engine bfv; also of those beside the values of a vector that is not
    /// full, which are 0 of fresh vectors, and T(0) after a table T ([`Plan::padding_uses`]).
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn sum_slots(&self, x: &Ciphertexts) -> Result<Ciphertexts, Error> {
        self.evaluate_one(x, Program::sum_slots)
    }

    /// Σ x_i·y_i over all slots, in every slot, with engine bfv; those beside the values count nothing where one of
    /// them is 0 there, as fresh vectors are ([`Self::sum_slots`]).
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn inner_product(&self, x: &Ciphertexts, y: &Ciphertexts) -> Result<Ciphertexts, Error> {
        let mut program = Program::new();
        let [a, b] = ["x", "y"].map(|name| program.input(name));
        let sum = program.inner_product(a, b);
        program.output(sum);
        self.evaluate(program, [x, y])
    }

    fn evaluate_one(&self, x: &Ciphertexts, of: impl FnOnce(&mut Program, Node) -> Node) -> Result<Ciphertexts, Error> {
        let mut program = Program::new();
        let input = program.input("x");
        let result = of(&mut program, input);
        program.output(result);
        self.evaluate(program, x)
    }

    pub(super) fn tell(&self, done: f64) {
        if let Some(progress) = &self.progress {
            progress(done);
        }
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("params", &self.params().name())
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params = self.key.params();
        f.debug_struct("ServerBuilder")
            .field("params", &params.name())
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Client, IntegerOp, Lut};

    #[test]
    fn plans_are_kept_for_inputs_that_are_planned_alike() -> Result<(), Error> {
        for set in ["toy_4", "toy_batch_4bit"] {
            let client = Client::generate(&Params::named(set)?)?;
            let server = Server::new(client.server_key()?)?;
            let lut = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
            let (x, y) = (client.encrypt([3, 5])?, client.encrypt([7])?);
            for (inputs, kept) in [(&x, 1), (&y, 1), (&x.add(&x)?, 2), (&x, 2)] {
                let expected: Vec<u64> = client.decrypt_residues(inputs)?.iter().map(|x| x * x % 16).collect();
                assert_eq!(client.decrypt_residues(&server.evaluate(&lut, inputs)?)?, expected);
                assert_eq!(server.kept.names().len(), kept, "{set}");
            }
            // Another table, and what is refused.
            server.evaluate(Lut::modular((0..16).rev().collect(), 16)?, &x)?;
            assert_eq!(server.kept.names().len(), 3);
            assert!(server.evaluate(IntegerOp::Less, &x).is_err() && server.kept.names().len() == 3);
        }
        Ok(())
    }
}
