//! The server's public keys: what every set has, additional ones, their bytes and their sizes.
use crate::fhew::Params;
use crate::names::{hex, read_name};
use crate::{Error, KeyNeeds};
use bootes_lattice::LatticeError;
use bootes_lattice::ggsw::SeededGgswList;
use bootes_lattice::keyswitch::{SeededGlweKeySwitchKey, SeededLweKeySwitchKey, SeededPackingKey, SeededTraceKey};
use bootes_lattice::noise::formula::rotation_keys;
use bootes_lattice::wire::{Header, OVERHEAD_BYTES, ObjectKind, Reader, StreamWriter, WireError, open};
use bootes_ring::sample::MaskSeed;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::extra_keys::{self as extra, SeededRingKey};
use bootes_schemes::fhew::keys::EvaluationKey;
use bootes_schemes::fhew::params::PackingMethod;
use std::io::Write;

/// The public evaluation key, seed-compressed: what a client sends to a server. It may hold additional keys that only
/// some functions need ([`crate::fhew::Client::server_key_with`]).
#[derive(Clone, Debug)]
pub struct ServerKey {
    pub(crate) key: EvaluationKey,
    pub(crate) extra: Option<extra::ExtraKeys>,
}

/// Public keys that only some algorithms need: an addition to the [`ServerKey`] of the same client, in memory only.
#[derive(Clone, Debug)]
pub struct ExtraKeys(pub(crate) extra::ExtraKeys);

impl ExtraKeys {
    /// Bytes that they would take in a file: the bodies; masks are seeds.
    pub fn stored_bytes(&self) -> usize {
        self.0.stored_bytes()
    }
}

impl ServerKey {
    /// The parameters.
    pub fn params(&self) -> Params {
        Params(self.key.params.clone())
    }

    /// Identifier of the key pair.
    pub fn key_id(&self) -> [u8; 16] {
        self.key.key_id
    }

    /// The additional keys in it: none for most sets.
    pub fn additional(&self) -> KeyNeeds {
        self.extra.as_ref().map_or(KeyNeeds::default(), |extra| held(extra, &self.key.params))
    }

    /// To bytes: about n·(k+1)·d·N'·8. Additional keys follow the others; without any, nothing tells of them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let out = Vec::with_capacity(self.stored_bytes() as usize);
        self.write(out).unwrap_or_else(|error| unreachable!("a vector takes everything: {error}"))
    }

    /// The bytes of its file.
    pub fn stored_bytes(&self) -> u64 {
        OVERHEAD_BYTES as u64 + self.payload_bytes()
    }

    fn payload_bytes(&self) -> u64 {
        let mut bytes = 0;
        let counted = self.pieces(&mut |piece| {
            bytes += piece.bytes() as u64;
            Ok(())
        });
        counted.map_or(0, |()| bytes)
    }

    /// Writes the bytes of [`Self::to_bytes`], and gives `out` back: piece by piece.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let (fingerprint, key_id) = (self.key.params.fingerprint(), self.key.key_id);
        let header = Header { kind: ObjectKind::ServerKey, version: 1, fingerprint, key_id };
        let mut out = StreamWriter::new(out, header, self.payload_bytes())?;
        self.pieces(&mut |piece| piece.write(&mut out))?;
        Ok(out.finish()?)
    }

    /// The payload.
    fn pieces(&self, put: &mut Put<'_>) -> Result<(), Error> {
        let (key, name) = (&self.key, self.key.params.name().as_bytes());
        put(Piece::Number(name.len() as u64))?;
        put(Piece::Bytes(name))?;
        put(Piece::Bytes(&key.rotation.mask_seed.to_bytes()))?;
        put(Piece::Bytes(&key.key_switch.mask_seed.to_bytes()))?;
        put(Piece::Long(&key.rotation.bodies))?;
        put(Piece::Short(&key.key_switch.bodies))?;
        self.extra.as_ref().map_or(Ok(()), |extra| extra_pieces(extra, put))
    }

    /// From bytes; every size is checked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (header, payload) = open(bytes, ObjectKind::ServerKey)?;
        let mut r = Reader::new(payload);
        let Params(params) = Params::by_name(read_name(&mut r)?)?;
        if params.fingerprint() != header.fingerprint {
            return Err(Error::ChangedParams { what: "server key", params: params.name().into() });
        }
        let masks = [MaskSeed::from_bytes(r.array()?), MaskSeed::from_bytes(r.array()?)];
        let (rotation, key_switch) = (r.u64s()?, r.u32s()?);
        let extra = if r.remaining() == 0 { None } else { Some(read_extra(&mut r, &params, header.key_id)?) };
        r.finish()?;
        Ok(Self { key: EvaluationKey::from_parts(params, header.key_id, masks, rotation, key_switch)?, extra })
    }
}

