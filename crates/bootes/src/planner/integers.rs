//! Residues as integers modulo their number, where that is faster.
use super::{Offer, Request};
use crate::{Engine, Error, Function, Interval, Load, Params, Space};

impl Request {
    /// The same values as integers, each result of a program of sums and products modulo what they are residues of.
    /// There is none of values that have slots.
    fn on_integers(&self) -> Option<Self> {
        let (Function::Program(program), Space::Modular(p)) = (&self.function, self.space) else { return None };
        if Params::for_vectors(p).is_ok() || Params::for_vectors_to_depth(p, 1).is_ok() {
            return None;
        }
        let range = Interval { min: 0, max: i128::from(p) - 1 };
        let space = Space::within(range, range.width()).ok()?;
        Some(Self { function: program.modulo(p)?.into(), space, ..self.clone() })
    }

    /// What is faster than `own`, what was found for this request, if that is engine fhew on integers: of a program of
    /// residues with products, which are tables of both there, and of integers not.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// use bootes::planner::Request;
    /// use bootes::{Engine, FailureTarget, Load, Program, Space};
    /// let (function, target) = (Program::parse("x*y", &[])?.into(), FailureTarget::Two128);
    /// let (request, load) = (Request { function, space: Space::of_bits(8), target }, Load::of(4));
    /// let own = request.offer(Engine::Fhew, &load);
    /// let (faster, offer) = request.faster_on_integers(&own, &load).expect("no set has residues of 16 bits");
    /// assert_eq!((faster.function.to_string(), offer.params.engine()), ("x*y % 256".into(), Engine::Fhew));
    /// # Ok(())
    /// # }
    /// ```
    pub fn faster_on_integers(&self, own: &Result<Offer, Error>, load: &Load) -> Option<(Self, Offer)> {
        let other = self.on_integers()?;
        let offer = other.offer(Engine::Fhew, load).ok()?;
        let seconds = |offer: &Offer| offer.prediction.job_seconds;
        let is_faster = own.as_ref().map_or(true, |own| seconds(&offer) < seconds(own));
        is_faster.then_some((Self { space: offer.space, ..other }, offer))
    }
}
