//! Tables by a tree of CMUXes on GGSW ciphertexts of a message's bits (*vertical packing*: Chillotti, Gama, Georgieva,
//! Izabachène 2017; refined in 2024/1318).
//!
//! A polynomial holds N/s entries, s the number of results an entry, a power of two: the upper bits of the address
//! choose one of the polynomials by a binary tree of CMUXes, the lower ones rotate it by multiples of s, and the
//! results are its coefficients 0, …, s − 1.
use super::prepared::PreparedEvaluationKey;
use bootes_lattice::circuit_bootstrap::{ggsws_of_samples, ggsws_scratch_bytes};
use bootes_lattice::external::PreparedGgsw;
use bootes_lattice::extract::sample_extract_into;
use bootes_lattice::{Gadget, LatticeError};
use bootes_ring::fft::Fft;
use bootes_ring::mem::{AlignedVec, Scratch, scratch_bytes};
use bootes_ring::torus::Torus;

/// How a table's entries are laid out: bits of the address that rotate, and those that choose a polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeShape {
    /// log2 of the results an entry.
    log2_results: u32,
    /// Bits that rotate.
    rotations: u32,
    /// Bits that choose.
    levels: u32,
}

impl TreeShape {
    /// Of a table with addresses of `bits` bits and `results` results, in polynomials of `degree` coefficients.
    ///
    /// # Panics
    /// Unless there is a result, and no more than coefficients.
    pub fn new(degree: usize, bits: u32, results: usize) -> Self {
        let log2_results = results.next_power_of_two().ilog2();
        assert!(results >= 1 && 1 << log2_results <= degree, "{results} results of degree {degree}");
        let rotations = bits.min(degree.ilog2() - log2_results);
        Self { log2_results, rotations, levels: bits - rotations }
    }

    /// Bits that choose a polynomial.
    pub fn levels(self) -> u32 {
        self.levels
    }

    /// CMUXes of two plaintexts and of ciphertexts, in all.
    pub fn products(self) -> [usize; 2] {
        let choosing = (1usize << self.levels) - 1;
        let plain = choosing.div_ceil(2);
        [plain, choosing - plain + self.rotations as usize]
    }

    /// CMUXes that a result has gone through.
    pub fn depth(self) -> u32 {
        self.rotations + self.levels
    }
}

/// A table for a tree: plaintext polynomials.
#[derive(Clone, Debug)]
pub struct TreeTable {
    shape: TreeShape,
    results: usize,
    degree: usize,
    polynomials: AlignedVec<u64>,
}

impl TreeTable {
    /// The table of `results` results whose result r at an address is `value(address, r)`, a torus element.
    pub fn new(degree: usize, bits: u32, results: usize, value: impl Fn(usize, usize) -> u64) -> Self {
        let shape = TreeShape::new(degree, bits, results);
        let mut polynomials = AlignedVec::new(degree << shape.levels);
        for address in 0..1usize << bits {
            let place = (address >> shape.rotations) * degree
                + ((address & ((1 << shape.rotations) - 1)) << shape.log2_results);
            (0..results).for_each(|r| polynomials[place + r] = value(address, r));
        }
        Self { shape, results, degree, polynomials }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.polynomials[..])
    }

    /// Bits of the address.
    pub fn bits(&self) -> u32 {
        self.shape.depth()
    }

    /// Sets `out` to a ciphertext whose coefficients 0, 1, … are the results at the address whose bit i is that of
    /// `selectors[i]`.
    ///
    /// Noise: `FhewParams::made_ggsw_variance` for each of the address's bits.
    fn choose_into(&self, out: &mut [u64], selectors: &[PreparedGgsw], fft: &Fft, scratch: Scratch<'_>) {
        let (n, words) = (self.degree, out.len());
        let (rotating, choosing) = selectors.split_at(self.shape.rotations as usize);
        // The first of two that wait for their second: one of each level.
        let (waiting, scratch) = scratch.take::<u64>(choosing.len() * words);
        let (difference, mut scratch) = scratch.take::<u64>(words);
        if choosing.is_empty() {
            out.fill(0);
            out[words - n..].copy_from_slice(&self.polynomials);
        }
        for (pair, polynomials) in self.polynomials.chunks_exact(2 * n).enumerate() {
            let (first, second) = polynomials.split_at(n);
            out.fill(0);
            out[words - n..].copy_from_slice(first);
            let body = &mut difference[..n];
            body.iter_mut().zip(second.iter().zip(first)).for_each(|(x, (&y, &z))| *x = y.wrapping_sub(z));
            choosing[0].external_product_add_plain(out, body, fft, scratch.reborrow());
            for level in 1..=pair.trailing_ones() as usize {
                let first = &mut waiting[(level - 1) * words..][..words];
                difference.iter_mut().zip(&*out).zip(&*first).for_each(|((x, &y), &z)| *x = y.wrapping_sub(z));
                out.copy_from_slice(first);
                choosing[level].cmux_add(out, difference, fft, scratch.reborrow());
            }
            let level = pair.trailing_ones() as usize;
            if level + 1 < choosing.len() {
                waiting[level * words..][..words].copy_from_slice(out);
            }
        }
        for (bit, ggsw) in rotating.iter().enumerate() {
            let shift = 1 << (bit as u32 + self.shape.log2_results);
            for (difference, polynomial) in difference.chunks_exact_mut(n).zip(out.chunks_exact(n)) {
                rotated_difference(difference, polynomial, shift);
            }
            ggsw.cmux_add(out, difference, fft, scratch.reborrow());
        }
    }
}

