//! Round trips, every truncation, every flipped byte, lying counts.
use proptest::prelude::*;

use super::*;

const FINGERPRINT: [u8; 16] = *b"fingerprint-0123";
const KEY_ID: [u8; 16] = *b"key-identity-012";

fn sample() -> Vec<u8> {
    seal(ObjectKind::Ciphertexts, FINGERPRINT, KEY_ID, b"forty-two bytes of payload, more or less.")
}

#[test]
fn layout_is_as_documented() {
    let bytes = seal(ObjectKind::ServerKey, FINGERPRINT, KEY_ID, b"xyz");
    assert_eq!(bytes.len(), OVERHEAD_BYTES + 3);
    assert_eq!(&bytes[..8], b"BOOTES\0\x1a");
    assert_eq!(&bytes[8..10], &[1, 0]);
    assert_eq!(bytes[10], 2);
    assert_eq!(bytes[11..27], FINGERPRINT);
    assert_eq!(bytes[27..43], KEY_ID);
    assert_eq!(&bytes[43..51], &[3, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(&bytes[51..54], b"xyz");
    assert_eq!(bytes[54..], Sha256::digest(&bytes[..54])[..16]);
}

#[test]
fn every_truncation_is_named() {
    let bytes = sample();
    assert_eq!(open(&[], ObjectKind::Ciphertexts), Err(WireError::Empty));
    for length in 1..bytes.len() {
        let error = open(&bytes[..length], ObjectKind::Ciphertexts).unwrap_err();
        let expected = if length < HEADER_BYTES { OVERHEAD_BYTES } else { bytes.len() };
        assert_eq!(error, WireError::Truncated { found: length as u64, expected: expected as u64 });
    }
}

#[test]
fn every_change_of_one_byte_is_found() {
    let bytes = sample();
    for at in 0..bytes.len() {
        for difference in 1..=255 {
            let mut changed = bytes.clone();
            changed[at] ^= difference;
            assert!(open(&changed, ObjectKind::Ciphertexts).is_err(), "byte {at} xor {difference}");
        }
    }
}

#[test]
fn kind_is_checked_before_the_content() {
    let mut bytes = sample();
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(
        open(&bytes, ObjectKind::ServerKey),
        Err(WireError::WrongKind { found: ObjectKind::Ciphertexts, expected: ObjectKind::ServerKey })
    );
    bytes[10] = 200;
    assert_eq!(open(&bytes, ObjectKind::ServerKey), Err(WireError::UnknownKind { found: 200 }));
}

#[test]
fn other_versions_are_refused() {
    for version in [0, FORMAT_VERSION + 1, u16::MAX] {
        let mut bytes = sample();
        bytes[8..10].copy_from_slice(&version.to_le_bytes());
        let refused = WireError::UnsupportedVersion { found: version, newest: FORMAT_VERSION };
        assert_eq!(open(&bytes, ObjectKind::Ciphertexts), Err(refused.clone()));
        assert_eq!(peek(&bytes), Err(refused));
    }
}

#[test]
fn wrong_lengths_and_foreign_files() {
    let mut bytes = sample();
    bytes.push(0);
    let found = bytes.len() as u64;
    assert_eq!(open(&bytes, ObjectKind::Ciphertexts), Err(WireError::TooLong { found, expected: found - 1 }));
    bytes[43..51].fill(0xff);
    assert_eq!(open(&bytes, ObjectKind::Ciphertexts), Err(WireError::Truncated { found, expected: u64::MAX }));
    assert_eq!(open(b"PK", ObjectKind::Ciphertexts), Err(WireError::BadMagic { found: b"PK".to_vec() }));
}

#[test]
fn peek_needs_only_the_header() {
    let bytes = sample();
    let (header, payload_bytes) = peek(&bytes[..HEADER_BYTES]).unwrap();
    assert_eq!(payload_bytes as usize, bytes.len() - OVERHEAD_BYTES);
    assert_eq!(header, Header { kind: ObjectKind::Ciphertexts, version: 1, fingerprint: FINGERPRINT, key_id: KEY_ID });
}

#[test]
fn lying_counts_cost_no_memory() {
    for count in [1, 1 << 40, u64::MAX / 8 + 2, u64::MAX] {
        let mut payload = Writer::new();
        payload.u64(count);
        let payload = payload.into_bytes();
        for read in [
            |reader: &mut Reader<'_>| reader.u64s().map(drop),
            |reader: &mut Reader<'_>| reader.u32s().map(drop),
            |reader: &mut Reader<'_>| reader.bytes().map(drop),
            |reader: &mut Reader<'_>| reader.str().map(drop),
        ] {
            assert!(matches!(read(&mut Reader::new(&payload)), Err(WireError::UnexpectedEnd { left: 0, .. })));
        }
    }
}

#[test]
fn text_must_be_utf8_and_nothing_may_be_left() {
    let mut payload = Writer::new();
    payload.bytes(&[0xff]);
    payload.u8(0);
    let payload = payload.into_bytes();
    let mut reader = Reader::new(&payload);
    assert!(matches!(reader.str(), Err(WireError::Malformed { .. })));
    assert_eq!(reader.finish(), Err(WireError::TrailingBytes { count: 1 }));
}

#[test]
fn every_error_is_one_line() {
    let errors = [
        WireError::Empty,
        WireError::BadMagic { found: vec![10, 13] },
        WireError::WrongKind { found: ObjectKind::ClientKey, expected: ObjectKind::ServerKey },
        WireError::Checksum { found: "00".into(), expected: "01".into() },
    ];
    for error in errors {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}

fn kinds() -> impl Strategy<Value = ObjectKind> {
    (1..=7u8).prop_map(|byte| ObjectKind::from_u8(byte).unwrap())
}

proptest! {
    #[test]
    fn envelopes_round_trip(
        kind in kinds(),
        fingerprint: [u8; 16],
        key_id: [u8; 16],
        payload in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let bytes = seal(kind, fingerprint, key_id, &payload);
        let (header, content) = open(&bytes, kind).unwrap();
        prop_assert_eq!(header, Header { kind, version: 1, fingerprint, key_id });
        prop_assert_eq!(content, &payload[..]);
    }

    #[test]
    fn any_bytes_are_refused_quietly(bytes in prop::collection::vec(any::<u8>(), 0..200), keep_magic: bool) {
        let mut bytes = bytes;
        if keep_magic && bytes.len() > 11 {
            bytes[..8].copy_from_slice(&MAGIC);
            bytes[8..11].copy_from_slice(&[1, 0, 3]);
        }
        prop_assert!(open(&bytes, ObjectKind::Ciphertexts).is_err());
    }

    #[test]
    fn payloads_round_trip(
        a: u8, b: u16, c: u32, d: u64, bits: u64,
        bytes in prop::collection::vec(any::<u8>(), 0..40),
        text in ".{0,20}",
        words in prop::collection::vec(any::<u32>(), 0..20),
        longs in prop::collection::vec(any::<u64>(), 0..20),
    ) {
        let mut writer = Writer::new();
        writer.u8(a);
        writer.u16(b);
        writer.u32(c);
        writer.u64(d);
        writer.f64(f64::from_bits(bits));
        writer.bytes(&bytes);
        writer.str(&text);
        writer.u32s(&words);
        writer.u64s(&longs);
        let payload = writer.into_bytes();
        // Every prefix fails somewhere, and never later than at the end.
        for length in 0..=payload.len() {
            let mut reader = Reader::new(&payload[..length]);
            let result = (|| {
                let all = (
                    (reader.u8()?, reader.u16()?, reader.u32()?, reader.u64()?, reader.f64()?.to_bits()),
                    (reader.bytes()?, reader.str()?, reader.u32s()?, reader.u64s()?),
                );
                reader.finish()?;
                Ok::<_, WireError>(all)
            })();
            if length == payload.len() {
                prop_assert_eq!(
                    result.unwrap(),
                    ((a, b, c, d, bits), (&bytes[..], &text[..], words.clone(), longs.clone()))
                );
            } else {
                prop_assert!(result.is_err());
            }
        }
    }
}
