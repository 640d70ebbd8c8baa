//! Files of keys, ciphertexts and encrypted tables, of toy sets.
use std::io::Read;
use std::sync::{LazyLock, OnceLock};

use bootes::wire::{Header, ObjectKind, StreamReader, StreamWriter};
use bootes::{
    CiphertextReader, Ciphertexts, Client, ConversionKey, EncryptedSymmetricKey, EncryptedTable, Error, MaskStorage,
    Params, PublicKey, ServerKey, Space, SymmetricCiphertexts,
};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvLiteral, BfvParams, BfvSecretKey};
use bootes_schemes::ckks::{CkksLiteral, CkksParams, CkksSecretKey};
use bootes_schemes::class::SetClass;
use bootes_schemes::rlwe::{KeyRequest, RlweEvaluationKey, SchemeEvaluationKey, SchemeParams};

use crate::sealed::Input;

/// Bytes of memory that a reader may take.
pub(crate) const MEMORY: u64 = 64 << 20;

/// The seed of the client of every set.
pub(crate) const SEED: &[u8; 32] = b"what a fuzzer decrypts with.....";

/// The sets whose clients are made, when they are first named: all toys of engine ckks, so that they are kept and not
/// built for each input.
static CLIENTS: [(&str, OnceLock<Client>); 11] = [
    ("toy_bits", OnceLock::new()),
    ("toy_4", OnceLock::new()),
    ("toy_4_binary", OnceLock::new()),
    ("toy_int16", OnceLock::new()),
    ("toy_wide_4", OnceLock::new()),
    ("toy_batch_4bit", OnceLock::new()),
    ("toy_batch_6bit", OnceLock::new()),
    ("toy_batch_9bit", OnceLock::new()),
    ("toy_batch_integers", OnceLock::new()),
    ("toy_slots_257", OnceLock::new()),
    ("toy_slots_127_2", OnceLock::new()),
];

/// The client of a set, if it has one.
pub(crate) fn client(set: &str) -> Option<&'static Client> {
    let (name, client) = CLIENTS.iter().find(|(name, _)| *name == set)?;
    let made = || Client::from_seed(&Params::named(name).expect("a set that there is"), SEED);
    Some(client.get_or_init(made))
}

/// Whether a file may name a set of real size, which takes seconds to build.
pub(crate) fn names_real_set(data: &[u8]) -> bool {
    let is_real = |(at, word)| [&b"slots_"[..], b"batch_"].contains(&word) && !data[..at].ends_with(b"toy_");
    data.windows(6).enumerate().any(is_real)
}

/// Fingerprint and key of a header.
type Ids = [[u8; 16]; 2];

/// Zeros that an object of toy sets has at most: one, or some ciphertexts.
fn most_zeros(kind: ObjectKind) -> usize {
    match kind {
        ObjectKind::ServerKey | ObjectKind::CkksTable | ObjectKind::ConversionKey => 1 << 18,
        ObjectKind::CkksCiphertexts | ObjectKind::BfvCiphertexts => 1 << 16,
        ObjectKind::PublicKey | ObjectKind::CkksPublicKey | ObjectKind::BfvPublicKey => 1 << 15,
        ObjectKind::SymmetricKey | ObjectKind::Ciphertexts | ObjectKind::CkksServerKey | ObjectKind::BfvServerKey => {
            1 << 13
        }
        _ => 1 << 8,
    }
}

/// The payload, and what its header says of the set that it names at `at`; none for real sets, which take seconds.
fn input_of(data: &[u8], kind: ObjectKind, at: usize) -> Option<(Input<'_>, Option<&'static Client>, Ids)> {
    let input = Input::of(data, most_zeros(kind))?;
    let name = input.name(at).map_or("toy_none".into(), |(name, _)| name);
    let client = client(&name);
    let header = client.map_or([[0; 16]; 2], |client| [client.params().fingerprint(), client.key_id()]);
    name.starts_with("toy_").then_some((input, client, header))
}

