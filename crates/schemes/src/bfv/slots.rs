//! The slots of plaintexts modulo p^r for an odd prime p: numbers of Z_(p^r), N/d of them, d the order of p modulo 2N.
//!
//! With ζ a root of unity of order 2N in the Galois ring of degree d over Z_(p^r), slot j holds m(ζ^(s_j)), where X ↦
//! X^5 rotates slots to the left by one ([`GaloisGroup::finite`](crate::rlwe::GaloisGroup::finite)):
//!
//! - p ≡ 1 modulo 4: slot c of row ρ has s = (−1)^ρ·5^c. Vectors over Z_(p^r) are the polynomials of Y = X^d, one
//!   coefficient a slot: Y^k + 1 splits, k the number of slots.
//! - p ≡ 3 modulo 4: slot c has s = 5^c. There ±5^c with c < k/2, and not 5^c with c < k, are all exponents modulo 2k,
//!   and −1 is p: vectors over Z_(p^r) are polynomials of Y = X^(d/2), two coefficients a slot, and their values at
//!   Y^(2k) = −1 are Gaussian integers modulo p^r, since −1 is no square.
//!
//! A product of distinct primes p ≡ 1 modulo 2N is such a modulus as well, with N slots: ζ is a root of order 2N modulo
//! each of them ([`split_primes`]).
//!
//! Modulo t = 2^k there is one slot, the constant coefficient: X^N + 1 ≡ (X + 1)^N modulo 2 does not split. Constant
//! polynomials are a ring Z_t, with sums and products, and automorphisms leave them as they are.
//!
//! So the Gaussian integers modulo p^r have all roots that vectors need. A vector of them is a plaintext as well: for p
//! ≡ 3 the polynomials of Y have a Gaussian integer in each slot.
use bootes_ring::primes;
use num_complex::Complex;
use std::ops::{Deref, DerefMut};
use zeroize::{Zeroizing, optimization_barrier};

use super::residue::ResidueRing;
use super::{BfvParams, BfvSchemeError};
use crate::rlwe::{GaloisAction, Slots};

/// A Gaussian integer; modulo p^r where slots are meant.
pub type Gaussian = Complex<i64>;

/// Numbers of a plaintext, overwritten when they are dropped.
pub(crate) struct Numbers(Vec<Gaussian>);

impl FromIterator<Gaussian> for Numbers {
    /// The numbers of an iterator that knows its length: nothing is moved.
    fn from_iter<I: IntoIterator<Item = Gaussian>>(numbers: I) -> Self {
        Self(numbers.into_iter().collect())
    }
}

impl Drop for Numbers {
    fn drop(&mut self) {
        self.0.fill(Gaussian::new(0, 0));
        optimization_barrier(&self.0[..]);
    }
}

impl Deref for Numbers {
    type Target = [Gaussian];

    fn deref(&self) -> &[Gaussian] {
        &self.0
    }
}

impl DerefMut for Numbers {
    fn deref_mut(&mut self) -> &mut [Gaussian] {
        &mut self.0
    }
}

/// Slots modulo p^`exponent`.
#[derive(Debug, Clone)]
pub struct BfvSlots {
    residues: ResidueRing,
    /// r.
    exponent: u32,
    degree: usize,
    /// k.
    slots: usize,
    rows: usize,
    /// ζ^i for the root ζ of Y, of order 2K, K the coefficients of Y.
    powers: Vec<Gaussian>,
    /// The exponent of ζ in each slot: all of the first row, then all of the second.
    exponents: Vec<usize>,
    /// p modulo 2K, which acts on roots as complex conjugation, where K = 2k.
    conjugate: Option<usize>,
}

