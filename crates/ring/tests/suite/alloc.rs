//! The hot functions do not allocate.

use crate::counting::allocations;
use bootes_ring::fft::{BlockShape, Fft};
use bootes_ring::gadget::Gadget;
use bootes_ring::mem::ScratchBuffer;
use bootes_ring::ntt::{Automorphism, Ntt};
use bootes_ring::primes;
use bootes_ring::rns::{Basis, Conversion};
use bootes_ring::word::sub_linear_combination_u32;

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))), 1);
}

#[test]
fn hot_functions_do_not_allocate() {
    for degree in [32, 64, 1024, 8192] {
        let fft = Fft::new(degree).unwrap();
        let gadget = Gadget::try_new(8, 3).unwrap();
        let shape = BlockShape { extension: 2, rows: 4, cols: 2, block: 3 };
        let mut words = vec![1u64; degree];
        let mut freq = vec![0.0; degree];
        let mut digits = vec![0.0; shape.digits_len(degree)];
        let mut out = vec![0.0; shape.out_len(degree)];
        let key = vec![0.5; shape.key_len(degree)];
        let (mut acc, rows) = (vec![1u32; 100], vec![2u32; 900]);

        let count = allocations(|| {
            fft.forward_digit(&mut digits[..degree], &words, gadget, 2);
            fft.forward_torus(&mut freq, &words);
            fft.rotate_multiply_block(shape, &mut out, &digits, &key, &[0, 7, 2 * degree as u32 - 1]);
            fft.mul_add(&mut freq, &digits[..degree], &out[..degree]);
            fft.backward_add_torus(&mut words, &mut freq);
            sub_linear_combination_u32(fft.isa(), &mut acc, &rows, &[3; 9]);
        });
        assert_eq!(count, 0, "degree {degree}");
    }
}

#[test]
fn hot_functions_of_residues_do_not_allocate() {
    for degree in [16, 64, 1024, 8192] {
        let p = primes::below(1 << 50, degree).next().unwrap();
        let ntt = Ntt::new(degree, p).unwrap();
        ntt.prepare().unwrap();
        let automorphism = Automorphism::new(degree, 5);
        let (mut a, mut b) = (vec![1.0; degree], vec![2.0; degree]);
        let basis = |skip| Basis::new(primes::below(1 << 50, degree).skip(skip).take(2).collect()).unwrap();
        let (kept, dropped) = (basis(0), basis(2));
        let conversion = Conversion::new(&dropped, &kept);
        let mut buffer = ScratchBuffer::new(conversion.scratch_bytes());
        let (mut limbs, rest) = (vec![1.0; 2 * degree], vec![1.0; 2 * degree]);
        let (mut words, mut digits) = (vec![0; kept.words()], [0.0; 2]);
        let count = allocations(|| {
            ntt.forward(&mut a);
            ntt.backward(&mut b);
            ntt.mul_assign(&mut a, &b);
            ntt.mul_factor_assign(&mut a, p.factor(3));
            automorphism.apply_into(&mut b, &a);
            ntt.add_assign(&mut b, &a);
            ntt.sum_of_products_into(&mut b, &[(&a, &a), (&a, &a)]);
            conversion.convert_into(&mut limbs, &rest, buffer.scratch());
            kept.compose_into(&mut words, &[1.0, 2.0], &mut digits);
            kept.decompose_into(&mut digits, &words);
        });
        assert_eq!(count, 0, "degree {degree}");
    }
}
