/// The remedies for an operation that is refused for its noise: those alone that would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoiseCure {
    /// Another algorithm than the one that was named bears it.
    pub any_algorithm: bool,
    /// A table, such as the identity, leaves operands with less noise.
    pub refresh: bool,
    /// Operands that are results of one of several tables, evaluated at once, have less noise where that is evaluated
    /// alone.
    pub apart: bool,
    /// Operands that are results of tables have less noise where the tables have so many output bits.
    pub out_bits: Option<u32>,
    /// Integers of the same range have less noise to bear where they have so many bits of room.
    pub width: Option<u32>,
    /// Operands as they were encrypted have little enough noise.
    pub fresh: bool,
    /// There are weights to make smaller.
    pub smaller_weights: bool,
    /// A default set that bears the operation.
    pub other: Option<Box<str>>,
    /// The reason that there is so much, and no remedy: operands have an encryption in common, so that standard
    /// deviations add up, where of others variances do.
    pub in_common: bool,
}

/// The words that one door says a cure in.
pub struct NoiseWords<'a> {
    /// The way to another set.
    pub set: &'a dyn Fn(&str) -> String,
    /// The way to a table of so many output bits.
    pub out_bits: &'a dyn Fn(u32) -> String,
    /// The way to encrypt integers with so many bits of room.
    pub width: &'a dyn Fn(u32) -> String,
}

impl NoiseWords<'_> {
    /// Those of the library.
    pub(super) const LIBRARY: NoiseWords<'static> = NoiseWords {
        set: &|set| format!("parameters {set} (Params::named)"),
        out_bits: &|bits| format!("{bits} output bits (Lut::new)"),
        width: &|bits| format!("a width of {bits} bits (Client::encrypt_within)"),
    };
}

impl NoiseCure {
    /// "take …, or …", of a linear operation.
    pub fn of_sum(&self, words: &NoiseWords<'_>) -> String {
        let less = match self.smaller_weights {
            true => "smaller weights, as by tables whose entries have them",
            false => "fewer terms",
        };
        let take = match (&self.other, self.refresh) {
            (Some(set), _) => {
                format!("take {}, whose results have more room for noise, or {less}", (words.set)(set))
            }
            (None, true) => return self.joined(words, format!("take {less}")),
            (None, false) => format!("take {less}"),
        };
        self.joined(words, take + ", or messages of fewer bits")
    }

    /// The same of a table or a function.
    pub fn of_function(&self, words: &NoiseWords<'_>) -> String {
        let width = self.width.map(|bits| {
            format!("encrypt integers, and those that they are sums of, with less room: {}", (words.width)(bits))
        });
        let last = match &self.other {
            Some(set) => format!("take {}", (words.set)(set)),
            None if self.fresh => "take operands that are sums of fewer, or as they were encrypted".into(),
            None => match width {
                Some(width) => return self.joined(words, width),
                None => "take messages of fewer bits".into(),
            },
        };
        self.joined(words, width.map_or(String::new(), |width| width + ", or ") + &last)
    }

    /// The reason, if there is one, the remedies before `last`, and that.
    fn joined(&self, words: &NoiseWords<'_>, last: String) -> String {
        let mut all = Vec::new();
        if self.any_algorithm {
            all.push("leave the algorithm to the planner".into());
        }
        if self.refresh {
            all.push("evaluate a table on the ciphertexts first, such as the identity".into());
        }
        if self.apart {
            all.push("evaluate apart the tables that gave them at once".into());
        }
        all.extend(
            self.out_bits.map(|bits| format!("give tables that they are results of {}", (words.out_bits)(bits))),
        );
        all.push(last);
        let reason = match self.in_common {
            true => "operands have an encryption in common, so that their noise adds up in full; ",
            false => "",
        };
        reason.to_string() + &all.join(", or ")
    }
}
