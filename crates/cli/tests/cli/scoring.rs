//! A scoring job by files and commands, with both engines: tables on two columns, a weighted sum, a threshold table.

use crate::fixture::Fixture;

#[test]
fn a_score_is_files_and_commands() {
    for (set, count) in [("toy_4", 200u64), ("toy_batch_4bit", 2500)] {
        let fixture = Fixture::new();
        let column = |factor: u64| -> Vec<u64> { (0..count).map(|i| i * factor % 16).collect() };
        let lines = |values: &[u64]| values.iter().map(|value| format!("{value}\n")).collect::<String>();
        let (x, y) = (column(7), column(11));
        fixture.write("x.txt", lines(&x));
        fixture.write("y.txt", lines(&y));
        fixture.write("points_x.txt", lines(&(0..16).map(|x| x / 4).collect::<Vec<_>>()));
        fixture.write("points_y.txt", lines(&(0..16).map(|y| 3 - y / 4).collect::<Vec<_>>()));
        fixture.write("threshold.txt", lines(&(0..16).map(|sum| u64::from(sum >= 5)).collect::<Vec<_>>()));
        fixture.call(&format!("keygen --params {set} --out k")).ok();
        for column in ["x", "y"] {
            fixture
                .call(&format!("encrypt --key k/client.key --modulus 16 --input {column}.txt --output {column}"))
                .ok();
            let eval = "eval --key k/server.key --modulus 16 --out-modulus 16";
            fixture.call(&format!("{eval} --table points_{column}.txt --input {column} --output p{column}")).ok();
        }
        let report =
            fixture.call("linear --weights 2,1 --input px --input py --constant -4 --output score --json").json();
        assert_eq!((&report["count"], &report["params"]), (&count.into(), &set.into()));
        fixture
            .call(
                "eval --key k/server.key --modulus 16 --out-modulus 16 --table threshold.txt --input score --output r",
            )
            .ok();
        fixture.call("decrypt --key k/client.key --input r --output r.txt").ok();
        let score = |(x, y): (&u64, &u64)| u64::from((2 * (x / 4) + 3 - y / 4 + 12) % 16 >= 5);
        assert_eq!(fixture.read("r.txt"), lines(&x.iter().zip(&y).map(score).collect::<Vec<_>>()).as_bytes(), "{set}");

        // x + y − y = x.
        fixture.call("add --input px --input2 py --output s").ok();
        let report = fixture.call("sub --input s --input2 py --output d").ok();
        assert!(report.contains(&format!("d: {count} values")), "{report}");
        fixture.call("decrypt --key k/client.key --input d --output d.txt").ok();
        assert_eq!(fixture.read("d.txt"), lines(&x.iter().map(|x| x / 4).collect::<Vec<_>>()).as_bytes());

        fixture.refuses("linear --weights 2 --input px --input py --output z", &["1 weights and 2 inputs"]);
        fixture.refuses("add --input px --input2 k/server.key --output z", &["k/server.key:", "server key"]);
        fixture.refuses("add --input px --input2 py --output px", &["px:", "which is read"]);
        assert!(!fixture.exists("z"));
    }
}
