//! The slots of plaintexts modulo p^r for an odd prime p: numbers of Z_(p^r), N/d of them, d the order of p modulo 2N.
//!
//! With ζ a root of unity of order 2N in the Galois ring of degree d over Z_(p^r), slot j holds m(ζ^(s_j)), where X ↦ X^5
//! rotates slots to the left by one ([`GaloisGroup::finite`](crate::rlwe::GaloisGroup::finite)):
//!
//! - p ≡ 1 modulo 4: slot c of row ρ has s = (−1)^ρ·5^c. Vectors over Z_(p^r) are the polynomials of Y = X^d, one
//!   coefficient a slot: Y^k + 1 splits, k the number of slots.
//! - p ≡ 3 modulo 4: slot c has s = 5^c. There ±5^c with c < k/2, and not 5^c with c < k, are all exponents modulo 2k,
//!   and −1 is p: vectors over Z_(p^r) are polynomials of Y = X^(d/2), two coefficients a slot, and their values at
//!   Y^(2k) = −1 are Gaussian integers modulo p^r, since −1 is no square.
//!
//! So the Gaussian integers modulo p^r have all roots that vectors need. A vector of them is a plaintext as well: for p ≡
//! 3 the polynomials of Y have a Gaussian integer in each slot.
use std::collections::BTreeMap;

use bootes_ring::primes;
use num_complex::Complex;

use super::residue::Residues;
use super::{ExactError, ExactParams, LinearMap, SlotMap};
use crate::lintrans::Diagonals;
use crate::rlwe::{GaloisAction, Slots};

/// A Gaussian integer; modulo p^r where slots are meant.
pub type Gaussian = Complex<i64>;