impl BfvSlots {
    /// The slots of a set modulo p^`exponent`.
    ///
    /// # Errors
    /// [`BfvSchemeError::NoSlots`] unless p is an odd prime, a power of two, or a product of [`split_primes`] and r =
    /// 1; [`BfvSchemeError::Exponent`].
    pub fn new(params: &BfvParams, exponent: u32) -> Result<Self, BfvSchemeError> {
        params.check_exponent(exponent)?;
        let (base, degree, slots) = (params.base(), params.degree(), params.slots());
        if base.is_power_of_two() {
            let (powers, exponents) = ([1, -1].map(|x| Gaussian::new(x, 0)).to_vec(), vec![1]);
            let residues = params.residues(exponent);
            return Ok(Self { residues, exponent, degree, slots: 1, rows: 1, powers, exponents, conjugate: None });
        }
        let factors = match primes::is_prime(base) {
            true if base > 2 => vec![base],
            _ if exponent == 1 => split_primes(base, degree).ok_or(BfvSchemeError::NoSlots { base })?,
            _ => return Err(BfvSchemeError::NoSlots { base }),
        };
        let (rows, coefficients) = if base % 4 == 1 { (2, slots) } else { (1, 2 * slots) };
        let order = 2 * coefficients;
        let residues = params.residues(exponent);
        let root = match factors[..] {
            [_] => root_of_unity(residues, base, exponent, order as u64),
            _ => common_root(residues, &factors, order as u64),
        };
        let mut powers = vec![Gaussian::new(1, 0)];
        for i in 1..order {
            powers.push(mul(residues, powers[i - 1], root));
        }
        let columns = slots / rows;
        let row = std::iter::successors(Some(1), |power| Some(power * 5 % order)).take(columns);
        let exponents = row.clone().chain(row.map(|power| order - power)).take(slots).collect();
        let conjugate = (rows == 1).then_some((base % order as u64) as usize);
        Ok(Self { residues, exponent, degree, slots, rows, powers, exponents, conjugate })
    }

    /// r: slots are modulo p^r.
    #[must_use]
    pub fn exponent(&self) -> u32 {
        self.exponent
    }

    /// The number k of slots.
    #[must_use]
    pub fn count(&self) -> usize {
        self.slots
    }

    /// d, the degree of the Galois ring of a slot.
    #[must_use]
    pub fn extension(&self) -> usize {
        self.degree / self.slots
    }

