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

/// An accent that is a character of its own, behind its letter.
fn is_accent(c: &char) -> bool {
    ('\u{300}'..='\u{36f}').contains(c)
}

/// Whether two names are the same but for accents, which one has in its letters and the other behind them: nobody sees
/// the difference.
pub(crate) fn looks_like(one: &str, other: &str) -> bool {
    let letters = |name: &str| name.chars().filter(|c| !is_accent(c)).collect::<Vec<_>>();
    let (left, right) = (letters(one), letters(other));
    let is_same = |(a, b): (&char, &char)| a == b || a.is_ascii() != b.is_ascii();
    let accents = [one, other].map(|name| name.chars().filter(is_accent).count());
    one != other && accents[0] != accents[1] && left.len() == right.len() && left.iter().zip(&right).all(is_same)
}

/// How a name has its accents.
pub(crate) fn accents(name: &str) -> &'static str {
    if name.chars().any(|c| is_accent(&c)) { "characters of their own" } else { "in the letters" }
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
        let [composed, apart] = ["\u{e9}t\u{e9}", "e\u{301}te\u{301}"];
        assert!(looks_like(composed, apart) && looks_like(apart, composed));
        assert!(!looks_like(composed, composed) && !looks_like(composed, "ete") && !looks_like("ete", "eta"));
        assert!(!looks_like(apart, "a\u{301}te\u{301}"));
        assert_eq!([composed, apart].map(accents), ["in the letters", "characters of their own"]);
    }
}
