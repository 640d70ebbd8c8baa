use super::*;
use bootes_testkit::sampled;

/// Whole, and in pieces of every length.
fn scan(text: &[u8]) -> Result<Vec<Option<i128>>, NotIntegers> {
    let in_pieces = |length: usize| {
        let (mut values, mut scanner) = (Vec::new(), Scanner::new());
        for piece in text.chunks(length) {
            scanner.push(piece, |value, _, _| values.push(value))?;
        }
        scanner.finish(|value, _, _| values.push(value))?;
        Ok(values)
    };
    let whole = in_pieces(text.len().max(1));
    (1..text.len()).for_each(|length| assert_eq!(in_pieces(length), whole));
    whole
}

fn values(text: &str) -> Vec<i128> {
    scan(text.as_bytes()).unwrap().into_iter().map(Option::unwrap).collect()
}

fn input_of(text: &str, bits: u32, as_bytes: bool) -> Result<(Vec<i128>, Format), String> {
    input(Text::of("X", text.as_bytes()), Domain::Below(1 << bits), as_bytes, Or::default())
        .map_err(|error| error.to_string())
}

#[test]
fn lists_in_every_dress() {
    assert_eq!(values("1 2,3 , 4\n5,\n6\t0x1F#7\n# 8\r\n+9,"), [1, 2, 3, 4, 5, 6, 31, 9]);
    assert_eq!((values("\u{feff}7"), values("\u{feff} 7")), (vec![7], vec![7]));
    assert_eq!(values("18446744073709551615 00012 -0"), [u64::MAX.into(), 12, 0]);
    assert_eq!(values("-32768 -0x10"), [-32_768, -16]);
    assert_eq!(values(" # nothing\n"), [0; 0]);
}

#[test]
fn what_is_no_integer() {
    for word in ["x", "1.5", "0x", "-", "+", "--1", "1e3", "0xg", "1_000", "\0", "१"] {
        let text = format!("1\n2 {word}\n3");
        assert_eq!(scan(text.as_bytes()), Err(NotIntegers::Word { line: 2, text: word.to_string() }), "{word}");
    }
    assert_eq!(values("1 # 2,,3\n4#,\n,5"), [1, 4, 5]);
    for text in [",1", "1,,2", "1,\n,2", "#\n,"] {
        assert!(matches!(scan(text.as_bytes()), Err(NotIntegers::Gap { .. })), "{text}");
    }
    assert!(scan(&[b'1', b' ', 0xff]).is_err() && scan(b"\xef1").is_err() && scan(b" \xef\xbb\xbf1").is_err());
    let long = "1".repeat(MAX_WORD + 1);
    assert!(
        scan(long.as_bytes()).unwrap_err().to_string().starts_with("line 1: 111111111111111111111111… is too long")
    );
    let word = "1".repeat(MAX_WORD - 1) + ".5";
    assert!(scan(word.as_bytes()).unwrap_err().to_string().contains("is not an integer"));
    assert!(scan(&[b'1'; MAX_WORD]).is_ok() && scan("1".repeat(MAX_WORD + 1).as_bytes()).is_err());
}

#[test]
fn integers_out_of_reach_are_integers() {
    for word in ["-18446744073709551616", "18446744073709551616", "0x10000000000000000", "99999999999999999999999999"] {
        assert_eq!(scan(word.as_bytes()).unwrap(), [None], "{word}");
    }
}

#[test]
fn inputs() {
    assert_eq!(input_of("1 2 3", 4, false).unwrap(), (vec![1, 2, 3], Format::Integers));
    assert_eq!(input_of("12", 8, true).unwrap(), (vec![49, 50], Format::Bytes));
    assert_eq!(input_of("hi", 8, false).unwrap(), (vec![104, 105], Format::Bytes));
    assert_eq!(input_of("\u{1}\u{2}", 4, true).unwrap(), (vec![1, 2], Format::Bytes));
    assert_eq!(
        input_of("1\n2\n16", 4, false).unwrap_err(),
        "X: line 3: 16 is outside the domain 0 to 15 of 4-bit inputs; correct the value"
    );
    assert!(input_of("300", 8, false).unwrap_err().contains("line 1: 300 is outside"));
    assert!(input_of("1 -1", 8, false).unwrap_err().contains("-1 is outside"));
    assert!(input_of("hi", 4, false).unwrap_err().contains("\"hi\" is not an integer"));
    assert!(input_of("\u{1}\nA", 4, true).unwrap_err().contains("line 2: byte 65 at offset 2"));
    assert!(input_of("", 8, true).unwrap_err().contains("empty"));
    assert!(input_of("# only\n", 8, false).unwrap_err().contains("no integers"));
}