    /// Rows, 1 or 2, and slots of each, which rotate among themselves.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        [self.rows, self.slots / self.rows]
    }

    /// N coefficients, least in absolute value, of the plaintext with these numbers in its slots: first one row, then
    /// the other.
    ///
    /// # Errors
    /// [`BfvSchemeError::SlotCount`] unless there are k.
    pub fn encode(&self, values: &[i64]) -> Result<Vec<i64>, BfvSchemeError> {
        if values.len() != self.slots {
            return Err(BfvSchemeError::SlotCount { found: values.len(), expected: self.slots });
        }
        let values: Numbers = values.iter().map(|&x| self.number(self.residues.reduce(x))).collect();
        let coefficients = self.interpolate(&values);
        let mut message = vec![0; self.degree];
        let places = message.iter_mut().step_by(self.degree / coefficients.len());
        places.zip(coefficients.iter()).for_each(|(place, &c)| *place = c);
        Ok(message)
    }

    /// The numbers in the slots of a plaintext that [`Self::encode`] makes: least residues.
    ///
    /// # Errors
    /// [`BfvSchemeError::Coefficients`] unless there are N coefficients.
    pub fn decode(&self, message: &[u64]) -> Result<Vec<u64>, BfvSchemeError> {
        let (found, expected) = (message.len(), self.degree);
        if found != expected {
            return Err(BfvSchemeError::Coefficients { found, expected });
        }
        let count = self.powers.len() / 2;
        let coefficients: Zeroizing<Vec<u64>> =
            Zeroizing::new(message.iter().copied().step_by(self.degree / count).collect());
        let values = self.evaluate(&coefficients);
        Ok(self.exponents.iter().map(|&e| self.residues.reduce(values[e / 2].re)).collect())
    }

    /// Z_(p^r).
    pub(crate) fn residues(&self) -> ResidueRing {
        self.residues
    }

    /// The order 2K of ζ.
    pub(crate) fn order(&self) -> usize {
        self.powers.len()
    }

    /// ζ^i.
    pub(crate) fn power(&self, i: usize) -> Gaussian {
        self.powers[i % self.powers.len()]
    }

    /// The exponent of ζ in each slot.
    pub(crate) fn exponents(&self) -> &[usize] {
        &self.exponents
    }

    /// A number as an entry of maps.
    pub(crate) fn number(&self, x: u64) -> Gaussian {
        Gaussian::new(self.residues.balance(x), 0)
    }

    /// a·b, of messages: whether they are real decides only where all are.
    fn product(&self, a: Gaussian, b: Gaussian) -> Gaussian {
        match self.conjugate {
            None => Gaussian::new(self.residues.mul_balanced(a.re, b.re), 0),
            Some(_) => product(self.residues, a, b),
        }
    }

    /// Coefficients of the polynomial of Y with these values in the slots; of the polynomial of Y^(k/m) where there are
    /// values of m slots, a power of two, columns repeat.
    pub(crate) fn interpolate(&self, values: &[Gaussian]) -> Zeroizing<Vec<i64>> {
        let (ring, columns) = (self.residues, values.len() / self.rows);
        let step = self.slots / values.len();
        // Of the root of Y^(k/m).
        let order = self.powers.len() / step;
        // At its (2i + 1)-th powers.
        let mut at: Numbers = (0..order / 2).map(|_| Gaussian::new(0, 0)).collect();
        let exponents = self.exponents.chunks(self.slots / self.rows).flat_map(|row| &row[..columns]);
        for (&value, &e) in values.iter().zip(exponents) {
            at[e % order / 2] = value;
            if let Some(conjugate) = self.conjugate {
                at[e * conjugate % order / 2] = value.conj();
            }
        }
        // c_i = 1/K·Σ at_j·ζ^(−(2j + 1)·i).
        let sums = self.transform(&at, true);
        let over = self.number(ring.inverse(at.len() as u64).expect("a power of two is a unit"));
        let scale = |(i, &x)| self.product(self.product(x, self.powers[(order - i) % order * step]), over).re;
        Zeroizing::new(sums.iter().enumerate().map(scale).collect())
    }

    /// The polynomial whose slots are this period of a diagonal, repeated.
    pub(crate) fn polynomial(&self, diagonal: &[Gaussian]) -> Vec<f64> {
        // One period, but both rows.
        let count = diagonal.len().max(self.rows);
        let (rows, columns) = (self.rows, count / self.rows);
        let at = |slot: usize| diagonal[(slot % columns * rows + slot / columns) % diagonal.len()];
        let values: Vec<Gaussian> = (0..count).map(at).collect();
        self.interpolate(&values).iter().map(|&c| c as f64).collect()
    }

    /// The values at ζ^(2j + 1), j < K.
    pub(crate) fn evaluate(&self, coefficients: &[u64]) -> Numbers {
        let twisted = coefficients.iter().zip(&self.powers);
        let twisted: Numbers = twisted.map(|(&c, &power)| self.product(self.number(c), power)).collect();
        self.transform(&twisted, false)
    }

    /// Σ_i x_i·ζ^(±2ij) for all j, ζ of order 2n: radix 2.
    fn transform(&self, x: &[Gaussian], inverse: bool) -> Numbers {
        let (n, ring, order) = (x.len(), self.residues, self.powers.len());
        let mut out = Numbers(x.to_vec());
        if n > 1 {
            for i in 0..n {
                let j = i.reverse_bits() >> (usize::BITS - n.ilog2());
                if i < j {
                    out.swap(i, j);
                }
            }
        }
        let mut half = 1;
        while half < n {
            for block in out.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (j, (a, b)) in low.iter_mut().zip(high).enumerate() {
                    let exponent = order / (2 * half) * j;
                    let root = self.powers[if inverse { (order - exponent) % order } else { exponent }];
                    let product = self.product(*b, root);
                    (*a, *b) = (add(ring, *a, product), add(ring, *a, -product));
                }
            }
            half *= 2;
        }
        out
    }

    /// The automorphisms that select the coefficients of X^(d·i) (Appendix A.1), times d: a polynomial is added to its
    /// image under each. The t-th takes X^(2^t) to −X^(2^t).
    #[must_use]
    pub fn trace(&self) -> Vec<GaloisAction> {
        let d = self.extension();
        let frobenius = |i: u32| GaloisAction::Frobenius { power: 1 << i };
        match self.conjugate {
            // X ↦ X^(p^j) leaves X^d as it is.
            None => (0..d.ilog2()).rev().map(frobenius).collect(),
            // X ↦ X^(p^2j) leaves X^(d/2), and X ↦ X^(5^(k/2)) then X^d.
            Some(_) => {
                let powers = (1..d.ilog2()).rev().map(frobenius);
                powers.chain([GaloisAction::rotation(self.slots as i64 / 2)]).collect()
            }
        }
    }
}

/// Vectors of Gaussian integers, column by column.
impl Slots for BfvSlots {
    type Value = Gaussian;

    fn coefficients(&self, period: usize) -> usize {
        self.powers.len() / 2 / (self.slots / period.max(self.rows))
    }

