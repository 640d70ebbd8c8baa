//! The keys that only some algorithms need, and what they are for: rotation in larger rings, packing of LWE ciphertexts
//! into GLWE ciphertexts, BFV products, and circuit bootstrapping.
//!
//! Only the rotations of larger rings are made on words of 128 bits where the set has them. Packing, selection and
//! products work on the top 64 bits of the words, with keys of at least the noise that such words carry: their results
//! are a table's entries and products of messages, far noisier than 2^-62.
use super::blind_rotate::{RotationKey, rotation_messages};
use super::keys::{Part, SecretKeys};
use super::params::{FhewParams, PackingMethod};
use bootes_lattice::LatticeError;
use bootes_lattice::circuit_bootstrap::{SchemeSwitchKey, SeededSchemeSwitchKey};
use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::ggsw::SeededGgswList;
use bootes_lattice::keyswitch::{
    GlweKeySwitchKey, LweKeySwitchKey, PackingKey, SeededGlweKeySwitchKey, SeededLweKeySwitchKey, SeededPackingKey,
    SeededTraceKey, TraceKey,
};
use bootes_ring::fft::Fft;
use bootes_ring::isa::Isa;
use bootes_ring::sample::SecretSeed;
use bootes_ring::torus::Torus;

/// Which additional keys a circuit uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyNeeds {
    /// Degrees of larger rings with their own rotation key.
    pub rings: Vec<usize>,
    /// Block lengths d of packing.
    pub packing: Vec<usize>,
    /// Whether there are BFV products.
    pub relinearisation: bool,
    /// Whether GGSW ciphertexts are made: packing, too, is then needed.
    pub scheme_switch: bool,
}

impl KeyNeeds {
    /// Sorted, each once.
    pub fn normalised(mut self) -> Self {
        for list in [&mut self.rings, &mut self.packing] {
            list.sort_unstable();
            list.dedup();
        }
        self
    }

    /// The union of both needs.
    pub fn and(mut self, other: Self) -> Self {
        self.rings.extend(other.rings);
        self.packing.extend(other.packing);
        self.relinearisation |= other.relinearisation;
        self.scheme_switch |= other.scheme_switch;
        self.normalised()
    }

    /// Whether nothing is needed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl std::fmt::Display for KeyNeeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        if !self.rings.is_empty() {
            parts.push(format!("rotation keys of rings of degree {:?}", self.rings));
        }
        if !self.packing.is_empty() {
            parts.push(format!("packing keys for blocks of {:?}", self.packing));
        }
        if self.relinearisation {
            parts.push("a relinearisation key".to_string());
        }
        if self.scheme_switch {
            parts.push("a scheme-switching key".to_string());
        }
        f.write_str(&parts.join(", "))
    }
}

/// Additional public keys, seed-compressed: an addition to the [`super::keys::EvaluationKey`] of the same secret keys.
#[derive(Clone, Debug)]
pub struct ExtraKeys<W = u64> {
    /// The parameters.
    pub params: FhewParams,
    /// Which secret keys they belong to.
    pub key_id: [u8; 16],
    /// One a ring.
    pub rings: Vec<SeededRingKey<W>>,
    /// For packing by automorphisms.
    pub trace: Option<SeededTraceKey>,
    /// For packing by PackingKS, one a block length.
    pub packing: Vec<SeededPackingKey>,
    /// For products.
    pub relinearisation: Option<SeededGlweKeySwitchKey>,
    /// For GGSW ciphertexts.
    pub scheme_switch: Option<SeededSchemeSwitchKey>,
}

/// The keys of one larger ring, seed-compressed.
#[derive(Clone, Debug)]
pub struct SeededRingKey<W = u64> {
    /// Blind rotation key of the ring.
    pub rotation: SeededGgswList<W>,
    /// Key-switching key from the ring's secret to the base ring's.
    pub key_switch: SeededLweKeySwitchKey,
}

/// The expanded keys of one larger ring.
#[derive(Debug)]
pub struct RingKey<W = u64> {
    /// Blind rotation key of the ring in the Fourier domain.
    pub rotation: RotationKey<W>,
    /// Key-switching key from the ring's secret to the base ring's.
    pub key_switch: LweKeySwitchKey,
}

/// The expanded additional keys.
#[derive(Debug)]
pub struct PreparedExtraKeys<W = u64> {
    rings: Vec<RingKey<W>>,
    pub(super) trace: Option<TraceKey>,
    pub(super) packing: Vec<PackingKey>,
    pub(super) relinearisation: Option<GlweKeySwitchKey>,
    pub(super) scheme_switch: Option<SchemeSwitchKey>,
}

impl<W> Default for PreparedExtraKeys<W> {
    fn default() -> Self {
        Self { rings: Vec::new(), trace: None, packing: Vec::new(), relinearisation: None, scheme_switch: None }
    }
}

