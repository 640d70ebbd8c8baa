//! NumPy's files of one array (`.npy`, versions 1.0 to 3.0): integers and booleans, of one dimension.
//!
//! After the magic, the version and its length comes the header, a dictionary as Python writes it (`descr`, what
//! a value is; `fortran_order`; `shape`), and then the values. What the header says is believed when the values
//! are there: memory is taken for what was read.

use std::io::Read;
use std::ops::RangeInclusive;
use std::path::Path;

use crate::error::{CliError, excerpt};
use crate::files::Text;

/// The first bytes of every such file.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The longest header that is read, as long as those of version 1.0 can be; integers need a hundred bytes.
const MAX_HEADER: usize = (1 << 16) - 1;

/// Values read at once.
const PIECE: usize = 1 << 13;

/// Whether the name of a file says that it is an array.
pub(crate) fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"))
}

/// Whether a file is an array, by its first bytes; one that only its name calls so is refused.
pub(crate) fn is_array(text: &mut Text) -> Result<bool, CliError> {
    match text.begins_with(MAGIC)? {
        false if is_named(text.path()) => Err(CliError::at(
            text.path(),
            "its name ends in .npy, but it does not begin like an array of NumPy's (\\x93NUMPY): write it with \
             numpy.save, or rename it if it is text",
        )),
        is_array => Ok(is_array),
    }
}

/// An array of which the header was read.
pub(crate) struct Array {
    text: Text,
    header: Header,
}

impl Array {
    /// Reads the header of a file that begins as one.
    pub(crate) fn new(mut text: Text) -> Result<Self, CliError> {
        let path = text.path().to_path_buf();
        let refused = |what: String| CliError::at(&path, what);
        let mut next = |count| read(&mut text, count);
        let truncated = || refused("it ends within its header: copy or write it again".to_string());
        let length = match next(MAGIC.len() + 2)?[..] {
            [.., 1, 0] => next(2)?,
            [.., 2 | 3, 0] => next(4)?,
            [_, _, _, _, _, _, major, minor] => {
                let expected = "expected 1.0, 2.0 or 3.0; write it with numpy.save";
                return Err(refused(format!("its format has version {major}.{minor}: {expected}")));
            }
            _ => return Err(truncated()),
        };
        let length = match length[..] {
            [a, b] => u16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) as usize,
            _ => return Err(truncated()),
        };
        if length > MAX_HEADER {
            let line =
                format!("its header has {length} bytes: expected {MAX_HEADER} at most; write it with numpy.save");
            return Err(refused(line));
        }
        let header = next(length)?;
        if header.len() < length {
            return Err(truncated());
        }
        let header = Header::parse(&header).map_err(refused)?;
        Ok(Self { text, header })
    }

    /// How many values it says that it has.
    pub(crate) fn len(&self) -> u64 {
        self.header.count
    }

    /// Gives all values to `take`, which may stop with an error, some at a time; then the file must end.
    pub(crate) fn for_each(mut self, mut take: impl FnMut(&[i128]) -> Result<(), CliError>) -> Result<(), CliError> {
        let path = self.text.path().to_path_buf();
        let refused = |what: String| Err(CliError::at(&path, what));
        let Header { dtype, count } = self.header;
        let mut done = 0;
        while done < count {
            let wanted = (count - done).min(PIECE as u64) as usize;
            let bytes = read(&mut self.text, wanted * dtype.size)?;
            let values: Vec<i128> = bytes.chunks_exact(dtype.size).map(|bytes| dtype.value(bytes)).collect();
            if let (true, Some(at)) = (dtype.boolean, values.iter().position(|value| *value > 1)) {
                let (index, value) = (done + at as u64, values[at]);
                return refused(format!("index {index}: a boolean is byte {value}, expected 0 or 1; correct it"));
            }
            if values.len() < wanted {
                let found = done + values.len() as u64;
                return refused(format!("it ends after {found} of its {count} values: copy or write it again"));
            }
            take(&values)?;
            done += wanted as u64;
        }
        match read(&mut self.text, 1)?.is_empty() {
            true => Ok(()),
            false => refused(format!(
                "it goes on after the {count} values of its header: expected one array a file; copy or write it again"
            )),
        }
    }
}

