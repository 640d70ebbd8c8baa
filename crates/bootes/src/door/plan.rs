//! Plans: all that is known of an evaluation before anything moves.
use crate::door::failure::towards_worse;
use crate::engines::EnginePlan;
use crate::engines::of::{Of, each};
use crate::{Engine, Error, Function, Load, MaskStorage, PaddingUse, Prediction, Space, bfv, ckks, fhew};
use std::fmt;

/// A function prepared for inputs like those that it was made for, and what it takes and promises: made once, and used
/// as often as there are inputs ([`Server::run`](crate::Server::run)).
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, Lut, Params, Server};
/// # let client = Client::generate(&Params::named("toy_4")?)?;
/// # let server = Server::new(client.server_key()?)?;
/// let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
/// let plan = server.plan(&square, &client.encrypt(&[0])?)?;
/// assert!(plan.log2_p_fail() <= -64.0 && plan.seconds(1000)? > 0.0);
/// for values in [[1, 2], [3, 0]] {
///     let results = server.run(&plan, &client.encrypt(&values)?)?;
///     assert_eq!(client.decrypt_residues(&results[0])?, values.map(|x| x * x));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Plan {
    pub(crate) function: Function,
    pub(crate) engine: Of<fhew::Plans, ckks::Plan, bfv::Plan>,
    pub(crate) threads: usize,
    pub(crate) masks: MaskStorage,
}

impl Plan {
    /// The engine that evaluates.
    pub fn engine(&self) -> Engine {
        self.engine.engine()
    }

    /// The function that is evaluated.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The algorithms, one a circuit.
    pub fn algorithms(&self) -> Vec<String> {
        each!(&self.engine, plan => plan.algorithms())
    }

    /// log2 of the failure probability of a value, at most.
    pub fn log2_p_fail(&self) -> f64 {
        each!(&self.engine, plan => plan.log2_p_fail())
    }

    /// Blind rotations a value, with engine fhew.
    pub fn rotations(&self) -> Option<usize> {
        each!(&self.engine, plan => plan.rotations())
    }

    /// The message space of each result.
    pub fn out_spaces(&self) -> Vec<Space> {
        each!(&self.engine, plan => plan.out_spaces())
    }

    /// With engine bfv, the operations that add slots beside the values of vectors that are not full, or move them
    /// among these, where such slots may hold something other than 0: after a constant was added, or a table T of which
    /// T(0) is not 0, or in inputs that are not fresh. A product with an encryption of as many ones as there are values
    /// is 0 there.
    pub fn padding_uses(&self) -> &[PaddingUse] {
        each!(&self.engine, plan => plan.padding_uses())
    }

    /// The most, in units of results, that a result may differ from the continuous function that was sampled, but with
    /// the probability of failure: the error of interpolation, the noise, and ½ to round. None of other functions.
    pub fn error_bound(&self) -> Option<f64> {
        each!(&self.engine, plan => plan.error_bound())
    }

    /// Predicted seconds for so many values on the server's threads, keys expanded.
    ///
    /// # Errors
    /// As [`Self::prediction`].
    pub fn seconds(&self, values: usize) -> Result<f64, Error> {
        Ok(self.prediction(values)?.seconds)
    }

    /// Time, memory and bytes of so many values on the server's threads.
    ///
    /// # Errors
    /// [`Error::Lut`].
    pub fn prediction(&self, values: usize) -> Result<Prediction, Error> {
        let load = Load { threads: self.threads, ..Load::of(values) };
        each!(&self.engine, plan => plan.prediction(&load, self.masks))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(words) = each!(&self.engine, plan => plan.words()) {
            return f.write_str(&words);
        }
        let (name, methods) = (self.function.name(), self.algorithms().join(", "));
        let failure = match self.log2_p_fail() {
            least if least < -1000.0 => "below 2^-1000".to_string(),
            log2 => format!("2^{:.1}", towards_worse(log2)),
        };
        write!(f, "{name} with engine {}, {methods}, failure {failure}", self.engine())
    }
}
