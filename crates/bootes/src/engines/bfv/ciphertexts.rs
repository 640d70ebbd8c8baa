//! Vectors modulo p^r in ciphertexts of as many values as there are slots.
use std::io::Write;
use std::ops::RangeBounds;
use std::sync::Arc;

use bootes_lattice::rns::RnsCiphertext;
use bootes_lut::planning;
use bootes_ring::poly::Poly;
use bootes_ring::sample::MaskSeed;
use bootes_schemes::bfv::{BfvCiphertext, BfvEvaluationKey, BfvSchemeError, Evaluator, PhaseSize, State};

use super::{Params, check_key};
use crate::engines::blocks::{Vector, copied, whole_ends};
use crate::engines::{Bfv, EngineCiphertexts, EngineRows};
use crate::{BfvError, Engine, Error, Space};

mod file;

pub(super) use file::checked_state;
pub(crate) use file::{CiphertextReader, CiphertextWriter};

/// Encrypted residues modulo p^r under one key, k in each ciphertext; in the last one zeros may follow.
///
/// All are of one state: level, form, factor, and the bound on the size of their phase, which is public and travels
/// along, also in files.
#[derive(Clone, Debug)]
pub(crate) struct Ciphertexts {
    params: Params,
    len: usize,
    /// At least one; what heads a stream has no more.
    parts: Vec<BfvCiphertext>,
    /// The seeds of their masks, as long as they are what they were when they were encrypted.
    masks: Option<Vec<MaskSeed>>,
    /// Whether slots beside the values hold 0, as far as that is known: of what a client encrypted, of 0·x, and of sums
    /// and products of those with constants. Of results it is not, whatever their state.
    padded: bool,
}

impl Ciphertexts {
    /// Their noise is told as that of fresh ones at least where a file could not tell them from those.
    pub(crate) fn new(params: &Params, len: usize, parts: Vec<BfvCiphertext>) -> Self {
        let parts = parts.into_iter().map(|part| {
            let least = params.least(part.state());
            part.of_at_least(least)
        });
        Self { params: params.clone(), len, parts: of_one_size(parts.collect()), masks: None, padded: false }
    }

    /// Those that were just encrypted.
    pub(super) fn fresh(params: &Params, len: usize, all: Vec<(BfvCiphertext, MaskSeed)>) -> Self {
        let (parts, masks) = all.into_iter().unzip();
        Self { masks: Some(masks), padded: true, ..Self::new(params, len, parts) }
    }

    /// Zeros known to everybody, to plan for others of this state: `len` values, of which one ciphertext is there.
    pub(crate) fn head(params: &Params, key_id: [u8; 16], len: usize, (state, padded): (State, bool)) -> Self {
        let zero = Poly::zero(params.degree(), params.limbs(state.level));
        let inner = RnsCiphertext::trivial(params.ring(), zero);
        let parts = vec![BfvCiphertext::new(params, inner, state, key_id)];
        Self { params: params.clone(), len, parts, masks: None, padded }
    }

    /// Set and key.
    pub(super) fn owner(&self) -> (&Params, [u8; 16]) {
        (&self.params, self.key_id())
    }

    pub(crate) fn parts(&self) -> &[BfvCiphertext] {
        &self.parts
    }

    pub(crate) fn into_parts(self) -> Vec<BfvCiphertext> {
        self.parts
    }

    /// The state of each: level, form, factor, and size of the phase.
    pub(crate) fn state(&self) -> State {
        self.parts[0].state()
    }

    /// Whether slots beside the values are known to hold 0.
    pub(super) fn is_padded(&self) -> bool {
        self.padded
    }

    /// Evaluates what needs no keys.
    fn evaluator(&self) -> Evaluator {
        Evaluator::new(Arc::new(BfvEvaluationKey::empty(&self.params, self.key_id())))
    }

