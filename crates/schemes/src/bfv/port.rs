//! The way from and to the port between engines ([`bootes_lattice::port`]): messages of Z_(p^r) as coefficients of RLWE
//! ciphertexts modulo 2^k, under the same secret key.
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};

use super::{BfvCiphertext, BfvParams, BfvSchemeError, Evaluator, PhaseSize, Scheme, State};

impl BfvParams {
    /// The state after [`Evaluator::from_port`] of a ciphertext modulo 2^`log2_modulus`, messages modulo p^`exponent`,
    /// whose noise has the variance `variance` in units of 2^-k of the torus.
    #[must_use]
    pub fn ported(&self, log2_modulus: u32, variance: f64, exponent: u32) -> State {
        let residues = self.residues(exponent);
        // F = −f/q_0 = 1.
        let factor = residues.neg(self.modulus_in(residues, 0));
        let ratio = self.prime(0) / f64::from(log2_modulus).exp2();
        let noise = if variance > 0.0 { self.random_size(variance * ratio * ratio) } else { PhaseSize::ZERO };
        let size = noise.plus(self.rounding_size(1.0)).scaled((self.power(exponent) as f64).log2());
        State { level: 0, scheme: Scheme::Bfv, exponent, factor, size }
    }

    /// The state that [`Evaluator::to_port`] brings a ciphertext to: at level 0 in BFV, F = 1. w over p^r is the noise
    /// in units of 1/q_0 of the torus, before both parts are rounded.
    ///
    /// # Errors
    /// [`BfvSchemeError::Exhausted`].
    pub fn to_port(&self, x: State) -> Result<State, BfvSchemeError> {
        let scaled = self.promised("conversion", self.scaled(x, self.port_constant(x)))?;
        let low = self.promised("division by primes", self.at_level(scaled, 0))?;
        Ok(State { scheme: Scheme::Bfv, ..low })
    }

    /// c of c·w for the factor that is −q_0 at level 0, F = 1: where the primes above divide what it adds.
    fn port_constant(&self, x: State) -> i64 {
        let residues = self.residues(x.exponent);
        let found = self.raised_factor(self.at_level(x, 0));
        residues.balance(residues.inverse(found).expect("a factor is a unit"))
    }
}

impl Evaluator {
    /// The first `count` coefficients of a message as a ciphertext modulo 2^`log2_modulus`.
    ///
    /// Its noise is what x has at level 0, times 2^k/q_0, and the rounding of both parts
    /// ([`switch_variance`](bootes_lattice::port::switch_variance)).
    ///
    /// # Errors
    /// [`BfvSchemeError::Port`] for a modulus or number that the port does not have; [`BfvSchemeError::Foreign`];
    /// [`BfvSchemeError::Exhausted`].
    pub fn to_port(
        &self,
        x: &BfvCiphertext,
        count: usize,
        log2_modulus: u32,
    ) -> Result<RlweCiphertext, BfvSchemeError> {
        self.check(x)?;
        let encoding = RlweEncoding::new(self.params.power(x.exponent), log2_modulus)?;
        let constant = self.params.port_constant(x.state);
        let state = self.params.promised("conversion", self.params.scaled(x.state, constant))?;
        let scaled = self.times(std::borrow::Cow::Borrowed(x), constant, state);
        let low = self.drop_to(&scaled, 0)?.into_owned().into_scheme(&self.params, Scheme::Bfv);
        Ok(RlweCiphertext::from_base(self.ring(), &low.inner, encoding, count)?)
    }

    /// The messages modulo p^`exponent` of a ciphertext of the port under the secret key of these keys, at level 0 in BFV;
    /// `variance` is that of its noise, in units of its modulus 2^k.
    ///
    /// The port knows of no keys: under another one the result decrypts to anything.
    ///
    /// # Errors
    /// [`BfvSchemeError::PortModulus`] for messages modulo another number, [`BfvSchemeError::Exponent`];
    /// [`BfvSchemeError::Port`] for another degree; [`BfvSchemeError::Exhausted`] for noise that is too large.
    pub fn from_port(&self, x: &RlweCiphertext, exponent: u32, variance: f64) -> Result<BfvCiphertext, BfvSchemeError> {
        self.params.check_exponent(exponent)?;
        let (found, expected) = (x.encoding().plaintext_modulus(), self.params.power(exponent));
        if found != expected {
            return Err(BfvSchemeError::PortModulus { found, expected });
        }
        let state = self.params.ported(x.encoding().log2_modulus(), variance, exponent);
        let state = self.params.promised("conversion", state)?;
        Ok(BfvCiphertext::new(&self.params, x.to_base(self.ring())?, state, self.keys.id()))
    }
}
