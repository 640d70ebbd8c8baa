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
    let lines = explained.lines().filter(|line| line.split_whitespace().nth(1) == Some("fhew_5bit_2m128")).count();
    assert!(algorithms.iter().all(|(name, ..)| explained.contains(&format!("{name} "))) && lines == algorithms.len());
}

/// Programs are chosen by the time of the whole job, keys among it, which is told beside that of the evaluation.
#[test]
fn programs_are_chosen_by_the_whole_job() {
    let fixture = Fixture::new();
    let line = "plan --expr x*y --width 8 --unsigned --threads 1";
    let said = fixture.call(line).ok();
    assert!(said.contains(" for 1 on 1 thread, ") && said.contains(" with keys; wrong with"), "{said}");
    let job = |options: &str| {
        let plan = fixture.call(&format!("{line} --json {options}")).json();
        plan["job_seconds"].as_f64().expect("a number")
    };
    assert!(job("") <= job("--params fhew_int16_2m128"));
}

/// Where there are no keys yet, no others are to be made: what is named is left out.
#[test]
fn what_is_named_is_left_out() {
    let fixture = Fixture::new();
    for (line, named, words) in [
        ("plan --width 9 --expr x+1", "--params toy_batch_9bit", "holds those of 1 to 8 bits: leave --params out"),
        (
            "plan --bits 5",
            "--params toy_batch_4bit",
            "inputs of 5 bits, and parameter set toy_batch_4bit holds 4: leave",
        ),
        ("plan --bits 5", "--params slots_257", "and this set has values modulo 257: leave --params out"),
        ("plan --width 4 --expr x<3", "--engine bfv", "is not for engine bfv: leave --engine out"),
        ("plan --modulus 100", "--engine bfv", "for tables modulo 100 leave --engine out"),
    ] {
        let refused = fixture.call(&format!("{line} {named}")).refusal();
        assert!(refused.contains(words) && !refused.contains("keygen"), "{line} {named}: {refused}");
        fixture.call(line).ok();
    }
    fixture.refuses("plan --expr rot(x,1) --width 8", &["give --modulus P, a prime, alone"]);
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
fn few_values_take_longer_each() {
    let fixture = Fixture::new();
    let plan = |options: &str| fixture.call(&format!("plan --bits 5 --json {options}")).json();
    let a_value = |report: &serde_json::Value| report["choice"]["per_value_ms"].as_f64().expect("a number");
    let [one, many, whole] = ["--count 1", "--count 1000000", ""].map(plan);
    assert!(a_value(&one) > 1.5 * a_value(&many) && (a_value(&many) / a_value(&whole) - 1.0).abs() < 1e-3);
    assert!(whole["count"].is_null() && whole["choice"]["total_s"].is_null());
    let words = fixture.call("plan --bits 5").ok();
    assert!(words.contains("a value on one thread (latency") && !words.contains("for 1 value"), "{words}");
    assert!(fixture.call("plan --bits 5 --count 1").ok().contains("for 1 value, server key"));
}

#[test]
fn calibrations_are_files() {
    let fixture = Fixture::new();
    let isa = bootes::isa();
    let shipped = bootes::Calibration::nearest(isa);
    let slower = shipped.slower(2.0);
    let other = bootes::Isa::ALL.into_iter().find(|&other| other != isa).expect("there are four");
    fixture.write("slow.toml", slower.to_toml().as_bytes());
    fixture.write("other.toml", bootes::Calibration::shipped(other).to_toml().as_bytes());
    fixture.write("bad.toml", b"isa = 1\n");
    fixture.write("cut.toml", &shipped.to_toml().as_bytes()[..300]);
    fixture.write("huge.toml", shipped.to_toml().replacen("words = ", "words = 1e30 # ", 1));
    fixture.write("isa.toml", shipped.to_toml().replacen(&isa.to_string(), "sse9", 1));
    fixture.write("binary.toml", [0xff, 0xfe]);
    fixture.write("zero.toml", shipped.to_toml().replacen("words = ", "words = 0.0 # ", 1));
    let with = |file: &str| {
        fixture.call_with("plan --bits 4 --json", |command| {
            command.env("BOOTES_CALIBRATION", file);
        })
    };
    let [unset, twice] =
        ["", "slow.toml"].map(|file| with(file).json()["choice"]["per_value_ms"].as_f64().expect("a number"));
    assert!((twice / unset - 2.0).abs() < 1e-9, "{twice} {unset}");
    let other_isa = format!("{other}");
    for (file, words) in [
        ("bad.toml", ["not a calibration", "bench calibrate --write"]),
        ("other.toml", [other_isa.as_str(), "is in use"]),
        ("cut.toml", ["not a calibration", "bench calibrate --write"]),
        ("zero.toml", ["words of residues takes 0 nanoseconds", "expected 0.000001 to 1000000"]),
        ("huge.toml", ["words of residues takes", "expected 0.000001 to 1000000"]),
        ("isa.toml", ["isa is \"sse9\"", "expected scalar, avx2, avx512, neon"]),
        ("binary.toml", ["not text", "unset BOOTES_CALIBRATION"]),
        ("/dev/zero", ["/dev/zero", "more than 65536 bytes"]),
        ("missing.toml", ["missing.toml", "there is no such file"]),
    ] {
        let refusal = with(file).refusal();
        assert!(words.iter().all(|word| refusal.contains(word)), "{refusal}");
    }
    fixture.refuses("bench kernels --write x", &["--write", "calibrate"]);
    assert!(fixture.call("bench calibrate --write no/x").refusal().contains("no/x"));
    let nothing = fixture.call("bench calibrate --quick --runs 1 --rows zzz --write none.toml");
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.stderr.contains("zzz") && nothing.stderr.contains("no row of calibrate"), "{}", nothing.stderr);
    assert!(!fixture.exists("none.toml"));
}

