/// What to do about a linear operation whose results would be too noisy: only what would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoiseCure {
    /// A table, such as the identity, leaves operands with less noise.
    pub refresh: bool,
    /// There are weights to make smaller.
    pub smaller_weights: bool,
    /// A default set whose results bear the operation.
    pub other: Option<String>,
}

impl NoiseCure {
    /// "take …, or …"; `take` says how to take another set.
    pub fn in_words(&self, take: impl Fn(&str) -> String) -> String {
        let less = if self.smaller_weights { "smaller weights" } else { "fewer terms" };
        match (self.refresh, &self.other) {
            (true, _) => format!("evaluate a table on the ciphertexts first, such as the identity, or take {less}"),
            (false, Some(set)) => format!("take {}, or {less}, or messages of fewer bits", take(set)),
            (false, None) => format!("take {less}, or messages of fewer bits"),
        }
    }
}
