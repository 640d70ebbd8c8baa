//! The server's public keys: what every set has, additional ones, their bytes and their sizes.
use crate::engines::{EngineParams, EngineServerKey, Stored};
use crate::fhew::Params;
use crate::fhew::words::{Bytes, OfWords, Word, of_words, with_words};
use crate::memory::{Room, reserved_as};
use crate::names::{hex, stream_name};
use crate::{Error, KeyNeeds, MaskStorage};
use bootes_lattice::LatticeError;
use bootes_lattice::circuit_bootstrap::SeededSchemeSwitchKey;
use bootes_lattice::ggsw::SeededGgswList;
use bootes_lattice::keyswitch::{SeededGlweKeySwitchKey, SeededLweKeySwitchKey, SeededPackingKey, SeededTraceKey};
use bootes_lattice::noise::formula::rotation_keys;
use bootes_lattice::wire::{Header, OVERHEAD_BYTES, ObjectKind, StreamReader, StreamWriter, WireError};
use bootes_ring::fft::Fft;
use bootes_ring::sample::MaskSeed;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::extra_keys::{self as extra, SeededRingKey};
use bootes_schemes::fhew::keys::EvaluationKey;
use bootes_schemes::fhew::params::PackingMethod;
use bootes_schemes::fhew::prepared::PreparedEvaluationKey;
use std::io::{Read, Write};

/// The public evaluation key, seed-compressed: what a client sends to a server. It may hold additional keys that only
/// some functions need ([`crate::fhew::Client::server_key_with`]).
#[derive(Clone, Debug)]
pub(crate) struct ServerKey {
    pub(super) params: Params,
    pub(super) keys: OfWords<Keys<u64>, Keys<u128>>,
}

/// The keys of a server, of the words of their set.
#[derive(Clone, Debug)]
pub(crate) struct Keys<W> {
    pub(crate) common: EvaluationKey<W>,
    pub(crate) extra: Option<extra::ExtraKeys<W>>,
}

/// The keys as a server evaluates with them.
pub(crate) type Expanded = OfWords<PreparedEvaluationKey, PreparedEvaluationKey<u128>>;

impl Expanded {
    pub(crate) fn params(&self) -> &FhewParams {
        of_words!(self, key => &key.params)
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        of_words!(self, key => key.bytes())
    }

    /// The transform of the accumulator's ring.
    pub(crate) fn fft(&self) -> &Fft {
        of_words!(self, key => key.rotation.fft())
    }

    /// The part of `needs` that is not there.
    pub(crate) fn missing(&self, needs: &KeyNeeds) -> KeyNeeds {
        of_words!(self, key => key.extra.missing(needs))
    }
}

impl<W: Word> Keys<W> {
    fn expand(&self) -> Result<PreparedEvaluationKey<W>, LatticeError> {
        let mut expanded = self.common.prepare()?;
        self.extra.as_ref().map_or(Ok(()), |extra| expanded.add_extra(extra))?;
        Ok(expanded)
    }

    /// The payload: the set's name; masks and bodies of the rotation key and the key-switching key; and additional
    /// keys, where there are any.
    fn put<S: Sink>(&self, sink: &mut S) -> Result<(), Error> {
        let (key, name) = (&self.common, self.common.params.name());
        sink.number(name.len() as u64)?;
        sink.raw(name.as_bytes())?;
        sink.raw(&key.rotation.mask_seed.to_bytes())?;
        sink.raw(&key.key_switch.mask_seed.to_bytes())?;
        sink.words(&key.rotation.bodies)?;
        sink.words(&key.key_switch.bodies)?;
        self.extra.as_ref().map_or(Ok(()), |extra| put_extra(extra, sink))
    }

    /// Reads all that [`Self::put`] wrote, the name aside.
    fn read<R: Read>(params: &FhewParams, r: &mut StreamReader<R>) -> Result<Self, Error> {
        let (key_id, [rotation, key_switch]) = (r.header().key_id, EvaluationKey::body_words(params));
        let masks = [MaskSeed::from_bytes(r.array()?), MaskSeed::from_bytes(r.array()?)];
        let rotation = read_words(r, "blind rotation key", rotation)?;
        let key_switch = read_words(r, "key-switching key", key_switch)?;
        let extra = if r.remaining() == 0 { None } else { Some(read_extra(r, params, key_id)?) };
        let common = EvaluationKey::from_parts(params.clone(), key_id, masks, rotation, key_switch)?;
        Ok(Self { common, extra })
    }
}

