//! Where noise is from: values that have an origin in common are not independent of each other.
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Origins that are told apart: what is from more may be from any, and is related to all that is.
const MOST: usize = 1024;

/// Of so few values each is compared with each.
const FEW: usize = 8;

/// Those of a value, shared by its copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origins {
    /// These, in order.
    Of(Rc<[usize]>),
    /// Too many to tell.
    Any,
}

impl Origins {
    /// None.
    pub(super) fn none() -> Self {
        Self::Of(Rc::new([]))
    }

    /// One alone.
    pub(super) fn one(origin: usize) -> Self {
        Self::Of(Rc::new([origin]))
    }

    /// Those of both.
    pub(super) fn and(&self, other: &Self) -> Self {
        let (Self::Of(one), Self::Of(two)) = (self, other) else { return Self::Any };
        if one.is_empty() || Rc::ptr_eq(one, two) {
            return other.clone();
        }
        if two.iter().all(|origin| one.binary_search(origin).is_ok()) {
            return self.clone();
        }
        let mut all = [&one[..], &two[..]].concat();
        // Two runs in order, which a stable sort merges.
        all.sort();
        all.dedup();
        if all.len() > MOST { Self::Any } else { Self::Of(all.into()) }
    }

    /// Whether both have one in common.
    fn meet(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, Self::Any) => true,
            (Self::Any, Self::Of(known)) | (Self::Of(known), Self::Any) => !known.is_empty(),
            (Self::Of(one), Self::Of(two)) => {
                let (short, long) = if one.len() < two.len() { (one, two) } else { (two, one) };
                short.iter().any(|origin| long.binary_search(origin).is_ok())
            }
        }
    }

    /// Of each of these values how many are not independent of it, itself included.
    pub(super) fn related(all: &[&Self]) -> Vec<usize> {
        if all.len() <= FEW {
            let of = |i: usize| (0..all.len()).filter(|&j| i == j || all[i].meet(all[j])).count();
            return (0..all.len()).map(of).collect();
        }
        let mut of_origin: HashMap<usize, Vec<usize>> = HashMap::new();
        for (i, origins) in all.iter().enumerate() {
            if let Self::Of(known) = origins {
                known.iter().for_each(|origin| of_origin.entry(*origin).or_default().push(i));
            }
        }
        let unknown = all.iter().filter(|origins| matches!(origins, Self::Any)).count();
        let some = unknown + of_origin.values().flatten().collect::<HashSet<_>>().len();
        let of = |origins: &&Self| match origins {
            Self::Any => some,
            Self::Of(known) if known.is_empty() => 1,
            Self::Of(known) => {
                let related: HashSet<usize> = known.iter().flat_map(|origin| &of_origin[origin]).copied().collect();
                related.len() + unknown
            }
        };
        all.iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many values are counted as few are, and what is from too many origins is related to all but what has none.
    #[test]
    fn values_of_one_origin_are_related() {
        let of = |origins: &[usize]| origins.iter().fold(Origins::none(), |all, one| all.and(&Origins::one(*one)));
        let any = of(&(0..=MOST).collect::<Vec<_>>());
        assert!(any == Origins::Any && of(&(0..MOST).collect::<Vec<_>>()) != Origins::Any);
        assert_eq!(of(&[3, 1]).and(&of(&[2, 3])), of(&[1, 2, 3]));
        let few = [of(&[1, 2]), of(&[2, 3]), of(&[3, 4]), of(&[5]), any, of(&[])];
        let few: Vec<&Origins> = few.iter().collect();
        let expected = [3, 4, 3, 2, 5, 1];
        assert_eq!(Origins::related(&few), expected);
        // Twice each: all that meets is met twice, and itself.
        let many: Vec<&Origins> = few.iter().chain(&few).copied().collect();
        let twice = expected.map(|count| if count == 1 { 1 } else { 2 * count });
        assert_eq!(Origins::related(&many), [twice, twice].concat());
    }
}