impl std::fmt::Display for ServerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "server key {} of parameter set {}", hex(&self.key.key_id), self.key.params.name())
    }
}

/// Which needs these keys serve. A trace key packs blocks of every length; 1 stands for them all.
pub(crate) fn held(extra: &extra::ExtraKeys, params: &FhewParams) -> KeyNeeds {
    let packing = match (&extra.trace, params.packing_method()) {
        (Some(_), PackingMethod::Trace) => vec![1],
        _ => extra.packing.iter().map(|key| key.block).collect(),
    };
    let rings = extra.rings.iter().map(|ring| ring.rotation.shape.degree).collect();
    KeyNeeds { rings, packing, relinearisation: extra.relinearisation.is_some() }
}

/// Takes a payload piece by piece.
type Put<'a> = dyn FnMut(Piece<'_>) -> Result<(), Error> + 'a;

/// A piece of a payload.
enum Piece<'a> {
    Bytes(&'a [u8]),
    Number(u64),
    /// Their count, and eight bytes each.
    Long(&'a [u64]),
    /// Their count, and four bytes each.
    Short(&'a [u32]),
}

impl Piece<'_> {
    fn bytes(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Number(_) => 8,
            Self::Long(words) => 8 + 8 * words.len(),
            Self::Short(words) => 8 + 4 * words.len(),
        }
    }

    fn write<W: Write>(&self, out: &mut StreamWriter<W>) -> Result<(), Error> {
        const TOGETHER: usize = 1 << 13;
        match self {
            Self::Bytes(bytes) => out.raw(bytes)?,
            Self::Number(number) => out.u64(*number)?,
            Self::Long(words) => {
                out.u64(words.len() as u64)?;
                for words in words.chunks(TOGETHER) {
                    out.raw(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())?;
                }
            }
            Self::Short(words) => {
                out.u64(words.len() as u64)?;
                for words in words.chunks(TOGETHER) {
                    out.raw(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())?;
                }
            }
        }
        Ok(())
    }
}

/// Layout: rings (a count, then for each its degree, the two keys' masks and bodies); trace (0 or 1, mask, bodies);
/// packing (a count, then block length, mask and bodies); relinearisation (0 or 1, mask, bodies).
fn extra_pieces(extra: &extra::ExtraKeys, put: &mut Put<'_>) -> Result<(), Error> {
    let bodies = |put: &mut Put<'_>, mask: MaskSeed, bodies: &[u64]| {
        put(Piece::Bytes(&mask.to_bytes()))?;
        put(Piece::Long(bodies))
    };
    put(Piece::Number(extra.rings.len() as u64))?;
    for ring in &extra.rings {
        put(Piece::Number(ring.rotation.shape.degree as u64))?;
        bodies(put, ring.rotation.mask_seed, &ring.rotation.bodies)?;
        put(Piece::Bytes(&ring.key_switch.mask_seed.to_bytes()))?;
        put(Piece::Short(&ring.key_switch.bodies))?;
    }
    put(Piece::Bytes(&[extra.trace.is_some().into()]))?;
    if let Some(SeededTraceKey(key)) = &extra.trace {
        bodies(put, key.mask_seed, &key.bodies)?;
    }
    put(Piece::Number(extra.packing.len() as u64))?;
    for key in &extra.packing {
        put(Piece::Number(key.block as u64))?;
        bodies(put, key.mask_seed, &key.bodies)?;
    }
    put(Piece::Bytes(&[extra.relinearisation.is_some().into()]))?;
    extra.relinearisation.as_ref().map_or(Ok(()), |key| bodies(put, key.mask_seed, &key.bodies))
}