/// The most bytes of a refused key that are read, for its checksum.
const MAX_UNREAD_BYTES: u64 = 64 << 20;

impl ServerKey {
    /// The keys as a server evaluates with them.
    pub(crate) fn expand(&self) -> Result<Expanded, LatticeError> {
        Ok(match &self.keys {
            OfWords::Narrow(keys) => OfWords::Narrow(keys.expand()?),
            OfWords::Wide(keys) => OfWords::Wide(keys.expand()?),
        })
    }

    fn payload_bytes(&self) -> u64 {
        let mut count = Count(0);
        of_words!(&self.keys, keys => keys.put(&mut count)).map_or(0, |()| count.0)
    }

    fn read_payload<R: Read>(input: &mut StreamReader<R>) -> Result<Self, Error> {
        let name = stream_name(input)?;
        let params = Params::by_name(&name)?;
        if params.fingerprint() != input.header().fingerprint {
            let fingerprints = [&input.header().fingerprint, &params.fingerprint()];
            return Err(Error::changed_params("server key", &name, fingerprints));
        }
        let keys = match params.word_bits() {
            64 => OfWords::Narrow(Keys::read(&params, input)?),
            _ => OfWords::Wide(Keys::read(&params, input)?),
        };
        Ok(Self { params, keys })
    }
}

impl EngineServerKey for ServerKey {
    type Params = Params;

    fn params(&self) -> &Params {
        &self.params
    }

    fn key_id(&self) -> [u8; 16] {
        of_words!(&self.keys, keys => keys.common.key_id)
    }

    fn additional(&self) -> KeyNeeds {
        let held = |extra: Option<KeyNeeds>| extra.unwrap_or_default();
        of_words!(&self.keys, keys => held(keys.extra.as_ref().map(|extra| self::held(extra, &extra.params))))
    }

    fn expanded_bytes(&self, _masks: MaskStorage) -> u64 {
        KeySizes::of(&self.params, &self.additional()).memory as u64
    }
}

impl Stored for ServerKey {
    const KIND: ObjectKind = ObjectKind::ServerKey;

    fn stored_bytes(&self) -> u64 {
        OVERHEAD_BYTES as u64 + self.payload_bytes()
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let (fingerprint, key_id) = (self.params().fingerprint(), self.key_id());
        let version = if self.additional().scheme_switch { 11 } else { 1 };
        let header = Header { kind: ObjectKind::ServerKey, version, fingerprint, key_id };
        let mut out = StreamWriter::new(out, header, self.payload_bytes())?;
        of_words!(&self.keys, keys => keys.put(&mut out))?;
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::ServerKey)?;
        Room::check_read(memory, input.payload_bytes())?;
        let key = Self::read_payload(&mut input).and_then(|key| match input.remaining() {
            0 => Ok(key),
            count => Err(WireError::TrailingBytes { count }.into()),
        });
        // Damage is not taken for anything else, where it is soon found.
        if key.is_ok() || input.remaining() <= MAX_UNREAD_BYTES {
            input.finish_unread()?;
        }
        key
    }
}

impl std::fmt::Display for ServerKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "server key {} of parameter set {}", hex(&self.key_id()), self.params().name())
    }
}

/// Which needs these keys serve. A trace key packs blocks of every length; 1 stands for them all.
fn held<W>(extra: &extra::ExtraKeys<W>, params: &FhewParams) -> KeyNeeds {
    let packing = match (&extra.trace, params.packing_method()) {
        (Some(_), PackingMethod::Trace) => vec![1],
        _ => extra.packing.iter().map(|key| key.block).collect(),
    };
    let rings = extra.rings.iter().map(|ring| ring.rotation.shape.degree).collect();
    let scheme_switch = extra.scheme_switch.is_some();
    KeyNeeds { rings, packing, relinearisation: extra.relinearisation.is_some(), scheme_switch }
}

