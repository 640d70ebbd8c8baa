//! "Did you mean": the nearest known name.

/// The name nearest to `found` in `names`, unless it is nothing like it.
pub(crate) fn nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_lowercase();
    let length = found.chars().count();
    let most = 2 + length / 3;
    // What is much longer or shorter is not looked at: somebody else may have written it.
    let near = names.into_iter().filter(|name| name.chars().take(length + most + 1).count().abs_diff(length) <= most);
    let of = |name: &'a str| (strsim::levenshtein(&found, &name.to_lowercase()), name);
    let (distance, name) = near.map(of).min_by_key(|(distance, _)| *distance)?;
    (distance <= most).then_some(name)
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