impl SecretKeys {
    /// The additional keys of `needs`.
    ///
    /// A larger ring, of a power-of-two degree above N', has an RLWE secret of its own: GGSW encryptions of s under it,
    /// and LWE encryptions of it under t. Their noise is that of the base ring, so it is more secure than the set
    /// promises, not less. The other keys are GLWE encryptions of t, of its automorphic images or of t² under t
    /// (circular security). Masks and noise are drawn anew at every call.
    ///
    /// # Errors
    /// [`LatticeError::Parameter`] for a ring that is no larger, a block length that does not divide N', or products
    /// or GGSW ciphertexts where the rank is not 1; [`LatticeError::Randomness`].
    pub fn extra_keys(&self, needs: &KeyNeeds) -> Result<ExtraKeys, LatticeError> {
        self.extra_keys_of(needs)
    }

    /// The additional keys of `needs` for words `W`, those of the set.
    ///
    /// # Errors
    /// As [`Self::extra_keys`].
    pub fn extra_keys_of<W: Torus>(&self, needs: &KeyNeeds) -> Result<ExtraKeys<W>, LatticeError> {
        self.extra_keys_from(needs, &self.fresh_generation()?)
    }

    /// The additional keys of these bytes instead of fresh ones: equal bytes give equal keys. For tests and stored
    /// examples.
    ///
    /// # Errors
    /// As [`Self::extra_keys`].
    pub fn extra_keys_with_randomness_for_tests<W: Torus>(
        &self,
        needs: &KeyNeeds,
        randomness: &[u8; 32],
    ) -> Result<ExtraKeys<W>, LatticeError> {
        self.extra_keys_from(needs, &self.generation(randomness))
    }

    fn extra_keys_from<W: Torus>(
        &self,
        needs: &KeyNeeds,
        generation: &SecretSeed,
    ) -> Result<ExtraKeys<W>, LatticeError> {
        let params = self.params();
        params.check_words::<W>()?;
        let (gadget, std) = (params.packing_gadget(), params.packing_std());
        let glwe = self.expose_glwe();
        let fft = Fft::new(params.shape().degree)?;
        let (mut trace, mut packing) = (None, Vec::new());
        match params.packing_method() {
            PackingMethod::Trace if needs.packing.is_empty() => {}
            PackingMethod::Trace => {
                let (mask, noise) = generation.fork_both(Part::Trace as u64, 0);
                trace = Some(SeededTraceKey::generate(glwe, gadget, std, mask, &noise)?);
            }
            PackingMethod::KeySwitch => {
                for &block in &needs.packing {
                    let (mask, noise) = generation.fork_both(Part::Packing as u64, block as u64);
                    packing.push(SeededPackingKey::generate(glwe.as_lwe(), glwe, block, gadget, std, mask, &noise)?);
                }
            }
        }
        let relinearisation = match needs.relinearisation {
            false => None,
            true => {
                let (mask, noise) = generation.fork_both(Part::Relinearisation as u64, 0);
                Some(SeededGlweKeySwitchKey::generate_square(glwe, &fft, gadget, std, mask, &noise)?)
            }
        };
        let scheme_switch = match needs.scheme_switch {
            false => None,
            true => {
                let (mask, noise) = generation.fork_both(Part::SchemeSwitch as u64, 0);
                Some(SeededSchemeSwitchKey::generate(glwe, &fft, gadget, std, mask, &noise)?)
            }
        };
        let rings = needs.rings.iter().map(|&degree| self.ring_key(degree, generation)).collect::<Result<_, _>>()?;
        let (params, key_id) = (params.clone(), self.key_id());
        Ok(ExtraKeys { params, key_id, rings, trace, packing, relinearisation, scheme_switch })
    }

    fn ring_key<W: Torus>(&self, degree: usize, generation: &SecretSeed) -> Result<SeededRingKey<W>, LatticeError> {
        let (params, index) = (self.params(), degree as u64);
        // Its key has one polynomial and the set's noise: no smaller a dimension is as secure.
        if degree <= params.shape().degree || degree < params.ciphertext_dimension() {
            return Err(LatticeError::Parameter {
                what: "degree of an own ring",
                expected: "a power of two above the parameter set's N', at least k*N'",
                found: degree.to_string(),
            });
        }
        let fft = Fft::new(degree)?;
        let secret = self.ring_secret(degree);
        let (mask, noise) = generation.fork_both(Part::RingRotation as u64, index);
        let messages = rotation_messages(self.expose_lwe().expose_coefficients(), params.lwe_distribution());
        let (gadget, std) = (params.bootstrap_gadget(), params.glwe_std());
        let rotation = SeededGgswList::encrypt(&secret, &fft, gadget, &messages, std, mask, &noise);
        let (mask, noise) = generation.fork_both(Part::RingKeySwitch as u64, index);
        let (gadget, std) = (params.ring_key_switch_gadget(), params.ring_key_switch_std());
        let (from, to) = (secret.as_lwe(), self.expose_glwe().as_lwe());
        let key_switch = SeededLweKeySwitchKey::generate(from, to, gadget, std, mask, &noise)?;
        Ok(SeededRingKey { rotation, key_switch })
    }
}

