//! A chunk of blind rotation with extension, in assembly: first the matrices of all shifts, then all components of the
//! products, each of which is written once.

use std::arch::asm;
use std::mem::offset_of;

use crate::simd::blocks::Step;
use crate::simd::{Block, Extended, ExtendedChunk};

/// Subtracts an entry of the matrix at `rax`.
macro_rules! subtract {
    ($re:literal $im:literal, $at:literal) => {
        concat!("vsubpd ", $re, ", ", $re, ", [rax + ", $at, "]\nvsubpd ", $im, ", ", $im, ", [rax + 64 + ", $at, "]\n")
    };
}

/// Writes a sum times Y, which is in `ymm12` and `ymm13`.
macro_rules! store_shifted {
    ($re:literal $im:literal, $at:literal) => {
        concat!(
            "vmulpd ymm14, ",
            $im,
            ", ymm13\nvmulpd ymm15, ",
            $im,
            ", ymm12\nvfmsub231pd ymm14, ",
            $re,
            ", ymm12\nvfmadd231pd ymm15, ",
            $re,
            ", ymm13\n",
            store!(concat!("rdx + ", $at), "ymm14" "ymm15")
        )
    };
}

/// Some entries of the matrices of all shifts: sums of entries, each times its factor; minus all others in that of
/// shift 0, and else, in a second place, times Y.
///
/// `rax` is the place of an entry, and `r8` the distance of what is fetched.
macro_rules! entries {
    ($of:expr, $zero:expr, $add:expr, $subtract:expr, $store:expr, $store_shifted:expr) => {{
        let Entries { extended, factors, key, ahead, y, to } = $of;
        asm!(
            "lea {starts}, [{extended} + {at_starts}]",
            "lea {counts}, [{extended} + {at_counts}]",
            "mov {left}, [{extended} + {at_shifts}]",
            // Of shift 0, there may be none.
            $zero,
            "mov rdi, [{counts}]",
            "test rdi, rdi",
            "jz 4f",
            "3:",
            "mov rax, [{starts}]",
            "vmovupd ymm12, [{factors}]",
            "add rax, {key}",
            "vmovupd ymm13, [{factors} + 64]",
            $add,
            "add {starts}, 8",
            "add {factors}, 128",
            "dec rdi",
            "jnz 3b",
            "4:",
            "dec {left}",
            "jz 7f",
            "mov rdx, {starts}",
            "mov rdi, [{extended} + {at_others}]",
            "5:",
            "mov rax, [rdx]",
            "add rax, {key}",
            $subtract,
            "add rdx, 8",
            "dec rdi",
            "jnz 5b",
            $store,
            "6:",
            "add {counts}, 8",
            "add {to}, [{extended} + {at_matrix}]",
            "mov rdi, [{counts}]",
            $zero,
            "3:",
            "mov rax, [{starts}]",
            "vmovupd ymm12, [{factors}]",
            "add rax, {key}",
            "vmovupd ymm13, [{factors} + 64]",
            $add,
            "add {starts}, 8",
            "add {factors}, 128",
            "dec rdi",
            "jnz 3b",
            "mov rdx, [{extended} + {at_shifted}]",
            "vmovupd ymm12, [{y}]",
            "vmovupd ymm13, [{y} + 64]",
            "add rdx, {to}",
            $store,
            $store_shifted,
            "dec {left}",
            "jnz 6b",
            "jmp 8f",
            "7:",
            $store,
            "8:",
            extended = in(reg) extended,
            starts = out(reg) _,
            counts = out(reg) _,
            left = out(reg) _,
            factors = inout(reg) factors => _,
            key = in(reg) key,
            to = inout(reg) to => _,
            y = in(reg) y,
            in("r8") ahead,
            at_starts = const offset_of!(Extended, starts),
            at_counts = const offset_of!(Extended, counts),
            at_shifts = const offset_of!(Extended, shifts),
            at_others = const offset_of!(Extended, others),
            at_matrix = const offset_of!(Extended, matrix),
            at_shifted = const offset_of!(Extended, shifted),
            out("rax") _, out("rdx") _, out("rdi") _,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
            out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
            out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
            options(nostack)
        );
    }};
}

