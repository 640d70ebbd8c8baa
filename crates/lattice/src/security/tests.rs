use super::*;

const BINARY: KeyDistribution = KeyDistribution::Binary;
const TERNARY: KeyDistribution = KeyDistribution::Ternary;
const fn block(length: u32) -> KeyDistribution {
    KeyDistribution::BlockBinary { length }
}

fn check(found: &SecurityEstimate, standard: f64, strict: f64, tolerance: f64) {
    for (found, expected) in [(found.standard_bits, standard), (found.strict_bits, strict)] {
        // Never more than a rounding above what the attacks were found to cost, and not far below.
        assert!(found <= expected + 0.3 && found >= expected - tolerance, "{found} instead of {expected}");
    }
}

/// The published sets of the research, section 5, within the data's ranges.
#[test]
fn published_lwe_sets() {
    for (key, n, log2_std, standard, strict) in [
        (TERNARY, 760, 1.674 - 20.0, 126.68, 125.30),
        (BINARY, 1160, 36.0 - 64.0, 124.56, 122.56),
        (block(8), 1160, 36.0 - 64.0, 111.82, 111.51),
        (block(3), 687, 48.475 - 64.0, 118.61, 114.37),
        (block(4), 820, 45.4 - 64.0, 118.89, 115.77),
        (block(7), 1071, 40.25 - 64.0, 119.76, 118.83),
        (block(8), 1160, 38.4 - 64.0, 120.08, 119.56),
    ] {
        let found = lwe(key, n, log2_std).unwrap();
        for (found, expected) in [(found.standard_bits, standard), (found.strict_bits, strict)] {
            // The line through 128 and 132 bits loses what the curve bends: 1 bit down to 119, 3 at 112.
            assert!(
                found <= expected && found >= expected - if expected > 119.0 { 1.0 } else { 3.2 },
                "{key} {n}: {found} {expected}"
            );
        }
    }
}

#[test]
fn published_glwe_sets() {
    for (key, dimension, log2_modulus, log2_sigma, standard, strict, tolerance) in [
        (BINARY, 2048, 64, 12.65, 125.60, 124.32, 1.0),
        (BINARY, 2048, 64, 12.0, 123.90, 122.88, 1.0),
        (BINARY, 1536, 64, 25.35, 122.56, 121.32, 1.0),
        (BINARY, 1024, 32, 6.85, 121.19, 119.03, 1.0),
        (TERNARY, 2048, 53, 1.674, 128.78, 128.32, 1.0),
        (TERNARY, 2048, 54, 1.674, 126.26, 125.91, 1.0),
        (TERNARY, 4096, 100, 1.674, 137.22, 137.22, 1.0),
        (TERNARY, 4096, 104, 1.674, 131.51, 131.51, 1.0),
        (TERNARY, 4096, 106, 1.674, 128.91, 128.91, 1.0),
        // Between the widely spaced points of large dimensions the bound is loose, and on the safe side.
        (TERNARY, 4096, 64, 1.674, 222.81, 221.93, 5.0),
        (TERNARY, 4096, 68, 1.674, 208.59, 207.73, 5.0),
        (TERNARY, 4096, 72, 1.674, 195.68, 195.36, 5.0),
        (TERNARY, 4096, 76, 1.674, 184.64, 184.08, 15.0),
    ] {
        check(
            &glwe(key, dimension, log2_modulus, log2_sigma - f64::from(log2_modulus)).unwrap(),
            standard,
            strict,
            tolerance,
        );
    }
}

