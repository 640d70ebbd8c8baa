use super::*;
use bootes::{Engine, Interval, KeyNeeds, NoiseCure, Space};

/// Where the library says what it refuses.
const REFUSALS: [&str; 9] = [
    include_str!("../../../bootes/src/door/error.rs"),
    include_str!("../../../bootes/src/door/error/bfv.rs"),
    include_str!("../../../bootes/src/door/error/plan.rs"),
    include_str!("../../../bootes/src/door/error/space.rs"),
    include_str!("../../../lut/src/error.rs"),
    include_str!("../../../lut/src/error/bfv.rs"),
    include_str!("../../../lut/src/error/ckks.rs"),
    include_str!("../../../lut/src/error/fhew.rs"),
    include_str!("../../../schemes/src/fhew/params/error.rs"),
];

/// A word that is a name of the library's and none of the command's: a path, a function, a type.
fn name_of_rust(message: &str) -> Option<&str> {
    let is_name = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_set = ["slots_", "batch_", "fhew_", "toy_", "paper_"].iter().any(|kind| word.starts_with(kind));
        let snake = word.contains('_') && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        let camel = word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().zip(word.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
        // A function of expressions.
        let is_function = word.starts_with("leading_zeros");
        word.contains("::") || ((snake || camel) && !is_set && !is_function)
    };
    message.split([' ', '(', ')']).find(is_name)
}

#[test]
fn a_message_stays_one_line() {
    let error = CliError::at(Path::new("a\nb"), "first\r\nsecond\t\u{1b}[31m");
    assert!(!error.to_string().chars().any(char::is_control), "{error}");
    let error = CliError::at(Path::new(&"\u{85}\n".repeat(50_000)), "a\u{2028}b\u{202e}c").to_string();
    assert!(error.ends_with("a\\u{2028}b\\u{202e}c") && error.chars().count() < 1100, "{error}");
}