/// [`entries`] with these sums, and whether the entries of the next chunk are fetched.
macro_rules! entries_in {
    ($of:expr, $fetch:expr, $count:literal, $($re:literal $im:literal $at:literal),+) => {{
        match $fetch {
            true => entries!(
                $of,
                concat!($(zero!($re $im)),+),
                concat!($(entry!($re, $im, concat!("rax + ", $at)), "prefetcht0 [rax + r8 + ", $at, "]\n"),+),
                concat!($(subtract!($re $im, $at)),+),
                concat!($(store!(concat!("{to} + ", $at), $re $im)),+),
                concat!($(store_shifted!($re $im, $at)),+)
            ),
            false => entries!(
                $of,
                concat!($(zero!($re $im)),+),
                concat!($(entry!($re, $im, concat!("rax + ", $at))),+),
                concat!($(subtract!($re $im, $at)),+),
                concat!($(store!(concat!("{to} + ", $at), $re $im)),+),
                concat!($(store_shifted!($re $im, $at)),+)
            ),
        }
        $count
    }};
}

/// Some columns of a component of the products, or of two: sums of digits times rows of the matrices of all shifts.
///
/// `rax` is the place of a row and `rdi` of its digit, `rcx` and `rdx` for the second component; `r8` is the distance
/// of rows.
macro_rules! products {
    ($of:expr, $zero:expr, $first:expr, $start:expr, $second:expr, $store:expr) => {{
        let Outputs { extended, steps, matrices, digits, products } = $of;
        asm!(
            "mov {count}, [{extended} + {at_shifts}]",
            "mov r8, [{extended} + {at_row}]",
            $zero,
            "2:",
            "mov eax, [{steps}]",
            "mov edi, [{steps} + 4]",
            $start,
            "mov {row}, [{extended} + {at_rows}]",
            "3:",
            "vmovupd ymm12, [{digits} + rdi]",
            "vmovupd ymm13, [{digits} + rdi + 64]",
            $first,
            "add rdi, 128",
            "add rax, r8",
            $second,
            "dec {row}",
            "jnz 3b",
            "add {steps}, 16",
            "dec {count}",
            "jnz 2b",
            "mov rax, [{extended} + {at_apart}]",
            "mov rdx, [{extended} + {at_component}]",
            "add rdx, {products}",
            $store,
            extended = in(reg) extended,
            steps = inout(reg) steps => _,
            matrices = in(reg) matrices,
            digits = in(reg) digits,
            products = in(reg) products,
            count = out(reg) _,
            row = out(reg) _,
            at_shifts = const offset_of!(Extended, shifts),
            at_rows = const offset_of!(Extended, rows),
            at_row = const offset_of!(Extended, row),
            at_apart = const offset_of!(Extended, apart),
            at_component = const offset_of!(Extended, component),
            out("rax") _, out("rcx") _, out("rdx") _, out("rdi") _, out("r8") _,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
            out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
            out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
            options(nostack)
        );
    }};
}

/// [`products`] of so many columns, of two components or one: for each column the sums of both, and where its entry is
/// and its product goes.
macro_rules! products_in {
    (
        $of:expr, $two:expr, $count:literal,
        $($re:literal $im:literal $re2:literal $im2:literal $entry:literal $at:literal),+
    ) => {{
        match $two {
            true => products!(
                $of,
                concat!($(zero!($re $im $re2 $im2)),+),
                concat!($(entry!($re, $im, concat!("{matrices} + rax + ", $entry))),+),
                "mov ecx, [{steps} + 8]\nmov edx, [{steps} + 12]",
                concat!(
                    "vmovupd ymm12, [{digits} + rdx]\nvmovupd ymm13, [{digits} + rdx + 64]\n",
                    $(entry!($re2, $im2, concat!("{matrices} + rcx + ", $entry))),+,
                    "add rdx, 128\nadd rcx, r8\n"
                ),
                concat!(
                    $(store!(concat!("{products} + ", $at), $re $im)),+,
                    $(store!(concat!("rdx + ", $at), $re2 $im2)),+
                )
            ),
            false => products!(
                $of,
                concat!($(zero!($re $im)),+),
                concat!($(entry!($re, $im, concat!("{matrices} + rax + ", $entry))),+),
                "",
                "",
                concat!($(store!(concat!("{products} + ", $at), $re $im)),+)
            ),
        }
        $count
    }};
}

