//! Sets that were built and plans that were made, kept for whoever asks next: a few, so that nobody fills the memory by
//! naming many.
use std::sync::{Mutex, PoisonError};

/// A set of a large ring takes 20 to 100 megabytes, a plan some.
const MOST: usize = 4;

/// A cache of the objects that were asked for last, by name.
pub(crate) struct Kept<P>(Mutex<Vec<(String, P)>>);

impl<P: Clone> Kept<P> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The object of this name, kept or built. Names in files come here, so what is new is not kept until whatever
    /// names it was checked: [`Self::keep`].
    pub(crate) fn or_built<E>(&self, name: &str, build: impl FnOnce() -> Result<P, E>) -> Result<P, E> {
        let kept = {
            let sets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            sets.iter().find(|(other, _)| other == name).map(|(_, params)| params.clone())
        };
        kept.map_or_else(build, Ok)
    }

    /// Keeps it, in place of the one that was asked for least recently.
    pub(crate) fn keep(&self, name: &str, params: &P) {
        let mut sets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One that is there already stays: others may hold it.
        let found = sets.iter().position(|(other, _)| other == name);
        let newest = found.map_or_else(|| (name.to_string(), params.clone()), |i| sets.remove(i));
        sets.truncate(MOST - 1);
        sets.insert(0, newest);
    }

    /// The names of what is kept.
    #[cfg(test)]
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|(name, _)| name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_sets_are_kept() {
        let kept = Kept::new();
        let names: Vec<String> = (0..40).map(|i| format!("set_{i}")).collect();
        for (i, name) in names.iter().enumerate() {
            assert_eq!(kept.or_built(name, || Ok::<_, ()>(i)), Ok(i));
            assert!(!kept.names().contains(name), "what was not checked is not kept");
            kept.keep(name, &i);
            kept.keep(&names[0], &0);
        }
        assert_eq!(kept.names(), [&names[0], &names[39], &names[38], &names[37]].map(String::as_str));
        assert_eq!(kept.or_built(&names[0], || Err(())), Ok(0));
        assert_eq!(kept.or_built(&names[1], || Err(())), Err(()));
    }
}
