//! Why bytes are refused.
use super::ObjectKind;

/// Why bytes are no valid object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// There are no bytes at all.
    #[error("it is empty (0 bytes): expected a Bootes key or ciphertexts; write it again")]
    Empty,
    /// The first bytes are not ours.
    #[error("it is not a Bootes key or ciphertext file: its first bytes are {found:02x?}; check the path")]
    BadMagic {
        /// The first bytes, at most eight.
        found: Vec<u8>,
    },
    /// Written by a newer program (or version 0, which never existed).
    #[error(
        "it has format version {found}, but this program reads versions 1 to {newest}: use the release that \
         wrote it or a newer one"
    )]
    UnsupportedVersion {
        /// The version in the header.
        found: u16,
        /// The newest version this program reads.
        newest: u16,
    },
    /// The kind byte has no meaning in this version.
    #[error("it holds an object of unknown type {found}: it is damaged; copy or write it again")]
    UnknownKind {
        /// The kind byte.
        found: u8,
    },
    /// A valid object of another kind.
    #[error("it is {}, but {} was expected: give the right file here", found.with_article(), expected.with_article())]
    WrongKind {
        /// The kind in the header.
        found: ObjectKind,
        /// The kind the caller asked for.
        expected: ObjectKind,
    },
    /// An object of other parameters.
    #[error(
        "it belongs to other parameters (fingerprint {found}, expected {expected}): use files made with one parameter \
         set"
    )]
    Fingerprint {
        /// Start of the fingerprint in the header, in hexadecimal.
        found: String,
        /// Start of the fingerprint that the caller works with, in hexadecimal.
        expected: String,
    },
    /// Fewer bytes than the header announces, or than a header needs.
    #[error("it is truncated: {found} bytes where {expected} were expected; copy or write it again")]
    Truncated {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be (at least, if the header itself is cut).
        expected: u64,
    },
    /// More bytes than the header announces.
    #[error("it is too long: more follows its {expected} bytes; copy or write it again")]
    TooLong {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// The content is not what was written.
    #[error("its checksum is {found} where its content gives {expected}: it is damaged; copy or write it again")]
    Checksum {
        /// Start of the stored checksum, in hexadecimal.
        found: String,
        /// Start of the computed checksum, in hexadecimal.
        expected: String,
    },
    /// A read inside the payload passed its end.
    #[error("its content is malformed: {wanted} bytes wanted where {left} are left; write it again")]
    UnexpectedEnd {
        /// Bytes that the read needed.
        wanted: u64,
        /// Bytes that were left.
        left: u64,
    },
    /// The payload has bytes that nothing reads.
    #[error("its content is malformed: {count} bytes are left over at the end; write it again")]
    TrailingBytes {
        /// How many.
        count: u64,
    },
    /// A field of the payload holds what it cannot.
    #[error("its content is malformed: {what}; write it again")]
    Malformed {
        /// The fault, in words.
        what: &'static str,
    },
}