    /// `of` each ciphertext, where the results can be bootstrapped, or decrypted where nothing is.
    fn map(
        &self,
        operation: &'static str,
        of: impl Fn(&Evaluator, usize, &BfvCiphertext) -> Result<BfvCiphertext, BfvSchemeError>,
    ) -> Result<Self, Error> {
        let evaluator = self.evaluator();
        let no_room = |error| match (error, self.params.depth()) {
            (BfvSchemeError::Exhausted { .. }, Some(depth)) => {
                Error::from(self.params.no_room(operation, Some(depth + 1)))
            }
            (error, _) => error.into(),
        };
        let one =
            |(i, part)| planning::wanted().map_err(Error::from).and_then(|()| of(&evaluator, i, part).map_err(no_room));
        let parts = self.parts.iter().enumerate().map(one).collect::<Result<_, _>>()?;
        let result = Self::new(&self.params, self.len, parts);
        if let Some(bootstrap) = self.params.bootstrap()? {
            bootstrap.check(result.state()).map_err(|_| BfvError::Budget { operation })?;
        }
        Ok(result)
    }

    fn clone_head(&self) -> Self {
        Self { params: self.params.clone(), len: self.len, parts: Vec::new(), masks: None, padded: self.padded }
    }

    fn zip(
        &self,
        other: &Self,
        of: fn(&Evaluator, &BfvCiphertext, &BfvCiphertext) -> Result<BfvCiphertext, BfvSchemeError>,
        [what, operation]: [&'static str; 2],
    ) -> Result<Self, Error> {
        check_key("ciphertext", [other.owner(), self.owner()])?;
        if self.len != other.len {
            return Err(Error::Lengths { what: what.into(), left: self.len, right: other.len });
        }
        let sum = self.map(operation, |evaluator, i, part| of(evaluator, part, &other.parts[i]))?;
        Ok(Self { padded: self.padded && other.padded, ..sum })
    }
}

impl Ciphertexts {
    /// `of` each ciphertext and the encoding of as many constants; slots without a value have 0.
    fn with_constants(
        &self,
        constants: &[i64],
        [what, operation]: [&'static str; 2],
        of: fn(&Evaluator, &BfvCiphertext, &[i64]) -> Result<BfvCiphertext, BfvSchemeError>,
    ) -> Result<Self, Error> {
        if constants.len() != self.len {
            return Err(Error::Lengths { what: what.into(), left: self.len, right: constants.len() });
        }
        let k = self.params.slots().count();
        self.map(operation, |evaluator, i, part| {
            let row = constants[i * k..].iter().copied().chain(std::iter::repeat(0)).take(k);
            of(evaluator, part, &self.params.slots().encode(&row.collect::<Vec<_>>())?)
        })
    }
}

impl EngineCiphertexts<Bfv> for Ciphertexts {
    fn params(&self) -> &Params {
        &self.params
    }

    fn key_id(&self) -> [u8; 16] {
        self.parts[0].key_id()
    }

    fn len(&self) -> usize {
        self.len
    }

    fn ciphertexts(&self) -> usize {
        self.len.div_ceil(self.params.slots().count())
    }

    fn space(&self) -> Space {
        Space::Modular(self.params.modulus())
    }

    fn noise_budget(&self) -> f64 {
        self.state().budget(&self.params).worst.max(0.0)
    }

    fn noise_variance(&self) -> f64 {
        let log2 = 2.0 * (self.state().size.average - self.params.log2_level(self.state().level));
        // Fresh ones of a long chain have less than any number.
        log2.exp2().max(f64::MIN_POSITIVE)
    }

    fn add(&self, other: &Self) -> Result<Self, Error> {
        self.zip(other, Evaluator::add, ["sum", "x + y"])
    }

    fn sub(&self, other: &Self) -> Result<Self, Error> {
        self.zip(other, Evaluator::sub, ["difference", "x - y"])
    }

    fn mul_small(&self, factor: i64) -> Result<Self, Error> {
        // What is fresh stays small.
        if factor == 1 && self.masks.is_some() {
            return Ok(self.clone());
        }
        let product = self.map("3*x", |evaluator, _, part| evaluator.mul_constant(part, factor))?;
        Ok(Self { padded: self.padded || factor == 0, ..product })
    }

    fn add_constant(&self, constant: i64) -> Result<Self, Error> {
        self.map("x + 1", |evaluator, _, part| evaluator.add_constant(part, constant))
    }

