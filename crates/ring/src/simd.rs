//! Eight lanes of `f64` on each instruction set: the only home of intrinsics.
//!
//! Memory is in blocks of eight lanes, and a vector is what one register holds of them: a *part*. So a kernel has as
//! many vectors at a time as it names, whatever their width, and its registers do not run out sooner where they are
//! narrow.
//!
//! A kernel is written once, generically over [`Simd`], and compiled for each instruction set. All implementations
//! round alike, so results are bit-equal on all of them. A value that implements [`Simd`] is a proof that the processor
//! has the instruction set: only [`run`] makes one.
//!
//! Everything between [`run`] and an intrinsic must be `#[inline(always)]` (so no closures), or it would be
//! compiled without the instruction set.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod blocks;
#[cfg(target_arch = "x86_64")]
mod ifma;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(test)]
mod tests;

pub(crate) use blocks::{BlockShape, Columns, ColumnsChunk, Extended, ExtendedChunk};

use crate::isa::Isa;

/// The number of lanes.
pub(crate) const LANES: usize = 8;

/// Eight complex points in memory: their real parts, then their imaginary parts.
pub(crate) type Block = [[f64; LANES]; 2];

/// An instruction set that this processor is known to have.
pub(crate) trait Simd: Copy {
    /// A part of eight lanes: 8/[`Self::PARTS`] `f64`.
    type V: Copy;
    /// The parts of eight lanes, 1, 2 or 4, the first lanes first.
    const PARTS: usize;
    /// Vectors that registers hold.
    const REGISTERS: usize;
    /// Whether instructions broadcast operands from memory.
    const BROADCASTS: bool;

