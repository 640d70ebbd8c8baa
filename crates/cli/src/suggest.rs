//! "Did you mean": the nearest known name.

/// The name nearest to `found` in `names`, unless it is nothing like it.
pub(crate) fn nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, name) =
        names.into_iter().map(|name| (distance(found, name), name)).min_by_key(|(distance, _)| *distance)?;
    (distance <= 2 + found.chars().count() / 3).then_some(name)
}

/// Edit distance (Levenshtein): insertions, deletions and substitutions from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "same"), 0);
        assert_eq!(distance("ä", ""), 1);
    }

    #[test]
    fn suggestions() {
        let names = ["fdfb-compress", "recursive", "boot"];
        assert_eq!(nearest("recursve", names), Some("recursive"));
        assert_eq!(nearest("completely-else", names), None);
        assert_eq!(nearest("x", []), None);
    }
}
