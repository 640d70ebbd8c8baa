//! The shipped sets (`data/*.toml`) and how they are chosen.
use super::{FhewParams, FhewParamsLiteral, ParamsError};
use serde::Deserialize;
use std::sync::OnceLock;

impl FhewParams {
    /// Every shipped set of words of 64 bits, defaults first.
    pub fn all() -> &'static [FhewParams] {
        static ALL: OnceLock<Vec<FhewParams>> = OnceLock::new();
        ALL.get_or_init(|| {
            [
                include_str!("../../../data/default.toml"),
                include_str!("../../../data/integers.toml"),
                include_str!("../../../data/bits.toml"),
                include_str!("../../../data/paper.toml"),
                include_str!("../../../data/toy.toml"),
            ]
            .into_iter()
            .flat_map(parse)
            .collect()
        })
    }

    /// Every shipped set of words of 128 bits.
    pub fn wide() -> &'static [FhewParams] {
        static WIDE: OnceLock<Vec<FhewParams>> = OnceLock::new();
        WIDE.get_or_init(|| parse(include_str!("../../../data/wide.toml")))
    }

    /// The shipped set of this name, of words of any width.
    pub fn by_name(name: &str) -> Result<Self, ParamsError> {
        let all = || Self::all().iter().chain(Self::wide());
        let unknown = || ParamsError::Unknown { name: name.into(), nearest: nearest(name, all()) };
        all().find(|set| set.name() == name).cloned().ok_or_else(unknown)
    }

    /// The default set for messages of `bits` bits at failure probability 2^`log2_p_fail` (−64 or −128).
    pub fn for_bits(bits: u32, log2_p_fail: i32) -> Result<Self, ParamsError> {
        Self::all()
            .iter()
            .find(|set| {
                set.is_default()
                    && set.integer_bits().is_none()
                    && set.bits() == bits
                    && set.log2_p_fail() as i32 == log2_p_fail
            })
            .cloned()
            .ok_or(ParamsError::NoSet { bits, log2_p_fail })
    }

    /// The default set for integers of `width` bits in one ciphertext at failure probability 2^`log2_p_fail`.
    pub fn for_integers(width: u32, log2_p_fail: i32) -> Result<Self, ParamsError> {
        let holds = |set: &&Self| set.integer_bits().is_some_and(|bits| bits >= width);
        let sets = Self::all().iter().filter(|set| set.is_default() && set.log2_p_fail() as i32 == log2_p_fail);
        sets.filter(holds)
            .min_by_key(|set| set.integer_bits())
            .cloned()
            .ok_or(ParamsError::NoIntegerSet { width, log2_p_fail })
    }
}

/// The sets of a shipped file.
fn parse(text: &str) -> Vec<FhewParams> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        set: Vec<FhewParamsLiteral>,
    }
    let sets = toml::from_str::<File>(text).expect("the shipped files parse").set;
    sets.into_iter().map(|literal| literal.try_build().expect("shipped sets are valid")).collect()
}

/// The name most like `name`: of sets of its kind, and with as well as without the failure probability that ends names;
/// of two the one that fails less.
fn nearest<'a>(name: &str, all: impl Iterator<Item = &'a FhewParams>) -> Option<String> {
    let kind = |name: &str| ["toy_", "paper_", "wide_"].into_iter().find(|kind| name.starts_with(kind));
    let distance = |known: &str| {
        let stem = known.rsplit_once("_2m").map_or(known, |(stem, _)| stem);
        strsim::levenshtein(known, name).min(strsim::levenshtein(stem, name))
    };
    let alike = all.filter(|set| kind(set.name()) == kind(name)).map(|set| (distance(set.name()), set));
    let part = |set: &FhewParams| !name.is_empty() && set.name().contains(name);
    let alike = alike.filter(|(distance, set)| part(set) || *distance <= 2 + name.chars().count() / 3);
    let order = |set: &FhewParams| set.log2_p_fail();
    let found = alike.min_by(|(a, one), (b, other)| a.cmp(b).then(order(one).total_cmp(&order(other))));
    found.map(|(_, set)| set.name().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_nearly_right_are_suggested() {
        let line = |name: &str| FhewParams::by_name(name).unwrap_err().to_string();
        for (name, meant) in [
            ("fhew_6bit", "fhew_6bit_2m128"),
            ("fhew_6bit_2m46", "fhew_6bit_2m64"),
            ("few_4bit_2m128", "fhew_4bit_2m128"),
            ("toy_3", "toy_4"),
            ("int16", "fhew_int16_2m128"),
        ] {
            assert!(line(name).ends_with(&format!("did you mean {meant:?}?")), "{}", line(name));
        }
        for name in ["nosuch", "", "x"] {
            assert!(line(name).ends_with("engine bfv has slots_P for primes P"), "{}", line(name));
        }
    }

    #[test]
    fn names_of_shipped_sets_begin_with_their_class() {
        for set in FhewParams::all().iter().chain(FhewParams::wide()) {
            let expected = match set.name().split_once('_') {
                Some(("toy", _)) => crate::class::SetClass::Toy,
                Some(("paper", _)) => crate::class::SetClass::Paper,
                _ => crate::class::SetClass::Secure,
            };
            assert_eq!(set.literal().class, expected, "{}", set.name());
        }
    }
}
