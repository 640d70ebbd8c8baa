//! BFV: messages are in the high bits of phases (Brakerski, CRYPTO 2012; Fan, Vercauteren, ePrint 2012/144).
//!
//! A product is t/Q times the product of the phases, rounded: exactly, through a second basis B (Bajard, Eynard, Hasan,
//! Zucca, SAC 2016; Halevi, Polyakov, Shoup, CT-RSA 2019). Both operands are read as integers |x| ≤ Q/2 and converted
//! to B, the tensor product d is taken modulo Q·B, and with r ≡ t·d modulo Q, |r| ≤ Q/2,
//!
//! round(t·d/Q) = (t·d − r)/Q modulo B,
//!
//! which |t·d/Q| ≤ t·N·Q/2 < B/2 makes an integer, converted back to Q. All conversions are exact.
//!
//! With φ_i = (w_i + Q·u_i)/t the result has w = w₁·w₂/Q + u₁·w₂ + u₂·w₁ modulo Q, and t times the rounding
//! r_0 + r_1·s + r_2·s². What is known of u_i + w_i/Q = x_i = t·(b_i + a_i·s)/Q is that b_i and a_i are uniform, as is
//! what rounding leaves: w = x₁·w₂ + x₂·w₁ − w₁·w₂/Q. Parameters, keys, ciphertexts and all other operations are in
//! [`crate::bfv`].
use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::modulus::Factor;
use bootes_ring::poly::{Eval, Limbs, Poly};
use bootes_ring::rns::{Basis, Conversion, RnsRing};

use crate::bfv::ciphertext::multiply;
use crate::bfv::{BfvParams, Evaluator, PhaseSize};

/// Products at a level, modulo a power of p.
struct Scaling {
    /// Q·B.
    both: Limbs,
    to_second: Conversion,
    to_first: Conversion,
    /// t modulo all primes, times what prepares those of Q for the conversion to B.
    times: Vec<Factor>,
    /// 1/Q modulo the primes of B, times what prepares them for the conversion to Q.
    inverses: Vec<Factor>,
}

impl Scaling {
    fn new(params: &BfvParams, level: usize, exponent: u32) -> Self {
        let (ring, chain, t) = (params.ring(), level + 1, params.power(exponent));
        let needed = params.log2_level(level) + (t as f64).log2() + (ring.degree() as f64).log2() + 1.0;
        let log2 = |special| ring.log2(Limbs { chain, special }) - params.log2_level(level);
        let special = (1..=ring.limbs().special).find(|&special| log2(special) >= needed);
        let both = Limbs { chain, special: special.expect("a set has primes for its products") };
        let moduli = ring.moduli(both);
        let basis = |primes: &[_]| Basis::new(primes.to_vec()).expect("the primes of a ring are distinct");
        let (first, second) = (basis(&moduli[..chain]), basis(&moduli[chain..]));
        let (to_second, to_first) = (Conversion::new(&first, &second), Conversion::new(&second, &first));
        let times = moduli.iter().enumerate().map(|(i, q)| {
            let prepared = if i < chain { q.unbalance(to_second.factor(i).value) } else { 1 };
            q.factor(q.mul(q.reduce(t), prepared))
        });
        let inverses = second.moduli().iter().enumerate().map(|(j, q)| {
            let inverse = q.inverse(first.product_modulo(*q)).expect("the primes are distinct");
            q.factor(q.mul(inverse, q.unbalance(to_first.factor(j).value)))
        });
        let (times, inverses) = (times.collect(), inverses.collect());
        Self { both, to_second, to_first, times, inverses }
    }

