//! Ciphertext files that are larger in memory than the command may be.

use crate::fixture::Fixture;

/// In full 123 MB, as results in a file 62 MB, fresh half a megabyte.
const VALUES: usize = 60_000;

/// Megabytes that evaluating them may take at its peak: the process, a toy key, some batches.
const MOST: f64 = 60.0;

#[test]
fn results_are_written_as_they_come() {
    let fixture = Fixture::with_keys();
    let numbers = |of: &dyn Fn(usize) -> usize| (0..VALUES).map(|i| of(i).to_string()).collect::<Vec<_>>();
    fixture.write("many.txt", numbers(&|i| i % 16).join(" "));
    // Constants take no rotation.
    fixture.write("three.txt", ["3"; 16].join(" "));
    fixture.call("encrypt --key k/client.key --input many.txt --output many").ok();
    assert!(fixture.read("many").len() < 9 * VALUES);
    let mut input = "many";
    for output in ["once", "twice"] {
        let line = format!(
            "eval --key k/server.key --table three.txt --input {input} --output {output} --out-bits 4 --json --threads 2"
        );
        let report = fixture.call(&line).json();
        assert_eq!(report["count"], VALUES);
        assert_eq!(report["result_bytes"], fixture.read(output).len());
        if let Some(peak) = report["peak_rss_bytes"].as_f64() {
            assert!(peak < MOST * 1e6, "{peak} bytes for {input}");
        }
        input = output;
    }
    fixture.call("decrypt --key k/client.key --input twice --output found").ok();
    let found = String::from_utf8(fixture.read("found")).expect("numbers");
    assert!(found.split_whitespace().eq(numbers(&|_| 3).iter()));
    // Damage to what is too large to be read first is found before anything is given its name.
    let mut damaged = fixture.read("once");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fixture.write("bad", &damaged);
    let eval = "eval --key k/server.key --table three.txt --input bad --output y --json";
    fixture.refuses(eval, &["bad", "checksum", "damaged"]);
    fixture.refuses("decrypt --key k/client.key --input bad --output y", &["bad", "checksum", "damaged"]);
    fixture.refuses("inspect bad", &["checksum", "damaged"]);
    // A limit that not even one value fits into.
    fixture.refuses(
        &eval.replace("bad", "many").replace("--output", "--memory 0.0001 --output"),
        &["memory", "k/server.key"],
    );
}