fn client_key(data: &[u8], kind: ObjectKind) {
    let Some((input, client, [fingerprint, mut key_id])) = input_of(data, kind, 0) else { return };
    if let (Some(client), Some((_, Some(seed)))) = (client, input.name(0)) {
        key_id = Client::from_seed(&client.params(), &seed).key_id();
    }
    let Ok(client) = Client::from_bytes(&input.seal(kind, fingerprint, key_id).bytes()) else { return };
    let bytes = client.export_secret_bytes();
    let again = Client::from_bytes(&bytes).expect("what was written is read");
    assert_eq!((again.key_id(), &again.export_secret_bytes()), (client.key_id(), &bytes));
}

pub(crate) fn fhew_client_key(data: &[u8]) {
    client_key(data, ObjectKind::ClientKey);
}

pub(crate) fn ckks_client_key(data: &[u8]) {
    client_key(data, ObjectKind::CkksClientKey);
}

pub(crate) fn bfv_client_key(data: &[u8]) {
    client_key(data, ObjectKind::BfvClientKey);
}

fn public_key(data: &[u8], kind: ObjectKind) {
    let Some((input, client, [fingerprint, key_id])) = input_of(data, kind, 0) else { return };
    let Ok(key) = PublicKey::read(input.seal(kind, fingerprint, key_id)) else { return };
    again(&key, PublicKey::to_bytes, PublicKey::from_bytes, PublicKey::stored_bytes);
    // Whatever the key holds.
    let x = key.encrypt([1, 0]).expect("values that every set has");
    let client = client.expect("a set that is known");
    assert_eq!(client.decrypt(&x).expect("ciphertexts of this key").len(), 2);
}

pub(crate) fn fhew_public_key(data: &[u8]) {
    public_key(data, ObjectKind::PublicKey);
}

pub(crate) fn ckks_public_key(data: &[u8]) {
    public_key(data, ObjectKind::CkksPublicKey);
}

pub(crate) fn bfv_public_key(data: &[u8]) {
    public_key(data, ObjectKind::BfvPublicKey);
}

pub(crate) fn symmetric_key(data: &[u8]) {
    let kind = ObjectKind::SymmetricKey;
    let Some((input, _, [fingerprint, key_id])) = input_of(data, kind, 0) else { return };
    let Ok(key) = EncryptedSymmetricKey::read(input.seal(kind, fingerprint, key_id)) else { return };
    let (write, read) = (EncryptedSymmetricKey::to_bytes, EncryptedSymmetricKey::from_bytes);
    again(&key, write, read, EncryptedSymmetricKey::stored_bytes);
}

pub(crate) fn symmetric_ciphertexts(data: &[u8]) {
    let kind = ObjectKind::SymmetricCiphertexts;
    let Some((input, _, [fingerprint, key_id])) = input_of(data, kind, 0) else { return };
    let Ok(sent) = SymmetricCiphertexts::read(input.seal(kind, fingerprint, key_id)) else { return };
    let (write, read) = (SymmetricCiphertexts::to_bytes, SymmetricCiphertexts::from_bytes);
    again(&sent, write, read, SymmetricCiphertexts::stored_bytes);
    let bits = u64::from(sent.space().bits());
    assert_eq!(sent.aes().len() as u64, (sent.len() as u64 * bits).div_ceil(8), "bytes that there are values for");
}

pub(crate) fn conversion_key(data: &[u8]) {
    let kind = ObjectKind::ConversionKey;
    if names_real_set(data) {
        return;
    }
    let Some((input, client, [fingerprint, key_id])) = input_of(data, kind, 0) else { return };
    let Ok(key) = ConversionKey::read(input.seal(kind, fingerprint, key_id)) else { return };
    again(&key, ConversionKey::to_bytes, ConversionKey::from_bytes, ConversionKey::stored_bytes);
    // Whatever the key holds.
    let x = client.expect("a set that is known").encrypt([1, 0]).expect("values that every set has");
    // The other set may have no messages of so many bits.
    let Ok(y) = key.convert(&x, [1]) else { return };
    assert_eq!((y.len(), y.space(), y.key_id()), (1, x.space(), key.target_key_id()));
}

