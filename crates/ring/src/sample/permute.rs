//! Sorting whose branches and addresses do not depend on what is sorted.

/// Sorts words in increasing order by Batcher's merge exchange (Knuth, TAOCP 3, Algorithm 5.2.2M), for any length n.
///
/// The about n·log2(n)²/4 places compared depend on n only, and a comparison is arithmetic.
pub(super) fn sort_obliviously(words: &mut [u64]) {
    let n = words.len();
    let top = n.next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            // The i < n − d with i & p = r, in runs of p.
            for start in (r..n - d).step_by(2 * p) {
                let run = p.min(n - d - start); // at most d
                let (low, high) = words[start..start + d + run].split_at_mut(d);
                low.iter_mut().zip(high).for_each(|(a, b)| exchange(a, b));
            }
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
}

/// (a, b) ← (min(a, b), max(a, b)).
#[inline(always)]
fn exchange(a: &mut u64, b: &mut u64) {
    // The borrow of a − b, and so whether a < b, without a comparison that the compiler could make a branch.
    let borrow = ((!*a & *b) | (!(*a ^ *b) & a.wrapping_sub(*b))) >> 63;
    let swapped = (*a ^ *b) & borrow.wrapping_sub(1);
    *a ^= swapped;
    *b ^= swapped;
}

#[cfg(test)]
mod tests {
    use super::sort_obliviously;

    /// A network that sorts all vectors of 0 and 1 sorts everything.
    #[test]
    fn zeros_and_ones_are_sorted() {
        for n in 0..=13 {
            for bits in 0u32..1 << n {
                let mut words: Vec<u64> = (0..n).map(|i| u64::from(bits >> i & 1) * u64::MAX).collect();
                sort_obliviously(&mut words);
                assert!(words.is_sorted(), "{n} {bits:b}");
            }
        }
    }

    #[test]
    fn words_are_sorted() {
        for n in [100, 1023, 1024, 1025, 5000] {
            let mut words: Vec<u64> = (1..=n).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let mut expected = words.clone();
            expected.sort_unstable();
            sort_obliviously(&mut words);
            assert_eq!(words, expected);
        }
    }
}
