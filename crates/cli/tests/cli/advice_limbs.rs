//! Advice on integers in two ciphertexts each: followed, it gives what plain integers give.

use crate::fixture::Fixture;

#[test]
fn sums_multiples_and_constants_of_long_integers() {
    let fixture = Fixture::keys_of("toy_int16");
    for (name, integers) in [("x", "70000 -300 7"), ("y", "1 -2 -3"), ("c", "5 5 5")] {
        fixture.encrypted(name, integers, "--width 20 --within 18");
    }
    fixture.encrypted("z", "1 -2 -3", "--width 16");
    for (line, words) in [
        ("add --input x.ct --input2 y.ct", "take eval --op add and --op sub"),
        ("linear --weights 1,1 --weights 1,-1 --input x.ct --input y.ct --output s", "take eval --op add and --op sub"),
        ("linear --weights 3,-1 --input x.ct --input y.ct", "for multiples several times (x + x)"),
        ("linear --weights 1 --constant 5 --input x.ct", "for constants with ciphertexts of them"),
        ("add --input x.ct --input2 z.ct", "with the same --width, and --within for the bits that they have;"),
        ("add --input x.ct --input2 z.ct", "sums of them are eval --op add and sub"),
    ] {
        fixture.refuses(&format!("{line} --output r"), &[words]);
    }
    for (op, left, right, expected) in [
        ("add", "x.ct", "y.ct", [70001, -302, 4]),
        ("sub", "x.ct", "y.ct", [69999, -298, 10]),
        ("add", "x.ct", "x.ct", [140000, -600, 14]),
        ("add", "add", "x.ct", [210000, -900, 21]),
        ("add", "x.ct", "c.ct", [70005, -295, 12]),
    ] {
        fixture.evaluate(&format!("--op {op} --input {left} --input2 {right}"), "r");
        assert_eq!(fixture.values("k/client.key", "r"), expected, "{op} of {left} and {right}");
        fixture.write(op, fixture.read("r"));
    }
}

#[test]
fn results_of_floor_in_two_ciphertexts() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "3000 -5000 7", "--width 20");
    fixture.encrypted("y", "1 -2 -3", "--width 16");
    fixture.evaluate("--op floor:4 --input x.ct", "f");
    fixture.evaluate("--op sign --input x.ct", "s");
    // Integers of 16 bits in two ciphertexts: the keys that have them in one are these.
    let words = "beside results of floor:k what was encrypted times 2^k, and take floor:k of both";
    for (line, words) in [
        ("eval --key k/server.key --op max --input f --input2 y.ct", words),
        ("eval --key k/server.key --op max --input f --input2 x.ct", words),
        ("add --input f --input2 y.ct", words),
        ("add --input f --input2 s", "nothing gives answers in two ciphertexts each: take integers of up to 16 bits"),
    ] {
        let refusal = fixture.call(&format!("{line} --output r")).refusal();
        let circle = refusal.contains("make keys with bootes keygen");
        assert!(refusal.contains(words) && !circle, "{line}: {refusal}");
    }
    fixture.encrypted("y", "16 -32 -48", "--width 20");
    fixture.evaluate("--op floor:4 --input y.ct", "g");
    for (op, expected) in [("max", [187, -2, 0]), ("add", [188, -315, -3])] {
        fixture.evaluate(&format!("--op {op} --input f --input2 g"), op);
        assert_eq!(fixture.values("k/client.key", op), expected, "{op}");
    }
}

#[test]
fn the_longest_integers_with_and_without_a_sign() {
    let fixture = Fixture::keys_of("toy_int16");
    fixture.encrypted("x", "100 4000000000 7", "--width 32 --unsigned");
    fixture.encrypted("y", "101 -2 -3", "--width 32");
    let words = "the longest have 32, from -2147483648 to 2147483647 where some are negative: encrypt all with \
                 --unsigned or none";
    let eval = |op: &str| format!("eval --key k/server.key --op {op} --input x.ct --input2 y.ct --output r");
    for op in ["less", "equal", "max"] {
        fixture.refuses(&eval(op), &[words]);
    }
    for (x, y, options, expected) in [
        ("100 4000000000 7", "101 2 3", "--width 32 --unsigned", [101, 4_000_000_000, 7]),
        ("100 2000000000 7", "101 -2 -3", "--width 32", [101, 2_000_000_000, 7]),
    ] {
        fixture.encrypted("x", x, options);
        fixture.encrypted("y", y, options);
        for (op, expected) in [("less", [1, 0, 0]), ("equal", [0; 3]), ("max", expected)] {
            fixture.call(&eval(op)).ok();
            assert_eq!(fixture.values("k/client.key", "r"), expected, "{op} of {options}");
        }
    }
}
