//! Kinds of errors, for programs.
use super::{BfvError, ConversionError, Error, TranscipherError};
use bootes_lattice::wire::StreamError;
use bootes_lut::{BfvLutError, CkksLutError, FhewLutError, LutError};
use std::fmt;

/// The kind of an error, for programs that act on it: [`Error::kind`]. Messages change from version to version, kinds
/// and their codes do not.
///
/// Damaged bytes are [`Self::Data`] where nothing else is found in them first: a damaged head may name another set
/// ([`Self::Mismatch`]), or sizes and bounds that are out of range ([`Self::Argument`], [`Self::Memory`],
/// [`Self::Noise`]).
///
/// ```
/// use bootes::{ErrorKind, Params};
/// let error = Params::for_bits(99).unwrap_err();
/// assert_eq!((error.kind(), error.kind().code()), (ErrorKind::Argument, "argument"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Values, tables, widths or names that are out of range, or do not fit each other: other ones work.
    Argument,
    /// A capability that this engine or this set has not, and another one may have.
    Unsupported,
    /// Results would be wrong more often than promised: less noisy inputs, another function or another set work.
    Noise,
    /// Less memory than the work needs, or than a limit allows.
    Memory,
    /// Keys, ciphertexts, plans and parameters that were not made together.
    Mismatch,
    /// Bytes that are damaged, or no such object.
    Data,
    /// A file or stream that cannot be read or written.
    Io,
    /// It was cancelled.
    Cancelled,
    /// The system gives no randomness or no threads.
    System,
}

impl ErrorKind {
    /// Its name, in lower case.
    pub fn code(self) -> &'static str {
        match self {
            Self::Argument => "argument",
            Self::Unsupported => "unsupported",
            Self::Noise => "noise",
            Self::Memory => "memory",
            Self::Mismatch => "mismatch",
            Self::Data => "data",
            Self::Io => "io",
            Self::Cancelled => "cancelled",
            Self::System => "system",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Error {
    /// The kind of the error, for programs that act on it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::InFile { source, .. } => source.kind(),
            Self::File { .. } | Self::Stream(StreamError::Io(_)) => ErrorKind::Io,
            Self::Stream(StreamError::Cancelled) => ErrorKind::Cancelled,
            Self::Stream(_) | Self::Wire(_) | Self::NoiseBound { .. } | Self::Rlwe(_) => ErrorKind::Data,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Memory { .. } | Self::CiphertextMemory { .. } => ErrorKind::Memory,
            Self::Randomness(_) | Self::ThreadPool { .. } => ErrorKind::System,
            Self::NotWith { .. } | Self::NotForIntegers { .. } => ErrorKind::Unsupported,
            Self::Noise { .. } | Self::NoiseBudget { .. } | Self::Failure { .. } => ErrorKind::Noise,
            Self::SetOf { .. }
            | Self::OtherEngine { .. }
            | Self::OtherParams { .. }
            | Self::OtherKey { .. }
            | Self::ChangedParams { .. }
            | Self::MissingKeys { .. }
            | Self::CompressionKey { .. }
            | Self::Plan(_) => ErrorKind::Mismatch,
            Self::Bfv(error) => of_vectors(error),
            Self::Lut(error) => of_tables(error),
            Self::Transcipher(TranscipherError::Set { .. }) => ErrorKind::Unsupported,
            Self::Transcipher(TranscipherError::Key { .. }) => ErrorKind::Mismatch,
            Self::Conversion(
                ConversionError::Engines { .. }
                | ConversionError::Space { .. }
                | ConversionError::Modulus { .. }
                | ConversionError::Unbootstrapped { .. }
                | ConversionError::Rings { .. }
                | ConversionError::Integers { .. },
            ) => ErrorKind::Unsupported,
            Self::Conversion(ConversionError::Noise { .. } | ConversionError::Digit { .. }) => ErrorKind::Noise,
            _ => ErrorKind::Argument,
        }
    }
}

fn of_vectors(error: &BfvError) -> ErrorKind {
    match error {
        BfvError::Budget { .. } | BfvError::Failure { .. } => ErrorKind::Noise,
        BfvError::Level { .. } => ErrorKind::Data,
        _ => ErrorKind::Argument,
    }
}

fn of_tables(error: &LutError) -> ErrorKind {
    match error {
        LutError::Ckks(CkksLutError::Noise { .. } | CkksLutError::Integers { .. })
        | LutError::Fhew(FhewLutError::Noise { .. } | FhewLutError::OutputNoise { .. }) => ErrorKind::Noise,
        LutError::TooWide { .. }
        | LutError::Room { .. }
        | LutError::Packing { .. }
        | LutError::Intermediate { .. }
        | LutError::Fhew(FhewLutError::Unsupported { .. } | FhewLutError::Entries { .. })
        | LutError::Bfv(BfvLutError::Room { .. } | BfvLutError::OneValue { .. }) => ErrorKind::Unsupported,
        LutError::Cancelled => ErrorKind::Cancelled,
        LutError::Fhew(FhewLutError::Keys { .. }) => ErrorKind::Mismatch,
        _ => ErrorKind::Argument,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cancel, CiphertextReader, Ciphertexts, Client, Lut, Params, Server};

    #[test]
    fn kinds_say_what_to_do() -> Result<(), Error> {
        let params = Params::named("toy_4")?;
        let [client, other] = [Client::generate(&params)?, Client::generate(&params)?];
        let server = Server::new(client.server_key()?)?;
        let x = client.encrypt([3])?;
        let file = x.write(Vec::new())?;
        let cancel = Cancel::new();
        cancel.cancel();
        let lut = Lut::modular((0..16).collect(), 16)?;
        let kind = |refused: Result<(), Error>| refused.unwrap_err().kind();
        assert_eq!(kind(client.encrypt([16]).map(drop)), ErrorKind::Argument);
        assert_eq!(kind(server.multiply(&x, &x).map(drop)), ErrorKind::Unsupported);
        let doubled = (0..64).try_fold(x.clone(), |sum, _| sum.add(&sum));
        assert_eq!(kind(doubled.map(drop)), ErrorKind::Noise);
        assert_eq!(kind(Server::builder(client.server_key()?).memory(1).build().map(drop)), ErrorKind::Memory);
        assert_eq!(kind(other.decrypt(&x).map(drop)), ErrorKind::Mismatch);
        assert_eq!(kind(Ciphertexts::read(&file[..40]).map(drop)), ErrorKind::Data);
        let mut damaged = file.clone();
        *damaged.last_mut().expect("a checksum") ^= 1;
        assert_eq!(kind(CiphertextReader::new(&damaged[..])?.read().map(drop)), ErrorKind::Data);
        assert_eq!(kind(Ciphertexts::load("/nowhere").map(drop)), ErrorKind::Io);
        assert_eq!(kind(server.cancelled_by(&cancel).evaluate(&lut, &x).map(drop)), ErrorKind::Cancelled);
        Ok(())
    }
}