    fn add_constants(&self, constants: &[i64]) -> Result<Self, Error> {
        let sum = self.with_constants(constants, ["sum", "x + y"], Evaluator::add_plain)?;
        Ok(Self { padded: self.padded, ..sum })
    }

    /// Of what has a value a ciphertext; in slots it would take a rotation for each diagonal.
    fn linear_map(&self, weights: &[impl AsRef<[i64]>]) -> Result<Self, Error> {
        if !self.params.holds_one_value() {
            let what = "a linear map of the values of a column";
            return Err(Error::not_with(what, Engine::Bfv, &[Engine::Fhew]));
        }
        if let Some(row) = weights.iter().map(AsRef::as_ref).find(|row| row.len() != self.len) {
            return Err(Error::Lengths { what: "linear map".into(), left: self.len, right: row.len() });
        }
        let values = (0..self.len).map(|i| self.slice(i..i + 1)).collect::<Result<Vec<_>, _>>()?;
        let rows = Self::linear_columns(&values.iter().collect::<Vec<_>>(), weights)?;
        Self::concat(&rows.iter().collect::<Vec<_>>())
    }

    fn mul_constants(&self, constants: &[i64]) -> Result<Self, Error> {
        let product =
            self.with_constants(constants, ["product", "x*w, of x.constants(w) for w,"], Evaluator::mul_plain)?;
        Ok(Self { padded: true, ..product })
    }
}

impl EngineRows for Ciphertexts {
    fn slice(&self, range: impl RangeBounds<usize>) -> Result<Self, Error> {
        let k = self.params.slots().count();
        let [start, end] = whole_ends(range, self.len, k)?;
        let blocks = start / k..end.div_ceil(k);
        let masks = self.masks.as_ref().map(|masks| masks[blocks.clone()].to_vec());
        Ok(Self { len: end - start, parts: copied(&self.parts[blocks])?, masks, ..self.clone_head() })
    }

    fn concat(vectors: &[&Self]) -> Result<Self, Error> {
        let head = Self::concat_head(vectors)?;
        let parts = of_one_size(copied(vectors.iter().flat_map(|vector| &vector.parts))?);
        Ok(Self { parts, masks: masks_of(vectors.iter().map(|vector| vector.masks.as_deref())), ..head })
    }

    fn linear_columns(columns: &[&Self], weights: &[impl AsRef<[i64]>]) -> Result<Vec<Self>, Error> {
        let of = |row: &[i64]| {
            let terms = columns.iter().zip(row).map(|(column, &weight)| column.mul_small(weight));
            terms.reduce(|sum, term| sum?.add(&term?)).ok_or(Error::NoValues)?
        };
        weights.iter().map(|row| of(row.as_ref())).collect()
    }
}

impl Vector for Ciphertexts {
    type Writer<W: Write> = CiphertextWriter<W>;

    fn space(&self) -> Space {
        Space::Modular(self.params.modulus())
    }

    fn len(&self) -> usize {
        self.len
    }

    fn capacity(&self) -> usize {
        self.params.slots().count()
    }

    fn concat_head(heads: &[&Self]) -> Result<Self, Error> {
        let (last, rest) = heads.split_last().ok_or(Error::NoValues)?;
        let k = last.params.slots().count();
        for head in heads {
            check_key("ciphertext", [head.owner(), last.owner()])?;
        }
        if let Some(index) = rest.iter().position(|head| !head.len.is_multiple_of(k)) {
            return Err(Error::Unfilled { index, len: rest[index].len, aligned: k });
        }
        let size = heads.iter().fold(last.state().size, |size, head| size.at_least(head.state().size));
        let of_that_size = |head: &Self| State { size, ..head.state() };
        if heads.iter().any(|head| of_that_size(head) != of_that_size(last)) {
            return Err(BfvError::States.into());
        }
        let len = heads.iter().map(|head| head.len).sum();
        // Of its one ciphertext, where all have them.
        let masks = masks_of(heads.iter().map(|head| head.masks.as_deref())).and_then(|_| last.masks.clone());
        let masks = masks.map(|masks| masks[..1].to_vec());
        Ok(Self { len, parts: vec![last.parts[0].clone().of_at_least(size)], masks, ..last.clone_head() })
    }

