//! What a plan is of, to be planned again.
use crate::door::plan::Tables;
use crate::engines::Of;
use crate::origin::Origin;
use crate::{Ciphertexts, Error, Function, Params, Plan, Server, Space, ckks, fhew};
use bootes_lut::circuit::InputVariance;
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use std::convert::Infallible;

/// What a [`Plan`] is of: the function, the parameters, and what is known of its inputs, their spaces and the
/// bounds on their noise. It holds no promise and nothing prepared: a server that has it plans again.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use bootes::{Client, Lut, Params, PlanRequest, Server};
/// # let client = Client::generate(&Params::named("toy_4")?)?;
/// # let server = Server::new(client.server_key()?)?;
/// let square = Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?;
/// let kept = serde_json::to_string(&server.plan(&square, &client.encrypt(&[0])?)?)?;
/// let plan = server.plan_again(&serde_json::from_str::<PlanRequest>(&kept)?)?;
/// assert_eq!(client.decrypt(&server.run(&plan, &client.encrypt(&[3])?)?[0])?, [9]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct PlanRequest {
    pub(crate) params: Params,
    pub(crate) function: Function,
    pub(crate) inputs: Of<SingleInputs, BatchInputs, Infallible>,
}

/// Of engine fhew: a space an operand, and the bound on the noise of each limb of all.
#[derive(Clone, Debug)]
pub(crate) struct SingleInputs {
    pub(crate) spaces: Vec<Space>,
    pub(crate) variances: [f64; 2],
}

/// Of engine ckks: residues modulo p, and the bound on their error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchInputs {
    pub(crate) p: u64,
    pub(crate) bias: f64,
    pub(crate) flat: f64,
    pub(crate) keyed: f64,
}

impl PlanRequest {
    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// What is evaluated.
    pub fn function(&self) -> &Function {
        &self.function
    }
}

impl Plan {
    /// What it is of: all that is needed to plan again.
    ///
    /// # Errors
    /// [`Error::NotWith`] for digits and functions of integers with engine ckks and all of engine bfv, which are planned in no time, and
    /// for what is larger than a plan: tables of one value each, encrypted tables.
    pub fn request(&self) -> Result<PlanRequest, Error> {
        let none = || Error::not_with(&format!("a plan of {} to keep", self.function.name()), self.engine());
        let (params, inputs) = match &self.engine {
            Of::Fhew(plans) => {
                // All are of the same inputs.
                let plan = plans.first().ok_or(Error::NoValues)?;
                let variances = [0, 1].map(|limb| plan.input_variance().limb(limb));
                let inputs = SingleInputs { spaces: plan.in_spaces.clone(), variances };
                (Of::Fhew(fhew::Params(plan.params().clone())), Of::Fhew(inputs))
            }
            Of::Ckks(_) if matches!(self.function, Function::PerSlot(_) | Function::Encrypted(_)) => return Err(none()),
            Of::Ckks(Tables::Of(plan)) => {
                let (p, ErrorBound { bias, noise: SlotNoise { flat, keyed } }) = plan.inputs().ok_or_else(none)?;
                (Of::Ckks(plan.params().clone()), Of::Ckks(BatchInputs { p, bias, flat, keyed }))
            }
            Of::Ckks(Tables::Digits { .. } | Tables::Integers(_)) | Of::Bfv(_) => return Err(none()),
        };
        Ok(PlanRequest { params: Params(params), function: self.function.clone(), inputs })
    }
}

impl Server {
    /// Plans again what was planned here or elsewhere with these parameters: for the same function, and
    /// inputs as noisy as those, with the algorithm of least predicted time here. Nothing that the request
    /// says is promised: whoever changes it gets a plan of something else, or none.
    ///
    /// # Errors
    /// [`Error::OtherParams`] for other parameters; [`Error::Request`] for inputs that there are none of; as
    /// [`Self::plan`].
    pub fn plan_again(&self, request: &PlanRequest) -> Result<Plan, Error> {
        if request.params != self.params() {
            return Err(Error::OtherParams { what: "plan", params: self.params().name().into() });
        }
        let found = match &request.inputs {
            Of::Fhew(inputs) => inputs.spaces.len(),
            Of::Ckks(_) => 1,
            Of::Bfv(none) => match *none {},
        };
        let expected = request.function.operands();
        if found != expected {
            return Err(Error::OperandCount { what: request.function.name(), found, expected });
        }
        let heads = match (&request.inputs, &request.params.0) {
            (Of::Fhew(inputs), Of::Fhew(params)) => inputs.heads(params, self.key_id())?,
            (Of::Ckks(inputs), Of::Ckks(params)) => vec![inputs.head(params, self.key_id())?],
            (inputs, params) => return Err(Error::other_engine("plan", inputs.engine(), params.engine())),
        };
        self.plan(&request.function, &heads.iter().collect::<Vec<_>>()[..])
    }
}

impl SingleInputs {
    /// Vectors of no values like the inputs, of different origins.
    fn heads(&self, params: &fhew::Params, key_id: [u8; 16]) -> Result<Vec<Ciphertexts>, Error> {
        let params = &params.0;
        let fresh = params.fresh_variance();
        // Some formats round the last digit.
        let plausible = |noise: f64| noise.is_finite() && noise >= fresh * (1.0 - 1e-9);
        if let Some(noise) = self.variances.into_iter().find(|&noise| !plausible(noise)) {
            let what = format!("noise of variance {noise:e}, where that of fresh ciphertexts is {fresh:e}");
            return Err(Error::Request { what });
        }
        let variance = InputVariance::of_limbs(&self.variances.map(|noise| noise.max(fresh)));
        let head = |(&space, id): (&Space, u64)| {
            let space = space.checked(params)?;
            let head = fhew::Ciphertexts::head(params, key_id, space, variance, Origin::new(id));
            Ok(Ciphertexts(Of::Fhew(head)))
        };
        self.spaces.iter().zip(1..).map(head).collect()
    }
}

impl BatchInputs {
    /// A vector of one value like the inputs.
    fn head(&self, params: &ckks::Params, key_id: [u8; 16]) -> Result<Ciphertexts, Error> {
        let Self { p, bias, flat, keyed } = *self;
        if let Some(found) = [bias, flat, keyed].into_iter().find(|bound| !(bound.is_finite() && *bound >= 0.0)) {
            return Err(Error::Request { what: format!("errors of {found:e}") });
        }
        let error = ErrorBound { bias, noise: SlotNoise { flat, keyed } };
        Ok(Ciphertexts(Of::Ckks(ckks::Ciphertexts::head(params, key_id, p, error)?)))
    }
}
