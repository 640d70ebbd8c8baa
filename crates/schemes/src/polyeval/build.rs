//! From coefficients to circuits.

use std::collections::{BTreeMap, BTreeSet};

use super::{ArithmeticCircuit, Gate, Id, Minus, PolynomialBasis, Weights};
use crate::scalar::Scalar;

/// Σ products z^n·(…) + Σ terms c·z^n + constant, where z^n is T_n in the Chebyshev basis.
struct Sum<T> {
    products: Vec<(usize, Sum<T>)>,
    terms: Vec<(usize, T)>,
    constant: T,
}

impl<T: Scalar> Sum<T> {
    /// 0.
    const EMPTY: Self = Self { products: Vec::new(), terms: Vec::new(), constant: T::ZERO };

    /// `coefficients` (the last one not 0) in at most `depth` levels, of degree below 2^`depth`, or 2^`depth` where
    /// constants take no level; baby steps below `babies` ≥ 1.
    fn plan(basis: PolynomialBasis, mut coefficients: Vec<T>, depth: u32, babies: usize) -> Self {
        let mut sum = Self::EMPTY;
        // Without a level for constants all powers up to 2^depth serve.
        let whole = T::CONSTANT_LEVELS == 0 && coefficients.len() <= babies;
        if depth > 0 && !whole {
            let half = 1 << (depth - 1);
            let only_top = || coefficients[half..2 * half].iter().all(|&c| c == T::ZERO);
            if coefficients.len() > 2 * half && only_top() {
                sum.terms.extend(coefficients.pop().map(|c| (2 * half, c)));
                trim(&mut coefficients);
            }
            if coefficients.len() > half {
                let high = split(basis, &mut coefficients, half);
                sum.add_product(half, Self::plan(basis, high, depth - 1, babies));
            }
            // A product's factors have a level less, and so a combination and its baby steps.
            let most = half >> T::CONSTANT_LEVELS;
            let babies = if coefficients.len() <= babies { half } else { babies.min(most).max(1) };
            while coefficients.len() > babies {
                let start = (coefficients.len() - 1) / babies * babies;
                let mut leaf = Self::EMPTY;
                leaf.add_terms(split(basis, &mut coefficients, start));
                sum.add_product(start, leaf);
            }
        }
        sum.add_terms(coefficients);
        sum
    }

    /// Adds z^n · factor: a product, a term if the factor is a constant.
    fn add_product(&mut self, n: usize, factor: Self) {
        if !factor.products.is_empty() || !factor.terms.is_empty() {
            self.products.push((n, factor));
        } else if factor.constant != T::ZERO {
            self.terms.push((n, factor.constant));
        }
    }

    fn add_terms(&mut self, coefficients: Vec<T>) {
        for (n, c) in coefficients.into_iter().enumerate().filter(|&(_, c)| c != T::ZERO) {
            if n == 0 {
                self.constant = self.constant + c;
            } else {
                self.terms.push((n, c));
            }
        }
    }

    /// Adds the n > 0 of all z^n in it.
    fn collect(&self, powers: &mut BTreeSet<usize>) {
        powers.extend(self.terms.iter().map(|&(n, _)| n));
        for (n, factor) in &self.products {
            powers.insert(*n);
            factor.collect(powers);
        }
    }

    /// The steps of it, after those of its powers. A monomial of coefficient 1 takes none.
    fn emit(&self, circuit: &mut ArithmeticCircuit<T>, powers: &BTreeMap<usize, Id>) -> Id {
        let none = self.constant == T::ZERO;
        let rest = match (self.terms.as_slice(), self.constant) {
            ([], _) if none && !self.products.is_empty() => None,
            (&[(n, one)], _) if none && one == T::ONE => Some(powers[&n]),
            (terms, constant) => {
                let terms = terms.iter().map(|&(n, c)| (powers[&n], c)).collect();
                Some(circuit.push(Gate::Combination { terms, constant }))
            }
        };
        if self.products.is_empty() {
            return rest.expect("no products leave a combination");
        }
        let products = self.products.iter().map(|(n, factor)| (powers[n], factor.emit(circuit, powers))).collect();
        circuit.push(Gate::SumOfProducts { products, addends: rest.into_iter().collect() })
    }
}

/// Takes q away from f = z^n·q + r: `coefficients` of f become those of r, deg f < 2n and deg r < n.
///
/// Chebyshev: T_{n+j} = 2T_nT_j − T_{n−j} for j > 0. Trailing zeros are dropped from r.
fn split<T: Scalar>(basis: PolynomialBasis, coefficients: &mut Vec<T>, n: usize) -> Vec<T> {
    let mut high = coefficients.split_off(n);
    if basis == PolynomialBasis::Chebyshev {
        for (j, c) in high.iter_mut().enumerate().skip(1) {
            coefficients[n - j] = coefficients[n - j] - *c;
            *c = *c + *c;
        }
    }
    trim(coefficients);
    high
}