    fn expanded(&self, piece: Self) -> Result<Self, Error> {
        let masks = piece.masks.filter(|_| self.masks.is_some());
        Ok(Self { masks, ..piece })
    }

    fn slice_of(pieces: Vec<Self>, len: usize) -> Self {
        let masks = masks_of(pieces.iter().map(|piece| piece.masks.as_deref()));
        let head = pieces[0].clone_head();
        Self { len, parts: of_one_size(pieces.into_iter().flat_map(|piece| piece.parts).collect()), masks, ..head }
    }

    /// No number in a head is of the seeds.
    fn is_fresh(&self) -> bool {
        false
    }

    fn weighted_sum(columns: &[&Self], weights: &[i64]) -> Result<Self, Error> {
        Self::linear_columns(columns, &[weights])?.pop().ok_or(Error::NoValues)
    }

    fn plus(&self, constant: i64) -> Result<Self, Error> {
        self.add_constant(constant)
    }
}

/// The same, each with the largest bound: that of the first is told of all, and travels in files.
fn of_one_size(parts: Vec<BfvCiphertext>) -> Vec<BfvCiphertext> {
    let Some(size) = parts.iter().map(|part| part.size).reduce(PhaseSize::at_least) else { return parts };
    parts.into_iter().map(|part| part.of_at_least(size)).collect()
}

/// The seeds of all, if all have them.
fn masks_of<'a>(all: impl Iterator<Item = Option<&'a [MaskSeed]>>) -> Option<Vec<MaskSeed>> {
    Some(all.collect::<Option<Vec<_>>>()?.concat())
}

#[cfg(test)]
mod tests {
    use bootes_lattice::rns::RnsCiphertext;
    use bootes_lattice::wire::{ObjectKind, open, seal_as};
    use bootes_lut::Program;

    use super::*;
    use crate::bfv::{Client, Server};
    use crate::engines::KeyRequest;
    use crate::engines::*;

    /// The same ciphertexts, of which something else is said.
    fn said(x: &Ciphertexts, state: State) -> Vec<u8> {
        let part = |part: &BfvCiphertext| BfvCiphertext::new(&x.params, part.inner().clone(), state, x.key_id());
        let parts = x.parts.iter().map(part).collect();
        Ciphertexts { parts, ..x.clone_head() }.write(Vec::new()).unwrap()
    }

    #[test]
    fn noise_in_files_is_not_believed() {
        let params = Params::by_name("toy_slots_257").unwrap();
        let x = Client::from_seed(&params, &[1; 32]).encrypt_modulo(&[1, 2, 3], 257).unwrap();
        let fresh = x.state();
        let read = |state: State| Ciphertexts::read_within(None, &said(&x, state)[..]);
        assert_eq!(read(fresh).unwrap().state(), fresh);
        let sized = |average, worst| State { size: PhaseSize { average, worst }, ..fresh };
        let PhaseSize { average, worst } = fresh.size;
        // What only an evaluated one may be.
        let evaluated = |state| State { factor: 3, ..state };
        let least = params.least(evaluated(fresh));
        assert!(least.worst < worst && least.average < average);
        for (average, worst) in [
            (f64::NEG_INFINITY, f64::NEG_INFINITY),
            (f64::NEG_INFINITY, worst),
            (average, f64::INFINITY),
            (f64::NAN, worst),
            (average, f64::NAN),
            (-1e308, -1e308),
            (worst + 1.0, worst),
            (least.average - 0.01, worst),
            (average, least.worst - 0.06),
        ] {
            for state in [sized(average, worst), evaluated(sized(average, worst))] {
                let error = read(state).map(drop).unwrap_err().to_string();
                assert!(error.contains("noise below that of any encryption"), "{average} {worst}: {error}");
            }
        }
        // Fresh noise is the set's; evaluated noise is believed from the least on, as far as it decrypts.
        read(sized(average - 0.01, worst)).map(drop).unwrap_err();
        read(sized(average, worst - 0.06)).map(drop).unwrap_err();
        read(evaluated(State { size: least, ..fresh })).unwrap();
        assert!(matches!(
            read(sized(average, params.log2_level(fresh.level))).unwrap_err(),
            Error::BfvScheme(BfvSchemeError::Exhausted { .. })
        ));
        // A level that nothing has.
        let server = Server::within(
            Client::from_seed(&params, &[1; 32]).server_key(&KeyRequest::default(), &mut |_| ()).unwrap(),
            None,
            None,
        );
        let (server, level) = (server.unwrap(), params.max_level());
        let ring = params.ring();
        let inner = RnsCiphertext { b: ring.zero(params.limbs(level)), a: ring.zero(params.limbs(level)) };
        let state = evaluated(State { level, ..fresh });
        let high = Ciphertexts { parts: vec![BfvCiphertext::new(&params, inner, state, x.key_id())], ..x.clone_head() };
        let program = Program::parse("x + 1", &[]).unwrap();
        let error = server.plan_program(&program, &[&high]).map(drop).unwrap_err().to_string();
        assert!(error.contains("level"), "{error}");
        server.plan_program(&program, &[&x]).unwrap();
    }

