//! What is written in comparisons and selections: where the least of several is, several in order, leading zeros.
use super::{Node, PairOp, Program};
use crate::IntegerOp;

/// Bits of words whose leading zeros are counted by comparisons.
const FEW: u32 = 3;

impl Program {
    /// Which of `values` is the least, counted from 0: the first of equal ones. They are compared in pairs, and pairs
    /// of those: of n values ⌈log2 n⌉ comparisons wait for each other.
    ///
    /// ```
    /// use bootes_lut::{Interval, Program};
    /// let mut program = Program::new();
    /// let values = ["x", "y", "z"].map(|name| program.input(name));
    /// let least = program.argmin(&values);
    /// program.output(least);
    /// let range = [Interval::unsigned(4); 3];
    /// assert_eq!(program.integers_of(&[&[7, 2], &[5, 2], &[5, 2]], &range).unwrap(), [[1, 0]]);
    /// ```
    ///
    /// # Panics
    /// Of no values.
    pub fn argmin(&mut self, values: &[Node]) -> Node {
        self.first(values, |x, y| [y, x], IntegerOp::Min)
    }

    /// Which of `values` is the greatest, counted from 0: the first of equal ones, as [`Self::argmin`].
    ///
    /// # Panics
    /// Of no values.
    pub fn argmax(&mut self, values: &[Node]) -> Node {
        self.first(values, |x, y| [x, y], IntegerOp::Max)
    }

    /// The number of the first extreme value: of x and the later y it is y's if the first of `compared` is less.
    fn first(&mut self, values: &[Node], compared: impl Fn(Node, Node) -> [Node; 2], extreme: IntegerOp) -> Node {
        assert!(!values.is_empty(), "a value at least");
        if let [x] = *values {
            // 0, and an integer, as what functions give is.
            return self.integers(IntegerOp::Less, &[x, x]);
        }
        let mut open: Vec<[Node; 2]> = (0..).map(|i| self.constant(i)).zip(values).map(|(i, &x)| [i, x]).collect();
        while open.len() > 1 {
            let pairs = open.chunks(2).map(|pair| match *pair {
                [[i, x], [j, y]] => {
                    let later = self.integers(IntegerOp::Less, &compared(x, y));
                    [self.select(later, j, i), self.integers(extreme, &[x, y])]
                }
                _ => pair[0],
            });
            open = pairs.collect();
        }
        open[0][0]
    }

    /// `values` in order, the least first, by Batcher's odd-even merge sort: of n values ⌈log2 n⌉·(⌈log2 n⌉ + 1)/2
    /// comparisons wait for each other.
    ///
    /// ```
    /// use bootes_lut::{Interval, Program};
    /// let mut program = Program::new();
    /// let values = ["x", "y", "z"].map(|name| program.input(name));
    /// for value in program.sort(&values) {
    ///     program.output(value);
    /// }
    /// let range = [Interval::signed(4); 3];
    /// assert_eq!(program.integers_of(&[&[7], &[-5], &[2]], &range).unwrap(), [[-5], [2], [7]]);
    /// ```
    pub fn sort(&mut self, values: &[Node]) -> Vec<Node> {
        let mut sorted = values.to_vec();
        let count = sorted.len();
        let mut merged = 1;
        while merged < count {
            let mut distance = merged;
            while distance >= 1 {
                for start in (distance % merged..count.saturating_sub(distance)).step_by(2 * distance) {
                    for i in start..(start + distance).min(count - distance) {
                        // Both are of the same two runs.
                        if i / (2 * merged) == (i + distance) / (2 * merged) {
                            let [x, y] = [sorted[i], sorted[i + distance]];
                            sorted[i] = self.integers(IntegerOp::Min, &[x, y]);
                            sorted[i + distance] = self.integers(IntegerOp::Max, &[x, y]);
                        }
                    }
                }
                distance /= 2;
            }
            merged *= 2;
        }
        sorted
    }

