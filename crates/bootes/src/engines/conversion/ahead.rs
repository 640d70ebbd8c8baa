//! What is read for a conversion: it comes in the order of the file, and is wanted in another one.
use std::collections::BTreeMap;

use super::Positions;
use crate::Error;
use crate::memory::check_ciphertexts;

/// Items of a file, some values each, of which chunks of results want some: those that came and will be wanted.
pub(super) struct Ahead<T> {
    uses: Uses,
    /// Items that were read.
    came: usize,
    kept: BTreeMap<usize, T>,
    /// Bytes of an item.
    bytes: usize,
}

/// The chunk in which each item is wanted last.
enum Uses {
    /// All values in their order: so many are an item, and so many a chunk.
    InOrder {
        item: usize,
        chunk: usize,
    },
    Of(BTreeMap<usize, usize>),
}

impl Uses {
    fn last(&self, item: usize) -> Option<usize> {
        match self {
            Self::InOrder { item: values, chunk } => Some(((item + 1) * values - 1) / chunk),
            Self::Of(uses) => uses.get(&item).copied(),
        }
    }
}

impl<T> Ahead<T> {
    /// Items of `item` values and `bytes` bytes, for chunks of `chunk` values at these positions.
    pub(super) fn new(positions: &Positions<'_>, item: usize, bytes: usize, chunk: usize) -> Self {
        let uses = match positions {
            Positions::All => Uses::InOrder { item, chunk },
            // Later chunks overwrite earlier ones.
            Positions::These(all) => Uses::Of(all.iter().enumerate().map(|(i, at)| (at / item, i / chunk)).collect()),
        };
        Self { uses, came: 0, kept: BTreeMap::new(), bytes }
    }

    /// Reads on until all that chunk number `chunk` wants is there, and drops what is wanted no more.
    ///
    /// # Errors
    /// Those of `next`; [`Error::CiphertextMemory`] if there is no room for what is kept.
    pub(super) fn fetch(
        &mut self,
        chunk: usize,
        wanted: impl Iterator<Item = usize>,
        mut next: impl FnMut() -> Result<T, Error>,
    ) -> Result<(), Error> {
        let Self { uses, came, kept, bytes } = self;
        kept.retain(|&item, _| uses.last(item) >= Some(chunk));
        let end = wanted.max().map_or(0, |most| most + 1);
        // Asking the system takes as long as reading some values.
        let together = (LOOKED_AHEAD / *bytes).max(1);
        while *came < end {
            let item = next()?;
            if uses.last(*came) >= Some(chunk) {
                if kept.len() % together == 0 {
                    check_ciphertexts((together * *bytes) as u64)?;
                }
                kept.insert(*came, item);
            }
            *came += 1;
        }
        Ok(())
    }

    /// One that was fetched.
    pub(super) fn get(&self, item: usize) -> &T {
        &self.kept[&item]
    }
}

/// Bytes for which room is looked for at once.
const LOOKED_AHEAD: usize = 1 << 24;

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything is there when it is wanted, and nothing longer.
    #[test]
    fn items_are_kept_while_they_are_wanted() -> Result<(), Error> {
        let orders = [
            (Positions::All, 1),
            (Positions::These(&[9, 0, 5, 5, 1, 8, 0]), 9),
            (Positions::These(&[0, 1, 2, 7, 8, 9]), 2),
            (Positions::These(&[]), 0),
        ];
        for (positions, most) in orders {
            for (item, chunk) in [(1, 2), (2, 2), (4, 3), (3, 10)] {
                let mut file = 0..10usize.div_ceil(item);
                let mut ahead = Ahead::new(&positions, item, 8, chunk);
                let count = positions.check(10)?;
                for (number, start) in (0..count).step_by(chunk).enumerate() {
                    let wanted = || (start..count.min(start + chunk)).map(|i| positions.of(i) / item);
                    ahead.fetch(number, wanted(), || file.next().ok_or(Error::NoValues))?;
                    wanted().for_each(|i| assert_eq!(*ahead.get(i), i));
                    assert!(ahead.kept.len() <= most.max(chunk), "{item} {chunk}: {}", ahead.kept.len());
                }
            }
        }
        Ok(())
    }
}