fn trim<T: Scalar>(coefficients: &mut Vec<T>) {
    coefficients.truncate(coefficients.iter().rposition(|&c| c != T::ZERO).map_or(0, |last| last + 1));
}

/// Adds the powers that others are made of, and says of which two: n = a + b with ⌈log2⌉ levels, 1 ≤ b ≤ a ≤ 2^(⌈log2
/// n⌉−1).
///
/// From the largest down, each takes the split of the fewest new powers; squares, then large a, come first.
fn close(basis: PolynomialBasis, powers: &mut BTreeSet<usize>) -> BTreeMap<usize, (usize, usize)> {
    let mut splits = BTreeMap::new();
    let mut next = powers.last().copied();
    while let Some(n) = next.filter(|&n| n > 1) {
        let parts = |a: usize| {
            let difference = if basis == PolynomialBasis::Chebyshev { 2 * a - n } else { 0 };
            let all = [a, n - a, difference];
            (0..3).filter(move |&i| all[i] > 1 && !all[..i].contains(&all[i])).map(move |i| all[i])
        };
        let new = |a: usize| parts(a).filter(|part| !powers.contains(part)).count();
        let square = n.is_multiple_of(2).then_some(n / 2);
        let mut candidates = square.into_iter().chain((n.div_ceil(2)..=n.next_power_of_two() / 2).rev());
        let first = candidates.next().expect("n > 1 has a split");
        let mut best = (new(first), first);
        while best.0 > 0
            && let Some(a) = candidates.next()
        {
            let found = new(a);
            if found < best.0 {
                best = (found, a);
            }
        }
        let (_, a) = best;
        splits.insert(n, (a, n - a));
        powers.extend(parts(a));
        next = powers.range(..n).next_back().copied();
    }
    splits
}

impl<T: Scalar> ArithmeticCircuit<T> {
    /// Several polynomials Σ c_j·x^j (or c_j·T_j(x)) of one variable, which share their powers: an output each, of the
    /// level ⌈log2(d+1)⌉ for degree d; ⌈log2 d⌉ where constants take no level.
    ///
    /// Zero coefficients cost nothing: powers that no coefficient needs are not made, so odd and even polynomials are
    /// cheaper. The number of baby steps, 2^i or 3·2^i, is that of the least [`ArithmeticCircuit::cost`] with the
    /// default weights; within 16 times √d beyond d = 2^10.
    pub fn polynomials(basis: PolynomialBasis, polynomials: &[Vec<T>]) -> Self {
        Self::polynomials_weighted(basis, polynomials, &Weights::default())
    }

    /// [`ArithmeticCircuit::polynomials`] for a machine of the given weights.
    pub fn polynomials_weighted(basis: PolynomialBasis, polynomials: &[Vec<T>], weights: &Weights) -> Self {
        let longest = polynomials.iter().map(Vec::len).max().unwrap_or(0);
        let [least, most] = match longest {
            ..=1024 => [1, 2 * longest.max(1)],
            _ => [longest.isqrt() / 16, 16 * longest.isqrt()],
        };
        let babies = (0..usize::BITS)
            .flat_map(|i| [1 << i, 3 << i])
            .skip_while(|&babies| babies < least)
            .take_while(|&babies| babies < most);
        let circuits = babies.map(|babies| Self::with_babies(basis, polynomials, babies));
        let costs = circuits.map(|circuit| (circuit.cost(weights), circuit));
        costs.min_by(|(left, _), (right, _)| left.total_cmp(right)).expect("one baby step is a choice").1
    }

    fn with_babies(basis: PolynomialBasis, polynomials: &[Vec<T>], babies: usize) -> Self {
        let plan = |coefficients: &Vec<T>| {
            let mut coefficients = coefficients.clone();
            trim(&mut coefficients);
            // A constant takes a level, or none: z^(2^k) has k.
            let longest = coefficients.len().saturating_sub(1 - T::CONSTANT_LEVELS).max(1);
            let depth = longest.next_power_of_two().ilog2();
            Sum::plan(basis, coefficients, depth, babies)
        };
        let sums: Vec<Sum<T>> = polynomials.iter().map(plan).collect();
        let mut needed = BTreeSet::new();
        sums.iter().for_each(|sum| sum.collect(&mut needed));

        let mut circuit = Self::new(1);
        let mut powers = BTreeMap::from([(1, circuit.input(0))]);
        for (n, (left, right)) in close(basis, &mut needed) {
            let (a, b) = (powers[&left], powers[&right]);
            let (doubled, minus) = match basis {
                PolynomialBasis::Power => (false, Minus::Nothing),
                PolynomialBasis::Chebyshev if left == right => (true, Minus::One),
                PolynomialBasis::Chebyshev => (true, Minus::Value(powers[&(left - right)])),
            };
            powers.insert(n, circuit.push(Gate::Product { a, b, doubled, minus }));
        }
        for sum in &sums {
            let output = sum.emit(&mut circuit, &powers);
            circuit.output(output);
        }
        circuit
    }
}