    /// How many bits above the highest 1 of x modulo 2^bits, an integer of so many bits without a sign, are 0: all, if
    /// it is 0. Halves are taken until few bits are left.
    ///
    /// # Panics
    /// Of no bits.
    pub fn leading_zeros(&mut self, x: Node, bits: u32) -> Node {
        assert!(bits > 0, "a bit at least");
        let modulus = self.constant(1 << bits);
        let x = self.pair(PairOp::Rem, x, modulus);
        self.zeros_above(x, bits)
    }

    /// The same of an integer that has so many bits.
    fn zeros_above(&mut self, x: Node, bits: u32) -> Node {
        if bits <= FEW {
            // One for each power of two that it is less than.
            let powers = (0..bits).map(|bit| self.constant(1 << bit)).collect::<Vec<_>>();
            let less: Vec<Node> = powers.iter().map(|&power| self.integers(IntegerOp::Less, &[x, power])).collect();
            return less.into_iter().reduce(|sum, one| self.add(sum, one)).unwrap_or(x);
        }
        let below = bits.div_ceil(2);
        let above = bits - below;
        let half = self.constant(1 << below);
        let low = self.pair(PairOp::Rem, x, half);
        let high = self.pair(PairOp::Div, x, half);
        let none = self.constant(0);
        let is_low = self.integers(IntegerOp::Equal, &[high, none]);
        let rest = self.select(is_low, low, high);
        let zeros = self.zeros_above(rest, below);
        // The high half has fewer bits than what it is taken for by `below - above`.
        let [more, fewer] = [below, below - above].map(|bits| self.constant(bits.into()));
        let more = self.mul(more, is_low);
        let zeros = self.add(zeros, more);
        self.sub(zeros, fewer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;

    /// All orders of up to six values, among them equal ones.
    #[test]
    fn values_are_in_order() {
        for count in 1..=6usize {
            let mut program = Program::new();
            let values: Vec<Node> = (0..count).map(|i| program.input(&format!("x{i}"))).collect();
            let all = [program.argmin(&values), program.argmax(&values)].into_iter().chain(program.sort(&values));
            let all: Vec<Node> = all.collect();
            all.iter().for_each(|&node| program.output(node));
            for number in 0..count.pow(count as u32) {
                let mut rest = number;
                let column = |_| {
                    let digit = rest % count;
                    rest /= count;
                    digit as i128
                };
                let mut values: Vec<i128> = (0..count).map(column).collect();
                let columns: Vec<&[i128]> = values.iter().map(std::slice::from_ref).collect();
                let found = program.integers_of(&columns, &vec![Interval::unsigned(3); count]).expect("integers");
                let least = values.iter().min().and_then(|least| values.iter().position(|x| x == least));
                let most = values.iter().max().and_then(|most| values.iter().position(|x| x == most));
                assert_eq!([Some(found[0][0] as usize), Some(found[1][0] as usize)], [least, most], "{values:?}");
                values.sort_unstable();
                assert!(found[2..].iter().map(|column| column[0]).eq(values.iter().copied()), "{values:?}");
            }
        }
    }

    #[test]
    fn leading_zeros_are_those_of_words() {
        for bits in [1, 3, 8, 9, 16, 17, 31, 32, 33, 64] {
            let mut program = Program::new();
            let x = program.input("x");
            let zeros = program.leading_zeros(x, bits);
            program.output(zeros);
            let most = u64::MAX >> (64 - bits);
            let values = (0..bits).flat_map(|bit| [1u64 << bit, (1 << bit) - 1, (1 << bit) | 1, most >> bit]);
            let values: Vec<i128> = values.map(|x| i128::from(x & most)).collect();
            let found = program.integers_of(&[&values], &[Interval::unsigned(bits)]).expect("integers");
            let expected = values.iter().map(|&x| i128::from((x as u64).leading_zeros() - (64 - bits)));
            let expected: Vec<i128> = expected.collect();
            assert_eq!(found[0], expected, "{bits} bits");
            // Of longer ones, also negative, the low bits.
            let longer: Vec<i128> = values.iter().map(|x| x - (1 << bits)).collect();
            let found = program.integers_of(&[&longer], &[Interval::signed(66)]).expect("integers");
            assert_eq!(found[0], expected, "{bits} of more bits");
        }
    }
}