    /// Primes that nothing needs are dropped, and what is left is an operand as before.
    #[test]
    fn compressed_vectors_have_fewer_primes() {
        let params = Params::by_name("toy_slots_257").unwrap();
        let client = Client::from_seed(&params, &[4; 32]);
        let key = client.server_key(&KeyRequest::default(), &mut |_| ()).unwrap();
        let (server, watch) =
            (Server::within(key, None, None).unwrap(), Watch { progress: &|_| (), cancel: &crate::Cancel::new() });
        let x = client.encrypt_modulo(&[1, 2, 3], 257).unwrap();
        for (y, expected) in [(x.add(&x).unwrap(), [2, 4, 6]), (x.mul_small(0).unwrap(), [0; 3])] {
            let small = server.compress(&y, 1, &watch).unwrap();
            assert!(small.state().level < y.state().level && 2 * small.stored_bytes() < y.stored_bytes());
            let small = Ciphertexts::read_within(None, &small.write(Vec::new()).unwrap()[..]).unwrap();
            assert_eq!(client.decrypt(&small).unwrap(), expected);
            let plan = server.plan_program(&Program::parse("x*x + 1", &[]).unwrap(), &[&small]).unwrap();
            let square = server.run(&plan, &[&small], 1, &watch).unwrap().remove(0);
            assert_eq!(client.decrypt(&square).unwrap(), expected.map(|x| x * x + 1));
            let again = server.compress(&small, 1, &watch).unwrap();
            assert_eq!((again.state(), again.stored_bytes()), (small.state(), small.stored_bytes()));
        }
        // Fresh ones have seeds: they are smaller with these, or without primes.
        let small = server.compress(&x, 1, &watch).unwrap();
        assert!(small.stored_bytes() <= x.stored_bytes());
        assert_eq!(client.decrypt(&small).unwrap(), [1, 2, 3]);
    }

