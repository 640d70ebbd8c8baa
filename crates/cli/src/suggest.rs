//! "Did you mean": the nearest known name.

/// The name nearest to `found` in `names`, unless it is nothing like it.
pub(crate) fn nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_lowercase();
    let length = found.chars().count();
    // A slip in three letters: of three letters two others are another word.
    let most = length.div_ceil(3);
    // What is much longer or shorter is not looked at: somebody else may have written it.
    let names = names.into_iter().filter(|name| !name.is_empty());
    let near = names.filter(|name| name.chars().take(length + most + 1).count().abs_diff(length) <= most);
    let of = |name: &'a str| (strsim::osa_distance(&found, &name.to_lowercase()), name);
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
        assert_eq!((nearest("bot", names), nearest("obot", names)), (Some("boot"), Some("boot")));
        assert_eq!((nearest("max", ["min", "abs"]), nearest("select", ["less"])), (None, None));
        assert_eq!(nearest("completely-else", names), None);
        assert_eq!((nearest("x", []), nearest("x", [""])), (None, None));
    }
}
