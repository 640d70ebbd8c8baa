//! Names in files.
use bootes_lattice::wire::{self, ObjectKind, Reader, StreamError, StreamReader, WireError};
use std::io::Read;

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The longest name of a set.
pub(crate) const MAX_NAME_BYTES: usize = 64;

/// Reads the name of a set.
///
/// # Errors
/// [`WireError::Malformed`] for a text that is longer than any: nobody looks for what it resembles.
pub(crate) fn read_name<'a>(r: &mut Reader<'a>) -> Result<&'a str, WireError> {
    let name = r.str()?;
    if name.len() > MAX_NAME_BYTES {
        return Err(WireError::Malformed { what: "the name of a parameter set is too long" });
    }
    Ok(name)
}

/// Reads the name of a parameter set from a stream.
pub(crate) fn stream_name<R: Read>(input: &mut StreamReader<R>) -> Result<String, StreamError> {
    let length = input.u64()?;
    if length > MAX_NAME_BYTES as u64 {
        return Err(WireError::Malformed { what: "the name of a parameter set is too long" }.into());
    }
    let mut name = vec![0; length as usize];
    input.raw_into(&mut name)?;
    String::from_utf8(name).map_err(|_| WireError::Malformed { what: "the name of a parameter set is no text" }.into())
}

/// The kind of an object, in words.
pub(crate) fn read_kind(bytes: &[u8]) -> Result<ObjectKind, WireError> {
    Ok(wire::peek(bytes)?.0.kind)
}
