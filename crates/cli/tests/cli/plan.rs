//! `bootes plan`.

use crate::fixture::Fixture;

#[test]
fn the_choice_in_words() {
    let fixture = Fixture::new();
    let report = fixture.call("plan --bits 4 --count 1000").ok();
    for word in
        ["algorithm", "1000 values", "memory", "fhew_4bit_2m128", "recursive", "choice by throughput", "refused"]
    {
        assert!(report.contains(word), "no \"{word}\" in {report}");
    }
    assert_eq!(report.matches("chosen").count(), 1, "{report}");
    assert!(!report.contains("slower by"), "{report}");
    let explained = fixture.call("plan --bits 4 --explain").ok();
    for word in ["the choice", "slower by", "refused: algorithm boot cannot", "fhew_8bit_2m128", "fhew_int16_2m128"] {
        assert!(explained.contains(word), "no \"{word}\" in {explained}");
    }
    // Every algorithm, with every set.
    let algorithms = bootes::algorithms();
    let lines = explained.lines().filter(|line| line.contains("fhew_5bit_2m128")).count();
    assert!(algorithms.iter().all(|(name, ..)| explained.contains(&format!("{name} "))) && lines == algorithms.len());
}

#[test]
fn objectives_and_limits() {
    let fixture = Fixture::new();
    let plan = |options: &str| fixture.call(&format!("plan --bits 6 --pfail -64 --json {options}")).json();
    let number = |report: &serde_json::Value, key: &str| report[key].as_f64().expect("a number");
    for (objective, key) in [
        ("throughput", "per_value_ms"),
        ("latency", "latency_ms"),
        ("key-size", "server_key_bytes"),
        ("noise", "log2_noise_std"),
    ] {
        let report = plan(&format!("--objective {objective} --count 7"));
        assert_eq!(
            (&report["objective"], &report["count"], &report["bits"]),
            (&objective.into(), &7.into(), &6.into())
        );
        let best = number(&report["choice"], key);
        let candidates = report["candidates"].as_array().expect("a list");
        assert!(
            candidates.iter().all(|c| c.get(key).is_none_or(|n| n.as_f64().expect("a number") >= best)),
            "{objective}"
        );
        assert!(number(&report["choice"], "log2_p_fail") <= -64.0);
        let total = number(&report["choice"], "total_s") / number(&report["choice"], "per_value_ms");
        assert!((total - 7e-3).abs() < 1e-9);
        assert!(candidates.iter().all(|c| c.get("reason").is_none()));
    }
    // The least noise has a large key.
    let all = plan("--explain --objective noise");
    let memory = number(&all["choice"], "memory_bytes");
    let limited = plan(&format!("--explain --objective noise --memory {}", memory * 0.999e-9));
    assert_ne!(limited["choice"]["params"], all["choice"]["params"]);
    assert!(number(&limited["choice"], "memory_bytes") < memory);
    let verdicts: Vec<_> = limited["candidates"].as_array().expect("a list").iter().map(|c| &c["verdict"]).collect();
    for verdict in ["chosen", "worse", "too large", "refused"] {
        assert!(verdicts.contains(&&verdict.into()), "{verdict}");
    }
    assert!(limited.to_string().contains("over "), "{limited}");
}

#[test]
fn bad_plans() {
    let fixture = Fixture::new();
    for (line, words) in [
        ("plan", &["--bits", "--modulus", "required"][..]),
        ("plan --bits 17", &["--bits", "1 to 16"]),
        ("plan --modulus 1", &["--modulus", "2 to 65536"]),
        ("plan --modulus 10 --bits 4", &["--modulus", "--bits", "cannot be used"]),
        ("plan --bits 4 --count 0", &["--count", "'0'"]),
        ("plan --bits 4 --pfail -100", &["--pfail", "-128 or -64"]),
        ("plan --bits 4 --objective speed", &["speed", "throughput, latency, key-size, noise"]),
        ("plan --bits 4 --objective latncy", &["latncy", "did you mean latency"]),
        ("plan --bits 4 --memory 0", &["--memory", "above 0"]),
        ("plan --bits 4 --memory nan", &["--memory", "above 0"]),
        ("plan --bits 4 --memory 0.001", &["0.001 GB", "smallest takes", "raise --memory"]),
    ] {
        fixture.refuses(line, words);
    }
}
