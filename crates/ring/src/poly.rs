//! Polynomials modulo X^N + 1 and a product of primes, in coefficient or evaluation form: the form is in the type.

use std::fmt;
use std::marker::PhantomData;

use rayon::prelude::*;
use zeroize::Zeroize;

use crate::mem::AlignedVec;

mod sealed {
    pub trait Sealed {}
}

/// What the numbers of a polynomial are.
pub trait Form: sealed::Sealed + Send + Sync + 'static {
    /// The form in a word.
    const NAME: &'static str;
}

/// Coefficients.
#[derive(Debug, Clone, Copy)]
pub enum Coeff {}

/// Values at the roots of X^N + 1, in the order of [`crate::ntt::exponent`].
#[derive(Debug, Clone, Copy)]
pub enum Eval {}

impl sealed::Sealed for Coeff {}
impl sealed::Sealed for Eval {}
impl Form for Coeff {
    const NAME: &'static str = "coefficients";
}
impl Form for Eval {
    const NAME: &'static str = "values";
}

/// Which primes of a ring: its first `chain` primes q_0, q_1, … and its first `special` primes p_0, p_1, ….
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limbs {
    /// Primes of the chain.
    pub chain: usize,
    /// Special primes.
    pub special: usize,
}

impl Limbs {
    /// The first `count` primes of the chain, none of the special ones.
    #[must_use]
    pub const fn chain(count: usize) -> Self {
        Self { chain: count, special: 0 }
    }

    /// The number of primes.
    #[must_use]
    pub const fn count(self) -> usize {
        self.chain + self.special
    }

    /// The limb of `limbs` of number `i`, as a number among these, if it is: special primes follow the chain.
    #[must_use]
    pub fn find(self, limbs: Self, i: usize) -> Option<usize> {
        let (own, of) = if i < limbs.chain { (i, self.chain) } else { (i - limbs.chain, self.special) };
        (own < of).then_some(if i < limbs.chain { own } else { self.chain + own })
    }

    /// [`Self::find`].
    ///
    /// # Panics
    /// If the prime is not among these.
    #[must_use]
    pub fn position(self, limbs: Self, i: usize) -> usize {
        self.find(limbs, i).unwrap_or_else(|| panic!("limb {i} of {limbs:?} is not among {self:?}"))
    }
}

/// A polynomial of degree below N: for each prime a *limb* of N balanced residues, primes of the chain first.
///
/// Limbs are buffers of their own, all of one size: the memory of what is dropped serves whatever comes next.
pub struct Poly<F> {
    degree: usize,
    limbs: Limbs,
    data: Vec<AlignedVec<f64>>,
    form: PhantomData<F>,
}

impl<F: Form> Poly<F> {
    /// Zero.
    ///
    /// # Panics
    /// If the allocator refuses.
    #[must_use]
    pub fn zero(degree: usize, limbs: Limbs) -> Self {
        Self::of(degree, limbs, AlignedVec::new)
    }

    /// A polynomial for a caller that overwrites all its numbers, which are unspecified.
    ///
    /// # Panics
    /// If the allocator refuses.
    #[must_use]
    pub fn unspecified(degree: usize, limbs: Limbs) -> Self {
        Self::of(degree, limbs, AlignedVec::unspecified)
    }

    fn of(degree: usize, limbs: Limbs, limb: impl Fn(usize) -> AlignedVec<f64>) -> Self {
        Self { degree, limbs, data: (0..limbs.count()).map(|_| limb(degree)).collect(), form: PhantomData }
    }

    /// The degree N.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The primes.
    #[must_use]
    pub fn limbs(&self) -> Limbs {
        self.limbs
    }

    /// The N residues of limb `i`.
    #[must_use]
    pub fn limb(&self, i: usize) -> &[f64] {
        &self.data[i]
    }

    /// The N residues of limb `i`.
    pub fn limb_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i]
    }

    /// All limbs in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> + Clone {
        self.data.iter().map(|limb| &limb[..])
    }

    /// All limbs in order.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut [f64]> {
        self.data.iter_mut().map(|limb| &mut limb[..])
    }

    /// All limbs, in parallel.
    pub fn par_iter_mut(&mut self) -> impl IndexedParallelIterator<Item = &mut [f64]> {
        self.data.par_iter_mut().map(|limb| &mut limb[..])
    }

    /// [`Limbs::position`] among this polynomial's limbs.
    ///
    /// # Panics
    /// If this polynomial lacks the prime.
    #[must_use]
    pub fn position(&self, limbs: Limbs, i: usize) -> usize {
        self.limbs.position(limbs, i)
    }

    /// The same polynomial modulo fewer primes.
    ///
    /// # Panics
    /// If a prime is missing.
    #[must_use]
    pub fn restricted(&self, limbs: Limbs) -> Self {
        let mut out = Self::unspecified(self.degree, limbs);
        out.par_iter_mut().enumerate().for_each(|(i, limb)| limb.copy_from_slice(self.limb(self.position(limbs, i))));
        out
    }

    /// The numbers as those of another form.
    pub(crate) fn cast<G: Form>(self) -> Poly<G> {
        Poly { degree: self.degree, limbs: self.limbs, data: self.data, form: PhantomData }
    }

    /// The bytes of its numbers.
    #[must_use]
    pub fn bytes(&self) -> usize {
        8 * self.degree * self.data.len()
    }
}

/// Modulo no primes.
impl<F: Form> Default for Poly<F> {
    fn default() -> Self {
        Self { degree: 0, limbs: Limbs::chain(0), data: Vec::new(), form: PhantomData }
    }
}

impl<F: Form> Zeroize for Poly<F> {
    fn zeroize(&mut self) {
        self.data.iter_mut().for_each(Zeroize::zeroize);
    }
}

impl<F: Form> Clone for Poly<F> {
    fn clone(&self) -> Self {
        self.restricted(self.limbs)
    }
}

impl<F: Form> fmt::Debug for Poly<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Poly({}, degree {}, {:?})", F::NAME, self.degree, self.limbs)
    }
}
