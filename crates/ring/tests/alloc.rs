//! The hot functions do not allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use bootes_ring::fft::{BlockShape, Fft};
use bootes_ring::gadget::Gadget;
use bootes_ring::word::sub_linear_combination_u32;

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all work is left to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, data: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(data, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// One test only: a second one would run beside it and be counted.
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

        let before = ALLOCATIONS.load(Ordering::Relaxed);
        fft.forward_digit(&mut digits[..degree], &words, gadget, 2);
        fft.forward_torus(&mut freq, &words);
        fft.rotate_multiply_block(shape, &mut out, &digits, &key, &[0, 7, 2 * degree as u32 - 1]);
        fft.mul_add(&mut freq, &digits[..degree], &out[..degree]);
        fft.backward_add_torus(&mut words, &mut freq);
        sub_linear_combination_u32(fft.isa(), &mut acc, &rows, &[3; 9]);
        assert_eq!(ALLOCATIONS.load(Ordering::Relaxed), before, "degree {degree}");
    }
}