/// Slots modulo p^`exponent`.
#[derive(Debug, Clone)]
pub struct ExactSlots {
    residues: Residues,
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

impl ExactSlots {
    /// The slots of a set modulo p^`exponent`.
    ///
    /// # Errors
    /// [`ExactError::NoSlots`] unless p is an odd prime, [`ExactError::Exponent`].
    pub fn new(params: &ExactParams, exponent: u32) -> Result<Self, ExactError> {
        params.check_exponent(exponent)?;
        let (base, degree, slots) = (params.base(), params.degree(), params.slots());
        if base == 2 || !primes::is_prime(base) {
            return Err(ExactError::NoSlots { base });
        }
        let (rows, coefficients) = if base % 4 == 1 { (2, slots) } else { (1, 2 * slots) };
        let order = 2 * coefficients;
        let residues = params.residues(exponent);
        let root = root_of_unity(residues, base, exponent, order as u64);
        let mut powers = vec![Gaussian::new(1, 0)];
        for i in 1..order {
            powers.push(mul(residues, powers[i - 1], root));
        }
        let columns = slots / rows;
        let exponents = (0..slots).map(|slot| {
            let power = (0..slot % columns).fold(1, |power, _| power * 5 % order);
            if slot < columns { power } else { order - power }
        });
        let exponents = exponents.collect();
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

    /// Rows, 1 or 2, and slots of each, which rotate among themselves.
    #[must_use]
    pub fn shape(&self) -> [usize; 2] {
        [self.rows, self.slots / self.rows]
    }

    /// N coefficients, least in absolute value, of the plaintext with these numbers in its slots: first one row, then the
    /// other.
    ///
    /// # Errors
    /// [`ExactError::SlotCount`] unless there are k.
    pub fn encode(&self, values: &[i64]) -> Result<Vec<i64>, ExactError> {
        if values.len() != self.slots {
            return Err(ExactError::SlotCount { found: values.len(), expected: self.slots });
        }
        let values: Vec<Gaussian> = values.iter().map(|&re| Gaussian::new(re, 0)).collect();
        let coefficients = self.interpolate(&values);
        let mut message = vec![0; self.degree];
        let places = message.iter_mut().step_by(self.degree / coefficients.len());
        places.zip(coefficients).for_each(|(place, c)| *place = c);
        Ok(message)
    }

    /// The numbers in the slots of a plaintext that [`Self::encode`] makes: least residues.
    ///
    /// # Errors
    /// [`ExactError::Coefficients`] unless there are N coefficients.
    pub fn decode(&self, message: &[u64]) -> Result<Vec<u64>, ExactError> {
        let (found, expected) = (message.len(), self.degree);
        if found != expected {
            return Err(ExactError::Coefficients { found, expected });
        }
        let count = self.powers.len() / 2;
        let coefficients: Vec<u64> = message.iter().copied().step_by(self.degree / count).collect();
        let values = self.evaluate(&coefficients);
        Ok(self.exponents.iter().map(|&e| self.residues.reduce(values[e / 2].re)).collect())
    }

    /// Coefficients of Y of the polynomial with these values in the slots.
    fn interpolate(&self, values: &[Gaussian]) -> Vec<i64> {
        let (ring, order) = (self.residues, self.powers.len());
        // At ζ^(2i + 1).
        let mut at = vec![Gaussian::new(0, 0); order / 2];
        for (&value, &e) in values.iter().zip(&self.exponents) {
            at[e / 2] = value;
            if let Some(conjugate) = self.conjugate {
                at[e * conjugate % order / 2] = value.conj();
            }
        }
        // c_i = 1/K·Σ at_j·ζ^(−(2j + 1)·i).
        let sums = self.transform(&at, true);
        let over = ring.inverse(at.len() as u64).expect("a power of two is a unit");
        let scale = |(i, x): (usize, Gaussian)| {
            let x = mul(ring, x, self.powers[(order - i) % order]);
            ring.balance(ring.mul(ring.reduce(x.re), over))
        };
        sums.into_iter().enumerate().map(scale).collect()
    }

    /// The values at ζ^(2j + 1), j < K.
    fn evaluate(&self, coefficients: &[u64]) -> Vec<Gaussian> {
        let twisted = coefficients.iter().zip(&self.powers);
        let twisted: Vec<_> =
            twisted.map(|(&c, &power)| mul(self.residues, Gaussian::new(c as i64, 0), power)).collect();
        self.transform(&twisted, false)
    }

    /// Σ_i x_i·ζ^(±2ij) for all j: radix 2.
    fn transform(&self, x: &[Gaussian], inverse: bool) -> Vec<Gaussian> {
        let (n, ring, order) = (x.len(), self.residues, self.powers.len());
        let mut out = x.to_vec();
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
                    let product = mul(ring, *b, root);
                    (*a, *b) = (add(ring, *a, product), add(ring, *a, -product));
                }
            }
            half *= 2;
        }
        out
    }

    /// The map of SlotsToCoeffs in one stage: the vector m becomes the polynomial Σ m_i·X^(d·i).
    ///
    /// # Errors
    /// As [`LinearMap::new`].
    pub fn to_coeffs(&self, params: &ExactParams, level: usize) -> Result<SlotMap, ExactError> {
        let step = self.powers.len() / (2 * self.slots);
        self.map(params, level, |j, i, image| {
            // A slot reaches i by rotation, or by the image's: each once.
            let whole = self.root(j, i * step);
            match self.conjugate {
                None => whole,
                // All slots are reached as they are; the image, their conjugates, is not needed.
                Some(_) if image => Gaussian::new(0, 0),
                Some(_) => whole,
            }
        })
    }

    /// The map of CoeffsToSlots in one stage: of the polynomial Σ m_i·X^(d·i) the vector `factor`·m.
    ///
    /// # Errors
    /// As [`LinearMap::new`].
    pub fn to_slots(&self, params: &ExactParams, level: usize, factor: u64) -> Result<SlotMap, ExactError> {
        let (ring, order, k) = (self.residues, self.powers.len(), self.slots);
        let over = ring.mul(factor, ring.inverse(k as u64).expect("a power of two is a unit"));
        let over = Gaussian::new(ring.balance(over), 0);
        let step = order / (2 * k);
        self.map(params, level, |i, j, image| {
            // m_i = 1/k·Σ over all exponents e modulo 2k of P(ζ^e)·ζ^(−e·i).
            let e = match self.conjugate {
                None => self.exponents[j],
                // Modulo 2k half of the slots are all there is as they are, and −e comes with the image.
                Some(_) if (j + k - i) % k >= k / 2 => return Gaussian::new(0, 0),
                Some(_) if image => order - self.exponents[j],
                Some(_) => self.exponents[j],
            };
            mul(ring, over, self.powers[(order - e * i * step % order) % order])
        })
    }

    /// ζ^(s_j·i).
    fn root(&self, j: usize, i: usize) -> Gaussian {
        self.powers[self.exponents[j] * i % self.powers.len()]
    }

    /// Both parts of the map with the entries (slot of the result, slot that is read, whether of the image).
    ///
    /// With two rows a slot of the other row is read from the image, whose rows are exchanged.
    fn map(
        &self,
        params: &ExactParams,
        level: usize,
        entry: impl Fn(usize, usize, bool) -> Gaussian,
    ) -> Result<SlotMap, ExactError> {
        let (k, rows) = (self.slots, self.rows);
        let columns = k / rows;
        let part = |image: bool| {
            let diagonal = |by: usize| {
                // Column by column, so that rotations of both rows are those of one vector.
                let entries = (0..k).map(|place| {
                    let (column, row) = (place / rows, place % rows);
                    let read = if image && rows == 2 { 1 - row } else { row } * columns + (column + by) % columns;
                    entry(row * columns + column, read, image)
                });
                (rows * by, entries.collect())
            };
            let diagonals: BTreeMap<usize, Vec<Gaussian>> = (0..columns).map(diagonal).collect();
            let map = Diagonals::new(k, k, diagonals);
            let reads = map.iter().len() > 0;
            reads.then(|| LinearMap::new(params, self, map, level)).transpose()
        };
        let action = match self.conjugate {
            None => GaloisAction::Rotation { axis: 1, by: 1 },
            Some(_) => GaloisAction::Frobenius { power: 1 },
        };
        let here = part(false)?.expect("a slot is read where it is");
        Ok(SlotMap { here, image: part(true)?.map(|map| (action, map)) })
    }

    /// What selects the coefficients of X^(d·i) (Appendix A.1), times d: a polynomial is added to its image under each.
    #[must_use]
    pub fn trace(&self) -> Vec<GaloisAction> {
        let d = self.degree / self.slots;
        let frobenius = |power| GaloisAction::Frobenius { power };
        match self.conjugate {
            // X ↦ X^(p^j) leaves X^d as it is.
            None => (0..d.ilog2()).map(|i| frobenius(1 << i)).collect(),
            // X ↦ X^(p^2j) leaves X^(d/2), and X ↦ X^(5^(k/2)) then X^d.
            Some(_) => {
                let powers = (1..d.ilog2()).map(|i| frobenius(1 << i));
                powers.chain([GaloisAction::rotation(self.slots as i64 / 2)]).collect()
            }
        }
    }
}

