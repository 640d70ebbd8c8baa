//! Inputs to begin with.
use std::fs;
use std::path::Path;

use bootes::wire::{CHECKSUM_BYTES, HEADER_BYTES, ObjectKind, seal_as};
use bootes::{
    Calibration, Ciphertexts, Client, Error, Isa, Lut, Params, Server, ServerKey, SlotTables, SymmetricCiphertexts,
    SymmetricKey,
};
use bootes_cli::parsers;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::keys::EvaluationKey;

use crate::objects::{INNER, SEED, inner_server_keys};
use crate::sealed::Input;

/// Writes the inputs that no fuzzer found to their directories below `corpus`.
///
/// # Errors
/// Whatever the library refuses.
///
/// # Panics
/// If a file cannot be written.
pub fn write(corpus: &Path) -> Result<(), Error> {
    let write = |target: &str, name: &str, bytes: &[u8]| {
        fs::create_dir_all(corpus.join(target)).expect("a directory is made");
        fs::write(corpus.join(target).join(name), bytes).expect("a file is written");
    };
    let client = |set: &str| Ok::<_, Error>(Client::from_seed(&Params::named(set)?, SEED));
    let written = |target: &str, name: &str, file: &[u8]| write(target, name, &Input::bytes_of(file));
    for (target, sets) in [
        ("fhew-client-key", &["toy_4_binary", "toy_wide_4"][..]),
        ("ckks-client-key", &["toy_batch_4bit"]),
        ("bfv-client-key", &["toy_slots_257", "toy_slots_127_2"]),
    ] {
        for set in sets {
            written(target, set, &client(set)?.export_secret_bytes());
        }
    }
    for (target, set) in [
        ("fhew-public-key", "toy_4_binary"),
        ("ckks-public-key", "toy_batch_4bit"),
        ("bfv-public-key", "toy_slots_257"),
    ] {
        let key = client(set)?.public_key()?;
        write(target, set, &zeroed(&key.to_bytes()?, 96));
    }
    let single = client("toy_4_binary")?;
    // Without additional keys, and with zeros as bodies: only their counts are kept.
    let key = single.server_key()?.write(Vec::new())?;
    let [rotation, key_switch] = EvaluationKey::body_words(&FhewParams::by_name("toy_4_binary").expect("a toy set"));
    let (start, between) = (8 + single.params().name().len() + 64 + 8, 8 * rotation);
    let mut payload = key[HEADER_BYTES..][..start + between + 8 + 4 * key_switch].to_vec();
    payload[start..start + between].fill(0);
    payload[start + between + 8..].fill(0);
    let whole = |payload: &[u8]| seal_as(1, ObjectKind::ServerKey, [0; 16], [0; 16], payload);
    written("fhew-server-key", "plain", &whole(&payload));
    let fresh = single.encrypt([3, 1])?;
    written("fhew-ciphertexts", "fresh", &fresh.write(Vec::new())?);
    written("fhew-ciphertexts", "slice", &fresh.slice(1..)?.write(Vec::new())?);
    let seeds = Ciphertexts::concat([&fresh.slice(1..)?, &single.encrypt([2])?])?;
    written("fhew-ciphertexts", "seeds", &seeds.write(Vec::new())?);
    let compressing = Server::new(single.server_key_builder().compression().build()?)?;
    let compressed = compressing.compress(&single.encrypt([0, 3, 1])?.slice(1..)?)?;
    written("fhew-ciphertexts", "compressed", &compressed.write(Vec::new())?);
    let public = single.public_key()?.encrypt([0, 3, 1])?.slice(1..)?;
    written("fhew-ciphertexts", "public", &public.write(Vec::new())?);
    written("fhew-ciphertexts", "evaluated", &fresh.slice(..1)?.mul_small(3)?.write(Vec::new())?);
    let long = client("toy_int16")?;
    written("fhew-ciphertexts", "modulo", &long.encrypt_modulo([9], 10)?.write(Vec::new())?);
    written("fhew-ciphertexts", "limbs", &long.encrypt_integers([-5], 32)?.write(Vec::new())?);
    let wide = client("toy_wide_4")?.encrypt([3])?;
    written("fhew-ciphertexts", "wide", &wide.write(Vec::new())?);

    let symmetric = client("toy_bits")?;
    let aes_key = symmetric.encrypt_symmetric_key(&SymmetricKey::from_bytes(&[7; 16]))?;
    write("symmetric-key", "key", &zeroed(&aes_key.to_bytes()?, 80));
    for (bits, bytes) in [(4, vec![0x12, 0x34]), (1, vec![0x5a])] {
        let sent = SymmetricCiphertexts::of_aes(&aes_key, [0xff; 16], bytes, bits)?;
        written("symmetric-ciphertexts", &format!("{bits}-bits"), &sent.to_bytes()?);
    }

    let batch = client("toy_batch_4bit")?;
    let vectors = client("toy_slots_7")?;
    for (many, set, name) in
        [(&batch, "toy_4", "toy_4"), (&batch, "toy_4_binary", "toy_4_binary"), (&vectors, "toy_4", "vectors")]
    {
        let single = client(set)?;
        let kept = 8 + many.params().name().len() + 8 + set.len() + 16 + 16 + 32 + 64;
        write("conversion-key", name, &zeroed(&many.conversion_key(&single)?.to_bytes()?, kept));
        write("conversion-key", &format!("{name}-back"), &zeroed(&single.conversion_key(many)?.to_bytes()?, kept));
    }
    let fresh = batch.encrypt([3, 1])?;
    written("ckks-ciphertexts", "fresh", &fresh.write(Vec::new())?);
    let integers = client("toy_batch_integers")?.encrypt_integers([3, -1], 4)?;
    written("ckks-ciphertexts", "integers", &integers.write(Vec::new())?);
    let evaluated = fresh.mul_small(3)?;
    write("ckks-ciphertexts", "evaluated", &zeroed(&evaluated.write(Vec::new())?, 128));
    let table = batch.encrypt_table(&Lut::modular(vec![1, 0], 2)?)?;
    write("ckks-table", "table", &zeroed(&table.write(Vec::new())?, 128));
    let tables = SlotTables::new(vec![1, 0, 0, 1], 2, 2)?;
    write("ckks-table", "tables", &zeroed(&batch.encrypt_tables(&tables)?.write(Vec::new())?, 128));
    for (i, (target, file)) in inner_server_keys().into_iter().enumerate() {
        let mut bytes = zeroed(&file, 64);
        bytes[0] |= INNER;
        write(target, ["relinearisation", "galois"][i / 2], &bytes);
    }
    for (target, client) in [("ckks-server-key", &batch), ("bfv-server-key", &client("toy_slots_257")?)] {
        write(target, "head", &Input::bytes_of(&client.server_key()?.write(Vec::new())?)[..120]);
    }
    for set in ["toy_slots_257", "toy_slots_127_2"] {
        let client = client(set)?;
        let x = client.encrypt([1, 2])?;
        write("bfv-ciphertexts", set, &zeroed(&x.write(Vec::new())?, 96));
        write("bfv-ciphertexts", &format!("{set}-3"), &zeroed(&x.mul_small(3)?.write(Vec::new())?, 96));
    }
    for (name, file) in [
        ("client", client("toy_4")?.export_secret_bytes().to_vec()),
        ("fresh", single.encrypt([3])?.write(Vec::new())?),
    ] {
        write("header", name, &file);
    }
    write("npy", "i8", &parsers::npy_of(&[3, -1, 1 << 40]).expect("three integers"));
    let array = b"\x93NUMPY\x01\x00\x39\x00{'descr': '|b1', 'fortran_order': True, 'shape': (1, 2), }\n\x01\x00";
    write("npy", "bool", array);
    for (name, text) in [
        ("plain", &b"\x00x,y\n1,2\n-3,4\n"[..]),
        ("quoted", b"\x06x;\"a b\"\r\n\"1\";2\r\n"),
        ("tabs", b"\x05y\tx\n1\t2\n"),
    ] {
        write("csv", name, text);
    }
    for (name, text) in
        [("list", &b"\x001, 2 # three\n0x3,\n"[..]), ("modular", b"\x05-1 2"), ("bytes", b"\x01\xff\x00hello")]
    {
        write("integers", name, text);
    }
    for (name, text) in
        [("bits", &b"\x00\x00\x020 1 2 3"[..]), ("free", b"\x00\x00\x00 7,5\n"), ("modulo", b"\x03\x0b\x001 -2 0")]
    {
        write("table", name, text);
    }
    for (name, text) in [("sum", "x*y + 3*rot(x, -1) - sum(x^2); swap(dot(x, (y)))"), ("power", "-a^5*2")] {
        write("expr", name, text.as_bytes());
    }
    write("calibration", "shipped", Calibration::shipped(Isa::Avx2).to_toml().as_bytes());
    let server = Server::new(ServerKey::read(&key[..])?)?;
    let plan = server.plan(&Lut::modular((0..16).rev().collect(), 16)?, &single.encrypt([1])?)?;
    write("plan", "table", serde_json::to_string(&plan).expect("a plan is written").as_bytes());
    Ok(())
}

/// A file of which so many bytes of the payload are kept, and the others are zeros.
fn zeroed(file: &[u8], kept: usize) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let end = bytes.len() - CHECKSUM_BYTES;
    bytes[HEADER_BYTES + kept..end].fill(0);
    Input::bytes_of(&bytes)
}
