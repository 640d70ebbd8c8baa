//! Envelopes written and read piece by piece: keys of gigabytes, which should not be in memory twice.
//!
//! The bytes are those of [`seal_as`](super::seal_as), and the errors those of [`open`](super::open). The length of the
//! payload is written before it, so it has to be known. A reader gives pieces before the checksum is verified: nothing
//! that was read may be used until [`StreamReader::finish`] says that it is what was written, and damage may show as a
//! malformed field before.

use std::fmt;
use std::io::{ErrorKind, Read, Write};

use bootes_ring::cancel::is_wanted;
use bootes_ring::error::RingError;
use sha2::{Digest, Sha256};

use super::{CHECKSUM_BYTES, HEADER_BYTES, Header, OVERHEAD_BYTES, ObjectKind, WireError, expect_checksum, peek};

/// Why an object cannot be written to or read from a stream.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StreamError {
    /// The stream itself failed.
    #[error("it cannot be read or written: {0}")]
    Io(#[from] std::io::Error),
    /// The bytes are no valid object.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// A number of the payload does not fit the ring, the gadget or the caller's limit.
    #[error("its {what} is {found} where {} expected; use it with the parameters it was made with", range(*min, *max))]
    Field {
        /// The field.
        what: &'static str,
        /// Its value.
        found: u64,
        /// The least it may be.
        min: u64,
        /// The most it may be.
        max: u64,
    },
    /// Packed residues are not those of their prime.
    #[error("its content is malformed: row {row}, prime {limb}: {source}; write it again")]
    Residues {
        /// The row of the key.
        row: usize,
        /// The number of the prime, the special ones after the chain.
        limb: usize,
        /// The reason.
        source: RingError,
    },
    /// It is not wanted any longer ([`is_wanted`]).
    #[error("cancelled")]
    Cancelled,
}

/// Bytes that are read at once where a stream may announce more than it has.
const PIECE_BYTES: usize = 1 << 20;

fn range(min: u64, max: u64) -> String {
    if min == max { format!("{min} is") } else { format!("{min} to {max} are") }
}

/// Refuses a number outside `min` ..= `max`.
///
/// # Errors
/// [`StreamError::Field`].
pub(crate) fn expect_field(what: &'static str, found: u64, min: u64, max: u64) -> Result<(), StreamError> {
    if (min..=max).contains(&found) { Ok(()) } else { Err(StreamError::Field { what, found, min, max }) }
}

/// Writes one envelope: the header at once, the payload piece by piece, the checksum in [`StreamWriter::finish`].
///
/// Pieces go to `W` as they are; a [`BufWriter`](std::io::BufWriter) gathers small ones. No method returns with less
/// than all written.
#[must_use = "an envelope ends with `finish`"]
pub struct StreamWriter<W: Write> {
    inner: W,
    hash: Sha256,
    left: u64,
}

