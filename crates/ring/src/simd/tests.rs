//! Reading and writing at the ends of the ranges, on every instruction set.

use super::*;
use crate::gadget::{Digits, Gadget};

/// What is read and written, eight lanes at a time.
struct Conversions {
    words: [u64; LANES],
    wide: [u128; LANES],
    values: [f64; LANES],
}

impl Kernel for &Conversions {
    type Output = Vec<u128>;

    /// The bits of all results.
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<u128> {
        let Conversions { words, wide, values } = self;
        let next: [u64; LANES] = std::array::from_fn(|i| words[i].rotate_left(17) ^ words[(i + 1) % LANES]);
        let small = words.map(|x| x as i64 >> 13);
        let mut bits = Vec::new();
        let mut read = [0.0; LANES];
        macro_rules! read {
            ($method:ident($from:expr $(, $rest:expr)*)) => {
                for part in 0..S::PARTS {
                    s.store(&mut read, part, s.$method($from, part $(, $rest)*));
                }
                bits.extend(read.map(|x| u128::from(x.to_bits())));
            };
        }
        read!(load(values));
        read!(load_signed(words));
        read!(load_small(&small));
        for shift in 0..64 {
            for size in [1, 30, 52] {
                read!(load_packed(&[*words, next], shift, &Packing::new(size)));
            }
        }
        for (log2_base, levels) in [(1, 1), (1, 64), (7, 5), (22, 2), (32, 2)] {
            let gadget = Gadget::try_for::<u64>(log2_base, levels).unwrap();
            for level in 1..=levels {
                read!(load_digits(words, &gadget.cut(Digits::Plain, level)));
            }
        }
        for (log2_base, levels) in [(1, 1), (1, 128), (7, 18), (16, 4), (22, 5), (32, 4)] {
            let gadget = Gadget::try_for::<u128>(log2_base, levels).unwrap();
            for level in 1..=levels {
                read!(load_wide_digits(wide, &gadget.cut(Digits::Plain, level)));
            }
        }
        let mut sums = *words;
        for part in 0..S::PARTS {
            s.add_torus(&mut sums, part, s.load(values, part));
        }
        bits.extend(sums.map(u128::from));
        for unit in 0..128u32 {
            // |v| < 2^(62 + unit − 128) where unit < 64.
            let least = f64::from((unit as i32 - 66).min(0)).exp2();
            let scaled = values.map(|v| if unit < 64 { (v / TWO_52).clamp(-0.5, 0.5) * least } else { v });
            let mut sums = *wide;
            for part in 0..S::PARTS {
                s.add_wide_torus(&mut sums, part, s.load(&scaled, part), unit);
            }
            bits.extend(sums);
        }
        bits
    }
}

#[test]
fn conversions_are_those_of_the_reference() {
    let top = (1u64 << 51) as f64;
    let values = [
        [0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5],
        [top - 0.5, 0.5 - top, top - 1.5, 1.5 - top, 0.5 - f64::EPSILON, 0.5 + f64::EPSILON, -0.5 - f64::EPSILON, 1.0],
        // Ties at the last bit of a word.
        [0.5 / TWO_64, -0.5 / TWO_64, 1.5 / TWO_64, -1.5 / TWO_64, 2.5 / TWO_64, -2.5 / TWO_64, 1e-300, -1e-300],
        [0.25, -0.25, 0.1, -0.3, 1.0 / 3.0, -7.7, 1e9 + 0.7, -1e15 - 0.125],
    ];
    let ends = [0, 1, u64::MAX, 1 << 63, i64::MAX as u64, 1 << 32, u64::from(u32::MAX), 1 << 52];
    // Halves of a unit at 2^53, 2^62 and −2^62.
    let ties =
        [(1 << 53) + 1, (1 << 53) + 3, (1 << 62) + 256, (1 << 62) + 768, 3 << 62, (3 << 62) + 256, 1 << 31, 1 << 51];
    let mut x = 1u64;
    let mut random = || {
        x = x.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        x ^ x >> 32
    };
    for round in 0..40 {
        let words = [ends, ties].get(round).copied().unwrap_or_else(|| std::array::from_fn(|_| random()));
        let wide = std::array::from_fn(|i| u128::from(words[i]) << 64 | u128::from(words[(i + round) % LANES]));
        let random = std::array::from_fn(|_| (random() as i64 as f64) / f64::from((random() % 64) as u32 + 13).exp2());
        let conversions = Conversions { words, wide, values: values.get(round).copied().unwrap_or(random) };
        let expected = run(Isa::Scalar, &conversions);
        for &isa in Isa::available_here() {
            assert!(run(isa, &conversions) == expected, "{isa}: {words:x?}, {:?}", conversions.values);
        }
    }
}