/// The next `count` bytes, or as many as there are.
fn read(text: &mut Text, count: usize) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::with_capacity(count);
    let read = text.by_ref().take(count as u64).read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|error| CliError::io("read", text.path(), &error))
}

/// The header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    dtype: Dtype,
    count: u64,
}

impl Header {
    fn parse(text: &[u8]) -> Result<Self, String> {
        let mut rest = Literal(text);
        let (mut dtype, mut fortran, mut shape) = (None, None, None);
        rest.expect(b'{')?;
        while !rest.eat(b'}') {
            let key = rest.string()?;
            rest.expect(b':')?;
            let is_second = match key {
                "descr" => dtype.replace(rest.dtype()?).is_some(),
                "fortran_order" => fortran.replace(rest.boolean()?).is_some(),
                "shape" => shape.replace(rest.shape()?).is_some(),
                _ => {
                    let key = excerpt(key.as_bytes());
                    return Err(format!("its header has '{key}': expected {KEYS} alone; write it with numpy.save"));
                }
            };
            if is_second {
                return Err(format!("its header has '{key}' twice: expected it once; write it with numpy.save"));
            }
            if !rest.eat(b',') {
                rest.expect(b'}')?;
                break;
            }
        }
        rest.end()?;
        let missing = |key: &str| format!("its header lacks '{key}': expected {KEYS}; write it with numpy.save");
        let dtype = dtype.ok_or_else(|| missing("descr"))?;
        let fortran = fortran.ok_or_else(|| missing("fortran_order"))?;
        let count = count(&shape.ok_or_else(|| missing("shape"))?, fortran)?;
        Ok(Self { dtype, count })
    }
}

const KEYS: &str = "'descr', 'fortran_order' and 'shape'";

/// Values of an array in which at most one dimension is not of length 1, so that they have one order only.
fn count(shape: &[u64], fortran: bool) -> Result<u64, String> {
    let mut long = shape.iter().filter(|length| **length != 1);
    match (long.next(), long.next()) {
        (None, _) => Ok(1),
        (Some(&count), None) => Ok(count),
        _ => {
            let lengths: Vec<String> = shape.iter().map(u64::to_string).collect();
            let (shape, order) = (lengths.join(", "), if fortran { " in Fortran order" } else { "" });
            Err(format!(
                "its shape is ({}){order}: expected one dimension, or others of length 1; save a.ravel(), which puts \
                 the rows one after the other",
                excerpt(shape.as_bytes())
            ))
        }
    }
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dtype {
    /// In bytes.
    size: usize,
    signed: bool,
    /// Whether the most significant byte comes first.
    big_endian: bool,
    boolean: bool,
}

impl Dtype {
    /// The type of a name such as `<i8`: order of the bytes, kind, size.
    fn parse(name: &str) -> Result<Self, String> {
        let size = match name.as_bytes() {
            [b'<' | b'>' | b'=' | b'|', b'i' | b'u' | b'b', b'1'] => Some(1),
            [b'<' | b'>' | b'=', b'i' | b'u', size @ (b'2' | b'4' | b'8')] => Some(usize::from(size - b'0')),
            _ => None,
        };
        let [order, kind] = [0, 1].map(|at| name.as_bytes().get(at).copied().unwrap_or_default());
        let Some(size) = size else {
            let cast = "save a.astype(numpy.int64)";
            let (what, cure) = match kind {
                b'f' => ("floating-point numbers", cast),
                b'c' => ("complex numbers", "save a.real.astype(numpy.int64)"),
                b'S' | b'a' | b'U' | b'T' => ("strings", cast),
                b'O' => ("Python objects", cast),
                b'M' => ("dates", cast),
                b'm' => ("spans of time", cast),
                b'V' => ("raw bytes", "save a.view(numpy.uint8)"),
                _ => ("which is none of NumPy's", cast),
            };
            let name = excerpt(name.as_bytes());
            return Err(format!("its dtype is '{name}', {what}: expected integers or booleans; {cure}"));
        };
        // '=' is the order of this machine.
        let big_endian = order == b'>' || (order == b'=' && cfg!(target_endian = "big"));
        Ok(Self { size, signed: kind == b'i', big_endian, boolean: kind == b'b' })
    }

    /// The value of `size` bytes.
    fn value(self, bytes: &[u8]) -> i128 {
        let highest = if self.big_endian { bytes[0] } else { bytes[self.size - 1] };
        let mut word = [if self.signed && highest >= 0x80 { 0xff } else { 0 }; 16];
        word[..self.size].copy_from_slice(bytes);
        if self.big_endian {
            word[..self.size].reverse();
        }
        i128::from_le_bytes(word)
    }
}

/// The rest of a Python literal that is being read.
struct Literal<'a>(&'a [u8]);