/// A writer of payloads, or a counter of their bytes.
trait Sink {
    fn raw(&mut self, bytes: &[u8]) -> Result<(), Error>;

    fn number(&mut self, number: u64) -> Result<(), Error> {
        self.raw(&number.to_le_bytes())
    }

    /// Their count, and the words.
    fn words<T: Bytes>(&mut self, words: &[T]) -> Result<(), Error>;
}

/// Bytes of a payload.
struct Count(u64);

impl Sink for Count {
    fn raw(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0 += bytes.len() as u64;
        Ok(())
    }

    fn words<T: Bytes>(&mut self, words: &[T]) -> Result<(), Error> {
        self.0 += 8 + size_of_val(words) as u64;
        Ok(())
    }
}

/// Words that are converted together.
const TOGETHER: usize = 1 << 13;

impl<W: Write> Sink for StreamWriter<W> {
    fn raw(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Ok(StreamWriter::raw(self, bytes)?)
    }

    fn words<T: Bytes>(&mut self, words: &[T]) -> Result<(), Error> {
        self.u64(words.len() as u64)?;
        let mut bytes = Vec::new();
        for words in words.chunks(TOGETHER) {
            bytes.clear();
            T::put(words, &mut bytes);
            self.raw(&bytes)?;
        }
        Ok(())
    }
}

/// A count, which is `expected`, and so many words.
fn read_words<T: Bytes, R: Read>(
    r: &mut StreamReader<R>,
    what: &'static str,
    expected: usize,
) -> Result<Vec<T>, Error> {
    let found = usize::try_from(r.u64()?).unwrap_or(usize::MAX);
    if found != expected {
        return Err(LatticeError::Size { what, expected, found }.into());
    }
    let wanted = (expected * size_of::<T>()) as u64;
    if wanted > r.remaining() {
        return Err(WireError::UnexpectedEnd { wanted, left: r.remaining() }.into());
    }
    let mut words = reserved_as(expected, 1)?;
    let mut bytes = vec![0; TOGETHER.min(expected) * size_of::<T>()];
    while words.len() < expected {
        let start = words.len();
        let count = TOGETHER.min(expected - start);
        let bytes = &mut bytes[..count * size_of::<T>()];
        r.raw_into(bytes)?;
        words.resize(start + count, T::default());
        T::get(bytes, &mut words[start..]);
    }
    Ok(words)
}

/// Layout: rings (a count, then for each its degree, the two keys' masks and bodies); trace (0 or 1, mask, bodies);
/// packing (a count, then block length, mask and bodies); marks (1: relinearisation, 2: scheme switch), and each of the
/// two that is there, masks and bodies.
fn put_extra<W: Word, S: Sink>(extra: &extra::ExtraKeys<W>, sink: &mut S) -> Result<(), Error> {
    sink.number(extra.rings.len() as u64)?;
    for ring in &extra.rings {
        sink.number(ring.rotation.shape.degree as u64)?;
        sink.raw(&ring.rotation.mask_seed.to_bytes())?;
        sink.words(&ring.rotation.bodies)?;
        sink.raw(&ring.key_switch.mask_seed.to_bytes())?;
        sink.words(&ring.key_switch.bodies)?;
    }
    sink.raw(&[extra.trace.is_some().into()])?;
    if let Some(SeededTraceKey(key)) = &extra.trace {
        sink.raw(&key.mask_seed.to_bytes())?;
        sink.words(&key.bodies)?;
    }
    sink.number(extra.packing.len() as u64)?;
    for key in &extra.packing {
        sink.number(key.block as u64)?;
        sink.raw(&key.mask_seed.to_bytes())?;
        sink.words(&key.bodies)?;
    }
    sink.raw(&[u8::from(extra.relinearisation.is_some()) | u8::from(extra.scheme_switch.is_some()) << 1])?;
    let mut glwe = |key: &SeededGlweKeySwitchKey| {
        sink.raw(&key.mask_seed.to_bytes())?;
        sink.words(&key.bodies)
    };
    extra.relinearisation.as_ref().map_or(Ok(()), &mut glwe)?;
    extra.scheme_switch.as_ref().map_or(Ok(()), |SeededSchemeSwitchKey(key)| glwe(key))
}

