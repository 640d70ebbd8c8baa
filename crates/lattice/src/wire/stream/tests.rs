//! Streams give the bytes of `seal_as` and the errors of `open`.
use super::super::{open, seal_as};
use super::*;

const FINGERPRINT: [u8; 16] = *b"fingerprint-0123";
const KEY_ID: [u8; 16] = *b"key-identity-012";
const KIND: ObjectKind = ObjectKind::CkksServerKey;

/// Gives a few bytes at a time.
struct Drip<'a>(&'a [u8]);

impl Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let count = out.len().min(3);
        self.0.read(&mut out[..count])
    }
}

fn written() -> Vec<u8> {
    let header = Header { kind: KIND, version: 3, fingerprint: FINGERPRINT, key_id: KEY_ID };
    let mut writer = StreamWriter::new(Vec::new(), header, 29).unwrap();
    writer.u8(1).unwrap();
    writer.u16(2).unwrap();
    writer.u32(3).unwrap();
    writer.u64(4).unwrap();
    writer.bytes(b"bytes").unwrap();
    assert_eq!(writer.remaining(), 1);
    writer.raw(b"r").unwrap();
    writer.finish().unwrap()
}

fn read(bytes: &[u8], kind: ObjectKind) -> Result<Header, StreamError> {
    let mut reader = StreamReader::new(Drip(bytes), kind)?;
    let numbers = (reader.u8()?, reader.u16()?, reader.u32()?, reader.u64()?);
    let (bytes, [last]) = (reader.bytes(5)?, reader.array()?);
    let (header, _) = reader.finish()?;
    assert_eq!((numbers, &bytes[..], last), ((1, 2, 3, 4), &b"bytes"[..], b'r'));
    Ok(header)
}

#[test]
fn streams_are_envelopes() {
    let bytes = written();
    let (header, payload) = open(&bytes, KIND).unwrap();
    assert_eq!(bytes, seal_as(3, KIND, FINGERPRINT, KEY_ID, payload));
    assert_eq!(read(&bytes, KIND).unwrap(), header);
    header.expect_fingerprint(FINGERPRINT).unwrap();
    let foreign = header.expect_fingerprint([7; 16]).unwrap_err();
    assert_eq!(foreign, WireError::Fingerprint { found: "66696e67".into(), expected: "07070707".into() });
}

#[test]
fn errors_are_those_of_whole_envelopes() {
    let bytes = written();
    let mut cases: Vec<Vec<u8>> = (0..bytes.len()).map(|length| bytes[..length].to_vec()).collect();
    cases.push([&bytes[..], &[0]].concat());
    // All but the length, whose change is seen when the payload does not end where it should, and the count of bytes.
    let counts = [43..51, HEADER_BYTES + 15..HEADER_BYTES + 23];
    for at in (0..bytes.len()).filter(|at| !counts.iter().any(|range| range.contains(at))) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x80;
        cases.push(changed);
    }
    for case in cases {
        let expected = open(&case, KIND).unwrap_err();
        match read(&case, KIND) {
            Err(StreamError::Wire(found)) => assert_eq!(found, expected),
            other => panic!("{other:?} instead of {expected:?}"),
        }
    }
    let wrong = read(&bytes, ObjectKind::ClientKey);
    assert!(matches!(wrong, Err(StreamError::Wire(WireError::WrongKind { .. }))), "{wrong:?}");
}

#[test]
fn lengths_and_counts_that_lie_are_refused_before_they_cost() {
    for (at, value) in [(43, 28u64), (43, 30), (43, u64::MAX), (HEADER_BYTES + 15, 6), (HEADER_BYTES + 15, u64::MAX)] {
        let mut bytes = written();
        bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        let error = read(&bytes, KIND).unwrap_err();
        match at {
            43 => assert!(matches!(error, StreamError::Wire(_)), "{error}"),
            _ if value == 6 => assert!(matches!(error, StreamError::Field { found: 6, max: 5, .. }), "{error}"),
            _ => assert!(matches!(error, StreamError::Wire(WireError::UnexpectedEnd { left: 6, .. })), "{error}"),
        }
        assert!(!error.to_string().contains('\n'));
    }
}

#[test]
#[should_panic(expected = "as long as its header says")]
fn a_payload_does_not_outgrow_its_header() {
    let header = Header { kind: KIND, version: 3, fingerprint: FINGERPRINT, key_id: KEY_ID };
    let _ = StreamWriter::new(Vec::new(), header, 1).unwrap().u16(0);
}