/// What [`entries`] reads and writes.
struct Entries<'a> {
    extended: &'a Extended,
    factors: *const f64,
    key: *const f64,
    ahead: usize,
    y: *const f64,
    to: *mut f64,
}

/// What [`products`] reads and writes.
struct Outputs<'a> {
    extended: &'a Extended,
    steps: *const Step,
    matrices: *const f64,
    digits: *const f64,
    products: *mut f64,
}

/// [`super::Simd::multiply_extended`].
///
/// # Safety
/// The processor must have AVX2 and FMA.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn multiply(extended: &Extended, chunk: ExtendedChunk<'_>) {
    assert!(chunk.fits(extended), "a chunk that does not fit its matrices");
    let ExtendedChunk { key, factors, digits, products, t, matrices, y, fetch } = chunk;
    let matrices: *mut Block = matrices.as_mut_ptr().cast();
    let &Extended { shifts, cols, extension, entries, stride, .. } = extended;
    for half in 0..2 {
        // SAFETY: the caller's processor has AVX2 and FMA. The matrices are in `key`, a factor of each in `factors`,
        // and the polynomials in `digits` and `products`. Of `matrices`, which has room for all, what was written is
        // read. Nothing else is written, and what is fetched need not exist.
        unsafe {
            let part = |block: *const Block| block.cast::<f64>().add(4 * half);
            let mut entry = 0;
            while entry < entries {
                let of = Entries {
                    extended,
                    factors: part(factors.as_ptr()),
                    key: part(key.as_ptr().add(entry)),
                    ahead: extended.key + 32 * half,
                    y: part(y),
                    to: part(matrices.add(entry)).cast_mut(),
                };
                entry += match entries - entry {
                    left if left % 4 == 0 => entries_in!(
                        of, fetch, 4, "ymm0" "ymm1" "0", "ymm2" "ymm3" "128", "ymm4" "ymm5" "256", "ymm6" "ymm7" "384"
                    ),
                    6.. => entries_in!(
                        of, fetch, 6, "ymm0" "ymm1" "0", "ymm2" "ymm3" "128", "ymm4" "ymm5" "256",
                        "ymm6" "ymm7" "384", "ymm8" "ymm9" "512", "ymm10" "ymm11" "640"
                    ),
                    3.. => entries_in!(of, fetch, 3, "ymm0" "ymm1" "0", "ymm2" "ymm3" "128", "ymm4" "ymm5" "256"),
                    _ => entries_in!(of, fetch, 1, "ymm0" "ymm1" "0"),
                };
            }
            for component in (0..extension).step_by(2) {
                let mut col = 0;
                while col < cols {
                    let product = products.as_mut_ptr().add((component * cols + col) * stride + t);
                    let of = Outputs {
                        extended,
                        steps: extended.steps.as_ptr().add(component / 2 * shifts),
                        matrices: part(matrices.add(col)),
                        digits: part(digits.as_ptr()),
                        products: part(product).cast_mut(),
                    };
                    let two = component + 1 < extension;
                    col += match cols - col {
                        3 | 5.. => products_in!(
                            of, two, 3, "ymm0" "ymm1" "ymm6" "ymm7" "0" "0", "ymm2" "ymm3" "ymm8" "ymm9" "128" "rax",
                            "ymm4" "ymm5" "ymm10" "ymm11" "256" "2*rax"
                        ),
                        2 | 4 => products_in!(
                            of, two, 2, "ymm0" "ymm1" "ymm4" "ymm5" "0" "0", "ymm2" "ymm3" "ymm6" "ymm7" "128" "rax"
                        ),
                        _ => products_in!(of, two, 1, "ymm0" "ymm1" "ymm2" "ymm3" "0" "0"),
                    };
                }
            }
        }
    }
}