/// Vectors of Gaussian integers, column by column.
impl Slots for ExactSlots {
    type Value = Gaussian;
    type Error = ExactError;

    fn encode(&self, diagonal: &[Gaussian]) -> Result<Vec<f64>, ExactError> {
        let (rows, columns) = (self.rows, self.slots / self.rows);
        let at = |slot: usize| diagonal[(slot % columns * rows + slot / columns) % diagonal.len()];
        let values: Vec<Gaussian> = (0..self.slots).map(at).collect();
        Ok(self.interpolate(&values).into_iter().map(|c| c as f64).collect())
    }

    fn rotation(&self, by: usize) -> GaloisAction {
        GaloisAction::rotation((by / self.rows) as i64)
    }
}

/// The least residues in absolute value, of both parts.
fn reduce(ring: Residues, re: i128, im: i128) -> Gaussian {
    let t = i128::from(ring.modulus());
    let part = |x: i128| ring.balance(x.rem_euclid(t) as u64);
    Gaussian::new(part(re), part(im))
}

fn mul(ring: Residues, a: Gaussian, b: Gaussian) -> Gaussian {
    let [a0, a1, b0, b1] = [a.re, a.im, b.re, b.im].map(i128::from);
    reduce(ring, a0 * b0 - a1 * b1, a0 * b1 + a1 * b0)
}

fn add(ring: Residues, a: Gaussian, b: Gaussian) -> Gaussian {
    reduce(ring, i128::from(a.re) + i128::from(b.re), i128::from(a.im) + i128::from(b.im))
}

fn power(ring: Residues, x: Gaussian, n: u128) -> Gaussian {
    (0..128).rev().fold(Gaussian::new(1, 0), |power, bit| {
        let square = mul(ring, power, power);
        if n >> bit & 1 == 1 { mul(ring, square, x) } else { square }
    })
}

/// A root of unity of `order`, a power of two, among the Gaussian integers modulo p^r: in Z for p ≡ 1 modulo 4.
fn root_of_unity(ring: Residues, p: u64, r: u32, order: u64) -> Gaussian {
    let modulo_p = Residues::new(p);
    // The units modulo p of the smallest field that has it.
    let (gaussian, units) = (p % 4 == 3, if p % 4 == 3 { u128::from(p).pow(2) - 1 } else { u128::from(p) - 1 });
    let candidates = (1..).map(|x: i64| if gaussian { Gaussian::new(x, 1) } else { Gaussian::new(x, 0) });
    let roots = candidates.map(|x| power(modulo_p, x, units / u128::from(order)));
    let minus_one = Gaussian::new(-1, 0);
    let root = roots.into_iter().find(|&x| power(modulo_p, x, u128::from(order) / 2) == reduce(modulo_p, -1, 0));
    let root = root.expect("the group of units is cyclic");
    // Teichmüller's representative: the powers of x^(q^n) converge, q the size of the field.
    let steps = (1..r).fold(root, |x, _| power(ring, x, if gaussian { u128::from(p).pow(2) } else { u128::from(p) }));
    debug_assert_eq!(power(ring, steps, u128::from(order) / 2), minus_one);
    steps
}
