//! The request of a plan, to be planned again.
use crate::engines::of::{Of, alike, each};
use crate::engines::{EngineInputs, EnginePlan};
use crate::{Ciphertexts, Error, Function, Params, Plan, Server, bfv, ckks, fhew};

/// The request of a [`Plan`]: the function, the parameters, and the spaces of its inputs with the bounds on
/// their noise. It holds no promise and nothing prepared: a server that has it plans again.
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
    pub(crate) inputs: Of<fhew::Inputs, ckks::Inputs, bfv::Inputs>,
}

impl PlanRequest {
    /// The parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The function that is evaluated.
    pub fn function(&self) -> &Function {
        &self.function
    }
}

impl Plan {
    /// Its request: all that is needed to plan again.
    ///
    /// # Errors
    /// [`Error::NotWith`] for what is larger than a plan: tables of one value each, encrypted tables.
    pub fn request(&self) -> Result<PlanRequest, Error> {
        let none = || Error::not_with(&format!("a plan of {} to keep", self.function.name()), self.engine(), &[]);
        let known = alike!(&self.engine, plan => plan.inputs(&self.function).ok_or_else(none)?);
        let (params, inputs) = known.unzip();
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
        let (found, expected) = (each!(&request.inputs, inputs => inputs.count()), request.function.operands());
        if found != expected {
            return Err(Error::OperandCount { what: request.function.name(), found, expected });
        }
        let inputs = request.params.0.as_ref().with(request.inputs.as_ref(), "plan")?;
        let heads = alike!(inputs, (params, inputs) => inputs.heads(params, self.key_id())?);
        let heads: Vec<Ciphertexts> = heads.each(Ciphertexts);
        self.plan(&request.function, &heads)
    }
}
