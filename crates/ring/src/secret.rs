//! Values that are overwritten before their memory is given back.

use rayon::iter::ParallelIterator;
use std::fmt;
use std::mem;
use std::ops::{Deref, DerefMut};
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, zeroize_stack};

/// What an operation on secrets gives, whose 32 KB of stack are overwritten then: all that it had no registers for.
///
/// On the thread that runs it, so within each job of many. Kernels use 20 KB at most in optimised builds, more in
/// others.
pub fn with_cleared_stack<R>(operation: impl FnOnce() -> R) -> R {
    ClearedStack.run(operation)
}

/// x, or 0 where it is `end`: of what is secret, without the branch that a compiler makes of an `if` or a mask.
#[must_use]
pub fn zero_at(end: u64, x: u64) -> u64 {
    u64::conditional_select(&x, &0, x.ct_eq(&end))
}

/// An operation on each item, on all threads of the current rayon pool, where the stack is overwritten as by
/// [`with_cleared_stack`], but once for the items that a thread takes in a row: once for each is a fifth of the time
/// of an automorphism of 4096 values.
pub fn for_each_with_cleared_stack<T: Send>(items: impl ParallelIterator<Item = T>, operation: impl Fn(T) + Sync) {
    items.for_each_init(|| ClearedStack, |stack, item| stack.run(|| operation(item)));
}

/// The stack below, overwritten when dropped.
struct ClearedStack;

impl ClearedStack {
    /// Below the frame of the caller, where it is overwritten.
    #[inline(never)]
    fn run<R>(&self, operation: impl FnOnce() -> R) -> R {
        operation()
    }
}

impl Drop for ClearedStack {
    fn drop(&mut self) {
        zeroize_stack::<{ 32 << 10 }>();
    }
}

/// A secret, or what tells of one: keys, noise, messages, and their products with masks.
///
/// Overwritten by zeros when dropped, so that neither the allocator nor the [pool](crate::mem::set_pool_limit) hands it
/// on; printed redacted, neither cloned nor compared.
pub struct Secret<T: Zeroize + Default>(T);

impl<T: Zeroize + Default> Secret<T> {
    /// The secret `value`.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// What `op` makes of it, in the same memory or with the old one wiped by `op`.
    #[must_use]
    pub fn map<U: Zeroize + Default>(self, op: impl FnOnce(T) -> U) -> Secret<U> {
        Secret(op(self.publish()))
    }

    /// The value, which is no secret any more: the body of a ciphertext.
    #[must_use]
    pub fn publish(mut self) -> T {
        mem::take(&mut self.0)
    }
}

impl<T: Zeroize + Default> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<T: Zeroize + Default> Deref for Secret<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroize + Default> DerefMut for Secret<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Zeroize + Default> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(<redacted>)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::{AlignedVec, pooled_bytes};
    use crate::poly::{Coeff, Eval, Limbs, Poly};

    /// Buffers of a size that nothing else in these tests has.
    const LEN: usize = (3 << 20) + (64 << 10) + 8;

    /// How many of the values that the pool hands out are `mark`: buffers are taken until new memory has to come.
    fn residue(mark: u64) -> usize {
        let before = pooled_bytes();
        let buffers: Vec<_> = (0..before / (8 * LEN) + 1).map(|_| AlignedVec::<u64>::unspecified(LEN)).collect();
        buffers.iter().map(|buffer| buffer.iter().filter(|&&x| x == mark).count()).sum()
    }

    #[test]
    fn the_pool_hands_out_no_secrets() {
        let mark = 0x7a5e_c2e7_u64;
        let mut plain = AlignedVec::<u64>::unspecified(LEN);
        plain.fill(mark);
        drop(plain);
        assert!(residue(mark) > LEN / 2, "the test would see them");
        let mark = mark + 1;
        let mut secret = Secret::new(AlignedVec::<u64>::unspecified(LEN));
        secret.fill(mark);
        drop(secret);
        assert_eq!(residue(mark), 0);
        let value = f64::from_bits(mark + 1);
        let mut secret = Secret::new(Poly::<Coeff>::unspecified(LEN, Limbs::chain(2)));
        secret.iter_mut().for_each(|limb| limb.fill(value));
        let secret = secret.map(|x| x.cast::<Eval>());
        assert!(secret.limb(1).iter().all(|x| x.to_bits() == mark + 1));
        drop(secret);
        assert_eq!(residue(mark + 1), 0);
        let mut published = Secret::new(AlignedVec::<u64>::new(5));
        published.fill(7);
        assert_eq!(&*published.publish(), &[7; 5]);
    }
}
