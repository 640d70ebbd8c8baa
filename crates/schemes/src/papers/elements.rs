//! Slots with all that they hold: elements of the Galois ring E = Z_(p^r)\[x\]/f of degree d, k of them (*Homomorphic
//! Lower Digits Removal and Improved FHE Bootstrapping*, Section 2.1).
//!
//! x^D = ω for the root ω of Y = X^D that [`BfvSlots`] has, which is a number (D = d, p ≡ 1 modulo 4: f = x^d − ω) or
//! a Gaussian integer (D = d/2, p ≡ 3: f = (x^(d/2) − ω)·(x^(d/2) − ω̄)). Slot j of m = Σ_(i<D) X^i·P_i(X^D) is m(x^s), s =
//! ±5^c modulo 2N, and x^(s·i) is a power of ω times x^(s·i modulo D): so the coefficients of an element are the numbers
//! P_i(ω^s) in another order, times powers of ω.
//!
//! Sums and products are those of E in each slot, X ↦ X^p is its Frobenius automorphism. A slot that a rotation takes
//! around an axis comes back with a power of that automorphism, since 5 is of a larger order modulo 2N than there are slots.
use crate::bfv::slots::{Gaussian, Numbers, mul};
use crate::bfv::{BfvSchemeError, BfvSlots};
use zeroize::Zeroizing;

impl BfvSlots {
    /// f, the d + 1 coefficients of the minimal polynomial of x, lowest first, least in absolute value: x^d − ω, or x^d −
    /// (ω + ω̄)·x^(d/2) + ω·ω̄.
    #[must_use]
    pub fn minimal_polynomial(&self) -> Vec<i64> {
        let (ring, d, stride) = (self.residues(), self.extension(), self.stride());
        let omega = self.power(1);
        let mut polynomial = vec![0; d + 1];
        polynomial[d] = 1;
        if stride == d {
            polynomial[0] = -omega.re;
        } else {
            polynomial[stride] = ring.balance(ring.reduce(-2 * omega.re));
            polynomial[0] = mul(ring, omega, omega.conj()).re;
        }
        polynomial
    }

    /// N coefficients, least in absolute value, of the plaintext with these elements in its slots: d coefficients each,
    /// lowest first, one slot after the other.
    ///
    /// # Errors
    /// [`BfvSchemeError::SlotCount`] unless there are k·d = N.
    pub fn encode_elements(&self, values: &[i64]) -> Result<Vec<i64>, BfvSchemeError> {
        let (ring, d, stride, k) = (self.residues(), self.extension(), self.stride(), self.count());
        if values.len() != k * d {
            return Err(BfvSchemeError::SlotCount { found: values.len(), expected: k * d });
        }
        let (omega, order) = (self.power(1), self.order());
        let reduced = |x: i64| ring.balance(ring.reduce(x));
        let gaussian = |slot: usize, i: usize| {
            let re = reduced(values[slot * d + i]);
            if stride == d {
                return Gaussian::new(re, 0);
            }
            // a + b·ω.
            let b = reduced(values[slot * d + stride + i]);
            let [of_re, im] = [omega.re, omega.im].map(|part| ring.mul_balanced(b, part));
            Gaussian::new(ring.add_balanced(re, of_re), im)
        };
        let mut message = vec![0; k * d];
        let exponents = self.exponents_of_x();
        for i in 0..stride {
            let at_slot = |slot: usize| {
                let exponent = exponents[slot] * i;
                mul(ring, gaussian(slot, exponent % stride), self.power(order - exponent / stride % order))
            };
            let values: Numbers = (0..k).map(at_slot).collect();
            let places = message.iter_mut().skip(i).step_by(stride);
            places.zip(self.interpolate(&values).iter()).for_each(|(place, &c)| *place = c);
        }
        Ok(message)
    }

    /// The elements in the slots of a plaintext, as [`Self::encode_elements`] takes them: least residues.
    ///
    /// # Errors
    /// [`BfvSchemeError::Coefficients`] unless there are N coefficients.
    pub fn decode_elements(&self, message: &[u64]) -> Result<Vec<u64>, BfvSchemeError> {
        let (ring, d, stride, k) = (self.residues(), self.extension(), self.stride(), self.count());
        if message.len() != k * d {
            return Err(BfvSchemeError::Coefficients { found: message.len(), expected: k * d });
        }
        let omega = self.power(1);
        let over = ring.inverse(ring.reduce(omega.im));
        let mut values = vec![0; k * d];
        let exponents = self.exponents_of_x();
        for i in 0..stride {
            let coefficients: Zeroizing<Vec<u64>> =
                Zeroizing::new(message.iter().copied().skip(i).step_by(stride).collect());
            let at_roots = self.evaluate(&coefficients);
            for (slot, &exponent) in exponents.iter().enumerate() {
                let at = at_roots[self.exponents()[slot] / 2];
                let found = mul(ring, at, self.power(exponent * i / stride));
                let place = slot * d + exponent * i % stride;
                let mut re = ring.reduce(found.re);
                if let Some(over) = over.filter(|_| stride < d) {
                    let b = ring.mul(ring.reduce(found.im), over);
                    re = (re + ring.neg(ring.mul(b, ring.reduce(omega.re)))) % ring.modulus();
                    values[place + stride] = b;
                }
                values[place] = re;
            }
        }
        Ok(values)
    }