/// `out` = (X^−shift − 1)·P.
fn rotated_difference(out: &mut [u64], polynomial: &[u64], shift: usize) {
    let (head, tail) = polynomial.split_at(shift);
    let (moved, wrapped) = out.split_at_mut(tail.len());
    moved.iter_mut().zip(tail).for_each(|(x, &y)| *x = y);
    wrapped.iter_mut().zip(head).for_each(|(x, &y)| *x = y.wrapping_neg());
    out.iter_mut().zip(polynomial).for_each(|(x, &y)| *x = x.wrapping_sub(y));
}

/// Buffers of lookups, reused from value to value: GGSW ciphertexts of the bits, and a result.
#[derive(Debug)]
pub struct LookupWorkspace {
    selectors: Vec<PreparedGgsw>,
    chosen: AlignedVec<u64>,
}

impl<W: Torus> PreparedEvaluationKey<W> {
    /// A workspace for addresses of at most `bits` bits in GGSW ciphertexts of `gadget`.
    ///
    /// # Errors
    /// If memory is missing.
    pub fn lookup_workspace(&self, gadget: Gadget, bits: u32) -> Result<LookupWorkspace, LatticeError> {
        let ggsw = |_| PreparedGgsw::empty(self.shape(), gadget, self.rotation.fft());
        let selectors = (0..bits).map(ggsw).collect::<Result<_, _>>()?;
        Ok(LookupWorkspace { selectors, chosen: AlignedVec::try_new(self.shape().words())? })
    }

    /// Bytes of [`Self::lookup_workspace`].
    pub fn lookup_workspace_bytes(&self, gadget: Gadget, bits: u32) -> usize {
        let words = self.shape().words();
        8 * words * (1 + bits as usize * self.shape().polynomials() * gadget.levels() as usize)
    }

    /// The results of `table` at the address whose bit i has the samples `samples[i·d..(i + 1)·d]`, long ciphertexts of
    /// phases u·g_l: `take(number, long ciphertext)`.
    ///
    /// # Panics
    /// If a key is missing, or the samples are not d for each bit.
    pub fn look_up(
        &self,
        table: &TreeTable,
        samples: &[&[u64]],
        workspace: &mut LookupWorkspace,
        mut scratch: Scratch<'_>,
        mut take: impl FnMut(usize, &[u64]),
    ) {
        let trace = self.extra.trace.as_ref().expect("the trace key is there");
        let switch = self.extra.scheme_switch.as_ref().expect("the scheme-switching key is there");
        let (fft, shape) = (self.rotation.fft(), self.shape());
        let LookupWorkspace { selectors, chosen } = workspace;
        let selectors = &mut selectors[..table.bits() as usize];
        ggsws_of_samples(selectors, samples, trace, switch, fft, scratch.reborrow())
            .expect("sizes are those of the parameters");
        let (sample, scratch) = scratch.take::<u64>(shape.lwe_dimension() + 1);
        table.choose_into(chosen, selectors, fft, scratch);
        for result in 0..table.results {
            sample_extract_into(sample, chosen, shape, result);
            take(result, sample);
        }
    }

    /// Scratch that [`Self::look_up`] needs.
    pub fn look_up_scratch_bytes(&self, table: TreeShape) -> usize {
        let (spreading, words) = (self.extra.trace.as_ref().map_or(0, ggsws_scratch_bytes), self.shape().words());
        let choosing = scratch_bytes::<u64>(table.levels as usize * words)
            + scratch_bytes::<u64>(words)
            + PreparedGgsw::scratch_bytes_of(self.shape());
        spreading.max(choosing + scratch_bytes::<u64>(self.shape().lwe_dimension() + 1))
    }
}