/// Rows of the research's tables; the least noise is at or just above the larger of the two columns.
#[test]
fn minima_follow_the_tables() {
    for (key, n, standard_132, strict_128) in [
        (BINARY, 500, 54.19, 54.47),
        (BINARY, 630, 50.98, 51.10),
        (BINARY, 800, 46.76, 46.69),
        (BINARY, 1300, 34.22, 33.66),
        (TERNARY, 500, 53.01, 52.83),
        (TERNARY, 1000, 40.47, 39.89),
        (block(2), 600, 52.06, 52.54),
        (block(2), 1300, 34.60, 34.29),
        (block(3), 750, 48.88, 49.13),
        (block(4), 820, 47.70, 47.76),
        (block(5), 1000, 43.72, 43.48),
        (block(7), 1148, 41.07, 40.45),
        (block(8), 1200, 40.29, 39.51),
        (block(8), 1296, 37.85, 37.02),
    ] {
        let found = minimum_log2_std_lwe(key, n).unwrap() + 64.0;
        let expected = f64::max(standard_132, strict_128);
        assert!(found >= expected - 1e-9 && found <= expected + 0.08, "{key} {n}: {found} {expected}");
    }
    for (key, dimension, log2_modulus, expected) in [
        (BINARY, 1024, 64, 41.15),
        (BINARY, 1536, 64, 28.21),
        (BINARY, 2048, 64, 15.28),
        (BINARY, 2048, 72, 23.28),
        (BINARY, 2048, 128, 79.28),
        (BINARY, 3072, 64, 2.0),
        (BINARY, 4096, 64, 2.0),
        (BINARY, 4096, 100, 2.0),
        (BINARY, 4096, 128, 27.06),
        (BINARY, 8192, 128, 2.0),
        (TERNARY, 2048, 64, 13.94),
        (TERNARY, 4096, 128, 26.04),
        // Not in the tables: the same σ/q, and the floor.
        (BINARY, 1024, 32, 9.15),
        (BINARY, 3072, 72, 10.0),
        (BINARY, 2048, 48, 2.0),
    ] {
        let found = minimum_log2_std_glwe(key, dimension, log2_modulus).unwrap() + f64::from(log2_modulus);
        assert!((found - expected).abs() < 1e-9, "{key} {dimension} {log2_modulus}: {found} {expected}");
    }
}

/// The rule and the estimates agree: the least noise passes, a little less does not.
#[test]
fn minima_meet_the_rule() {
    for key in [BINARY, TERNARY, block(2), block(3), block(4), block(5), block(7), block(8)] {
        let mut met = 0;
        for n in (400..1400).filter(|&n| key.accepts(n)) {
            let Some(log2_std) = minimum_log2_std_lwe(key, n) else {
                assert!(key.entropy_bits(n) < 472.0 || lwe(key, n, -20.0).is_ok_and(|e| e.is_bound) || n < 500);
                continue;
            };
            met += 1;
            assert!(lwe(key, n, log2_std).unwrap().meets_rule(), "{key} {n}");
            assert!(!lwe(key, n, log2_std - 0.01).unwrap().meets_rule(), "{key} {n}");
        }
        assert!(met > 10, "{key}");
    }
    for key in [BINARY, TERNARY] {
        for dimension in [1024, 1536, 2048, 3072, 4096, 8192] {
            for log2_modulus in [32, 64, 72, 76, 100, 128] {
                let log2_std = minimum_log2_std_glwe(key, dimension, log2_modulus).unwrap();
                assert!(glwe(key, dimension, log2_modulus, log2_std).unwrap().meets_rule());
            }
        }
    }
}

#[test]
fn bits_rise_with_the_noise() {
    for dimension in [1024, 1536, 2048, 3072, 4096, 8192] {
        let mut last = SecurityEstimate { standard_bits: 0.0, strict_bits: 0.0, entropy_bits: 0.0, is_bound: false };
        for i in 0..1260 {
            let Ok(found) = glwe(BINARY, dimension, 128, -126.0 + 0.1 * f64::from(i)) else { continue };
            assert!(found.standard_bits >= last.standard_bits && found.strict_bits >= last.strict_bits, "{dimension}");
            last = found;
        }
        assert!(last.standard_bits >= 132.0);
    }
}

#[test]
fn entropy_caps_the_bits() {
    // 460 bits of entropy: no noise gives more than 0.28·460.
    let found = lwe(block(8), 1160, -10.0).unwrap();
    assert!((found.entropy_bits - 145.0 * 9f64.log2()).abs() < 1e-9);
    assert!((found.standard_bits - 0.28 * found.entropy_bits).abs() < 1e-9);
    assert_eq!(minimum_log2_std_lwe(block(8), 1160), None);
    // 473.3 bits pass: 149.3 blocks round up to 1200's 150.
    assert!(minimum_log2_std_lwe(block(8), 1200).is_some());
}