/// An object that was read is written, read and written again; the bytes.
fn again<T>(
    object: &T,
    write: impl Fn(&T) -> Result<Vec<u8>, Error>,
    read: impl Fn(&[u8]) -> Result<T, Error>,
    size: impl Fn(&T) -> u64,
) -> Vec<u8> {
    let bytes = write(object).expect("memory takes what is written");
    let read = read(&bytes).expect("what was written is read");
    assert!(write(&read).expect("memory takes what is written") == bytes, "what was read is another object");
    assert_eq!(size(object), bytes.len() as u64, "an object has the size that it says");
    bytes
}

fn server_key(input: &Input<'_>, kind: ObjectKind, [fingerprint, key_id]: Ids) {
    let sealed = input.seal(kind, fingerprint, key_id);
    let Ok(key) = ServerKey::read_within(Some(MEMORY), sealed) else { return };
    again(&key, |key| key.write(Vec::new()), |bytes| ServerKey::read_within(None, bytes), ServerKey::stored_bytes);
}

pub(crate) fn fhew_server_key(data: &[u8]) {
    let kind = ObjectKind::ServerKey;
    let Some((input, _, header)) = input_of(data, kind, 0) else { return };
    server_key(&input, kind, header);
}

/// This bit of a version asks for what is behind the name of a set, in a ring as small as there are.
pub(crate) const INNER: u8 = 0x80;

/// The evaluation key of an inner ring.
fn inner_server_key<P: SchemeParams>(params: &P, input: &Input<'_>, kind: ObjectKind) {
    let of = |bytes: &mut dyn Read| {
        let mut stream = StreamReader::new(bytes, kind).ok()?;
        let key = SchemeEvaluationKey::read(params, [0; 16], &mut stream).ok()?;
        stream.finish().ok().map(|_| key)
    };
    let Some(key) = of(&mut input.as_version(input.version & !INNER).seal(kind, [0; 16], [0; 16])) else {
        return;
    };
    let bytes = written(&key, kind);
    let again = of(&mut &bytes[..]).expect("what was written is read");
    assert!(written(&again, kind) == bytes, "what was read is another key");
}

/// CKKS in a ring as small as there are.
fn ckks_params() -> &'static CkksParams {
    static PARAMS: LazyLock<CkksParams> = LazyLock::new(|| {
        let literal = CkksLiteral {
            name: "fuzz".into(),
            class: SetClass::Toy,
            log2_degree: 7,
            base_bits: 50,
            scale_bits: 45,
            levels: 2,
            digit_primes: 1,
            special_primes: 1,
            weight: 32,
            sparse_weight: 8,
        };
        literal.try_build().expect("a set of a small ring")
    });
    &PARAMS
}

/// BFV in a ring as small as there are.
fn bfv_params() -> &'static BfvParams {
    static PARAMS: LazyLock<BfvParams> = LazyLock::new(|| {
        let literal = BfvLiteral {
            name: "fuzz".into(),
            class: SetClass::Toy,
            log2_degree: 7,
            base: 257,
            exponent: 2,
            base_bits: 50,
            primes: vec![(46, 2)],
            digit_primes: 1,
            special_primes: 1,
            special_bits: 50,
            weight: 32,
            sparse_weight: 8,
        };
        literal.try_build().expect("a set of a small ring")
    });
    &PARAMS
}

fn written(key: &RlweEvaluationKey, kind: ObjectKind) -> Vec<u8> {
    let header = Header { kind, version: 1, fingerprint: [0; 16], key_id: [0; 16] };
    let mut out = StreamWriter::new(Vec::new(), header, key.stored_bytes()).expect("memory takes what is written");
    key.write(&mut out).expect("memory takes what is written");
    out.finish().expect("memory takes what is written")
}

/// Files of evaluation keys of the inner rings: of a relinearisation key, and of a Galois key.
pub(crate) fn inner_server_keys() -> Vec<(&'static str, Vec<u8>)> {
    let seed = || SecretSeed::from_bytes(SEED);
    let (ckks, exact) = (CkksSecretKey::derive(ckks_params(), &seed()), BfvSecretKey::derive(bfv_params(), &seed()));
    let mut requests = [KeyRequest::default(), KeyRequest::default()];
    requests[0].products(0);
    requests[1].rotation(1, 0);
    let mut files = Vec::new();
    for request in &requests {
        let key = ckks.evaluation_key(request, MaskStorage::Seeded, |_, _| ()).expect("there is randomness");
        files.push(("ckks-server-key", written(&key, ObjectKind::CkksServerKey)));
        let key = exact.evaluation_key(request, MaskStorage::Seeded, |_, _| ()).expect("there is randomness");
        files.push(("bfv-server-key", written(&key, ObjectKind::BfvServerKey)));
    }
    files
}

