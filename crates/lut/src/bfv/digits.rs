//! DigitRemove(p, e, v) as circuits: u modulo p^e becomes (u less its v lowest digits)/p^v modulo p^(e−v) (Section 3).
//!
//! u_(i,j) is the digit u_i followed by j zeros, modulo p^(i+j+1) of u. Row i begins with u_(i,0), what is left of u when
//! the digits below are taken away, one after the other, and divided away: ((u − u_(0,i))/p − u_(1,i−1))/p ….
use std::collections::BTreeMap;

use bootes_schemes::polyeval::{ArithmeticCircuit, Gate, Id, PolynomialBasis};

use super::polynomials::{lift, retain, retain_bounded};

/// How digits are extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DigitMethod {
    /// By lifting each digit, again and again (Halevi and Shoup 2015).
    HalevShoup,
    /// By polynomials that retain the lowest digit, lifting only where that is of lower degree (Algorithm 1).
    ChenHan,
    /// By polynomials that retain the lowest digit, one for each number of zeros that is wanted, all of the same powers: in
    /// a row no digit waits for another (Geelen, Iliashenko, Kang, Vercauteren 2023).
    MultiPrecision,
    /// By a polynomial for the digits |u_0| ≤ B; for v = 1.
    BoundedRange {
        /// B.
        bound: u64,
    },
}

/// A digit removal to make a circuit of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigitRemoval {
    /// p.
    pub p: u64,
    /// e.
    pub e: u32,
    /// v < e.
    pub v: u32,
    /// How.
    pub method: DigitMethod,
}

impl DigitRemoval {
    /// The circuit of one input, with one output.
    ///
    /// # Panics
    /// Unless 1 ≤ v < e, the polynomials exist ([`super::polynomials`]), v = 1 for a bounded range, and e ≤ 23 for several
    /// precisions of bits.
    #[must_use]
    pub fn circuit(self) -> ArithmeticCircuit<i64> {
        let Self { e, v, method, .. } = self;
        assert!(1 <= v && v < e, "{v} of {e} digits");
        let bits = self.p == 2 && method == DigitMethod::MultiPrecision;
        if let (1, false, Some(retained)) = (v, bits, self.retaining()) {
            return self.without_lowest(retained);
        }
        let mut rows = Rows { removal: self, circuit: ArithmeticCircuit::new(1), made: BTreeMap::new() };
        let u = rows.circuit.input(0);
        let mut first = u;
        for i in 0..v {
            match method {
                DigitMethod::HalevShoup => rows.lift_all(i, first, e - 1 - i),
                DigitMethod::ChenHan => rows.retain(i, first),
                DigitMethod::MultiPrecision => rows.retain_all(i, first),
                DigitMethod::BoundedRange { .. } => panic!("a bounded range is of one digit, not of {v}"),
            }
            if i + 1 < v {
                // u_(i+1, 0), which is wanted modulo p^(e−i−1) all the same, though only its first digits are right.
                first = rows.without(u, i + 1, |j| i + 1 - j);
            }
        }
        let output = rows.without(u, v, |j| e - 1 - j);
        rows.circuit.output(output);
        rows.circuit
    }
}

impl DigitRemoval {
    /// The polynomial that retains the lowest digit, if that is the method.
    fn retaining(self) -> Option<Vec<i64>> {
        match self.method {
            DigitMethod::HalevShoup => None,
            DigitMethod::ChenHan | DigitMethod::MultiPrecision => Some(retain(self.p, self.e)),
            DigitMethod::BoundedRange { bound } => Some(retain_bounded(self.p, self.e, bound)),
        }
    }

    /// (x − G(x))/p as one polynomial: a difference of ciphertexts would meet factors that differ.
    fn without_lowest(self, retained: Vec<i64>) -> ArithmeticCircuit<i64> {
        let mut removal: Vec<i64> = retained.into_iter().map(|c| -c).collect();
        removal[1] += 1;
        let mut circuit = ArithmeticCircuit::new(1);
        let polynomial = ArithmeticCircuit::polynomials(PolynomialBasis::Power, &[removal]);
        let input = circuit.input(0);
        let dividend = circuit.append(&polynomial, &[input])[0];
        let output = circuit.push(Gate::ExactDivision { dividend, divisor: self.p });
        circuit.output(output);
        circuit
    }
}

/// A circuit of digit removal that is being made, row by row.
struct Rows {
    removal: DigitRemoval,
    circuit: ArithmeticCircuit<i64>,
    /// u_(i,j) by i and j.
    made: BTreeMap<(u32, u32), Id>,
}