    /// Asks for a cache line, which need not exist, to be fetched from memory to the second-level cache.
    fn prefetch(self, line: *const f64);
    /// The same number in all lanes.
    fn splat(self, x: f64) -> Self::V;
    /// Reads a part of eight numbers.
    fn load(self, from: &[f64; LANES], part: usize) -> Self::V;
    /// Writes a part of eight numbers.
    fn store(self, to: &mut [f64; LANES], part: usize, v: Self::V);
    /// a + b.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// a − b.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// a·b.
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// a·b + c, rounded once.
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// a·b − c, rounded once.
    fn mul_sub(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// c − a·b, rounded once.
    fn neg_mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Transposes, of eight rows, the columns of a part: vector i of the result is part i mod [`Self::PARTS`] of column
    /// ⌊i/[`Self::PARTS`]⌋ of them. For each of T matrices, step by step in turns.
    fn transpose<const T: usize>(self, rows: [[Self::V; T]; LANES]) -> [[Self::V; T]; LANES];
    /// Puts values that are needed later into memory, where registers are few: the compiler, left to itself, reads all
    /// operands first and then runs out of them.
    #[inline(always)]
    fn park(self, values: [Self::V; 8]) -> [Self::V; 8] {
        values
    }
    /// Makes of a constant an operand in memory, where registers are few: the compiler, left to itself, broadcasts it
    /// again for every use.
    #[inline(always)]
    fn constant(self, x: f64) -> Self::V {
        self.splat(x)
    }
    /// Swaps lanes 2i and 2i + 1.
    fn swap_pairs(self, v: Self::V) -> Self::V;
    /// Row `to`\[h\] of `out` has in lane l row `from`\[h + turn\] of `input`, indices modulo 8, with the turn of l and
    /// its source lane; if there is code for it here.
    #[inline(always)]
    fn shuffle(
        self,
        _out: &mut [[f64; LANES]; LANES],
        _input: &[[f64; LANES]; LANES],
        _shuffle: &Shuffle,
        _from: &[usize; LANES],
        _to: &[usize; LANES],
    ) -> bool {
        false
    }
    /// Does the leaves of a forward transform (`fft::transform`), if there is code for it here.
    #[inline(always)]
    fn forward_leaves(self, _leaves: &mut [[Block; 8]], _rows: &[[[f64; 2]; 7]], _lanes: &[[Block; 7]]) -> bool {
        false
    }
    /// Does the leaves of a backward transform, if there is code for it here.
    #[inline(always)]
    fn backward_leaves(self, _leaves: &mut [[Block; 8]], _rows: &[[[f64; 2]; 7]], _lanes: &[[Block; 7]]) -> bool {
        false
    }
    /// Whether there is code here for the next two.
    const MULTIPLIES: bool = false;
    /// At chunk t of the points, all products = digits times the sum of all matrices, each times its factor.
    #[inline(always)]
    fn multiply_columns(self, _columns: &Columns, _chunk: ColumnsChunk<'_>) {
        unreachable!("no code for columns");
    }
    /// At chunk t of the points, all components of the products = digits times the matrices of all shifts.
    #[inline(always)]
    fn multiply_extended(self, _extended: &Extended, _chunk: ExtendedChunk<'_>) {
        unreachable!("no code for extension");
    }
    /// Reads a part of integers of absolute value below 2^51.
    fn load_small(self, from: &[i64; LANES], part: usize) -> Self::V;
    /// Reads a part of signed 64-bit integers, rounded to nearest even.
    fn load_signed(self, from: &[u64; LANES], part: usize) -> Self::V;
    /// Reads a part of the gadget digits of words.
    fn load_digits(self, from: &[u64; LANES], part: usize, digit: &GadgetDigit<u64>) -> Self::V;
    /// Reads a part of packed numbers that start at bit `shift` of the first words.
    fn load_packed(self, words: &[[u64; LANES]; 2], part: usize, shift: u32, packing: &Packing) -> Self::V;
    /// A part of to += round(2^64·v) modulo 2^64, to nearest even; |v| < 2^51.
    fn add_torus(self, to: &mut [u64; LANES], part: usize, v: Self::V);
    /// Reads a part of the gadget digits of wide words.
    fn load_wide_digits(self, from: &[u128; LANES], part: usize, digit: &GadgetDigit<u128>) -> Self::V;
    /// A part of to += round(2^(128 − `unit`)·v)·2^`unit` modulo 2^128, to nearest even; |v| < 2^51, and |v| <
    /// 2^(62 + `unit` − 128) where `unit` < 64.
    fn add_wide_torus(self, to: &mut [u128; LANES], part: usize, v: Self::V, unit: u32);
    /// [`sub_product`](crate::ones::sub_product), if there is code for it here.
    #[inline(always)]
    fn sub_product_with_ones(
        self,
        _out: &mut [[u64; LANES]],
        _from: Option<&[[u64; LANES]]>,
        _x: &[[u64; LANES]],
        _dropped: u32,
    ) -> bool {
        false
    }
}

/// Eight lanes of 64-bit words, of which 52 bits can be multiplied.
pub(crate) trait Words: Copy {
    /// The instruction set for the same lanes as `f64`.
    type Float: Simd;
    /// Eight words.
    type W: Copy;

