//! From the last prime to the top of the chain: the first steps of bootstrapping (*Homomorphic Lower Digits Removal and
//! Improved FHE Bootstrapping*, Section 4.2, with a sparse key that is switched to in between).
use bootes_lattice::rns::RnsCiphertext;
use bootes_ring::modulus::Modulus;

use super::{BfvCiphertext, BfvParams, BfvSchemeError, Evaluator, PhaseSize, Scheme, State};

/// A message m modulo p^r after [`Evaluator::raise`].
#[derive(Debug, Clone)]
pub struct Raised {
    /// An encryption of M = p^(e−r)·F·m + v modulo p^e, in BGV at the top level.
    pub ciphertext: BfvCiphertext,
    /// F, a unit modulo p^r.
    pub factor: u64,
    /// v: a sum of h + 1 numbers uniform in [−½, ½], h the weight of the sparse key, and of Gaussian noise of this
    /// standard deviation.
    pub noise: f64,
}

impl BfvParams {
    /// The standard deviation of the noise in v, besides the rounding: of w of this size modulo q_0 and p^r, and of the
    /// switch to the sparse key.
    #[must_use]
    pub fn raise_noise(&self, size: PhaseSize, r: u32, e: u32) -> f64 {
        let weight = self.literal().sparse_weight as usize;
        let switch = self.base_gadget().variance(self.ring(), 1, self.base_errors(), weight);
        // In units of phases: w is p^r times as large.
        let noise = (2.0 * size.average).exp2() / (self.power(r) as f64).powi(2) + switch;
        noise.sqrt() * self.power(e) as f64 / self.prime(0)
    }

    /// F = −f/q_0 modulo p^r, of what [`Evaluator::raise`] makes of a ciphertext at level 0.
    #[must_use]
    pub fn raised_factor(&self, x: State) -> u64 {
        let residues = self.residues(x.exponent);
        let q = self.modulus_in(residues, 0);
        residues.neg(residues.mul(x.factor, residues.inverse(q).expect("q_0 does not divide plaintext moduli")))
    }

    /// The state after [`Evaluator::raise`], modulo p^`e`: b + a·s of uniform coefficients, under the sparse key.
    #[must_use]
    pub fn raised(&self, e: u32) -> State {
        let (top, weight) = (self.max_level(), f64::from(self.literal().sparse_weight));
        let uniform = self.random_size(1.0 / 12.0).scaled((self.power(e) as f64).log2());
        let size = PhaseSize {
            average: uniform.average + (1.0 + weight).log2() / 2.0,
            worst: uniform.worst + (1.0 + weight).log2(),
        };
        let size = size.plus(self.switch_size(top, e, false));
        State { level: top, scheme: Scheme::Bgv, exponent: e, factor: 1, size }
    }
}

impl Evaluator {
    /// Bootstrapping as far as lower digits: x of the plaintext modulus p^r becomes p^(e−r)·F·m + v modulo p^e at the
    /// top level, in the coefficients.
    ///
    /// With x in BFV modulo q_0 under the sparse key, (b, a) = round(p^e/q_0·x) has the phase p^(e−r)·F·m + v modulo
    /// p^e as an integer: without any noise it is a ciphertext of BGV with that plaintext modulus, at every level.
    ///
    /// # Errors
    /// [`BfvSchemeError::Keys`], [`BfvSchemeError::Foreign`], [`BfvSchemeError::Exponent`] unless r < e.
    pub fn raise(&self, x: &BfvCiphertext, e: u32) -> Result<Raised, BfvSchemeError> {
        let (params, ring, keys) = (&self.params, self.ring(), self.keys.raise()?);
        params.has(Scheme::Bgv)?;
        params.check_exponent(e)?;
        let r = x.exponent;
        if r >= e {
            return Err(BfvSchemeError::Exponent { base: params.base(), found: r, max: e - 1 });
        }
        let x = self.drop_to(x, 0)?.into_owned().into_scheme(params, Scheme::Bfv);
        let noise = params.raise_noise(x.size, r, e);
        let mut sparse = keys.to_sparse.switch(ring, params.base_gadget(), &x.inner.a);
        ring.add_assign(&mut sparse.b, &x.inner.b);
        let (q, modulus, top) = (ring.modulus(params.limbs(0), 0), params.power(e), params.max_level());
        let raised = sparse.map(|x| {
            let coefficients = ring.backward(x.clone());
            let scaled: Vec<f64> = coefficients.limb(0).iter().map(|&c| scaled(c, modulus, q)).collect();
            ring.forward(ring.from_integers(params.limbs(top), &scaled))
        });
        let mut inner: RnsCiphertext = keys.from_sparse.switch(ring, params.gadget_of(e), &raised.a);
        ring.add_assign(&mut inner.b, &raised.b);
        let factor = params.raised_factor(x.state);
        let ciphertext = BfvCiphertext::new(params, inner, params.raised(e), x.key);
        Ok(Raised { ciphertext, factor, noise })
    }

    /// The message m of an encryption of F·m: what is said of the factor.
    #[must_use]
    pub fn without_factor(&self, mut x: BfvCiphertext, factor: u64) -> BfvCiphertext {
        x.state.factor = self.params.residues(x.exponent).mul(x.factor, factor);
        x
    }
}

/// round(`modulus`·c/q) for a balanced residue c.
fn scaled(c: f64, modulus: u64, q: Modulus) -> f64 {
    let (product, q) = (i128::from(c as i64) * i128::from(modulus), i128::from(q.value()));
    (2 * product + q).div_euclid(2 * q) as f64
}