impl Rows {
    fn polynomials(&mut self, x: Id, polynomials: &[Vec<i64>]) -> Vec<Id> {
        let circuit = ArithmeticCircuit::polynomials(PolynomialBasis::Power, polynomials);
        self.circuit.append(&circuit, &[x])
    }

    /// Row i to u_(i,`last`), each from the one before.
    fn lift_all(&mut self, i: u32, first: Id, last: u32) {
        let polynomial = lift(self.removal.p, self.removal.e - 1);
        let mut digit = first;
        for j in 1..=last {
            digit = self.polynomials(digit, std::slice::from_ref(&polynomial))[0];
            self.made.insert((i, j), digit);
        }
    }

    /// Row i: its last digit, and those of fewer zeros that are wanted and of lower degree by lifting.
    fn retain(&mut self, i: u32, first: Id) {
        let DigitRemoval { p, e, v, .. } = self.removal;
        let last = e - 1 - i;
        // The largest l with p^l < (p − 1)(e − 1) + 1; from j = l zeros on the last digit serves.
        let degree = (p - 1) * (u64::from(e) - 1) + 1;
        let l = (0..).take_while(|&l| p.pow(l) < degree).last().unwrap_or(0);
        // Rows below want u_(i,1), …, u_(i,v−1−i).
        let lifted = (v - 1 - i).min(l.saturating_sub(1)).min(last);
        let mut wanted = vec![retain(p, last + 1)];
        if lifted > 0 {
            wanted.push(lift(p, e - 1));
        }
        let made = self.polynomials(first, &wanted);
        for j in lifted + 1..=last {
            self.made.insert((i, j), made[0]);
        }
        if lifted > 0 {
            self.made.insert((i, 1), made[1]);
            let mut digit = made[1];
            for j in 2..=lifted {
                digit = self.polynomials(digit, &[lift(p, e - 1)])[0];
                self.made.insert((i, j), digit);
            }
        }
    }

    /// Row i, all from the first digit: the last one, and one of k zeros in no more levels than k rows take, by the
    /// last one's polynomial where that keeps to it.
    fn retain_all(&mut self, i: u32, first: Id) {
        let DigitRemoval { p, e, v, .. } = self.removal;
        let last = e - 1 - i;
        // Rows below want u_(i,1), …, u_(i,v−1−i).
        let zeros = (1..v - i).filter(|&k| k < last).chain([last]);
        if p == 2 {
            let digits = self.circuit.append(&bits(last + 1), &[first]);
            // The j-th has 2^(j+1) − 1 zeros.
            self.made.extend(zeros.map(|k| ((i, k), digits[(k + 1).next_power_of_two().ilog2() as usize - 1])));
            return;
        }
        let depth = |polynomial: &Vec<i64>| (polynomial.len() - 1).next_power_of_two().ilog2();
        let mut wanted = vec![retain(p, last + 1)];
        let [row, most] = [depth(&retain(p, 2)), depth(&wanted[0])];
        let mut places = Vec::new();
        for k in zeros {
            if k < last && most > k * row {
                places.push(((i, k), wanted.len()));
                wanted.push(retain(p, k + 1));
            } else {
                places.push(((i, k), 0));
            }
        }
        let digits = self.polynomials(first, &wanted);
        self.made.extend(places.into_iter().map(|(place, which)| (place, digits[which])));
    }

    /// u without its digits below `count`, of which digit j has `zeros`(j) zeros, over p^`count`.
    fn without(&mut self, u: Id, count: u32, zeros: impl Fn(u32) -> u32) -> Id {
        (0..count).fold(u, |rest, j| {
            let digit = self.made[&(j, zeros(j))];
            let terms = vec![(rest, 1), (digit, -1)];
            let dividend = self.circuit.push(Gate::Combination { terms, constant: 0 });
            self.circuit.push(Gate::ExactDivision { dividend, divisor: self.removal.p })
        })
    }
}