impl<W: Write> StreamWriter<W> {
    /// Writes the header of an envelope with `payload_bytes` bytes of payload, in the version that the payload needs.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    pub fn new(inner: W, header: Header, payload_bytes: u64) -> Result<Self, StreamError> {
        let mut out = Self { inner, hash: Sha256::new(), left: payload_bytes };
        out.put(&header.to_bytes(payload_bytes))?;
        Ok(out)
    }

    /// Bytes of the payload not written yet.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.left
    }

    /// One byte.
    ///
    /// # Errors
    /// As [`raw`](Self::raw).
    pub fn u8(&mut self, value: u8) -> Result<(), StreamError> {
        self.raw(&[value])
    }

    /// Two bytes.
    ///
    /// # Errors
    /// As [`raw`](Self::raw).
    pub fn u16(&mut self, value: u16) -> Result<(), StreamError> {
        self.raw(&value.to_le_bytes())
    }

    /// Four bytes.
    ///
    /// # Errors
    /// As [`raw`](Self::raw).
    pub fn u32(&mut self, value: u32) -> Result<(), StreamError> {
        self.raw(&value.to_le_bytes())
    }

    /// Eight bytes.
    ///
    /// # Errors
    /// As [`raw`](Self::raw).
    pub fn u64(&mut self, value: u64) -> Result<(), StreamError> {
        self.raw(&value.to_le_bytes())
    }

    /// A count (eight bytes), then that many bytes: a payload of a [`Writer`](super::Writer), for one.
    ///
    /// # Errors
    /// As [`raw`](Self::raw).
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), StreamError> {
        self.u64(bytes.len() as u64)?;
        self.raw(bytes)
    }

    /// Bytes without their length.
    ///
    /// # Errors
    /// [`StreamError::Io`], [`StreamError::Cancelled`].
    ///
    /// # Panics
    /// If the payload gets longer than its header says.
    pub fn raw(&mut self, bytes: &[u8]) -> Result<(), StreamError> {
        let left = self.left.checked_sub(bytes.len() as u64);
        self.left = left.expect("a payload is as long as its header says");
        self.put(bytes)
    }

    /// Writes the checksum, flushes, and gives the stream back.
    ///
    /// # Errors
    /// [`StreamError::Io`].
    ///
    /// # Panics
    /// If the payload is shorter than its header says.
    pub fn finish(mut self) -> Result<W, StreamError> {
        assert_eq!(self.left, 0, "bytes of the payload that its header announced and nobody wrote");
        self.inner.write_all(&self.hash.finalize()[..CHECKSUM_BYTES])?;
        self.inner.flush()?;
        Ok(self.inner)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), StreamError> {
        for piece in bytes.chunks(PIECE_BYTES) {
            wanted()?;
            self.hash.update(piece);
            self.inner.write_all(piece)?;
        }
        Ok(())
    }
}

impl<W: Write> fmt::Debug for StreamWriter<W> {
    /// The length only: a payload may be a secret key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamWriter").field("remaining", &self.left).finish_non_exhaustive()
    }
}

/// Reads one envelope: the header at once, the payload piece by piece, the checksum in [`StreamReader::finish`].
///
/// Every read is checked against what is left of the announced payload before anything is allocated.
#[must_use = "what was read may be used after `finish`"]
pub struct StreamReader<R: Read> {
    inner: R,
    hash: Sha256,
    header: Header,
    /// Bytes of the payload.
    payload_bytes: u64,
    left: u64,
}

impl<R: Read> StreamReader<R> {
    /// Reads and checks the header.
    ///
    /// # Errors
    /// [`StreamError::Io`], and as [`open`](super::open) up to the kind.
    pub fn new(mut inner: R, expected: ObjectKind) -> Result<Self, StreamError> {
        let mut start = [0; HEADER_BYTES];
        let found = fill(&mut inner, &mut start)?;
        let (header, payload_bytes) = peek(&start[..found])?;
        header.expect_kind(expected)?;
        Ok(Self { inner, hash: Sha256::new().chain_update(start), header, payload_bytes, left: payload_bytes })
    }

    /// The header; the caller compares its [fingerprint](Header::expect_fingerprint) and its key.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of the payload, by its header.
    #[must_use]
    pub fn payload_bytes(&self) -> u64 {
        self.payload_bytes
    }

