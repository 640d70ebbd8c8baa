//! The tables that every algorithm is tested on.

use crate::rng::TestRng;

/// Tables f: Z_{2^bits} → Z_{2^bits} that together break most wrong look-up algorithms, by name.
///
/// With N = 2^bits, arithmetic modulo N:
/// - `identity`, `complement` (N − 1 − x), `zero`, `constant`, `all_max`: the plainest;
/// - `negacyclic` f(x + N/2) = −f(x); `cyclic` f(x + N/2) = f(x);
/// - `even` f(−x) = f(x); `odd` f(−x) = −f(x); `pseudo_even` f(N − 1 − x) = f(x); `pseudo_odd` f(N − 1 − x) = −f(x);
/// - `step` 0 below N/2, N − 1 from there; `first_only`, `last_only` and `half_only`, which differ from 0 in one place;
///   `alternating` 0, N − 1, 0, …;
/// - `square` x²; `random`: fixed pseudorandom values; `permutation`: a fixed pseudorandom bijection.
///
/// Domain: 1 ≤ bits ≤ 24.
pub fn standard_tables(bits: u32) -> Vec<(&'static str, Vec<u64>)> {
    assert!((1..=24).contains(&bits), "tables of {bits} bits; choose 1..=24");
    let size = 1u64 << bits;
    let (max, half) = (size - 1, size / 2);
    let random = |name: &str| -> Vec<u64> {
        let mut rng = TestRng::new(name, u64::from(bits));
        (0..size).map(|_| rng.below(size)).collect()
    };
    let negate = |y: u64| size.wrapping_sub(y) & max;
    let table = |f: &dyn Fn(u64) -> u64| -> Vec<u64> { (0..size).map(f).collect() };

    let free = random("symmetric tables");
    let at = |x: u64| free[x as usize];
    let mut permutation: Vec<u64> = (0..size).collect();
    let mut rng = TestRng::new("permutation", u64::from(bits));
    for i in (1..size).rev() {
        permutation.swap(i as usize, rng.below(i + 1) as usize);
    }
    vec![
        ("identity", table(&|x| x)),
        ("complement", table(&|x| max - x)),
        ("zero", table(&|_| 0)),
        ("constant", table(&|_| (max / 3).max(1))),
        ("all_max", table(&|_| max)),
        ("negacyclic", table(&|x| if x < half { at(x) } else { negate(at(x - half)) })),
        ("cyclic", table(&|x| at(x % half))),
        ("even", table(&|x| at(x.min(negate(x))))),
        // 0 and N/2 are their own negatives, and so must their images be.
        (
            "odd",
            table(&|x| match x {
                0 => 0,
                x if x < half => at(x),
                x if x == half => half,
                x => negate(at(negate(x))),
            }),
        ),
        ("pseudo_even", table(&|x| at(x.min(max - x)))),
        ("pseudo_odd", table(&|x| if x < half { at(x) } else { negate(at(max - x)) })),
        ("step", table(&|x| if x < half { 0 } else { max })),
        ("first_only", table(&|x| if x == 0 { max } else { 0 })),
        ("last_only", table(&|x| if x == max { max } else { 0 })),
        ("half_only", table(&|x| if x == half { half } else { 0 })),
        ("alternating", table(&|x| (x & 1) * max)),
        ("square", table(&|x| x.wrapping_mul(x) & max)),
        ("random", random("random table")),
        ("permutation", permutation),
    ]
}

#[cfg(test)]
mod tests {
    use super::standard_tables;

    #[test]
    fn tables_are_what_they_say() {
        for bits in 1..=10 {
            let size = 1usize << bits;
            let tables = standard_tables(bits);
            let get = |name: &str| &tables.iter().find(|(known, _)| *known == name).unwrap().1;
            for (name, table) in &tables {
                assert_eq!(table.len(), size, "{name}");
                assert!(table.iter().all(|&y| y < size as u64), "{name}");
            }
            let sum_is_zero = |a: u64, b: u64| (a + b).is_multiple_of(size as u64);
            for x in 0..size {
                let minus = (size - x) % size;
                let across = (x + size / 2) % size;
                assert!(sum_is_zero(get("negacyclic")[x], get("negacyclic")[across]));
                assert_eq!(get("cyclic")[x], get("cyclic")[across]);
                assert_eq!(get("even")[x], get("even")[minus]);
                assert!(sum_is_zero(get("odd")[x], get("odd")[minus]));
                assert_eq!(get("pseudo_even")[x], get("pseudo_even")[size - 1 - x]);
                assert!(sum_is_zero(get("pseudo_odd")[x], get("pseudo_odd")[size - 1 - x]));
            }
            let mut seen = get("permutation").clone();
            seen.sort_unstable();
            assert!(seen.iter().enumerate().all(|(i, &y)| i as u64 == y));
        }
    }

    #[test]
    fn names_differ_and_values_stay() {
        let tables = standard_tables(6);
        for (i, (name, _)) in tables.iter().enumerate() {
            assert!(tables[..i].iter().all(|(other, _)| other != name));
        }
        assert_eq!(tables, standard_tables(6));
    }
}