#[test]
fn outside_the_data_is_an_error() {
    assert_eq!(
        lwe(BINARY, 499, -10.0),
        Err(SecurityError::LweDimension { distribution: BINARY, found: 499, min: 500, max: 1300 })
    );
    assert!(matches!(lwe(block(8), 1297, -20.0), Err(SecurityError::LweDimension { max: 1296, .. })));
    assert_eq!(minimum_log2_std_lwe(BINARY, 1301), None);
    assert!(matches!(lwe(block(8), 800, -10.0), Err(SecurityError::LweDimension { min: 1160, .. })));
    assert!(matches!(lwe(block(6), 1200, -10.0), Err(SecurityError::Distribution { problem: "LWE", .. })));
    assert!(matches!(lwe(block(0), 1200, -10.0), Err(SecurityError::Distribution { .. })));
    assert!(matches!(lwe(block(7), 1200, -10.0), Err(SecurityError::Blocks { found: 1200, .. })));
    assert!(matches!(lwe(BINARY, 800, -40.0), Err(SecurityError::Noise { .. })));
    assert!(matches!(lwe(BINARY, 800, f64::NAN), Err(SecurityError::Noise { .. })));
    assert!(matches!(glwe(BINARY, 512, 64, -20.0), Err(SecurityError::GlweDimension { .. })));
    assert!(matches!(glwe(BINARY, 2048, 129, -20.0), Err(SecurityError::Modulus { found: 129, max: 128 })));
    assert!(matches!(glwe(BINARY, 2048, 0, -20.0), Err(SecurityError::Modulus { .. })));
    assert!(matches!(glwe(BINARY, 2048, 64, -63.0), Err(SecurityError::Noise { .. })));
    assert!(matches!(glwe(BINARY, 2048, 64, f64::NAN), Err(SecurityError::Noise { .. })));
    assert!(matches!(glwe(BINARY, 2048, 128, -80.0), Err(SecurityError::Noise { .. })));
    assert!(matches!(glwe(BINARY, 8192, 128, -126.1), Err(SecurityError::Noise { .. })));
    assert!(matches!(glwe(block(2), 2048, 64, -40.0), Err(SecurityError::Distribution { problem: "GLWE", .. })));
    assert_eq!(minimum_log2_std_lwe(BINARY, 499), None);
    assert_eq!(minimum_log2_std_lwe(block(8), 1000), None);
    assert_eq!(minimum_log2_std_glwe(TERNARY, 6144, 64), None);
    assert_eq!(minimum_log2_std_glwe(TERNARY, 2048, 200), None);
}

/// The published sets of more than 1300 coefficients (section 5 of the research): 124.1 and 123.3, 127.3 and 126.7 bits.
#[test]
fn larger_dimensions_are_bounded_by_the_largest_of_the_data() {
    for (n, standard, strict) in [(1305, 124.1, 123.3), (1340, 127.3, 126.7)] {
        let found = lwe(TERNARY, n, 1.674 - 35.0).unwrap();
        assert!(found.is_bound && found.entropy_bits > lwe(TERNARY, 1300, -20.0).unwrap().entropy_bits);
        assert!(found.standard_bits <= standard && found.strict_bits <= strict, "{n}: {found:?}");
        assert!(found.standard_bits >= standard - 5.0 && found.strict_bits >= strict - 5.0, "{n}: {found:?}");
        // A bound that does not decide leaves an estimate.
        let accumulator = glwe(BINARY, 2048, 64, -51.326).unwrap();
        assert!(!accumulator.is_bound && found.min(accumulator).is_bound);
        assert!(!lwe(TERNARY, n, -18.0).unwrap().min(accumulator).is_bound);
    }
}

#[test]
fn messages_say_what_to_do() {
    let message = lwe(BINARY, 499, -10.0).unwrap_err().to_string();
    assert!(message.contains("499") && message.contains("500..=1300"), "{message}");
}

#[test]
fn the_data_are_whole() {
    assert_eq!(estimator_commit(), "27a581bb8e9d49f5e9e2db315bd48ac769d5f5f5");
    assert_eq!(data().fits.len(), 32);
    assert_eq!(data().glwe.len(), 12);
    assert!(parse("fit,binary,1,standard,128,500,1300,-0.02").is_none());
    for fits in data().fits.chunks(4) {
        assert!(
            fits.iter().all(|fit| fit.distribution == fits[0].distribution
                && fit.min == fits[0].min
                && fit.max == fits[0].max)
        );
    }
}