fn read_extra(r: &mut Reader<'_>, params: &FhewParams, key_id: [u8; 16]) -> Result<extra::ExtraKeys, Error> {
    let (shape, gadget) = (params.shape(), params.packing_gadget());
    let mut rings: Vec<SeededRingKey> = Vec::new();
    // A degree, masks and two counts are the least that a ring takes.
    for _ in 0..r.count(88)? {
        let degree = usize::try_from(r.u64()?).unwrap_or(usize::MAX);
        let above = rings.last().map_or(shape.degree, |ring| ring.rotation.shape.degree);
        if !degree.is_power_of_two() || degree <= above || degree / shape.degree > bootes_lut::circuit::MAX_EXTENSION {
            return Err(WireError::Malformed { what: "a ring whose degree is out of order or range" }.into());
        }
        let [rotation_words, key_switch_words] = ring_words(params, degree);
        let (mask, bodies) = read_bodies(r, "rotation key of a ring", rotation_words)?;
        let rotation = SeededGgswList {
            shape: params.ring_shape(degree),
            gadget: params.bootstrap_gadget(),
            mask_seed: mask,
            bodies,
        };
        let mask_seed = MaskSeed::from_bytes(r.array()?);
        let bodies = r.u32s()?;
        check_size("key-switching key of a ring", key_switch_words, bodies.len())?;
        let key_switch = SeededLweKeySwitchKey {
            output_dimension: params.ciphertext_dimension(),
            gadget: params.ring_key_switch_gadget(),
            mask_seed,
            bodies,
        };
        rings.push(SeededRingKey { rotation, key_switch });
    }
    let glwe = |(mask_seed, bodies)| SeededGlweKeySwitchKey { shape, gadget, mask_seed, bodies };
    let trace = match read_flag(r)? {
        true => Some(SeededTraceKey(glwe(read_bodies(r, "trace key", trace_words(params))?))),
        false => None,
    };
    let mut packing: Vec<SeededPackingKey> = Vec::new();
    for _ in 0..r.count(48)? {
        let block = usize::try_from(r.u64()?).unwrap_or(usize::MAX);
        let in_order = packing.last().is_none_or(|key| key.block < block);
        if block == 0 || !shape.degree.is_multiple_of(block) || !in_order {
            return Err(WireError::Malformed { what: "a packing key whose block is out of order or range" }.into());
        }
        let (mask_seed, bodies) = read_bodies(r, "packing key", packing_words(params))?;
        packing.push(SeededPackingKey { shape, block, gadget, mask_seed, bodies });
    }
    let relinearisation = match read_flag(r)? {
        true => Some(glwe(read_bodies(r, "relinearisation key", relinearisation_words(params))?)),
        false => None,
    };
    let extra = extra::ExtraKeys { params: params.clone(), key_id, rings, trace, packing, relinearisation };
    let wrong_method = match params.packing_method() {
        PackingMethod::Trace => !extra.packing.is_empty(),
        PackingMethod::KeySwitch => extra.trace.is_some(),
    };
    if wrong_method || (extra.relinearisation.is_some() && shape.rank != 1) || held(&extra, params).is_empty() {
        return Err(WireError::Malformed { what: "additional keys that this parameter set does not have" }.into());
    }
    Ok(extra)
}

fn read_flag(r: &mut Reader<'_>) -> Result<bool, WireError> {
    match r.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(WireError::Malformed { what: "a mark of a key other than 0 or 1" }),
    }
}

fn read_bodies(r: &mut Reader<'_>, what: &'static str, words: usize) -> Result<(MaskSeed, Vec<u64>), Error> {
    let mask = MaskSeed::from_bytes(r.array()?);
    let bodies = r.u64s()?;
    check_size(what, words, bodies.len())?;
    Ok((mask, bodies))
}

fn check_size(what: &'static str, expected: usize, found: usize) -> Result<(), LatticeError> {
    if expected == found { Ok(()) } else { Err(LatticeError::Size { what, expected, found }) }
}

/// Words of the bodies of a ring's keys: u64 of the rotation key, u32 of the key-switching key.
fn ring_words(params: &FhewParams, degree: usize) -> [usize; 2] {
    let keys = rotation_keys(params.lwe_distribution(), params.lwe_dimension());
    let rows = params.ring_shape(degree).polynomials() * params.bootstrap_gadget().levels() as usize;
    [keys * rows * degree, degree * params.ring_key_switch_gadget().levels() as usize]
}

fn trace_words(params: &FhewParams) -> usize {
    params.ciphertext_dimension() * params.shape().degree.ilog2() as usize * packing_levels(params)
}

fn packing_words(params: &FhewParams) -> usize {
    params.ciphertext_dimension() * packing_levels(params) * params.shape().degree
}

fn relinearisation_words(params: &FhewParams) -> usize {
    packing_levels(params) * params.shape().degree
}

fn packing_levels(params: &FhewParams) -> usize {
    params.packing_gadget().levels() as usize
}

/// How large a server key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySizes {
    /// Bytes in a file, its few hundred of header and names aside.
    pub stored: usize,
    /// Bytes in memory, expanded.
    pub memory: usize,
}