    /// Half of a file of fresh vectors is a seed, also of slices and concatenations, and of nothing else.
    #[test]
    fn fresh_vectors_are_seeded_in_files() {
        let params = Params::by_name("toy_slots_257").unwrap();
        let (k, client) = (params.slots().count(), Client::from_seed(&params, &[3; 32]));
        let values: Vec<i128> = (0..2 * k as i128 + 3).map(|i| i % 257).collect();
        let x = client.encrypt_modulo(&values, 257).unwrap();
        let y = client.encrypt_modulo(&[5, 6], 257).unwrap();
        let read = |bytes: &[u8]| Ciphertexts::read_within(None, bytes);
        let again = |x: &Ciphertexts| read(&x.write(Vec::new()).unwrap()).unwrap();
        let files = |x: &Ciphertexts| x.write(Vec::new()).unwrap();
        let full = said(&x, x.state());
        assert!((files(&x).len() as f64) < 0.51 * full.len() as f64 && files(&x).len() as u64 == x.stored_bytes());
        assert_eq!(client.decrypt_integers(&read(&full).unwrap()).unwrap(), values);
        let slice = again(&x).slice(k..).unwrap();
        let both = Ciphertexts::concat(&[&again(&x.slice(..k).unwrap()), &slice]).unwrap();
        assert!(files(&both) == files(&x) && again(&x).state() == x.state());
        assert_eq!(client.decrypt_integers(&again(&both)).unwrap(), values);
        let mut out = Vec::new();
        let reader = |x: &Ciphertexts| CiphertextReader::within(None, std::io::Cursor::new(files(x))).unwrap();
        reader(&x).slice_to(k.., &mut out).unwrap();
        assert!(out == files(&slice));
        assert_eq!(client.decrypt_from(reader(&x)).unwrap(), values);
        // Beside others they are in full, as what is computed is.
        let mixed = Ciphertexts::concat(&[&x.slice(..k).unwrap(), &read(&said(&y, y.state())).unwrap()]).unwrap();
        let mut streamed = Vec::new();
        let readers = vec![reader(&x.slice(..k).unwrap()), reader(&read(&said(&y, y.state())).unwrap())];
        CiphertextReader::concat_to(readers, &mut streamed).unwrap();
        assert!(mixed.masks.is_none() && streamed == files(&mixed));
        let sum = again(&x.add_constant(1).unwrap());
        assert!(sum.masks.is_none() && client.decrypt_integers(&sum).unwrap()[..3] == [1, 2, 3]);
        // Seeds of what is not fresh, a mark that is none, less and more bytes.
        let (header, payload) = open(&files(&y), ObjectKind::BfvCiphertexts).map(|(h, p)| (h, p.to_vec())).unwrap();
        let sealed = |payload: &[u8]| seal_as(9, header.kind, header.fingerprint, header.key_id, payload);
        let mark = 8 + params.name().len() + 8 + 4 + 1 + 8 + 16;
        assert!(payload[mark] == 1 && read(&sealed(&payload)).is_ok());
        for (at, byte) in [(mark, 0), (mark, 2), (mark, 255), (mark - 25, 1), (mark - 24, 3), (mark - 29, 1)] {
            let mut changed = payload.clone();
            changed[at] = byte;
            read(&sealed(&changed)).map(drop).unwrap_err();
        }
        for end in [mark, mark + 1, mark + 33, payload.len() - 1] {
            read(&sealed(&payload[..end])).map(drop).unwrap_err();
        }
        read(&sealed(&[&payload[..], &[0]].concat())).map(drop).unwrap_err();
        // A bound on its noise is not believed.
        let mut changed = payload.clone();
        changed[mark - 8..mark].copy_from_slice(&(y.state().size.worst + 40.0).to_le_bytes());
        assert_eq!(read(&sealed(&changed)).unwrap().state(), y.state());
    }

    /// Whatever is computed is read again, with a budget below that of what was encrypted or bootstrapped.
    #[test]
    fn what_is_computed_is_read() {
        for name in ["toy_slots_3", "toy_slots_17", "toy_slots_257", "toy_slots_127_2"] {
            let params = Params::by_name(name).unwrap();
            let client = Client::from_seed(&params, &[2; 32]);
            let server =
                Server::within(client.server_key(&KeyRequest::default(), &mut |_| ()).unwrap(), None, None).unwrap();
            let highest = params.highest(params.bootstrap().unwrap());
            let most = params.log2_level(highest) - 1.0 - params.least_size(params.exponent()).worst;
            let again = |x: &Ciphertexts| {
                let read = Ciphertexts::read_within(None, &x.write(Vec::new()).unwrap()[..]).unwrap();
                assert_eq!(read.state(), x.state(), "{name}");
                assert!(read.noise_budget() > 0.0 && read.noise_budget() <= most, "{name}: {}", read.noise_budget());
                read
            };
            let x = client.encrypt_modulo(&[1, 2, 0], params.modulus()).unwrap();
            let nothing = again(&x.mul_small(0).unwrap());
            assert!(nothing.noise_budget() <= most);
            again(&nothing.add_constant(1).unwrap());
            again(&x.sub(&x).unwrap());
            let mut y = again(&nothing.add(&x).unwrap());
            let program = Program::parse("y*y + 1", &[]).unwrap();
            for _ in 0..20 {
                let plan = server.plan_program(&program, &[&y]).unwrap();
                let watch = Watch { progress: &|_| (), cancel: &crate::Cancel::new() };
                y = again(&server.run(&plan, &[&y], 1, &watch).unwrap().remove(0));
            }
        }
    }
}
