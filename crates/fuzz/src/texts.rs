//! Texts that users write: lists, arrays, columns, tables, expressions, calibrations, kept plans.
use std::sync::OnceLock;

use bootes::{Calibration, PlanRequest, Program, Server};
use bootes_cli::parsers;

use crate::objects::{client, names_real_set};

/// The longest line that says why something was refused.
const LONGEST: usize = 2000;

/// What was read whole and what was read a few bytes at a time, if it was; a refusal is the same line.
fn both<T: PartialEq + std::fmt::Debug>(read: impl Fn(usize) -> Result<T, String>) -> Option<T> {
    let [whole, pieces] = [1 << 16, 3].map(read);
    assert_eq!(whole, pieces, "how a file comes changes nothing");
    if let Err(line) = &whole {
        assert!(line.len() <= LONGEST && !line.chars().any(char::is_control), "a refusal is one line: {line}");
    }
    whole.ok()
}

pub(crate) fn npy(data: &[u8]) {
    let Some(values) = both(|piece| parsers::npy(data, piece)) else { return };
    let written = parsers::npy_of(&values).expect("an array has one type");
    assert_eq!(parsers::npy(&written, 64), Ok(values));
}

/// The first byte says which columns are wanted, and of what range.
pub(crate) fn csv(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let names: &[&str] = [&["x"][..], &["x", "y"], &["a b", "x"], &["\"", ""]][usize::from(choice & 3)];
    let names: Vec<String> = names.iter().map(|name| (*name).into()).collect();
    let range = if choice & 4 == 0 { [-5, 15] } else { [i128::MIN, i128::MAX] };
    let Some(columns) = both(|piece| parsers::csv(text, piece, &names, range)) else { return };
    assert!(columns.iter().flatten().all(|value| (range[0]..=range[1]).contains(value)));
    let quoted = |field: String| format!("\"{}\"", field.replace('"', "\"\""));
    let line = |fields: &mut dyn Iterator<Item = String>| fields.map(quoted).collect::<Vec<_>>().join(",") + "\r\n";
    let mut written = line(&mut names.iter().cloned());
    for row in 0..columns[0].len() {
        written += &line(&mut columns.iter().map(|column| column[row].to_string()));
    }
    assert_eq!(parsers::csv(written.as_bytes(), 64, &names, range), Ok(columns));
}

fn list(values: &[i128]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// The first byte says what values there may be.
pub(crate) fn integers(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let size = [16, 256, 1000, 1 << 20][usize::from(choice & 3)];
    let [modular, bytes] = [4, 8].map(|bit| choice & bit != 0);
    let Some((values, _)) = both(|piece| parsers::integers(text, piece, size, modular, bytes)) else { return };
    assert!(values.iter().all(|value| (0..size as i128).contains(value)));
    if !values.is_empty() {
        let again = parsers::integers(list(&values).as_bytes(), 64, size, modular, false);
        assert_eq!(again.map(|(values, _)| values), Ok(values));
    }
}

/// The first three bytes say what the options are.
pub(crate) fn table(data: &[u8]) {
    let Some((&[modulus, out_modulus, out_bits], text)) = data.split_first_chunk() else { return };
    let modulus = Some(u64::from(modulus)).filter(|&modulus| modulus > 1);
    let out_modulus = modulus.map(|_| u64::from(out_modulus)).filter(|&modulus| modulus > 1);
    let out_bits = Some(u32::from(out_bits)).filter(|bits| modulus.is_none() && (1..=20).contains(bits));
    let read = |text: &[u8], piece| parsers::table(text, piece, modulus, out_modulus, out_bits);
    let Some(lut) = both(|piece| read(text, piece)) else { return };
    let values: Vec<i128> = lut.values().iter().map(|&value| value as i128).collect();
    assert_eq!(read(list(&values).as_bytes(), 64), Ok(lut));
}

/// Longer programs are not evaluated.
const EVALUATED: usize = 256;

pub(crate) fn expr(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let program = match Program::parse(text, &[]) {
        Ok(program) => program,
        Err(error) => {
            let [found, line] = [error.to_string(), parsers::program(text, 1).expect_err("it is refused")];
            assert!(line.contains(&found) && line.len() <= LONGEST && !line.chars().any(char::is_control), "{line}");
            return;
        }
    };
    assert_eq!(parsers::program(text, program.inputs()).as_ref(), Ok(&program));
    assert!(parsers::program(text, program.inputs() + 1).is_err_and(|line| line.len() <= LONGEST));
    let spaced = Program::parse(&format!(" {text}\n"), &[]).expect("white space around it is nothing");
    assert_eq!(spaced, program);
    assert!(program.to_string().chars().count() <= LONGEST);
    if program.operations().len() <= EVALUATED && program.inputs() <= 16 {
        let inputs: Vec<Vec<i128>> = (0..program.inputs() as i128).map(|i| vec![i, 2 - i, 7, 16]).collect();
        let inputs: Vec<&[i128]> = inputs.iter().map(Vec::as_slice).collect();
        let values = program.values(&inputs, [2, 2], 17);
        assert_eq!(values.len(), program.outputs().len());
        assert!(values.iter().flatten().all(|value| (0..17).contains(value)), "{values:?}");
    }
}

pub(crate) fn calibration(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Calibration::from_toml(text) {
        Ok(calibration) => {
            let written = calibration.to_toml();
            let again = Calibration::from_toml(&written).expect("what was written is read");
            assert_eq!(again.to_toml(), written);
        }
        Err(error) => {
            let line = error.to_string();
            assert!(!line.contains('\n') && line.len() <= LONGEST, "a refusal is one line: {line}");
        }
    }
}

/// Plans that were kept, of a set of engine fhew: planned again by its server.
pub(crate) fn plan(data: &[u8]) {
    // Sets of real size take seconds to build.
    if names_real_set(data) {
        return;
    }
    let Ok(request) = serde_json::from_slice::<PlanRequest>(data) else { return };
    let written = serde_json::to_string(&request).expect("a request is written");
    let again: PlanRequest = serde_json::from_str(&written).expect("what was written is read");
    assert_eq!(serde_json::to_string(&again).expect("a request is written"), written);
    static SERVER: OnceLock<Server> = OnceLock::new();
    let server = SERVER.get_or_init(|| {
        let client = client("toy_4_binary").expect("a set that there is");
        Server::new(client.server_key().expect("a key is made")).expect("a server of it")
    });
    let _ = server.plan_again(&again);
}