/// A count of what takes so many bytes at least: no more than are left.
fn read_count<R: Read>(r: &mut StreamReader<R>, bytes: u64) -> Result<u64, Error> {
    let count = r.u64()?;
    let (wanted, left) = (count.saturating_mul(bytes), r.remaining());
    if wanted > left { Err(WireError::UnexpectedEnd { wanted, left }.into()) } else { Ok(count) }
}

fn read_extra<W: Word, R: Read>(
    r: &mut StreamReader<R>,
    params: &FhewParams,
    key_id: [u8; 16],
) -> Result<extra::ExtraKeys<W>, Error> {
    let (shape, gadget) = (params.shape(), params.packing_gadget());
    let mut rings: Vec<SeededRingKey<W>> = Vec::new();
    // A degree, masks and two counts are the least that a ring takes.
    for _ in 0..read_count(r, 88)? {
        let degree = usize::try_from(r.u64()?).unwrap_or(usize::MAX);
        let above = rings.last().map_or(shape.degree, |ring| ring.rotation.shape.degree);
        if !degree.is_power_of_two()
            || degree <= above
            || degree / shape.degree > bootes_lut::fhew::circuit::MAX_EXTENSION
        {
            return Err(WireError::Malformed { what: "a ring whose degree is out of order or range" }.into());
        }
        let [rotation_words, key_switch_words] = ring_words(params, degree);
        let mask_seed = MaskSeed::from_bytes(r.array()?);
        let bodies = read_words(r, "rotation key of a ring", rotation_words)?;
        let (shape, gadget) = (params.ring_shape(degree), params.bootstrap_gadget());
        let rotation = SeededGgswList { shape, gadget, mask_seed, bodies };
        let mask_seed = MaskSeed::from_bytes(r.array()?);
        let bodies = read_words(r, "key-switching key of a ring", key_switch_words)?;
        let (output_dimension, gadget) = (params.ciphertext_dimension(), params.ring_key_switch_gadget());
        rings.push(SeededRingKey {
            rotation,
            key_switch: SeededLweKeySwitchKey { output_dimension, gadget, mask_seed, bodies },
        });
    }
    let glwe = |(mask_seed, bodies)| SeededGlweKeySwitchKey { shape, gadget, mask_seed, bodies };
    let trace = match read_flag(r)? {
        true => Some(SeededTraceKey(glwe(read_bodies(r, "trace key", trace_words(params))?))),
        false => None,
    };
    let mut packing: Vec<SeededPackingKey> = Vec::new();
    for _ in 0..read_count(r, 48)? {
        let block = usize::try_from(r.u64()?).unwrap_or(usize::MAX);
        let in_order = packing.last().is_none_or(|key| key.block < block);
        if block == 0 || !shape.degree.is_multiple_of(block) || !in_order {
            return Err(WireError::Malformed { what: "a packing key whose block is out of order or range" }.into());
        }
        let (mask_seed, bodies) = read_bodies(r, "packing key", packing_words(params))?;
        packing.push(SeededPackingKey { shape, block, gadget, mask_seed, bodies });
    }
    let marks = r.u8()?;
    if marks > 3 {
        return Err(WireError::Malformed { what: "marks of keys other than 0 to 3" }.into());
    }
    let relinearisation = match marks & 1 {
        0 => None,
        _ => Some(glwe(read_bodies(r, "relinearisation key", relinearisation_words(params))?)),
    };
    let scheme_switch = match marks & 2 {
        0 => None,
        _ => Some(glwe(read_bodies(r, "scheme-switching key", 2 * relinearisation_words(params))?)),
    };
    let (of, scheme_switch) = (params.clone(), scheme_switch.map(SeededSchemeSwitchKey));
    let extra = extra::ExtraKeys { params: of, key_id, rings, trace, packing, relinearisation, scheme_switch };
    let wrong_method = match params.packing_method() {
        PackingMethod::Trace => !extra.packing.is_empty(),
        PackingMethod::KeySwitch => extra.trace.is_some(),
    };
    if wrong_method || (marks != 0 && shape.rank != 1) || held(&extra, params).is_empty() {
        return Err(WireError::Malformed { what: "additional keys that this parameter set does not have" }.into());
    }
    Ok(extra)
}