    /// D: Y = X^D.
    fn stride(&self) -> usize {
        self.count() * self.extension() / (self.order() / 2)
    }

    /// s modulo 2N of each slot.
    fn exponents_of_x(&self) -> Vec<usize> {
        let double = 2 * self.count() * self.extension();
        let [rows, columns] = self.shape();
        let row = || std::iter::successors(Some(1), |power| Some(power * 5 % double)).take(columns);
        let all: Vec<usize> = row().chain(row().map(|power| double - power)).collect();
        all[..rows * columns].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use bootes_testkit::TestRng;

    use super::*;
    use crate::bfv::BfvLiteral;
    use crate::class::SetClass;

    fn slots(base: u64, exponent: u32) -> BfvSlots {
        let literal = BfvLiteral {
            name: "elements".into(),
            class: SetClass::Toy,
            log2_degree: 7,
            base,
            exponent,
            base_bits: 50,
            primes: vec![(50, 1)],
            digit_primes: 1,
            special_primes: 1,
            special_bits: 50,
            weight: 16,
            sparse_weight: 8,
        };
        BfvSlots::new(&literal.try_build().unwrap(), exponent).unwrap()
    }

    /// a·b modulo a monic polynomial of degree d, and t.
    fn product(a: &[u64], b: &[u64], f: &[i64], t: i128) -> Vec<u64> {
        let d = f.len() - 1;
        let mut out = vec![0i128; 2 * d];
        for (i, &a) in a.iter().enumerate() {
            for (j, &b) in b.iter().enumerate() {
                out[i + j] = (out[i + j] + i128::from(a) * i128::from(b)) % t;
            }
        }
        for i in (d..2 * d).rev() {
            let c = std::mem::take(&mut out[i]);
            for j in 0..d {
                out[i - d + j] = (out[i - d + j] - c * i128::from(f[j])) % t;
            }
        }
        out[..d].iter().map(|&c| c.rem_euclid(t) as u64).collect()
    }

    /// a(X)·b(X) modulo X^N + 1 and t.
    fn negacyclic(a: &[i64], b: &[i64], t: i128) -> Vec<u64> {
        let n = a.len();
        let mut f = vec![0; n + 1];
        (f[0], f[n]) = (1, 1);
        let reduced = |x: &[i64]| x.iter().map(|&c| i128::from(c).rem_euclid(t) as u64).collect::<Vec<_>>();
        product(&reduced(a), &reduced(b), &f, t)
    }

    /// m(X^g).
    fn moved(message: &[i64], g: usize) -> Vec<u64> {
        let n = message.len();
        let mut out = vec![0; n];
        for (i, &c) in message.iter().enumerate() {
            let place = i * g % (2 * n);
            out[place % n] = if place < n { c } else { -c };
        }
        out.into_iter().map(|c| c as u64).collect()
    }

    #[test]
    fn slots_hold_elements() {
        for (base, exponent) in [(3, 1), (7, 2), (31, 1), (127, 2), (5, 3), (17, 1), (97, 2), (257, 1)] {
            let slots = slots(base, exponent);
            let (ring, d, k) = (slots.residues(), slots.extension(), slots.count());
            let t = ring.modulus();
            let mut rng = TestRng::new("elements", base);
            let mut random = || (0..k * d).map(|_| rng.below(t) as i64).collect::<Vec<_>>();
            let [a, b] = [random(), random()];
            let [of_a, of_b] = [&a, &b].map(|x| slots.encode_elements(x).unwrap());
            let reduced = |x: &[i64]| x.iter().map(|&c| ring.reduce(c)).collect::<Vec<_>>();
            assert!(slots.decode_elements(&reduced(&of_a)).unwrap() == reduced(&a), "modulo {base}^{exponent}");
            let f = slots.minimal_polynomial();
            let found = slots.decode_elements(&negacyclic(&of_a, &of_b, t.into())).unwrap();
            for slot in 0..k {
                let of = |x: &[i64]| reduced(&x[slot * d..(slot + 1) * d]);
                let expected = product(&of(&a), &of(&b), &f, t.into());
                assert!(found[slot * d..(slot + 1) * d] == expected, "modulo {base}^{exponent}, slot {slot}");
            }
            // X ↦ X^5 takes slot c + 1 to slot c, but around the end.
            let rotated: Vec<u64> = moved(&of_a, 5).into_iter().map(|c| ring.reduce(c as i64)).collect();
            let rotated = slots.decode_elements(&rotated).unwrap();
            let [rows, columns] = slots.shape();
            for slot in (0..rows * columns).filter(|slot| slot % columns + 1 < columns) {
                let next = reduced(&a[(slot + 1) * d..(slot + 2) * d]);
                assert!(rotated[slot * d..(slot + 1) * d] == next, "modulo {base}^{exponent}, slot {slot}");
            }
            // Numbers are elements.
            let numbers: Vec<i64> = (0..k).map(|slot| (7 * slot as u64 % t) as i64).collect();
            let decoded = slots.decode_elements(&reduced(&slots.encode(&numbers).unwrap())).unwrap();
            let constants = decoded.iter().step_by(d).map(|&c| c as i64);
            assert!(constants.eq(numbers.iter().copied()));
            assert!(decoded.iter().enumerate().all(|(i, &c)| i % d == 0 || c == 0));
            assert!(slots.encode_elements(&a[1..]).is_err() && slots.decode_elements(&[]).is_err());
        }
    }
}
