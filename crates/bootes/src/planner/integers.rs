//! Residues as integers modulo their number, where that is faster.
use super::{Offer, Request, choose_here};
use crate::{Engine, Error, Function, Interval, Load, Lut, Params, Space};

/// Whether there are sets for vectors modulo p: of several values a ciphertext. Of powers of two there are sets of one.
pub fn has_slots(p: u64) -> bool {
    Params::for_vectors(p).is_ok() || Params::for_vectors_to_depth(p, 1).is_ok_and(|set| set.capacity() > 1)
}

/// Seconds of a job that keys of engine ckks take longer than.
const SOON: f64 = 2.0;

impl Request {
    /// Whether it is a program of vectors whose ciphertexts hold one value: modulo a power of two.
    pub(super) fn is_of_one_value(&self) -> bool {
        let is_two = matches!(self.space, Space::Modular(p) if p.is_power_of_two());
        is_two && matches!(&self.function, Function::Program(_)) && self.function.engines().contains(&Engine::Bfv)
    }

    /// The same values as integers, of which results are the same numbers: of a program of sums and products each
    /// modulo what the values are residues of, of a table that takes or gives longer residues than sets of engine fhew
    /// have in limbs. There is none of programs of values that have slots.
    fn on_integers(&self) -> Option<Self> {
        let Space::Modular(p) = self.space else { return None };
        let range = Interval { min: 0, max: i128::from(p) - 1 };
        let function = match &self.function {
            Function::Program(program) => {
                if has_slots(p) {
                    return None;
                }
                program.modulo(p)?.into()
            }
            Function::Table(lut) if Engine::for_entries(lut.out_modulus().max(lut.in_modulus())) != Engine::Fhew => {
                let mut entries: Vec<i64> = lut.entries().collect();
                entries.resize(entries.len().next_power_of_two(), 0);
                Lut::new(entries, lut.out_bits()).ok()?.into()
            }
            _ => return None,
        };
        Some(Self { function, space: Space::within(range, range.width()).ok()?, ..self.clone() })
    }

    /// Whether engine fhew may have it on integers ([`Self::faster_on_integers`]), where this engine was asked for.
    pub fn has_integers(&self, engine: Option<Engine>) -> bool {
        engine.is_none_or(|engine| engine == Engine::Fhew) && self.on_integers().is_some()
    }

    /// A program of values that are no vectors: the request that it becomes, the same or that on integers, and its
    /// offer, with the set or the engine that was asked for, if one was. Residues that have slots are for engine fhew,
    /// or for ckks where that refuses.
    pub fn offer_of_values(
        self,
        engine: Option<Engine>,
        set: Option<&Params>,
        load: &Load,
    ) -> (Self, Result<Offer, Error>) {
        let asked = set.map(Params::engine).or(engine);
        let have_slots = self.space.integers().is_none() && self.function.engines().contains(&Engine::Bfv);
        let offer = match (set, engine) {
            (Some(set), _) => self.offer_of(set.clone(), load),
            (None, Some(engine)) => self.offer(engine, load),
            (None, None) if have_slots && !self.is_of_one_value() => self.offer(Engine::Fhew, load),
            (None, None) => choose_here(&self, load).map(|choice| choice.offer),
        };
        if asked.is_some_and(|engine| engine != Engine::Fhew) {
            return (self, offer);
        }
        let seconds = |offer: &Offer| offer.prediction.job_seconds;
        let on_integers = self.faster_on_integers(offer.as_ref().ok(), set, load);
        let is_soon = on_integers.as_ref().is_some_and(|(_, offer)| seconds(offer) < SOON);
        let offer = match offer {
            Err(refusal) if asked.is_none() && have_slots && !is_soon => {
                self.offer(Engine::Ckks, load).map_err(|_| refusal)
            }
            offer => offer,
        };
        match on_integers {
            Some((other, found)) if offer.as_ref().map_or(true, |own| seconds(&found) < seconds(own)) => {
                (other, Ok(found))
            }
            _ => (self, offer),
        }
    }

    /// What is faster than `own`, what was found for this request if anything was, and is engine fhew on integers, with
    /// `set` where one is named: of a program of residues with products, which are tables of both there, and of
    /// integers not, and of a table with long results.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// use bootes::planner::Request;
    /// use bootes::{Engine, FailureTarget, Load, Program, Space};
    /// let (function, target) = (Program::parse("x*y", &[])?.into(), FailureTarget::Two128);
    /// let (request, load) = (Request { function, space: Space::of_bits(8), target }, Load::of(4));
    /// let own = request.offer(Engine::Fhew, &load);
    /// let faster = request.faster_on_integers(own.as_ref().ok(), None, &load);
    /// let (faster, offer) = faster.expect("no set has residues of 16 bits");
    /// assert_eq!((faster.function.to_string(), offer.params.engine()), ("x*y % 256".into(), Engine::Fhew));
    /// # Ok(())
    /// # }
    /// ```
    pub fn faster_on_integers(&self, own: Option<&Offer>, set: Option<&Params>, load: &Load) -> Option<(Self, Offer)> {
        let other = self.on_integers()?;
        // Planning takes seconds.
        let enough = own.map_or(f64::INFINITY, |own| own.prediction.job_seconds);
        if other.least_seconds(Engine::Fhew, load, enough) >= enough {
            return None;
        }
        let offer = match set {
            None => other.offer(Engine::Fhew, load),
            Some(set) if set.engine() == Engine::Fhew => other.offer_of(set.clone(), load),
            Some(_) => return None,
        };
        let offer = offer.ok()?;
        let seconds = |offer: &Offer| offer.prediction.job_seconds;
        let is_faster = own.is_none_or(|own| seconds(&offer) < seconds(own));
        is_faster.then_some((Self { space: offer.space, ..other }, offer))
    }

    /// The refusal of this request, which names the memory that it takes on integers ([`Self::faster_on_integers`]) if
    /// that is less.
    #[must_use]
    pub fn refusal_on_integers(&self, refusal: Error, set: Option<&Params>, load: &Load) -> Error {
        let Error::Memory { needed, available } = refusal else { return refusal };
        let other = self.on_integers().map(|other| match set {
            Some(set) => other.offer_of(set.clone(), load),
            None => other.offer(Engine::Fhew, load),
        });
        match other {
            Some(Err(Error::Memory { needed: less, .. })) if less < needed => Error::Memory { needed: less, available },
            _ => Error::Memory { needed, available },
        }
    }
}
