//! Test vectors of extended bootstrapping: polynomials modulo X^L + 1, L = ν·N', kept as ν polynomials in Y = X^ν.
//!
//! τ (recursive-decomposition paper, section 4.2): component c holds the coefficients of X^{νt+c}, 0 ≤ t < N'. Since
//! X^L + 1 = Y^{N'} + 1, ν may be any integer, not only a power of two.
//!
//! Values have 64 bits, whatever the words of the accumulator: they are messages, of at most some twenty bits.
use bootes_lattice::glwe::GlweShape;
use bootes_ring::mem::AlignedVec;
use bootes_ring::torus::Torus;

/// A plaintext test vector: coefficient x is the table's value at position x of the half circle, 0 ≤ x < L.
#[derive(Clone, Debug)]
pub struct TestVector {
    extension: usize,
    degree: usize,
    components: AlignedVec<u64>,
}

impl TestVector {
    /// The negacyclic function f on Z_{2L}, f(x + L) = −f(x), given on [0, L).
    pub fn new(extension: usize, degree: usize, f: impl Fn(usize) -> u64) -> Self {
        let mut components = AlignedVec::new(extension * degree);
        for (c, component) in components.chunks_exact_mut(degree).enumerate() {
            for (t, x) in component.iter_mut().enumerate() {
                *x = f(extension * t + c);
            }
        }
        Self { extension, degree, components }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.components[..])
    }

    /// Extension factor ν.
    pub fn extension(&self) -> usize {
        self.extension
    }

    /// Sets `accumulator` (`[component][polynomial][N']`) to the trivial encryption of X^−`exponent` · TV.
    pub fn rotate_into<W: Torus>(&self, accumulator: &mut [W], exponent: u32) {
        let polynomials = accumulator.len() / self.components.len();
        let words = polynomials * self.degree;
        for (c, accumulator) in accumulator.chunks_exact_mut(words).enumerate() {
            let (masks, body) = accumulator.split_at_mut(words - self.degree);
            masks.fill(W::default());
            self.rotated_component_into(body, c, exponent);
        }
    }

    fn rotated_component_into<W: Torus>(&self, out: &mut [W], c: usize, exponent: u32) {
        rotated_component_into(
            out,
            |source| &self.components[source * self.degree..(source + 1) * self.degree],
            self.extension,
            c,
            exponent,
        );
    }
}

/// An encrypted test vector: one GLWE ciphertext a component, or one that all components share.
#[derive(Clone, Debug)]
pub struct EncryptedTestVector {
    extension: usize,
    degree: usize,
    /// `[component][polynomial][N']`.
    components: AlignedVec<u64>,
    words: usize,
}

impl EncryptedTestVector {
    /// All components are `glwe`: blocks of νN'/M equal coefficients, where those of `glwe` have N'/M.
    pub fn shared(extension: usize, shape: GlweShape, glwe: AlignedVec<u64>) -> Self {
        assert_eq!(glwe.len(), shape.words(), "one GLWE ciphertext");
        Self { extension, degree: shape.degree, components: glwe, words: shape.words() }
    }

    /// The trivial encryption of `plain`.
    pub fn trivial(plain: &TestVector, shape: GlweShape) -> Self {
        let mut components = AlignedVec::new(plain.extension * shape.words());
        plain.rotate_into(&mut components, 0);
        Self { extension: plain.extension, degree: plain.degree, components, words: shape.words() }
    }

    /// Extension factor ν.
    pub fn extension(&self) -> usize {
        self.extension
    }

    /// The ciphertexts, `[component][polynomial][N']`.
    pub fn components_mut(&mut self) -> &mut [u64] {
        &mut self.components
    }

    /// Sets `accumulator` to X^−`exponent` · TV; the noise of TV stays.
    pub fn rotate_into<W: Torus>(&self, accumulator: &mut [W], exponent: u32) {
        for (c, accumulator) in accumulator.chunks_exact_mut(self.words).enumerate() {
            for (p, out) in accumulator.chunks_exact_mut(self.degree).enumerate() {
                let source = |source: usize| {
                    let start = (source * self.words) % self.components.len() + p * self.degree;
                    &self.components[start..start + self.degree]
                };
                rotated_component_into(out, source, self.extension, c, exponent);
            }
        }
    }
}

/// Component `c` of X^−`exponent` · P: coefficient νt + c is P's coefficient νt + c + exponent, negacyclically.
fn rotated_component_into<'a, W: Torus>(
    out: &mut [W],
    component: impl Fn(usize) -> &'a [u64],
    extension: usize,
    c: usize,
    exponent: u32,
) {
    let n = out.len();
    let position = c + exponent as usize;
    let source = component(position % extension);
    let shift = (position / extension) % (2 * n);
    let (negate_first, shift) = (shift >= n, shift % n);
    let (first, wrapped) = out.split_at_mut(n - shift);
    let copy = |out: &mut [W], source: &[u64], negate: bool| {
        let sign = if negate { u64::MAX } else { 0 };
        out.iter_mut().zip(source).for_each(|(x, &y)| *x = W::from_top((y ^ sign).wrapping_sub(sign)));
    };
    copy(first, &source[shift..], negate_first);
    copy(wrapped, &source[..shift], !negate_first);
}