#[test]
fn residues_may_be_negative() {
    let read = |text: &str| input(Text::of("X", text.as_bytes()), Domain::Modulo(257), false, Or::default());
    assert_eq!(read("-1 256 -256 0 -0x10").unwrap().0, [256, 256, 1, 0, 241]);
    for text in ["257", "-257"] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(&format!("{text} is outside the domain -256 to 256 of modulo-257")), "{error}");
    }
    assert_eq!(input(Text::of("X", &b"-1"[..]), Domain::Modulo(256), false, Or::default()).unwrap().0, [255]);
}

#[test]
fn inputs_end_somewhere() {
    let most = MAX_VALUES as u64;
    let text = |repeated: &'static [u8], times: u64| {
        let pieces = (0..times).map(move |_| repeated);
        Text::of_pieces("X", pieces)
    };
    let error = input(text(b"1 2 ", most), Domain::Below(16), false, Or::default()).unwrap_err().to_string();
    assert!(error.contains("more than 16777216 values"), "{error}");
    // At 8 bits the same, whatever it is.
    for piece in sampled([&b"1 "[..], b"1\n2\n3\n4 #", b"hello"], 3) {
        let error = input(text(piece, 1 << 25), Domain::Below(256), false, Or::default()).unwrap_err().to_string();
        assert!(error.contains("more than 16777216 values") || error.contains("more than 268435456 bytes"), "{error}");
    }
    let error =
        input(text(&[b' '; 1 << 16], u64::MAX), Domain::Below(256), false, Or::default()).unwrap_err().to_string();
    assert!(error.contains("more than 268435456 bytes"), "{error}");
}

#[test]
fn operands_with_and_without_sign() {
    let read_as = |left: &str, right: Option<&str>, unsigned| {
        let mut files = vec![Text::of("X", left.as_bytes())];
        files.extend(right.map(|right| Text::of("Y", right.as_bytes())));
        operands(files, Width { bits: 8, within: None, sign: Sign { unsigned } }, "")
            .map(|(lists, _)| lists)
            .map_err(|error| error.to_string())
    };
    let read = |left: &str, right: Option<&str>| read_as(left, right, false);
    assert_eq!(read_as("255 0", None, true).unwrap(), [[255, 0]]);
    // The values do not say.
    let error = read("255 0", None).unwrap_err();
    assert!(
        error.contains("255 is outside the range -128 to 127 of signed 8-bit") && error.contains("--unsigned"),
        "{error}"
    );
    let error = read_as("1 2", Some("3 -4"), true).unwrap_err();
    assert!(error.contains("Y: line 1: -4 is outside the range 0 to 255 of unsigned 8-bit"), "{error}");
    assert_eq!(read("127 -128", Some("1 2")).unwrap(), [[127, -128], [1, 2]]);
    assert!(read_as("1\n256", None, true).unwrap_err().contains("X: line 2: 256 is outside the range 0 to 255"));
    assert!(read("1 -1", Some("1\n128")).unwrap_err().contains("Y: line 2: 128 is outside the range -128 to 127"));
    assert!(read("1 2", Some("1")).unwrap_err().contains("Y: it has 1 integers, and X has 2"));
    assert!(read("1", Some("#")).unwrap_err().contains("Y: it holds no integers"));
    assert!(read("1\nx", None).unwrap_err().contains("line 2: \"x\" is not an integer"));
    assert!(read("99999999999999999999999", None).unwrap_err().contains("line 1: 99999999999999999999999 is outside"));
}

#[test]
fn outputs() {
    assert_eq!(output(&[1, 23, -4], Format::Integers).unwrap(), b"1\n23\n-4\n");
    assert_eq!(output(&[65, 255], Format::Bytes).unwrap(), [65, 255]);
    assert!(output(&[256], Format::Bytes).is_err());
}