impl KeySizes {
    /// The sizes of a server key with these additional keys.
    pub fn of(params: &Params, needs: &KeyNeeds) -> Self {
        let params = &params.0;
        let shape = params.shape();
        let [rotation, key_switch] = EvaluationKey::body_words(params);
        // Rows of a key-switching key are padded to whole vectors; those of a packing key keep out of each other's way.
        let row = |dimension: usize| (dimension + 1).next_multiple_of(16) * 4;
        let mut sizes = Self {
            stored: rotation * 8 + key_switch * 4,
            memory: rotation * shape.polynomials() * 8 + key_switch * row(params.lwe_dimension()),
        };
        for &degree in &needs.rings {
            let [rotation, key_switch] = ring_words(params, degree);
            sizes.stored += rotation * 8 + key_switch * 4;
            sizes.memory += rotation * params.ring_shape(degree).polynomials() * 8
                + key_switch * row(params.ciphertext_dimension());
        }
        // Keys that are multiplied by transforms are two halves.
        let mut add = |words: usize, halves: usize| {
            sizes.stored += words * 8;
            sizes.memory += words * shape.polynomials() * 8 * halves;
        };
        match params.packing_method() {
            PackingMethod::Trace if needs.packing.is_empty() => {}
            PackingMethod::Trace => add(trace_words(params), 2),
            PackingMethod::KeySwitch => needs.packing.iter().for_each(|_| add(packing_words(params), 1)),
        }
        if needs.relinearisation {
            add(relinearisation_words(params), 2);
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhew::{Client, Server};
    use bootes_lattice::wire::seal;

    fn everything(params: &Params) -> KeyNeeds {
        let shape = params.0.shape();
        let rings = vec![2 * shape.degree, 8 * shape.degree];
        KeyNeeds { rings, packing: vec![1, shape.degree], relinearisation: shape.rank == 1 }
    }

    #[test]
    fn additional_keys_travel_and_sizes_are_the_predicted() -> Result<(), Error> {
        for name in ["toy_4", "toy_4_binary", "toy_8"] {
            let params = Params::by_name(name)?;
            let client = Client::from_seed(&params, &[1; 32]);
            let plain = client.server_key_with_randomness_for_tests(&KeyNeeds::default(), &[2; 32])?.to_bytes();
            let needs = everything(&params);
            let key = client.server_key_with_randomness_for_tests(&needs, &[2; 32])?;
            let bytes = key.to_bytes();
            // The additional keys come last, and without them nothing changes.
            let header = bootes_lattice::wire::HEADER_BYTES;
            let common = plain.len() - bootes_lattice::wire::CHECKSUM_BYTES;
            assert!(bytes[header..common] == plain[header..common] && bytes.len() > plain.len());
            let read = ServerKey::from_bytes(&bytes)?;
            assert!(read.to_bytes() == bytes);
            assert_eq!(read.additional(), key.additional());
            let sizes = KeySizes::of(&params, &needs);
            assert!((bytes.len() - sizes.stored) < 1000, "{} {}", bytes.len(), sizes.stored);
            let server = Server::new(read)?;
            assert!(server.evaluation_key().extra.missing(&needs).is_empty());
            assert_eq!(server.key_bytes(), sizes.memory);
        }
        Ok(())
    }

    #[test]
    fn additional_keys_of_other_sizes_are_refused() -> Result<(), Error> {
        let params = Params::by_name("toy_4")?;
        let client = Client::from_seed(&params, &[1; 32]);
        let base = KeySizes::of(&params, &KeyNeeds::default()).stored;
        let needs = KeyNeeds { rings: vec![512, 1024], packing: vec![1], relinearisation: true };
        let bytes = client.server_key_with(&needs)?.to_bytes();
        let (header, payload) = open(&bytes, ObjectKind::ServerKey)?;
        let sealed = |payload: &[u8]| seal(ObjectKind::ServerKey, header.fingerprint, header.key_id, payload);
        assert!(ServerKey::from_bytes(&sealed(payload)).is_ok());
        let extra = 8 + "toy_4".len() + 64 + 16 + base;
        assert!(ServerKey::from_bytes(&sealed(&payload[..extra])).is_ok(), "without additional keys");
        // Cut anywhere near a field's border, and here and there.
        let step = (payload.len() - extra) / 97;
        for cut in (extra + 1..extra + 60).chain((extra + 60..payload.len()).step_by(step)).chain([payload.len() - 1]) {
            assert!(ServerKey::from_bytes(&sealed(&payload[..cut])).is_err(), "cut at {cut}");
        }
        assert!(ServerKey::from_bytes(&sealed(&[payload, &[0]].concat())).is_err());
        // Counts and degrees that lie: the number of rings, the first degree, and its bodies.
        for at in [extra, extra + 8, extra + 8 + 8 + 32] {
            for value in [0u64, 1, 3, 256, 1024, 1 << 20, u64::MAX] {
                let mut changed = payload.to_vec();
                if changed[at..at + 8] != value.to_le_bytes() {
                    changed[at..at + 8].copy_from_slice(&value.to_le_bytes());
                    assert!(ServerKey::from_bytes(&sealed(&changed)).is_err(), "{value} at {at}");
                }
            }
        }
        // A mark that is none, and a list of nothing.
        let mut nothing = payload[..extra].to_vec();
        nothing.extend([0; 18]);
        assert!(ServerKey::from_bytes(&sealed(&nothing)).is_err());
        nothing[extra + 8] = 2;
        assert!(ServerKey::from_bytes(&sealed(&nothing)).is_err());
        Ok(())
    }
}