fn read_flag<R: Read>(r: &mut StreamReader<R>) -> Result<bool, Error> {
    match r.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(WireError::Malformed { what: "a mark of a key other than 0 or 1" }.into()),
    }
}

fn read_bodies<R: Read>(
    r: &mut StreamReader<R>,
    what: &'static str,
    words: usize,
) -> Result<(MaskSeed, Vec<u64>), Error> {
    let mask = MaskSeed::from_bytes(r.array()?);
    Ok((mask, read_words(r, what, words)?))
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
pub(crate) struct KeySizes {
    /// Bytes in a file, its few hundred of header and names aside.
    pub(crate) stored: usize,
    /// Bytes in memory, expanded.
    pub(crate) memory: usize,
}

impl KeySizes {
    /// The sizes of a server key with these additional keys.
    pub(crate) fn of(params: &Params, needs: &KeyNeeds) -> Self {
        let params = &params.0;
        let shape = params.shape();
        let [rotation, key_switch] = EvaluationKey::body_words(params);
        // Transformed, each limb of a word is a column of its own.
        let limbs = |shape| with_words!(params.word_bits(), W => params.limbs::<W>(shape).count());
        let word = params.word_bits() as usize / 8;
        // Rows of a key-switching key are padded to whole vectors; those of a packing key keep out of each other's way.
        let row = |dimension: usize| (dimension + 1).next_multiple_of(16) * 4;
        let mut sizes = Self {
            stored: rotation * word + key_switch * 4,
            memory: rotation * shape.polynomials() * limbs(shape) * 8 + key_switch * row(params.lwe_dimension()),
        };
        for &degree in &needs.rings {
            let ([rotation, key_switch], shape) = (ring_words(params, degree), params.ring_shape(degree));
            sizes.stored += rotation * word + key_switch * 4;
            sizes.memory +=
                rotation * shape.polynomials() * limbs(shape) * 8 + key_switch * row(params.ciphertext_dimension());
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
        let polynomials = usize::from(needs.relinearisation) + 2 * usize::from(needs.scheme_switch);
        add(polynomials * relinearisation_words(params), 2);
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::*;
    use crate::fhew::{Client, Server};
    use bootes_lattice::wire::{open, seal};

    fn everything(params: &Params) -> KeyNeeds {
        let shape = params.0.shape();
        let rings = vec![2 * shape.degree, 8 * shape.degree];
        let of_rank_one = shape.rank == 1;
        KeyNeeds { rings, packing: vec![1, shape.degree], relinearisation: of_rank_one, scheme_switch: of_rank_one }
    }

    #[test]
    fn additional_keys_travel_and_sizes_are_the_predicted() -> Result<(), Error> {
        for name in ["toy_4", "toy_4_binary", "toy_8", "toy_wide_4", "toy_wide_4_rank2"] {
            let params = Params::by_name(name)?;
            let client = Client::from_seed(&params, &[1; 32]);
            let plain = client.server_key_with_randomness(&KeyNeeds::default(), &[2; 32])?.to_bytes();
            let needs = everything(&params);
            let key = client.server_key_with_randomness(&needs, &[2; 32])?;
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
            assert!(server.key.missing(&needs).is_empty());
            assert_eq!(server.key_bytes(), sizes.memory);
        }
        Ok(())
    }

    #[test]
    fn additional_keys_of_other_sizes_are_refused() -> Result<(), Error> {
        let params = Params::by_name("toy_4")?;
        let client = Client::from_seed(&params, &[1; 32]);
        let base = KeySizes::of(&params, &KeyNeeds::default()).stored;
        let needs = KeyNeeds { rings: vec![512, 1024], packing: vec![1], relinearisation: true, scheme_switch: true };
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