impl<'a> Literal<'a> {
    /// Why it cannot be read here.
    fn refused(&self) -> String {
        let found = match self.0 {
            [] => "it ends".to_string(),
            rest => format!("found \"{}\"", excerpt(rest)),
        };
        format!(
            "its header is no dictionary of NumPy's ({found}): expected {{'descr': '<i8', 'fortran_order': False, \
             'shape': (16,), }}; write it with numpy.save"
        )
    }

    /// Whether this is next, after white space; it is read then.
    fn eat_word(&mut self, word: &[u8]) -> bool {
        self.0 = self.0.trim_ascii_start();
        let rest = self.0.strip_prefix(word);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.eat_word(&[byte])
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        if self.eat(byte) { Ok(()) } else { Err(self.refused()) }
    }

    fn end(&self) -> Result<(), String> {
        if self.0.trim_ascii().is_empty() { Ok(()) } else { Err(self.refused()) }
    }

    /// A string; one with an escape is none that is known.
    fn string(&mut self) -> Result<&'a str, String> {
        let quote = match self.0.trim_ascii_start().first() {
            Some(&quote @ (b'\'' | b'"')) => quote,
            _ => return Err(self.refused()),
        };
        self.expect(quote)?;
        let rest = self.0;
        let end = rest.iter().position(|byte| *byte == quote).ok_or_else(|| self.refused())?;
        let string = std::str::from_utf8(&rest[..end]).map_err(|_| self.refused())?;
        self.0 = &rest[end + 1..];
        Ok(string)
    }

    fn boolean(&mut self) -> Result<bool, String> {
        let found = [(&b"True"[..], true), (b"False", false)].into_iter().find(|(word, _)| self.eat_word(word));
        found.map(|(_, value)| value).ok_or_else(|| self.refused())
    }

    fn dtype(&mut self) -> Result<Dtype, String> {
        match self.0.trim_ascii_start() {
            [b'[' | b'(', ..] => Err(
                "its dtype has fields: expected integers or booleans; save one field, a['name'].astype(numpy.int64)"
                    .to_string(),
            ),
            _ => Dtype::parse(self.string()?),
        }
    }

    /// A tuple of lengths.
    fn shape(&mut self) -> Result<Vec<u64>, String> {
        let mut shape = Vec::new();
        self.expect(b'(')?;
        while !self.eat(b')') {
            shape.push(self.length()?);
            // One length without a comma is no tuple.
            if !self.eat(b',') && (shape.len() == 1 || !self.0.starts_with(b")")) {
                return Err(self.refused());
            }
        }
        Ok(shape)
    }

    /// A number; one beyond 64 bits is as near as it comes, more than any file has.
    fn length(&mut self) -> Result<u64, String> {
        self.0 = self.0.trim_ascii_start();
        let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.0.split_at(digits);
        if digits == 0 {
            return Err(self.refused());
        }
        // Python 2 wrote long integers with a letter.
        self.0 = rest.strip_prefix(b"L").unwrap_or(rest);
        let digit = |byte: &u8| u64::from(byte - b'0');
        Ok(number.iter().fold(0u64, |value, byte| value.saturating_mul(10).saturating_add(digit(byte))))
    }
}

