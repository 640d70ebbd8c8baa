//! "Did you mean": the nearest known name.

/// The name nearest to `found` in `names`, unless it is nothing like it.
pub(crate) fn nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_lowercase();
    let of = |name: &'a str| (strsim::levenshtein(&found, &name.to_lowercase()), name);
    let (distance, name) = names.into_iter().map(of).min_by_key(|(distance, _)| *distance)?;
    (distance <= 2 + found.chars().count() / 3).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions() {
        let names = ["fdfb-compress", "recursive", "boot"];
        assert_eq!(nearest("recursve", names), Some("recursive"));
        assert_eq!(nearest("BOOT", names), Some("boot"));
        assert_eq!(nearest("completely-else", names), None);
        assert_eq!(nearest("x", []), None);
    }
}
