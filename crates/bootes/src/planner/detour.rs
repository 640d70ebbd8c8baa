//! Ways around: values of one engine are converted, and evaluated by another.
use super::{Offer, Request};
use crate::engines::EnginePlan;
use crate::engines::conversion::cost::{self, Converted, Values};
use crate::engines::of::Of;
use crate::{Engine, Error, Function, Load, Lut, Params, Plan, Space, ckks};

/// A table on values that are there, by another engine: they are converted first ([`ConversionKey`]), and results stay
/// with the other engine, under a key of its own.
///
/// It takes a conversion key, and a server key of the other set. The failure is that with the noise of what is
/// converted. Nothing goes this way by itself: who has both client keys makes the conversion key.
///
/// [`ConversionKey`]: crate::ConversionKey
#[derive(Clone, Debug)]
pub struct Detour {
    /// The other engine's set, and the table on what comes out of the conversion, keys being there.
    pub offer: Offer,
    /// Seconds until all values are converted, those of a batch being in as few ciphertexts as they may be.
    pub convert_seconds: f64,
    /// Seconds until they are converted and evaluated.
    pub seconds: f64,
    /// Bytes of the conversion key in a file.
    pub conversion_key_bytes: u64,
}

/// The most that a way around takes of the time of the straight one to be worth a word: predictions err.
const WORTH: f64 = 0.7;

/// Seconds that a table on a batch of a default set takes at least, on any number of threads.
const LEAST_BATCH: f64 = 1.0;

impl Request {
    /// The way around of fresh values of an offer's set, where it takes less than 7/10 of the time of the offer, keys
    /// of both being there: a few values of a batch by engine fhew, or many single ones by engine ckks. Of tables of
    /// residues; `None` of other functions.
    ///
    /// ```
    /// # fn main() -> Result<(), bootes::Error> {
    /// use bootes::planner::Request;
    /// use bootes::{Engine, Load, Lut, Params};
    /// let request = Request::table(Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?);
    /// let few = Load { threads: 1, ..Load::of(3) };
    /// let batch = request.offer_of(Params::for_bits(4)?.many(65536)?, &few)?;
    /// let detour = request.detour(&batch, &few).expect("three values take less time than a batch");
    /// assert_eq!(detour.offer.params.engine(), Engine::Fhew);
    /// assert!(detour.seconds < 0.7 * batch.prediction.seconds);
    /// # Ok(())
    /// # }
    /// ```
    pub fn detour(&self, offer: &Offer, load: &Load) -> Option<Detour> {
        let Function::Table(lut) = &self.function else { return None };
        let values = match &offer.params.0 {
            Of::Fhew(set) => Values::Single(set.clone(), self.space, set.fresh_variance()),
            Of::Ckks(set) => {
                let log2_modulus = ckks::log2_modulus_of(set, self.space);
                Values::Batch(set.clone(), self.space, log2_modulus, set.fresh_error(log2_modulus))
            }
            Of::Bfv(_) => return None,
        };
        self.around(lut, &values, offer.prediction.seconds, load)
    }

    /// The way around that takes less time than so many seconds.
    fn around(&self, lut: &Lut, values: &Values, seconds: f64, load: &Load) -> Option<Detour> {
        if !matches!(self.space, Space::Modular(_)) || load.values == 0 {
            return None;
        }
        let other = match values {
            Values::Single(..) => Engine::Ckks,
            Values::Batch(..) => Engine::Fhew,
        };
        let (load, most) = (Load { has_keys: true, ..*load }, WORTH * seconds);
        // Sets of batches take a while to be made, as evaluations by them do.
        if other == Engine::Ckks && most < LEAST_BATCH {
            return None;
        }
        let params = Params::on(other, lut.in_modulus().max(lut.out_modulus()), self.target).ok()?;
        let Converted { seconds: convert_seconds, key_bytes, prediction } = match (values, &params.0) {
            (Values::Batch(set, space, k, error), Of::Fhew(to)) => {
                cost::to_single((set, *space, *k, *error), to, lut, &load)
            }
            (Values::Single(set, space, variance), Of::Ckks(to)) => {
                cost::to_batch((set, *space, *variance), to, lut, &load)
            }
            _ => return None,
        }
        .ok()?;
        let seconds = convert_seconds + prediction.seconds;
        let offer = Offer { params, space: self.space, prediction };
        (seconds < most).then_some(Detour { offer, convert_seconds, seconds, conversion_key_bytes: key_bytes })
    }
}

impl Plan {
    /// The way around of so many values like those that it was made for, with the noise that these have, where it takes
    /// less than 7/10 of the time: [`Request::detour`].
    ///
    /// # Errors
    /// As [`Self::prediction`].
    pub fn detour(&self, values: usize) -> Result<Option<Detour>, Error> {
        let Function::Table(lut) = self.function() else { return Ok(None) };
        let (space, found) = match &self.engine {
            Of::Fhew(plan) => match plan.inputs(&self.function) {
                Some((set, inputs)) => {
                    let space = inputs.spaces[0];
                    (space, Values::Single(set, space, inputs.variance.largest()))
                }
                None => return Ok(None),
            },
            Of::Ckks(plan) => match plan.inputs(&self.function) {
                Some((set, inputs)) => {
                    let (space, error) = inputs.operands[0];
                    (space, Values::Batch(set, space, inputs.log2_modulus, error))
                }
                None => return Ok(None),
            },
            Of::Bfv(_) => return Ok(None),
        };
        let load = Load { threads: self.threads, ..Load::here(values) };
        let request = Request { space, ..Request::table(lut.clone()) };
        Ok(request.around(lut, &found, self.seconds(values)?, &load))
    }
}