    /// The instruction set for the same lanes as `f64`.
    fn float(self) -> Self::Float;
    /// The bits of eight `f64`.
    fn of_bits(self, bits: <Self::Float as Simd>::V) -> Self::W;
    /// The `f64` of these bits.
    fn to_bits(self, words: Self::W) -> <Self::Float as Simd>::V;
    /// Words, in two's complement, as `f64`: of absolute value up to 2^53.
    fn to_integers(self, x: Self::W) -> <Self::Float as Simd>::V;
    /// The same word in all lanes.
    fn splat(self, x: u64) -> Self::W;
    /// Reads eight words.
    fn load(self, from: &[u64; LANES]) -> Self::W;
    /// Writes eight words.
    fn store(self, to: &mut [u64; LANES], words: Self::W);
    /// a + b modulo 2^64.
    fn add(self, a: Self::W, b: Self::W) -> Self::W;
    /// a − b modulo 2^64.
    fn sub(self, a: Self::W, b: Self::W) -> Self::W;
    /// The bits that a and b have in common.
    fn and(self, a: Self::W, b: Self::W) -> Self::W;
    /// The smaller of a and b, or b if a, in two's complement, is negative: for |a| < 2^52 and 0 ≤ b < 2^52.
    fn min(self, a: Self::W, b: Self::W) -> Self::W;
    /// c + (a·b modulo 2^52) modulo 2^64, for the low 52 bits of a and b.
    fn add_low(self, c: Self::W, a: Self::W, b: Self::W) -> Self::W;
    /// c + ⌊a·b/2^52⌋ modulo 2^64, for the low 52 bits of a and b.
    fn add_high(self, c: Self::W, a: Self::W, b: Self::W) -> Self::W;
}

/// A computation on words.
pub(crate) trait WordKernel {
    /// The computation; must be `#[inline(always)]`.
    fn run<S: Words>(self, s: S);
}

/// Whether the processor multiplies words of 52 bits: AVX-512 IFMA.
pub(crate) fn has_words() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        static FOUND: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        *FOUND.get_or_init(|| Isa::detect() == Isa::Avx512 && std::arch::is_x86_feature_detected!("avx512ifma"))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Runs the kernel with AVX-512 IFMA. Tests run it on the reference, too, where `isa` is another or the processor has none.
#[inline]
pub(crate) fn run_words<K: WordKernel>(isa: Isa, kernel: K) {
    match isa {
        // SAFETY: the processor has AVX-512 F, DQ, BW, VL, IFMA, AVX2 and FMA, by `has_words`.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 if has_words() => unsafe { ifma::run(kernel) },
        #[cfg(any(test, not(target_arch = "x86_64")))]
        _ => kernel.run(scalar::Scalar),
        #[cfg(not(any(test, not(target_arch = "x86_64"))))]
        _ => unreachable!("words on a processor that has none"),
    }
}

/// How lanes are permuted in an 8×8 square, and by how much each lane's rows are turned.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only AVX-512 has code for it"))]
pub(crate) struct Shuffle {
    /// Where each lane comes from.
    pub(crate) lanes: [u64; LANES],
    /// The lanes that are turned by one row, by two and by four.
    pub(crate) turns: [u8; 3],
}

/// How to cut one gadget digit out of a word: ((x + `offset`) >> `shift`) & `mask`, minus B/2.
#[derive(Clone, Copy)]
pub(crate) struct GadgetDigit<W> {
    pub(crate) offset: W,
    pub(crate) shift: u32,
    pub(crate) mask: u64,
    /// 2^52 + B/2: subtracted from 2^52 + digit, which is the digit put into the mantissa of 2^52.
    pub(crate) bias: f64,
}

/// How to read numbers of k bits: (x & `mask`) − 2^(k − 1).
#[derive(Clone, Copy)]
pub(crate) struct Packing {
    pub(crate) mask: u64,
    /// 2^52 + 2^(k − 1).
    pub(crate) bias: f64,
}

impl Packing {
    /// For 1 ≤ k = `bits` ≤ 52.
    pub(crate) fn new(bits: u32) -> Self {
        Self { mask: (1 << bits) - 1, bias: TWO_52 + (1u64 << (bits - 1)) as f64 }
    }
}

/// 2^52: the integers 0 ≤ x < 2^52 are the low mantissa bits of 2^52 + x.
pub(crate) const TWO_52: f64 = (1u64 << 52) as f64;
/// 3·2^51: the integers |x| < 2^51 are the low mantissa bits of 3·2^51 + x, in two's complement.
#[cfg(target_arch = "x86_64")]
const SIGNED_MAGIC: f64 = (3u64 << 51) as f64;
/// 2^64.
pub(crate) const TWO_64: f64 = 18_446_744_073_709_551_616.0;

/// A computation to be compiled for each instruction set.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;
    /// The computation; must be `#[inline(always)]`.
    fn run<S: Simd>(self, s: S) -> Self::Output;
}

/// Runs the kernel on `isa`, lowered to what the processor has.
#[inline]
pub(crate) fn run<K: Kernel>(isa: Isa, kernel: K) -> K::Output {
    match isa.lowered() {
        // SAFETY: the processor has AVX-512 F, DQ, BW, VL, AVX2 and FMA, by `Isa::detect`.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { avx512::run(kernel) },
        // SAFETY: the processor has AVX2 and FMA, by `Isa::detect`.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { avx2::run(kernel) },
        // SAFETY: the processor has NEON, by `Isa::detect`.
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => unsafe { neon::run(kernel) },
        _ => kernel.run(scalar::Scalar),
    }
}
