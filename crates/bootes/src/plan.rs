//! What is known of an evaluation before anything moves.
use crate::engine::Of;
use crate::{Engine, Error, Function, MaskStorage, ckks, fhew};
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
///     assert_eq!(client.decrypt(&results[0])?, values.map(|x| x * x));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Plan {
    pub(crate) function: Function,
    pub(crate) engine: Of<Vec<fhew::Plan>, Tables>,
    pub(crate) threads: usize,
}

/// What engine ckks evaluates.
#[derive(Debug)]
pub(crate) enum Tables {
    /// Tables.
    Of(ckks::Plan),
    /// Digits of so many bits of integers modulo p, and what the set promises.
    Digits { bits: u32, p: u64, log2_p_fail: f64 },
}

impl Plan {
    /// What evaluates.
    pub fn engine(&self) -> Engine {
        self.engine.engine()
    }

    /// What is evaluated.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The algorithms, one a circuit.
    pub fn algorithms(&self) -> Vec<String> {
        match &self.engine {
            Of::Fhew(plans) => plans.iter().map(fhew::Plan::algorithm).collect(),
            Of::Ckks(_) => vec!["functional bootstrapping".into()],
        }
    }

    /// log2 of the failure probability of a value, at most.
    pub fn log2_p_fail(&self) -> f64 {
        match &self.engine {
            Of::Fhew(plans) => plans.iter().map(fhew::Plan::log2_p_fail).fold(f64::NEG_INFINITY, f64::max),
            Of::Ckks(Tables::Of(plan)) => plan.log2_failure(),
            Of::Ckks(Tables::Digits { log2_p_fail, .. }) => *log2_p_fail,
        }
    }

    /// Predicted seconds for so many values on the server's threads, keys expanded.
    ///
    /// # Errors
    /// [`Error::Lut`]; [`Error::NotWith`] for digits of engine ckks, which are not predicted.
    pub fn seconds(&self, values: usize) -> Result<f64, Error> {
        match &self.engine {
            Of::Fhew(plans) => {
                let seconds = |plan: &fhew::Plan| plan.prediction().elapsed_for(values as u64, self.threads);
                Ok(plans.iter().map(seconds).sum())
            }
            Of::Ckks(Tables::Of(plan)) => {
                let load = ckks::Load::new(plan.params(), values, self.threads);
                Ok(plan.prediction(load, MaskStorage::Expanded)?.elapsed_for(values as u64))
            }
            Of::Ckks(Tables::Digits { .. }) => Err(Error::not_with("a prediction of digits", Engine::Ckks)),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.engine {
            Of::Fhew(plans) => plans.iter().try_for_each(|plan| plan.fmt(f)),
            Of::Ckks(_) => write!(f, "{} with engine ckks, failure 2^{:.1}", self.function.name(), self.log2_p_fail()),
        }
    }
}