/// Refusals whose message has a name of the library's, in the words of the command.
fn refusals() -> Vec<Error> {
    let (space, what, params) = (Space::Modular(16), || String::from("relu"), || String::from("toy_4"));
    let range = Interval { min: -3, max: 700 };
    let noise = |cure| Error::NoiseBudget { params: params(), found: -9.0, promised: -64.0, cure };
    let overflow = |of, bits, engine| Error::Overflow {
        operation: "sum",
        range: of,
        bits,
        operand: range,
        modulus: None,
        most: 9,
        engine,
    };
    let ranged = |width, engine| {
        let refused = LutError::Range { op: what(), operands: vec![range; 2], width, needed: 10 };
        Error::Range { refused, engine }
    };
    let keys = LutError::Fhew(FhewLutError::Keys { algorithm: what(), missing: KeyNeeds::default() });
    let mut all: Vec<Error> = vec![
        Error::Space(SpaceError::Negative { space }),
        Error::Wide { index: 3, value: 1 << 63 },
        Error::Space(SpaceError::Residues { what: what(), space }),
        Error::Space(SpaceError::Widths { what: what(), left: space, right: space }),
        Error::Space(SpaceError::TwoLimbs { what: "a table", space }),
        Error::Space(SpaceError::Limbs { space }),
        Error::Space(SpaceError::Kept { space, modulus: 1000 }),
        Error::Space(SpaceError::Unreduced { space, modulus: 1000 }),
        Error::Overflow {
            operation: "concatenation",
            range: Some(range),
            bits: 4,
            operand: range,
            modulus: Some(1000),
            most: 9,
            engine: Engine::ALL[0],
        },
        Error::Room { range, width: 3, engine: Engine::ALL[0] },
        Error::NotForIntegers { params: params() },
        Error::Space(SpaceError::NotResidues { what: what() }),
        Error::SeveralResults { function: what() },
        Error::CompressionKey { params: params() },
        Error::Request { what: what() },
        Error::Operands { operation: "sum", left: space, right: space, engine: Engine::ALL[0] },
        Error::NotWith { what: what(), engine: Engine::ALL[0], have: &Engine::ALL },
        noise(NoiseCure::default()),
        noise(NoiseCure {
            refresh: true,
            apart: true,
            out_bits: Some(9),
            smaller_weights: true,
            ..NoiseCure::default()
        }),
        noise(NoiseCure { other: Some("fhew_8bit_2m64".into()), ..NoiseCure::default() }),
        Error::Noise {
            refused: LutError::UnknownOp { name: what(), others: "" },
            cure: NoiseCure {
                out_bits: Some(9),
                width: Some(7),
                other: Some("fhew_8bit_2m64".into()),
                ..NoiseCure::default()
            },
        },
        Error::Modulus { found: 17, max: 16, params: params() },
        Error::Modulus { found: 1 << 32, max: 65536, params: params() },
        Error::Bits { found: 17, max: 16, params: params() },
        BfvError::Modulus { found: 5, expected: 7, params: params() }.into(),
        BfvError::Integers { space, expected: 7, params: params() }.into(),
        BfvError::Budget { operation: "x + y" }.into(),
        keys.into(),
        LutError::Fhew(FhewLutError::Entries { found: 100_000, max: 65536 }).into(),
        LutError::Length { found: 5 }.into(),
        LutError::Bfv(BfvLutError::TableResults { found: 5, modulus: 7 }).into(),
        LutError::Bfv(BfvLutError::Prime { found: 4, nearest: 5, power: None }).into(),
        ranged(4, Engine::ALL[0]),
        ranged(4, Engine::ALL[1]),
        ranged(0, Engine::ALL[0]),
        LutError::Width { op: what(), width: 0, max: 16 }.into(),
        LutError::OutBits { found: 9, max: 8 }.into(),
        LutError::Domain { entries: 16, integers: range }.into(),
        LutError::Ckks(CkksLutError::NoShape { entries: 65537, most: 64, nearest: 65550, params: params() }).into(),
        LutError::LongIntegers { bits: 12 }.into(),
        LutError::Intermediate { range, bits: 9 }.into(),
        LutError::Packing { widths: vec![8, 8], bits: 6, params: params() }.into(),
        LutError::Kinds { part: what(), found: vec![what()], expected: "integers; residues become integers".into() }
            .into(),
    ];
    for (of, bits) in [(None, 4), (Some(range), 4), (Some(range), 1)] {
        all.extend(Engine::ALL.map(|engine| overflow(of, bits, engine)));
    }
    all.push(Error::InFile {
        path: "f".into(),
        source: Box::new(Error::Space(SpaceError::NotResidues { what: what() })),
    });
    all
}

#[test]
fn messages_name_nothing_of_the_library() {
    for error in refusals() {
        let message = CliError::from(error).to_string();
        assert_eq!(name_of_rust(&message), None, "{message}");
    }
    assert_eq!(name_of_rust("take Ciphertexts::as_residues"), Some("Ciphertexts::as_residues"));
    assert_eq!(name_of_rust("take (encrypt_unsigned, relu)"), Some("encrypt_unsigned,"));
    assert_eq!(name_of_rust("; take a LargeLut, slots_P"), Some("LargeLut,"));
}

#[test]
fn every_refusal_that_names_something_of_the_library_has_words_of_the_command() {
    let (mine, tests) = (include_str!("../error.rs"), include_str!("tests.rs"));
    for source in REFUSALS {
        for part in source.split("#[error(").skip(1) {
            let (message, rest) = part.split_once(")]\n").expect("an end of the attribute");
            let name = rest.trim_start().split([' ', '(', ',']).next().unwrap_or_default();
            let literal = message.split('"').nth(1).unwrap_or_default();
            let mut words = String::new();
            literal.split('{').for_each(|part| words.push_str(part.split_once('}').map_or(part, |(_, words)| words)));
            if name_of_rust(&words).is_some() {
                assert!(mine.contains(&format!("::{name}")), "{name} has no words of the command: {message}");
                assert!(tests.contains(&format!("::{name} {{")), "{name} has no test");
            }
        }
    }
}
