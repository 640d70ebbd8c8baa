//! The comparison of engines for a request, and the refusal that is told where none can.
use super::{Choice, Offer, Reason, Request};
use crate::{Engine, Error, Load};

/// How many times as long as predicted an engine takes.
pub(super) type Pace<'a> = dyn Fn(Engine) -> f64 + 'a;

/// The comparison of engines.
pub(super) struct Race<'a> {
    request: &'a Request,
    load: &'a Load,
    pace: &'a Pace<'a>,
    /// Seconds that whatever is asked for takes less than.
    limit: f64,
    best: Option<Offer>,
    others: Vec<(Engine, Reason)>,
}

impl<'a> Race<'a> {
    pub(super) fn new(request: &'a Request, load: &'a Load, pace: &'a Pace<'a>) -> Self {
        Self { request, load, pace, limit: f64::INFINITY, best: None, others: Vec::new() }
    }

    pub(super) fn under(self, limit: f64) -> Self {
        Self { limit, ..self }
    }

    /// Asks an engine, unless it takes longer than the best for its keys alone: what these take at least is known
    /// before a set and its maps are made, which takes a while.
    pub(super) fn ask(&mut self, engine: Engine) {
        let (pace, best) = ((self.pace)(engine), self.best.as_ref());
        let best = best.map_or(self.limit, |best| best.prediction.job_seconds.min(self.limit));
        let least = pace * self.request.least_seconds(engine, self.load, best / pace);
        if best <= least {
            self.others.push((engine, Reason::NotTried(least)));
        } else {
            self.enter(engine, self.request.offered(engine, self.load));
        }
    }

    /// What an engine offers, by the calibration in use.
    pub(super) fn enter(&mut self, engine: Engine, found: Result<Offer, Error>) {
        let mut offer = match found {
            Ok(offer) => offer,
            Err(error) => return self.others.push((engine, Reason::Refused(error))),
        };
        offer.prediction = offer.prediction.at_pace((self.pace)(engine), self.load);
        let best = match self.best.take() {
            None => offer,
            Some(other) => {
                let faster = offer.prediction.job_seconds < other.prediction.job_seconds;
                let (first, second) = if faster { (offer, other) } else { (other, offer) };
                self.others.push((second.params.engine(), Reason::Slower(Box::new(second))));
                first
            }
        };
        self.best = Some(best);
    }

    pub(super) fn finish(self) -> Result<Choice, Error> {
        match self.best {
            Some(offer) => Ok(Choice { offer, others: self.others }),
            None => Err(refusal(self.request, self.load, self.others)),
        }
    }
}

/// The refusal to tell where all refuse: that of its own engine, unless others would do with more memory, and it not.
fn refusal(request: &Request, load: &Load, others: Vec<(Engine, Reason)>) -> Error {
    let own = request.own_engine();
    let refused = others.into_iter().filter_map(|(engine, reason)| match reason {
        Reason::Refused(error) => Some((engine, error)),
        _ => None,
    });
    let rank = |(engine, error): &(Engine, Error)| match error {
        // What others need may be told before their plans can be, and be less than all.
        Error::Memory { .. } if *engine == own => (0, false),
        Error::Memory { needed, .. } => (*needed, true),
        _ => (u64::MAX, *engine != own),
    };
    match refused.min_by_key(rank) {
        Some((engine, error)) if engine == own || matches!(error, Error::Memory { .. }) => {
            request.refusal_in_full(error, engine, load)
        }
        _ => Error::not_with(&request.function.name(), own, request.function.engines()),
    }
}