/// Values as a file, byte for byte what `numpy.save` writes of them as `int64`, or as `uint64` where one has no room.
pub(crate) fn output(values: &[i128]) -> Result<Vec<u8>, CliError> {
    let holds = |range: RangeInclusive<i128>| values.iter().all(|value| range.contains(value));
    let kind = match () {
        () if holds(i64::MIN.into()..=i64::MAX.into()) => 'i',
        () if holds(0..=u64::MAX.into()) => 'u',
        () => {
            let what =
                "no array of NumPy's has integers of more than 64 bits: give --output a name without .npy, for text";
            return Err(CliError::new(what));
        }
    };
    let header = format!("{{'descr': '<{kind}8', 'fortran_order': False, 'shape': ({},), }}", values.len());
    // Values begin at a multiple of 64; any number of them fits into 128 bytes.
    let length = 128 - MAGIC.len() - 4;
    let mut file = Vec::with_capacity(128 + 8 * values.len());
    file.extend_from_slice(MAGIC);
    file.extend([1, 0, length as u8, 0]);
    file.extend(format!("{header:<width$}\n", width = length - 1).bytes());
    file.extend(values.iter().flat_map(|value| (*value as i64).to_le_bytes()));
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that NumPy wrote (`tests/data/npy/make.py`).
    fn written(name: &str) -> Vec<u8> {
        let path = format!("{}/tests/data/npy/{name}.npy", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn values_of(file: &[u8]) -> Result<Vec<i128>, String> {
        let read = || {
            let (array, mut values) = (Array::new(Text::of("X.npy", file))?, Vec::new());
            let count = array.len();
            array.for_each(|some| {
                values.extend_from_slice(some);
                Ok(())
            })?;
            assert_eq!(values.len() as u64, count);
            Ok(values)
        };
        read().map_err(|error: CliError| error.to_string())
    }

    fn refusal(file: &[u8]) -> String {
        let error = values_of(file).unwrap_err();
        assert!(error.starts_with("X.npy: ") && error.len() < 300, "{error}");
        error
    }

    /// A file with this header, and these bytes of values.
    fn file(header: &str, values: &[u8]) -> Vec<u8> {
        [MAGIC, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes(), values].concat()
    }

    #[test]
    fn every_integer_in_both_byte_orders() {
        for bits in [8u32, 16, 32, 64] {
            let size = bits / 8;
            let orders = if bits == 8 { &[""][..] } else { &["_little", "_big"] };
            for order in orders {
                let half = 1i128 << (bits - 1);
                assert_eq!(values_of(&written(&format!("i{size}{order}"))), Ok(vec![-half, -1, 0, 1, half - 1]));
                assert_eq!(values_of(&written(&format!("u{size}{order}"))), Ok(vec![0, 1, 2 * half - 1]));
            }
        }
        assert_eq!(values_of(&written("bool")), Ok(vec![0, 1, 1]));
    }

    #[test]
    fn every_shape_of_one_dimension_in_every_version() {
        let reversed: Vec<i128> = (0..16).rev().collect();
        for name in ["reversed", "row", "column", "cube", "version_1", "version_2", "version_3"] {
            assert_eq!(values_of(&written(name)), Ok(reversed.clone()), "{name}");
        }
        assert_eq!(values_of(&written("scalar")), Ok(vec![7]));
        assert_eq!(values_of(&written("empty")), Ok(vec![]));
    }

    /// Not as NumPy 2 writes them, but allowed: other orders of the keys, white space, alignment, long numbers.
    #[test]
    fn other_headers() {
        for header in [
            "{'descr': '<i2', 'fortran_order': True, 'shape': (2,), }\n",
            "{\"shape\":(2L,),\"descr\":\"<i2\",\"fortran_order\":False}",
            " { 'fortran_order' : False , 'shape' : ( 1 , 2 ) , 'descr' : '<i2' } \n",
        ] {
            assert_eq!(values_of(&file(header, &[1, 0, 0xff, 0xff])), Ok(vec![1, -1]), "{header}");
        }
        // The order of whatever machine reads it.
        for (kind, bytes, value) in
            [("u1", vec![200], 200), ("i4", (-5i32).to_ne_bytes().to_vec(), -5), ("u8", 7u64.to_ne_bytes().to_vec(), 7)]
        {
            let header = format!("{{'descr': '={kind}', 'fortran_order': False, 'shape': (1,)}}");
            assert_eq!(values_of(&file(&header, &bytes)), Ok(vec![value]), "{kind}");
        }
        let large = 20_000u16;
        let header = format!("{{'descr': '>u2', 'fortran_order': False, 'shape': ({large},)}}");
        let bytes: Vec<u8> = (0..large).flat_map(u16::to_be_bytes).collect();
        assert_eq!(values_of(&file(&header, &bytes)), Ok((0..i128::from(large)).collect()));
    }

    #[test]
    fn an_output_is_what_numpy_writes() {
        let reversed: Vec<i128> = (0..16).rev().collect();
        assert_eq!(output(&reversed).unwrap(), written("reversed"));
        let ends = [i64::MIN, -1, 0, 1, i64::MAX].map(i128::from);
        assert_eq!(output(&ends).unwrap(), written("i8_little"));
        assert_eq!(output(&[]).unwrap(), written("empty"));
        assert!(is_named(Path::new("a/b.NPY")) && !is_named(Path::new("npy")) && !is_named(Path::new("/dev/stdout")));
    }

    #[test]
    fn what_is_no_integer_has_its_name() {
        for (name, dtype, what) in [
            ("float16", "'<f2'", "floating-point numbers"),
            ("float32", "'<f4'", "floating-point numbers"),
            ("float64", "'<f8'", "floating-point numbers"),
            ("complex", "'<c16'", "complex numbers"),
            ("bytes", "'|S2'", "strings"),
            ("strings", "'<U2'", "strings"),
            ("objects", "'|O'", "Python objects"),
            ("dates", "'<M8[D]'", "dates"),
            ("spans", "'<m8[s]'", "spans of time"),
            ("raw", "'|V2'", "raw bytes"),
            ("fields", "its dtype has fields", "save one field"),
        ] {
            let error = refusal(&written(name));
            assert!(error.contains(dtype) && error.contains(what) && error.contains("; save "), "{error}");
            assert!(error.contains("expected integers or booleans"), "{error}");
        }
        assert!(refusal(&written("matrix")).contains("its shape is (2, 8): expected one dimension"));
        assert!(refusal(&written("fortran")).contains("its shape is (2, 8) in Fortran order: expected one dimension"));
        assert!(refusal(&written("two")).contains("it goes on after the 16 values of its header"));
    }

    #[test]
    fn headers_that_are_wrong() {
        let of = |descr: &str, order: &str, shape: &str| {
            format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}")
        };
        let good = |descr: &str, shape: &str| of(descr, "False", shape);
        let malformed = "no dictionary of NumPy's";
        for (header, words) in [
            (String::new(), "(it ends)"),
            ("(1, 2)".into(), malformed),
            ("{1: 2}".into(), malformed),
            ("{'descr: 1".into(), malformed),
            ("{'descr': '<i8' 'shape': (1,)}".into(), malformed),
            ("{'descr'".into(), "(it ends)"),
            ("\0".into(), malformed),
            ("{}".into(), "lacks 'descr'"),
            ("{'descr': '<i8', 'shape': (1,)}".into(), "lacks 'fortran_order'"),
            ("{'descr': '<i8', 'fortran_order': False}".into(), "lacks 'shape'"),
            (good("'<i8'", "(1,), 'more': 1"), "has 'more': expected 'descr', 'fortran_order' and 'shape' alone"),
            (good("'<i8', 'descr': '<i8'", "(1,)"), "has 'descr' twice"),
            (good("'<i8'", "(1,)") + "x", malformed),
            (good("8", "(1,)"), malformed),
            (of("'<i8'", "0", "(1,)"), malformed),
            (of("'<i8'", "TrueFalse", "(1,)"), malformed),
            (good("'<i8'", "1"), malformed),
            (good("'<i8'", "(1)"), malformed),
            (good("'<i8'", "[1]"), malformed),
            (good("'<i8'", "(-1,)"), malformed),
            (good("'<i8'", "(1 2)"), malformed),
            (good("'<i8'", "(,)"), malformed),
            (good("'<i8'", "(1, 2"), malformed),
            (good("'i8'", "(1,)"), "'i8', which is none of NumPy's"),
            (good("'=i3'", "(1,)"), "'=i3', which is none"),
            (good("'|i8'", "(1,)"), "'|i8', which is none"),
            (good("'<i3'", "(1,)"), "'<i3', which is none"),
            (good("'<b8'", "(1,)"), "'<b8', which is none"),
            (good("''", "(1,)"), "dtype is '', which is none"),
            (good("'<i8'", "(4294967296, 4294967296)"), "its shape is (4294967296, 4294967296)"),
            (good("'<i8'", "(0, 99999999999999999999999999)"), "expected one dimension"),
            (good("'<i8'", &format!("({})", "2, ".repeat(1000))), "2, …): expected one dimension"),
        ] {
            let error = refusal(&file(&header, &[0; 8]));
            assert!(error.contains(words), "{header}: {error}");
        }
    }

    #[test]
    fn sizes_that_are_wrong() {
        let header = |shape: &str| format!("{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}");
        // Nothing is taken for what is not there.
        for (shape, values, words) in [
            ("(2,)", 15, "it ends after 1 of its 2 values"),
            ("(2,)", 17, "it goes on after the 2 values of its header"),
            ("(0,)", 1, "it goes on after the 0 values"),
            ("()", 0, "it ends after 0 of its 1 values"),
            ("(18446744073709551615,)", 16, "it ends after 2 of its 18446744073709551615 values"),
            ("(99999999999999999999999,)", 16, "it ends after 2 of its 18446744073709551615 values"),
        ] {
            let error = refusal(&file(&header(shape), &vec![0; values]));
            assert!(error.contains(words), "{error}");
        }
        let longer = [MAGIC, &[2, 0, 0xff, 0xff, 0xff, 0xff]].concat();
        assert!(refusal(&longer).contains("its header has 4294967295 bytes: expected 65535 at most"));
        assert!(refusal(&[MAGIC, &[4, 0, 0, 0]].concat()).contains("version 4.0: expected 1.0, 2.0 or 3.0"));
        assert!(refusal(&[MAGIC, &[1, 1, 0, 0]].concat()).contains("version 1.1: expected"));
        let boolean = file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", &[0, 1, 2]);
        assert!(refusal(&boolean).contains("index 2: a boolean is byte 2, expected 0 or 1"));
    }

    /// No file makes it panic, and none that is shorter or longer is read.
    #[test]
    fn damaged_files() {
        for name in ["i2_big", "version_2", "column"] {
            let whole = written(name);
            for length in MAGIC.len()..whole.len() {
                let error = refusal(&whole[..length]);
                assert!(error.contains("it ends "), "{length}: {error}");
            }
            for at in MAGIC.len()..whole.len() {
                for byte in 0..=255 {
                    let mut damaged = whole.clone();
                    damaged[at] = byte;
                    let _ = values_of(&damaged);
                }
            }
        }
    }

    #[test]
    fn what_is_an_array() {
        let is_array = |name: &str, content: &[u8]| {
            let mut text = Text::of(name, content);
            let is_array = is_array(&mut text).map_err(|error| error.to_string());
            let mut bytes = Vec::new();
            text.read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes, content, "nothing is lost");
            is_array
        };
        assert_eq!(is_array("X", MAGIC), Ok(true));
        for text in [&b""[..], b"1 2 3", b"\x93", b"\x93NUMP", b"\x93NUMPy..."] {
            assert_eq!(is_array("X", text), Ok(false));
            let error = is_array("X.Npy", text).unwrap_err();
            assert!(error.starts_with("X.Npy: its name ends in .npy, but"), "{error}");
        }
    }
}