impl<W: Torus> ExtraKeys<W> {
    /// Bytes of the bodies.
    pub fn stored_bytes(&self) -> usize {
        let rings: usize =
            self.rings.iter().map(|r| r.rotation.bodies.len() * size_of::<W>() + r.key_switch.bodies.len() * 4).sum();
        let packing: usize = self.packing.iter().map(|key| key.bodies.len() * 8).sum();
        let trace = self.trace.as_ref().map_or(0, |key| key.0.bodies.len() * 8);
        let relinearisation = self.relinearisation.as_ref().map_or(0, |key| key.bodies.len() * 8);
        rings + packing + trace + relinearisation + self.scheme_switch.as_ref().map_or(0, |key| key.0.bodies.len() * 8)
    }
}

impl<W: Torus> SeededRingKey<W> {
    fn prepare(&self, params: &FhewParams) -> Result<RingKey<W>, LatticeError> {
        let fft = Fft::new(self.rotation.shape.degree)?;
        let limbs = params.limbs::<W>(self.rotation.shape);
        let (distribution, dimension) = (params.lwe_distribution(), params.lwe_dimension());
        Ok(RingKey {
            rotation: RotationKey::prepare(&self.rotation, limbs, fft, distribution, dimension)?,
            key_switch: self.key_switch.prepare(Isa::selected(), params.glwe_distribution().mean())?,
        })
    }
}

impl<W: Torus> RingKey<W> {
    /// Adds the constant coefficient of `accumulator`, a GLWE ciphertext of the ring, to a ciphertext under the base
    /// ring's key: sample extraction and key switch.
    ///
    /// Noise: `FhewParams::ring_key_switch_variance`.
    pub fn add_extracted(&self, out: &mut [W], accumulator: &[W]) {
        let shape = self.rotation.shape();
        let mut sample = vec![W::default(); shape.lwe_dimension() + 1];
        sample_extract_into(&mut sample, accumulator, shape, 0);
        let mut switched = vec![0u32; self.key_switch.stride()];
        self.key_switch.switch_into(&mut switched, &sample);
        out.iter_mut().zip(&switched).for_each(|(x, &y)| *x = x.wrapping_add(W::from_top(u64::from(y) << 32)));
    }
}

impl<W: Torus> PreparedExtraKeys<W> {
    /// Expands and adds keys; those that are there already stay.
    pub(super) fn add(&mut self, keys: &ExtraKeys<W>) -> Result<(), LatticeError> {
        let params = &keys.params;
        let fft = Fft::new(params.shape().degree)?;
        for seeded in &keys.rings {
            if self.ring(seeded.rotation.shape.degree).is_none() {
                self.rings.push(seeded.prepare(params)?);
            }
        }
        for seeded in &keys.packing {
            if self.packing(seeded.block).is_none() {
                self.packing.push(seeded.prepare(Isa::selected(), params.glwe_distribution().mean())?);
            }
        }
        if let (None, Some(seeded)) = (&self.trace, &keys.trace) {
            self.trace = Some(seeded.prepare(&fft)?);
        }
        if let (None, Some(seeded)) = (&self.relinearisation, &keys.relinearisation) {
            self.relinearisation = Some(seeded.prepare(&fft)?);
        }
        if let (None, Some(seeded)) = (&self.scheme_switch, &keys.scheme_switch) {
            self.scheme_switch = Some(seeded.prepare(&fft)?);
        }
        Ok(())
    }

    /// The keys of the ring of degree `degree`.
    pub fn ring(&self, degree: usize) -> Option<&RingKey<W>> {
        self.rings.iter().find(|ring| ring.rotation.shape().degree == degree)
    }

    pub(super) fn packing(&self, block: usize) -> Option<&PackingKey> {
        self.packing.iter().find(|key| key.block() == block)
    }

    /// The part of `needs` that is not there.
    pub fn missing(&self, needs: &KeyNeeds) -> KeyNeeds {
        KeyNeeds {
            rings: needs.rings.iter().copied().filter(|&degree| self.ring(degree).is_none()).collect(),
            packing: match self.trace {
                Some(_) => Vec::new(),
                None => needs.packing.iter().copied().filter(|&block| self.packing(block).is_none()).collect(),
            },
            relinearisation: needs.relinearisation && self.relinearisation.is_none(),
            scheme_switch: needs.scheme_switch && self.scheme_switch.is_none(),
        }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        let rings: usize = self.rings.iter().map(|ring| ring.rotation.bytes() + ring.key_switch.bytes()).sum();
        let packing: usize = self.packing.iter().map(PackingKey::bytes).sum();
        let trace = self.trace.as_ref().map_or(0, TraceKey::bytes);
        let relinearisation = self.relinearisation.as_ref().map_or(0, GlweKeySwitchKey::bytes);
        rings + packing + trace + relinearisation + self.scheme_switch.as_ref().map_or(0, SchemeSwitchKey::bytes)
    }
}