/// A toy set: what is measured is right, predicted and written; units of the other engine stay.
#[test]
fn calibrations_are_measured() {
    let fixture = Fixture::new();
    let report = fixture.call("bench calibrate --quick --runs 1 --rows toy_batch_4bit --write c.toml --json");
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    let rows = String::from_utf8(report.stdout).expect("reports are UTF-8");
    let rows: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).expect("JSON")).collect();
    let named = |name: &str| rows.iter().find(|row| row["row"] == name).unwrap_or_else(|| panic!("no row {name}"));
    assert_eq!(named("bootstrap")["correct"], true);
    for name in
        ["bootstrap", "ModRaise", "CoeffsToSlots", "EvalExp", "EvalLUT", "SlotsToCoeffs", "keys", "masks of keys"]
    {
        let row = named(name);
        let number = |key: &str| row[key].as_f64().expect("a number");
        assert!((number("predicted_ms") / number("cpu_ms") / number("ratio") - 1.0).abs() < 1e-9);
        assert_eq!(row["within"], (1.0 / 1.3..=1.3).contains(&number("ratio")), "{name}");
    }
    let text = String::from_utf8(fixture.read("c.toml")).expect("TOML");
    assert!(text.starts_with("# Recorded on "), "{text}");
    let found = bootes::Calibration::from_toml(&text).expect("a calibration");
    let shipped = bootes::Calibration::nearest(bootes::isa());
    assert!(found.torus == shipped.torus && found.residues != shipped.residues);
    let plan = fixture.call_with("plan --bits 4 --json", |command| {
        command.env("BOOTES_CALIBRATION", "c.toml");
    });
    assert!(plan.json()["batch"]["ciphertext_s"].as_f64().expect("a number") > 0.0);
}

#[test]
fn each_instruction_set_has_its_calibration() {
    let fixture = Fixture::new();
    let times = |isa: &str| {
        let plan = fixture.call_with("plan --bits 4 --json", |command| {
            command.env("BOOTES_ISA", isa);
        });
        let plan = plan.json();
        let [single, batch] = [&plan["choice"]["per_value_ms"], &plan["batch"]["ciphertext_s"]];
        [single, batch].map(|number| number.as_f64().expect("a number"))
    };
    let times: Vec<_> = bootes::Isa::available_here().iter().map(|isa| times(&isa.to_string())).collect();
    for slower in times.windows(2) {
        // Without vectors, multiply-adds are calls of a function.
        assert!(slower[0][0] > slower[1][0] && slower[0][1] > slower[1][1], "{times:?}");
    }
}

/// A machine whose residues are slow, and one whose torus is: from where on engine ckks is faster, what `plan`
/// recommends, and what `run` takes.
#[test]
fn the_engine_follows_the_calibration() {
    let fixture = Fixture::new();
    let shipped = bootes::Calibration::nearest(bootes::isa());
    let residues = bootes::Calibration { residues: shipped.slower(50.0).residues, ..shipped };
    let torus = bootes::Calibration { torus: shipped.slower(50.0).torus, ..shipped };
    fixture.write("residues.toml", residues.to_toml());
    fixture.write("torus.toml", torus.to_toml());
    let with = |line: &str, file: &str| {
        fixture.call_with(line, |command| {
            command.env("BOOTES_CALIBRATION", file);
        })
    };
    let crossover = |file| {
        let plan = with("plan --bits 8 --count 200 --threads 1 --json", file).json();
        let engine = plan["recommended_engine"].as_str().expect("an engine").to_string();
        (plan["batch"]["crossover_count"].as_u64().expect("a number"), engine)
    };
    let [(slow, few), (usual, _), (fast, many)] = ["residues.toml", "", "torus.toml"].map(crossover);
    assert_eq!((&few[..], &many[..]), ("fhew", "ckks"));
    assert!(slow > 10 * usual && usual > 10 * fast, "{slow} {usual} {fast}");
    let words = with("plan --bits 8 --count 200 --threads 3", "residues.toml").ok();
    assert!(words.contains("engine fhew takes the least time") && words.contains("on 3 threads"), "{words}");

    fixture.write("not.txt", b"1 0");
    fixture.write("bits.txt", (0..200).map(|i| format!("{}\n", i % 3 % 2)).collect::<String>());
    let engine = |file| {
        let line = "run --table not.txt --input bits.txt --pfail -64 --threads 2 --json";
        let report = with(line, file).json();
        assert_eq!(report["wrong"], 0);
        report["engine"].clone()
    };
    assert_eq!(["residues.toml", "torus.toml"].map(engine), ["fhew", "ckks"]);
}