    /// x modulo Q·B, of least absolute value modulo Q.
    fn extend(&self, ring: &RnsRing, x: &Poly<Eval>) -> Poly<Eval> {
        let chain = self.both.chain;
        let mut prepared = ring.backward_of(x);
        let factors: Vec<Factor> = (0..chain).map(|i| self.to_second.factor(i)).collect();
        multiply(ring, &mut prepared, &factors);
        let mut out = ring.unspecified::<Eval>(self.both);
        for i in 0..chain {
            out.limb_mut(i).copy_from_slice(x.limb(i));
        }
        let limbs = out.iter_mut().skip(chain).enumerate().collect();
        ring.convert(&self.to_second, limbs, &prepared.iter().collect::<Vec<_>>());
        for i in chain..self.both.count() {
            ring.ntt(self.both, i).forward(out.limb_mut(i));
        }
        out
    }

    /// round(t·d/Q) modulo Q.
    fn scale(&self, ring: &RnsRing, d: Poly<Eval>) -> Poly<Eval> {
        let chain = self.both.chain;
        let mut d = ring.backward(d);
        multiply(ring, &mut d, &self.times);
        let mut rest = ring.unspecified::<Eval>(Limbs { chain: 0, special: self.both.special });
        let (prepared, scaled): (Vec<&[f64]>, Vec<&[f64]>) =
            (d.iter().take(chain).collect(), d.iter().skip(chain).collect());
        ring.convert(&self.to_second, rest.iter_mut().enumerate().collect(), &prepared);
        for (j, (rest, scaled)) in rest.iter_mut().zip(scaled).enumerate() {
            ring.ntt(self.both, chain + j).rsub_mul_factor_assign(rest, scaled, self.inverses[j]);
        }
        let mut out = ring.unspecified::<Eval>(Limbs::chain(chain));
        ring.convert(&self.to_first, out.iter_mut().enumerate().collect(), &rest.iter().collect::<Vec<_>>());
        for (i, limb) in out.iter_mut().enumerate() {
            ring.ntt(self.both, i).forward(limb);
        }
        out
    }
}

impl BfvParams {
    /// The size of w of a product of BFV at a level.
    pub(crate) fn bfv_product_size(&self, a: PhaseSize, b: PhaseSize, level: usize, exponent: u32) -> PhaseSize {
        let t = self.power(exponent) as f64;
        let (degree, weight) = (self.degree(), self.mean_weight());
        let unknown = self.rounding_size(t);
        let slot = weight * self.max_slot_value();
        let rounding = PhaseSize {
            average: ((1.0 + weight + 2.0 * weight * weight) / 12.0).log2() / 2.0,
            worst: self.random_size(1.0 / 12.0).worst + (1.0 + slot.sqrt() + slot).log2(),
        };
        unknown
            .product(a, degree)
            .plus(unknown.product(b, degree))
            .plus(a.product(b, degree).scaled(-self.log2_level(level)))
            .plus(rounding.scaled(t.log2()))
    }
}

impl Evaluator {
    /// `sum` ← `sum` + t/Q·(a ⊗ b), rounded, for ciphertexts of BFV of one level and of the plaintext modulus
    /// p^`exponent`.
    pub(crate) fn add_bfv_product(
        &self,
        sum: &mut Option<[Poly<Eval>; 3]>,
        a: &RnsCiphertext,
        b: &RnsCiphertext,
        exponent: u32,
    ) {
        let ring = self.ring();
        let scaling = Scaling::new(&self.params, a.limbs().chain - 1, exponent);
        let extend = |x: &RnsCiphertext| [scaling.extend(ring, &x.b), scaling.extend(ring, &x.a)];
        let (x, y) = (extend(a), extend(b));
        let limbs = scaling.both;
        let mut d = [ring.unspecified(limbs), ring.unspecified(limbs), ring.unspecified(limbs)];
        ring.tensor::<false>(&mut d, [&x[0], &x[1]], [&y[0], &y[1]]);
        let d = d.map(|d| scaling.scale(ring, d));
        match sum {
            None => *sum = Some(d),
            Some(sum) => sum.iter_mut().zip(&d).for_each(|(sum, d)| ring.add_assign(sum, d)),
        }
    }
}
