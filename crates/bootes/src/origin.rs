//! Whose noise is in ciphertexts: what is added to itself is not independent.

/// Stands for every encryption and evaluation, where there are too many to name.
const ANYTHING: u64 = u64::MAX;

/// The most that are named.
pub(crate) const MAX_LINEAGE: usize = 4096;

/// Where ciphertexts come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The encryptions and evaluations whose noise is in them: sorted, each once; or [`ANYTHING`] alone.
    pub(crate) lineage: Vec<u64>,
    /// Whether the noises e_i of one vector may depend on each other: if not, Σ w_i·e_i has at most ‖w‖ times the
    /// standard deviation of the bound. Sums of vectors of one origin keep that, whose standard deviations add, even
    /// where e_i is in value i of one and in value j of the other.
    pub(crate) dependent: bool,
    /// Whether its encryptions may be in another order than elsewhere, as after concatenations and linear maps: a sum
    /// with what has some of them, (a + b, b + a), may then hold the same ciphertext twice.
    pub(crate) moved: bool,
}

impl Origin {
    /// A new encryption or evaluation.
    pub(crate) fn new(id: u64) -> Self {
        Self { lineage: vec![id], dependent: false, moved: false }
    }

    /// The origin of several encryptions and evaluations.
    pub(crate) fn of(mut lineage: Vec<u64>) -> Self {
        lineage.sort_unstable();
        lineage.dedup();
        if lineage.len() > MAX_LINEAGE || lineage.last() == Some(&ANYTHING) {
            lineage = vec![ANYTHING];
        }
        Self { lineage, dependent: false, moved: false }
    }

    /// The origin of ciphertexts without a mask, as x − x has: tables of engine ckks make equal ones of equal messages,
    /// whatever they come from.
    pub(crate) fn trivial() -> Self {
        Self { dependent: true, ..Self::new(0) }
    }

    /// The origin of what is made from both, value by value.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let both = Self::of([&self.lineage[..], &other.lineage[..]].concat());
        let moved = self.moved || other.moved;
        Self { dependent: self.dependent || other.dependent || moved && self.meets(other), moved, ..both }
    }

    /// The origin of what is made from all, value by value, and whether two of them meet: then what is made may be
    /// without a mask.
    pub(crate) fn of_all<'a>(all: impl IntoIterator<Item = &'a Self>) -> (Self, bool) {
        let mut all = all.into_iter();
        let first = all.next().cloned().unwrap_or_else(Self::trivial);
        all.fold((first, false), |(both, meet), next| (both.and(next), meet || both.meets(next)))
    }

    /// The origin of the values of both, one after the other: the same value may be among them twice.
    pub(crate) fn followed_by(&self, other: &Self) -> Self {
        let both = self.and(other);
        Self { dependent: both.dependent || self.meets(other), moved: true, ..both }
    }

    /// The origin of values that have a common error, whatever they are made from, as results of continuous functions.
    pub(crate) fn biased(&self) -> Self {
        Self { lineage: vec![ANYTHING], dependent: true, ..*self }
    }

    /// Whether both have noise of the same encryption or evaluation.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let is_any = |origin: &Self| origin.lineage == [ANYTHING];
        is_any(self) || is_any(other) || self.lineage.iter().any(|id| other.lineage.binary_search(id).is_ok())
    }
}

/// An identifier of content, of an encryption or an evaluation. Whoever makes two collide has dependence counted where
/// there is none, and nothing else: dithers are chosen by a digest ([`bootes_lattice::keyswitch::Evaluation`]).
pub(crate) fn identify(words: impl IntoIterator<Item = u64>) -> u64 {
    let hash = words.into_iter().fold(0x243f_6a88_85a3_08d3_u64, |hash, word| {
        (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More origins than a file names are every origin there may be.
    #[test]
    fn too_many_origins_are_any() {
        let several = |from: u64, count| Origin::of((from..from + count).collect());
        let (few, many) = (several(0, 4096), several(0, 4097));
        let other = Origin::new(1 << 40);
        assert_eq!((few.lineage.len(), many.lineage.len()), (4096, 1));
        assert!(!few.meets(&other) && many.meets(&other) && other.meets(&many));
        assert_eq!(few.and(&other), many);
        assert_eq!(many.and(&Origin { dependent: true, ..few }), Origin { dependent: true, ..many });
    }

    /// (a, b) + (b, a) is one ciphertext twice, though neither vector has anything twice.
    #[test]
    fn sums_in_another_order_have_repeats() {
        let [a, b, c] = [1, 2, 3].map(Origin::new);
        let (ab, ba) = (a.followed_by(&b), b.followed_by(&a));
        assert!(!ab.dependent && !ba.dependent && ab.and(&ba).dependent);
        assert!(!ab.and(&c).dependent && ab.and(&c).and(&ba).dependent);
    }
}