#[test]
fn bad_plans() {
    let fixture = Fixture::new();
    for (line, words) in [
        ("plan", &["--bits", "--modulus", "required"][..]),
        ("plan --bits 21", &["--bits", "1 to 20"]),
        ("plan --modulus 1", &["--modulus", "2 to 1048576"]),
        ("plan --modulus 10 --bits 4", &["--modulus", "--bits", "cannot be used"]),
        ("plan --bits 4 --count 0", &["--count", "'0'"]),
        ("plan --bits 4 --pfail -100", &["--pfail", "-128 or -64"]),
        ("plan --bits 4 --objective speed", &["speed", "throughput, latency, key-size, noise"]),
        ("plan --bits 4 --objective latncy", &["latncy", "did you mean latency"]),
        ("plan --bits 4 --memory 0", &["--memory", "above 0"]),
        ("plan --bits 4 --memory nan", &["--memory", "above 0"]),
        ("plan --bits 4 --memory 0.001", &["0.001 GB", "smallest takes", "--memory 0.", "is enough"]),
        ("plan --bits 20 --engine fhew", &["1 to 16 bits", "leave --engine out"]),
        ("plan --bits -1", &["'-1'", "--bits", "1 to 20"]),
    ] {
        fixture.refuses(line, words);
    }
}

/// The commands of a plan give what it says, so that a set that holds other values is refused as `run` refuses it.
#[test]
fn programs_are_planned_for_the_values_that_are_asked_for() {
    let fixture = Fixture::new();
    let plan = |options: &str| format!("plan --expr x*y {options}");
    for (options, words) in [
        ("--bits 4 --params toy_slots_257", &["values modulo 16", "toy_slots_257 has slots modulo 257"][..]),
        ("--modulus 257 --params toy_slots_17", &["values modulo 257", "slots modulo 17: leave --params out"]),
        ("--width 8 --params toy_slots_257", &["signed 8-bit integers", "no integers of a range: leave --params out"]),
        ("--width 8 --engine bfv", &["x*y is not for engine bfv: leave --engine out"]),
    ] {
        fixture.refuses(&plan(options), words);
        fixture.write("x.txt", "5 9");
        fixture.call(&format!("run --expr x*y --input x=x.txt --input y=x.txt {options}")).refusal();
    }
    let text = fixture.call(&plan("--modulus 17 --params toy_slots_17")).ok();
    assert!(text.starts_with("x*y of messages modulo 17\n"), "{text}");
    fixture.write("y.txt", "3 16");
    for step in text.lines().filter_map(|line| line.strip_prefix("  bootes ")) {
        let answer = fixture.call(&step.replace('\'', "")).ok();
        assert!(!step.starts_with("decrypt") || answer.split_whitespace().eq(["15", "8"]), "{answer}");
    }
}

#[test]
fn benchmarks_by_engine() {
    let fixture = Fixture::new();
    let [all, fhew, ckks, bfv] = ["", " --engine fhew", " --engine ckks", " --engine bfv"]
        .map(|engine| fixture.call(&format!("bench --list{engine}")).ok());
    assert!(fhew.contains("fdfb-table6") && !fhew.contains("ckks"), "{fhew}");
    assert!(ckks.contains("ckks-tableA1") && ckks.contains("rns-kernels") && !ckks.contains("fhew"), "{ckks}");
    assert!(bfv.contains("bfv-table5") && bfv.contains("digits-table1") && !bfv.contains("  ckks  "), "{bfv}");
    // Three are of several engines, and in all three lists.
    assert_eq!(all.lines().count() + 6, [&fhew, &ckks, &bfv].map(|list| list.lines().count()).iter().sum::<usize>());
    let is_of_both = |list: &str| list.lines().any(|line| line.starts_with("calibrate ") && line.contains("  both  "));
    assert!(is_of_both(&fhew) && is_of_both(&ckks) && is_of_both(&bfv), "{all}");
    let json = fixture.call("bench --list --engine ckks --json").ok();
    let of_ckks = |line: &str| line.contains("\"engine\":\"ckks\"") || line.contains("\"engine\":\"both\"");
    assert!(json.lines().count() > 4 && json.lines().all(of_ckks), "{json}");
    fixture.refuses("bench kernels --engine ckks", &["kernels", "engine fhew", "--list --engine ckks"]);
}