/// Σ l_j·f_j + (Σ u_j·f_j)·(Σ v_j·f_j).
struct Step {
    sum: &'static [i64],
    factors: [&'static [i64]; 2],
}

/// From f_1 = x² and f_2 = x⁴ on, each of all before: f_j retains the lowest bit modulo 2^(2^j), the last modulo 2^23
/// (Geelen, Iliashenko, Kang, Vercauteren 2023, and the library fheanor from f_4 on).
const BITS: [Step; 3] = [
    Step { sum: &[112, 0], factors: [&[94, 121], &[94, 121]] },
    Step { sum: &[1984, 528, 22620], factors: [&[0, 226, 113], &[8, 2, 301]] },
    Step {
        sum: &[4849408, 3564625, 2737008, 6563608],
        factors: [&[997183, 8295548, 419894, 879825], &[443729, 555132, 491350, 758385]],
    },
];

/// The circuit of f_1, f_2, …, the last one right modulo 2^e: a product each.
///
/// # Panics
/// Unless 2 ≤ e ≤ 23.
fn bits(e: u32) -> ArithmeticCircuit<i64> {
    assert!((2..=23).contains(&e), "a bit modulo 2^{e}: up to 2^23 is known");
    let mut circuit = ArithmeticCircuit::new(1);
    let mut made: Vec<Id> = Vec::new();
    for step in 0..e.next_power_of_two().ilog2() as usize {
        let before = made.last().copied().unwrap_or(circuit.input(0));
        let next = match step.checked_sub(2).map(|step| &BITS[step]) {
            None => circuit.square(before),
            Some(Step { sum, factors: [u, v] }) => {
                let mut combination = |constants: &[i64]| {
                    let terms = made.iter().copied().zip(constants.iter().copied()).filter(|&(_, c)| c != 0).collect();
                    circuit.push(Gate::Combination { terms, constant: 0 })
                };
                let left = combination(u);
                let right = if u == v { left } else { combination(v) };
                let addends = vec![combination(sum)];
                circuit.push(Gate::SumOfProducts { products: vec![(left, right)], addends })
            }
        };
        made.push(next);
    }
    made.into_iter().for_each(|digit| circuit.output(digit));
    circuit
}

#[cfg(test)]
mod tests {
    use super::*;
    use bootes_schemes::polyeval::ResidueReading;

    /// u less its lowest digits, over p^v, modulo p^(e−v).
    fn removed(u: u64, DigitRemoval { p, e, v, .. }: DigitRemoval) -> u64 {
        let mut rest = u as i64;
        for _ in 0..v {
            let digit = rest.rem_euclid(p as i64);
            let digit = if p > 2 && 2 * digit > p as i64 { digit - p as i64 } else { digit };
            rest = (rest - digit) / p as i64;
        }
        rest.rem_euclid(p.pow(e - v) as i64) as u64
    }

    /// The methods for any u.
    const GENERAL: [DigitMethod; 3] = [DigitMethod::HalevShoup, DigitMethod::ChenHan, DigitMethod::MultiPrecision];

    fn check(removal: DigitRemoval, inputs: impl Iterator<Item = u64>) {
        let circuit = removal.circuit();
        for u in inputs {
            let mut reading = ResidueReading { inputs: &[u], prime: removal.p, exponent: removal.e };
            let found =
                circuit.run(&mut reading, |_, _| ()).unwrap_or_else(|error| panic!("{removal:?} of {u}: {error}"));
            assert_eq!(
                (found[0].value, found[0].exponent),
                (removed(u, removal), removal.e - removal.v),
                "{removal:?}: {u}"
            );
        }
    }

    #[test]
    fn digits_are_removed_from_integers() {
        let shapes = [
            (2u64, 5, 2),
            (2, 11, 5),
            (3, 4, 2),
            (3, 5, 3),
            (5, 6, 3),
            (17, 4, 2),
            (17, 2, 1),
            (31, 3, 1),
            (127, 2, 1),
        ];
        for (p, e, v) in shapes {
            for method in GENERAL {
                let all = p.pow(e);
                check(DigitRemoval { p, e, v, method }, (0..all).step_by(1 + all as usize / 2000));
            }
        }
    }

    #[test]
    #[ignore = "all integers modulo p^e: minutes"]
    fn digits_are_removed_from_all_integers() {
        let shapes = [(2u64, 11, 5), (2, 21, 13), (5, 6, 3), (17, 4, 2), (31, 3, 1), (127, 3, 1), (257, 2, 1)];
        for (p, e, v) in shapes {
            for method in GENERAL {
                check(DigitRemoval { p, e, v, method }, 0..p.pow(e));
            }
        }
    }

    #[test]
    fn bounded_digits_are_removed() {
        for (p, e, bound) in [(17u64, 2, 5), (127, 2, 15), (257, 2, 20), (257, 3, 20), (65537, 2, 20)] {
            let removal = DigitRemoval { p, e, v: 1, method: DigitMethod::BoundedRange { bound } };
            let high = (0..p.pow(e - 1)).step_by(1 + p.pow(e - 1) as usize / 50);
            let low = -(bound as i64)..=bound as i64;
            let all =
                low.flat_map(|i| high.clone().map(move |k| (i + (p * k) as i64).rem_euclid(p.pow(e) as i64) as u64));
            check(removal, all);
        }
    }
}