fn rlwe_server_key(params: &impl SchemeParams, data: &[u8], kind: ObjectKind) {
    match Input::of(data, most_zeros(kind)) {
        Some(input) if input.version & INNER != 0 => inner_server_key(params, &input, kind),
        _ => {
            let Some((input, _, header)) = input_of(data, kind, 0) else { return };
            server_key(&input, kind, header);
        }
    }
}

pub(crate) fn ckks_server_key(data: &[u8]) {
    rlwe_server_key(ckks_params(), data, ObjectKind::CkksServerKey);
}

pub(crate) fn bfv_server_key(data: &[u8]) {
    rlwe_server_key(bfv_params(), data, ObjectKind::BfvServerKey);
}

/// Longer vectors are not decrypted: it takes long.
const DECRYPTED: usize = 1024;

fn ciphertexts(data: &[u8], kind: ObjectKind, at: usize) {
    let Some((input, client, [fingerprint, key_id])) = input_of(data, kind, at) else { return };
    let file = || input.seal(kind, fingerprint, key_id);
    let Ok(x) = Ciphertexts::read(file()) else { return };
    let streamed = CiphertextReader::within(Some(MEMORY), file())
        .and_then(|reader| Ok((reader.len(), reader.space(), reader.finish()?)));
    assert_eq!(streamed.expect("a reader takes it piece by piece"), (x.len(), x.space(), ()));
    let bytes = again(&x, |x| x.write(Vec::new()), |bytes| Ciphertexts::read(bytes), Ciphertexts::stored_bytes);
    assert!(x.noise_budget() >= 0.0 && x.noise_variance() >= 0.0, "{} {}", x.noise_budget(), x.noise_variance());
    let Some(client) = client.filter(|_| (1..=DECRYPTED).contains(&x.len())) else { return };
    // Linear operations may be refused; what they give is read.
    let operations = [
        x.add(&x),
        x.sub(&x),
        x.mul_small(-3),
        x.add_constant(1),
        x.slice(..1),
        x.slice(x.len() - 1..),
        Ciphertexts::concat([&x, &x]),
        x.as_residues(),
    ];
    for y in operations.iter().flatten() {
        let bytes = y.write(Vec::new()).expect("memory takes what is written");
        Ciphertexts::read(&bytes[..]).expect("what was computed is read");
    }
    let values = client.decrypt(&x).expect("ciphertexts of this key");
    let reader = CiphertextReader::new(&bytes[..]).expect("what was written is read");
    assert_eq!(client.decrypt_from(reader).expect("ciphertexts of this key"), values);
    assert_eq!(values.len(), x.len());
    if let Space::Modular(p) = x.space() {
        assert!(values.iter().all(|value| (0..p as i64).contains(value)), "{values:?} modulo {p}");
    }
}

pub(crate) fn fhew_ciphertexts(data: &[u8]) {
    // The head has its length before it.
    ciphertexts(data, ObjectKind::Ciphertexts, 8);
}

pub(crate) fn ckks_ciphertexts(data: &[u8]) {
    ciphertexts(data, ObjectKind::CkksCiphertexts, 0);
}

pub(crate) fn bfv_ciphertexts(data: &[u8]) {
    ciphertexts(data, ObjectKind::BfvCiphertexts, 0);
}

pub(crate) fn ckks_table(data: &[u8]) {
    let kind = ObjectKind::CkksTable;
    let Some((input, _, [fingerprint, key_id])) = input_of(data, kind, 0) else { return };
    let Ok(table) = EncryptedTable::read(input.seal(kind, fingerprint, key_id)) else { return };
    let write = |table: &EncryptedTable| table.write(Vec::new());
    again(&table, write, |bytes| EncryptedTable::read(bytes), EncryptedTable::stored_bytes);
}