    /// Bytes of the payload not read yet, by its header.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.left
    }

    /// Overwrites `out` by the next bytes.
    ///
    /// # Errors
    /// [`WireError::UnexpectedEnd`] if the payload has fewer left, [`WireError::Truncated`] if the stream ends,
    /// [`StreamError::Io`], [`StreamError::Cancelled`].
    pub fn raw_into(&mut self, out: &mut [u8]) -> Result<(), StreamError> {
        self.expect_left(out.len() as u64)?;
        for piece in out.chunks_mut(PIECE_BYTES) {
            wanted()?;
            let found = fill(&mut self.inner, piece)?;
            self.left -= found as u64;
            if found < piece.len() {
                return Err(self.truncated(self.left, 0));
            }
            self.hash.update(piece);
        }
        Ok(())
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// As [`raw_into`](Self::raw_into).
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], StreamError> {
        let mut out = [0; N];
        self.raw_into(&mut out)?;
        Ok(out)
    }

    /// One byte.
    ///
    /// # Errors
    /// As [`raw_into`](Self::raw_into).
    pub fn u8(&mut self) -> Result<u8, StreamError> {
        self.array().map(u8::from_le_bytes)
    }

    /// Two bytes.
    ///
    /// # Errors
    /// As [`raw_into`](Self::raw_into).
    pub fn u16(&mut self) -> Result<u16, StreamError> {
        self.array().map(u16::from_le_bytes)
    }

    /// Four bytes.
    ///
    /// # Errors
    /// As [`raw_into`](Self::raw_into).
    pub fn u32(&mut self) -> Result<u32, StreamError> {
        self.array().map(u32::from_le_bytes)
    }

    /// Eight bytes.
    ///
    /// # Errors
    /// As [`raw_into`](Self::raw_into).
    pub fn u64(&mut self) -> Result<u64, StreamError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A count, then that many bytes, at most `max`.
    ///
    /// # Errors
    /// As [`raw_into`](Self::raw_into), and [`StreamError::Field`] if there are more.
    pub fn bytes(&mut self, max: usize) -> Result<Vec<u8>, StreamError> {
        let count = self.u64()?;
        self.expect_left(count)?;
        expect_field("number of bytes", count, 0, max as u64)?;
        // What a stream announces is not there yet: memory is taken as it comes.
        let (count, mut out) = (count as usize, Vec::new());
        while out.len() < count {
            let start = out.len();
            out.resize(count.min(start + PIECE_BYTES), 0);
            self.raw_into(&mut out[start..])?;
        }
        Ok(out)
    }

    /// Ends the reading: nothing of the payload is left, the checksum is right, and so the stream ends. Gives header
    /// and stream back.
    ///
    /// # Errors
    /// [`WireError::TrailingBytes`], [`WireError::Truncated`], [`WireError::TooLong`] (with the least length that it
    /// has), [`WireError::Checksum`], [`StreamError::Io`].
    pub fn finish(mut self) -> Result<(Header, R), StreamError> {
        if self.left > 0 {
            return Err(WireError::TrailingBytes { count: self.left }.into());
        }
        // One byte more shows a stream that goes on.
        let mut end = [0; CHECKSUM_BYTES + 1];
        let found = fill(&mut self.inner, &mut end)?;
        if found < CHECKSUM_BYTES {
            return Err(self.truncated(0, found));
        }
        if found > CHECKSUM_BYTES {
            let expected = self.total();
            return Err(WireError::TooLong { found: expected.saturating_add(1), expected }.into());
        }
        expect_checksum(&end[..CHECKSUM_BYTES], &self.hash.finalize())?;
        Ok((self.header, self.inner))
    }

    /// [`Self::finish`], after what is left of the payload: it is not looked at, but counts for the checksum.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub fn finish_unread(mut self) -> Result<(Header, R), StreamError> {
        let mut bytes = [0; 4096];
        while self.left > 0 {
            let count = self.left.min(bytes.len() as u64) as usize;
            self.raw_into(&mut bytes[..count])?;
        }
        self.finish()
    }

    /// Refuses a read past the payload: before anything is allocated for it.
    pub fn expect_left(&self, wanted: u64) -> Result<(), StreamError> {
        if wanted <= self.left { Ok(()) } else { Err(WireError::UnexpectedEnd { wanted, left: self.left }.into()) }
    }

    /// Bytes of the whole envelope, by its header.
    fn total(&self) -> u64 {
        self.payload_bytes.saturating_add(OVERHEAD_BYTES as u64)
    }

    /// The stream ended `more` bytes after the place where `left` bytes of the payload are to come.
    fn truncated(&self, left: u64, more: usize) -> StreamError {
        let found = HEADER_BYTES as u64 + (self.payload_bytes - left) + more as u64;
        WireError::Truncated { found, expected: self.total() }.into()
    }
}

impl<R: Read> fmt::Debug for StreamReader<R> {
    /// The header and the length only: a payload may be a secret key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamReader")
            .field("header", &self.header)
            .field("remaining", &self.left)
            .finish_non_exhaustive()
    }
}

/// Goes on with a stream, if that is wanted.
fn wanted() -> Result<(), StreamError> {
    if is_wanted() { Ok(()) } else { Err(StreamError::Cancelled) }
}

/// Fills `out` as far as the stream goes, and counts.
fn fill(inner: &mut impl Read, out: &mut [u8]) -> Result<usize, StreamError> {
    let mut found = 0;
    while found < out.len() {
        match inner.read(&mut out[found..]) {
            Ok(0) => break,
            Ok(count) => found += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