    fn rotation(&self, by: usize) -> GaloisAction {
        GaloisAction::rotation((by / self.rows) as i64)
    }
}

/// a·b, both of least residues in absolute value; no secrets, as real numbers take less time.
pub(crate) fn mul(ring: ResidueRing, a: Gaussian, b: Gaussian) -> Gaussian {
    if (a.im, b.im) == (0, 0) {
        return Gaussian::new(ring.mul_balanced(a.re, b.re), 0);
    }
    product(ring, a, b)
}

/// The same for any numbers.
fn product(ring: ResidueRing, a: Gaussian, b: Gaussian) -> Gaussian {
    let product = |x, y| ring.mul_balanced(x, y);
    let re = ring.add_balanced(product(a.re, b.re), -product(a.im, b.im));
    Gaussian::new(re, ring.add_balanced(product(a.re, b.im), product(a.im, b.re)))
}

/// a + b, both of least residues in absolute value.
pub(crate) fn add(ring: ResidueRing, a: Gaussian, b: Gaussian) -> Gaussian {
    Gaussian::new(ring.add_balanced(a.re, b.re), ring.add_balanced(a.im, b.im))
}

fn power(ring: ResidueRing, x: Gaussian, n: u128) -> Gaussian {
    (0..128).rev().fold(Gaussian::new(1, 0), |power, bit| {
        let square = mul(ring, power, power);
        if n >> bit & 1 == 1 { mul(ring, square, x) } else { square }
    })
}

/// The distinct primes of a modulus that are all ≡ 1 modulo 2·`degree`, if it is a product of such: X^N + 1 splits
/// modulo each of them.
#[must_use]
pub fn split_primes(modulus: u64, degree: usize) -> Option<Vec<u64>> {
    let step = 2 * degree as u64;
    let is_split = |q: u64| q % step == 1 && primes::is_prime(q);
    let (mut rest, mut found, mut q) = (modulus, Vec::new(), step + 1);
    while q.checked_mul(q).is_some_and(|square| square <= rest) {
        if rest.is_multiple_of(q) {
            // A product of others, or a square.
            if !is_split(q) || (rest / q).is_multiple_of(q) {
                return None;
            }
            rest /= q;
            found.push(q);
        }
        q += step;
    }
    found.push(rest);
    is_split(rest).then_some(found)
}

/// A root of unity of `order` modulo each of these primes ≡ 1 modulo `order`, whose product the ring is of.
fn common_root(ring: ResidueRing, factors: &[u64], order: u64) -> Gaussian {
    let of = |&q: &u64| {
        let (modulo_q, others) = (ResidueRing::new(q), ring.modulus() / q);
        let root = modulo_q.reduce(root_of_unity(modulo_q, q, 1, order).re);
        let inverse = modulo_q.inverse(others % q).expect("the primes are distinct");
        ring.mul(others, modulo_q.mul(root, inverse))
    };
    let sum: u128 = factors.iter().map(|q| u128::from(of(q))).sum();
    Gaussian::new(ring.balance(ring.reduce_wide(sum)), 0)
}

/// A root of unity of `order`, a power of two, among the Gaussian integers modulo p^r: in Z for p ≡ 1 modulo 4.
fn root_of_unity(ring: ResidueRing, p: u64, r: u32, order: u64) -> Gaussian {
    let modulo_p = ResidueRing::new(p);
    // The units modulo p of the smallest field that has it.
    let (gaussian, units) = (p % 4 == 3, if p % 4 == 3 { u128::from(p).pow(2) - 1 } else { u128::from(p) - 1 });
    let candidates = (1..).map(|x| Gaussian::new(modulo_p.balance(x), i64::from(gaussian)));
    let roots = candidates.map(|x| power(modulo_p, x, units / u128::from(order)));
    let minus_one = Gaussian::new(-1, 0);
    let root = roots.into_iter().find(|&x| power(modulo_p, x, u128::from(order) / 2) == minus_one);
    let root = root.expect("the group of units is cyclic");
    // Teichmüller's representative: the powers of x^(q^n) converge, q the size of the field.
    let steps = (1..r).fold(root, |x, _| power(ring, x, if gaussian { u128::from(p).pow(2) } else { u128::from(p) }));
    debug_assert_eq!(power(ring, steps, u128::from(order) / 2), minus_one);
    steps
}
