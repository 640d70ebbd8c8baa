//! The engines behind the door: what each of them is, and the one place where they are told apart.
//!
//! [`Engine`] names the types of an engine; a trait for each says what it does. What some engine has not is a refusal,
//! said here once.
pub(crate) mod bfv;
pub(crate) mod blocks;
pub(crate) mod ckks;
mod client;
pub(crate) mod conversion;
mod envelope;
pub(crate) mod fhew;
pub(crate) mod of;
mod rlwe_keys;
pub(crate) mod watch;

use crate::memory::Room;
use crate::planner::pace::World;
use crate::{
    Engine as Name, Error, FailureTarget, Function, IntegerOp, Interval, KeyNeeds, Load, Lut, MaskStorage,
    MultivariateLut, PaddingUse, Prediction, Program, Security, Space,
};
use bootes_lattice::wire::ObjectKind;
use bootes_lut::integer::MAX_WIDTH;
#[cfg(test)]
pub(crate) use client::signed;
pub(crate) use client::{ClientKey, Encryptor, EngineClient, EnginePublicKey, KeyRequest};
use client::{check_integers, check_residues};
use std::io::{Read, Write};
use std::ops::RangeBounds;
use watch::Watch;

/// Those that have integers of a range, and noise of values.
const INTEGERS: &[Name] = &[Name::Fhew, Name::Ckks];

/// The one that has programs of vectors.
const VECTORS: &[Name] = &[Name::Bfv];

/// Bits of room that integers of a program may be given beyond what they take: sums need no bootstrap then.
pub(crate) const MORE_ROOM: [u32; 4] = [1, 2, 4, 8];

/// The engine whose objects are of this kind.
pub(crate) fn of_kind(kind: ObjectKind) -> Name {
    match kind {
        ObjectKind::CkksClientKey
        | ObjectKind::CkksPublicKey
        | ObjectKind::CkksServerKey
        | ObjectKind::CkksCiphertexts
        | ObjectKind::CkksTable => Name::Ckks,
        ObjectKind::BfvClientKey | ObjectKind::BfvPublicKey | ObjectKind::BfvServerKey | ObjectKind::BfvCiphertexts => {
            Name::Bfv
        }
        _ => Name::Fhew,
    }
}

/// The engine whose set has this name, or would.
pub(crate) fn of_set(name: &str) -> Name {
    if bfv::params::is_named(name) {
        return Name::Bfv;
    }
    // The refusal of engine ckks tells the names that are alike.
    match name.contains("batch") || <ckks::Params as EngineParams>::names().iter().any(|set| set == name) {
        true => Name::Ckks,
        false => Name::Fhew,
    }
}

/// An engine: its types for the nouns of the door.
pub(crate) trait Engine: Sized + 'static {
    const NAME: Name;
    /// Whether each set is for values modulo one number.
    const HAS_MODULUS: bool = false;
    /// Whether tables give integers of a range, not residues alone.
    const TABLES_GIVE_INTEGERS: bool = false;
    /// Whether masks of server keys are kept or made at each use.
    const HAS_MASKS: bool = true;
    /// Whether results are compressed without a part of the server key.
    const COMPRESSES_ALONE: bool = false;
    /// Whether memory is predicted of all that is held, not of keys alone.
    const PREDICTS_ALL_MEMORY: bool = true;
    /// The units that its times are predicted in.
    const WORLD: World = World::Residues;
    /// Bytes that a client of the smallest set takes, with its threads at work.
    const LEAST_CLIENT_BYTES: usize = 28 << 20;
    type Params: EngineParams;
    type Client: EngineClient<Self>;
    type PublicKey: EnginePublicKey<Self>;
    type ServerKey: EngineServerKey<Params = Self::Params>;
    type Server: EngineServer<Self>;
    type Ciphertexts: EngineCiphertexts<Self>;
    type Reader<R: Read>: EngineReader<Self, R>;
    type Plan: EnginePlan<Self>;
    /// The inputs of a plan, to be planned again.
    type Inputs: EngineInputs<Self>;
}

/// An engine of this name whose types are those of a module.
macro_rules! engine {
    ($(#[$what:meta])* $engine:ident, $module:ident, $plan:ident, { $($data:tt)* }) => {
        $(#[$what])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $engine;

        impl Engine for $engine {
            const NAME: Name = Name::$engine;
            $($data)*
            type Params = $module::Params;
            type Client = $module::Client;
            type PublicKey = $module::PublicKey;
            type ServerKey = $module::ServerKey;
            type Server = $module::Server;
            type Ciphertexts = $module::Ciphertexts;
            type Reader<R: Read> = $module::CiphertextReader<R>;
            type Plan = $module::$plan;
            type Inputs = $module::Inputs;
        }
    };
}

engine! {
    /// One value at a time.
    Fhew, fhew, Plans, {
        const TABLES_GIVE_INTEGERS: bool = true;
        const HAS_MASKS: bool = false;
        const WORLD: World = World::Torus;
        const PREDICTS_ALL_MEMORY: bool = false;
        const LEAST_CLIENT_BYTES: usize = 0;
    }
}

engine! {
    /// Thousands of values at once.
    Ckks, ckks, Plan, {
        const COMPRESSES_ALONE: bool = true;
    }
}

engine! {
    /// Vectors modulo p^r.
    Bfv, bfv, Plan, {
        const HAS_MODULUS: bool = true;
    }
}

/// Seconds by the number of values.
pub(crate) type Elapsed = Box<dyn Fn(u64) -> f64>;

/// A parameter set.
pub(crate) trait EngineParams: Clone {
    const ENGINE: Name;

    /// The set that somebody else names, not kept unless it was.
    fn named(name: &str) -> Result<Self, Error>;

    /// Keeps the set of what was read whole, for whoever asks next: large ones take a while to make.
    fn keep(&self) {}

    /// The set of this name, kept.
    fn by_name(name: &str) -> Result<Self, Error> {
        let set = Self::named(name)?;
        set.keep();
        Ok(set)
    }

    /// Names of all sets; none is built.
    fn names() -> Vec<String>;

    /// Algorithms that can be asked for by name.
    fn algorithms() -> Vec<(String, &'static str, &'static str)> {
        Vec::new()
    }

    /// The default set for tables of p entries.
    fn for_tables(p: u64, target: FailureTarget) -> Result<Self, Error>;

    /// The default set for integers of `width` bits.
    fn for_integers(_width: u32, _target: FailureTarget) -> Result<Self, Error> {
        Err(Error::not_with("an integer of a range", Self::ENGINE, INTEGERS))
    }

    /// Sets to weigh for a table.
    fn candidates_for(lut: &Lut, target: FailureTarget) -> Vec<Self>;

    /// Bytes that making a key for tables of p entries takes at least, known before a set is made.
    fn least_key_bytes(_p: u64) -> u64 {
        0
    }

    /// The same for the set of this name.
    fn named_key_bytes(_name: &str) -> u64 {
        0
    }

    /// Bytes that the keys of a job on tables of p entries take at least, as far as is known before they are made.
    fn table_key_bytes(p: u64, _target: FailureTarget) -> u64 {
        Self::least_key_bytes(p)
    }

    /// Bytes that making a key for functions of integers takes at least, and planning one, known before a set is made.
    fn least_integer_bytes() -> (u64, u64) {
        (0, 0)
    }

    /// Bytes that planning a table takes at most, known before a set is made; 0 where it is little.
    fn plan_bytes(_p: u64) -> u64 {
        0
    }

    fn name(&self) -> &str;
    fn bits(&self) -> u32;
    fn security(&self) -> Option<Security>;
    fn log2_p_fail(&self) -> f64;
    fn is_chosen_by_default(&self) -> bool;
    fn description(&self) -> String;
    fn fingerprint(&self) -> [u8; 16];

    fn modulus(&self) -> Option<u64> {
        None
    }

    fn slot_shape(&self) -> Option<[usize; 2]> {
        None
    }

    /// Products in a row, where nothing is bootstrapped.
    fn depth(&self) -> Option<u32> {
        None
    }

    fn integer_bits(&self) -> Option<u32> {
        None
    }

    fn max_integer_bits(&self) -> Option<u32> {
        None
    }

    fn capacity(&self) -> usize {
        1
    }

    fn result_budget(&self) -> Option<f64> {
        None
    }

    /// The prediction of a table on fresh values.
    fn predict(&self, lut: &Lut, load: &Load) -> Result<Prediction, Error>;

    /// The same by the algorithm of this name.
    fn predict_by(&self, _lut: &Lut, algorithm: &str, _load: &Load) -> Result<Prediction, Error> {
        Err(Error::not_with(&format!("the choice of an algorithm ({algorithm})"), Self::ENGINE, &[Name::Fhew]))
    }

    /// The prediction of a function of fresh integers.
    fn predict_integers(&self, op: IntegerOp, _width: u32, _load: &Load) -> Result<Prediction, Error> {
        Err(Error::not_with(&op.to_string(), Self::ENGINE, INTEGERS))
    }

    /// The prediction of a program of fresh vectors.
    fn predict_program(&self, _program: &Program, _space: Space, _load: &Load) -> Result<Prediction, Error> {
        Err(Error::not_with("a program of vectors", Self::ENGINE, VECTORS))
    }

    /// The spaces of fresh values of a table of several: residues, or integers with the room of `space`.
    fn spaces_of(&self, table: &MultivariateLut, space: Space) -> Result<Vec<Space>, Error> {
        let of = |&size: &u64| match space.integers() {
            None => Ok(self.space_modulo(&[], size).unwrap_or(Space::Modular(size))),
            Some(all) => self.space_within(&[], Interval { min: 0, max: i128::from(size) - 1 }, all.width()),
        };
        table.sizes().iter().map(of).collect()
    }

    /// The prediction of a table of several values, of fresh ones of the table's sizes: residues, or integers with the
    /// room of `space`.
    fn predict_multivariate(&self, table: &MultivariateLut, _space: Space, _load: &Load) -> Result<Prediction, Error> {
        let function = Function::from(table);
        Err(Error::not_with(&function.name(), Self::ENGINE, function.engines()))
    }

    /// The sets to weigh for a program of residues or integers, those first that are likely to be fastest.
    fn program_sets(_target: FailureTarget) -> Vec<String> {
        Vec::new()
    }

    /// Bootstraps of whole vectors that a program takes at least, known before the set's maps are made; none where it
    /// is refused.
    fn program_bootstraps(&self, _program: &Program, _space: Space) -> Option<usize> {
        Some(0)
    }

    /// The same of a table of several values.
    fn multivariate_bootstraps(&self, _table: &MultivariateLut, _space: Space) -> Option<usize> {
        None
    }

    /// What a program is refused for, with what to do, which takes longer to find than the refusal.
    fn program_refusal(&self, error: Error, _program: &Program, _space: Space) -> Error {
        error
    }

    /// The space in which a program's values are best encrypted, the given one or one with more room, and the
    /// prediction; or what [`Self::program_refusal`] takes.
    fn program_offer(&self, program: &Program, space: Space, load: &Load) -> Result<(Space, Prediction), Error> {
        Ok((space, self.predict_program(program, space, load)?))
    }

    /// Seconds of so many values, keys being there, on the threads of `load`.
    fn elapsed(&self, lut: &Lut, load: &Load) -> Result<Elapsed, Error>;

    /// Every algorithm with this set, and what it would take, whatever the memory.
    fn candidates(&self, lut: &Lut, load: &Load) -> Vec<(String, Result<Prediction, Error>)>;

    /// Bytes that making a server key takes, additional ones aside.
    fn key_memory(&self) -> Result<u64, Error>;

    /// Refuses keys that there is no room for, far too much before it is known how much.
    fn check_key_memory(&self, room: Room) -> Result<(), Error> {
        room.check(0, self.key_memory()?)
    }

    /// Refuses a program on fresh vectors of which keys, vectors and evaluation do not fit.
    fn check_program_memory(&self, _program: &Program, _load: &Load, _room: Room) -> Result<(), Error> {
        Err(Error::not_with("a program of vectors", Self::ENGINE, VECTORS))
    }

    /// The space of residues modulo 2^`bits`, if all values are of it.
    fn space_of_bits(&self, values: &[i128], bits: u32) -> Result<Space, Error> {
        self.space_modulo(values, 1u64.checked_shl(bits).unwrap_or(0))
    }

    /// The space of residues modulo `p`, if all values are of it.
    fn space_modulo(&self, values: &[i128], p: u64) -> Result<Space, Error>;

    /// The space of integers of `width` bits without a sign, if all values are of it.
    fn space_of_unsigned(&self, values: &[i128], width: u32) -> Result<Space, Error> {
        self.space_within(values, Interval::unsigned(width.clamp(1, MAX_WIDTH)), width)
    }

    /// The space of integers of a range in `width` bits, if all values are of it.
    fn space_within(&self, _values: &[i128], _range: Interval, _width: u32) -> Result<Space, Error> {
        Err(Error::not_with("an integer of a range", Self::ENGINE, INTEGERS))
    }

    /// The set, where it has transciphering.
    fn transciphering(&self) -> Result<&fhew::Params, Error> {
        Err(fhew::refused(self))
    }

    /// Bytes of fresh ciphertexts of so many residues.
    fn fresh_bytes(&self, values: usize) -> u64;

    /// Bytes of an encrypted table.
    fn encrypted_table_bytes(&self, _entries: u64, _values: Option<usize>) -> Result<u64, Error> {
        Err(Error::not_with("an encrypted table", Self::ENGINE, &[Name::Ckks]))
    }
}

/// The server's public keys.
pub(crate) trait EngineServerKey: Stored {
    type Params: EngineParams;
    fn params(&self) -> &Self::Params;
    fn key_id(&self) -> [u8; 16];
    fn expanded_bytes(&self, masks: MaskStorage) -> u64;

    fn additional(&self) -> KeyNeeds {
        KeyNeeds::default()
    }
}

/// The evaluation side.
pub(crate) trait EngineServer<E: Engine<Server = Self>>: Sized {
    /// Expands the key, on the threads of whoever calls.
    fn within(key: E::ServerKey, masks: Option<MaskStorage>, memory: Option<u64>) -> Result<Self, Error>;
    fn params(&self) -> &E::Params;
    fn key_id(&self) -> [u8; 16];
    fn key_bytes(&self) -> usize;

    fn storage(&self) -> MaskStorage {
        MaskStorage::Expanded
    }

    /// The function on inputs like these, with the algorithm of least predicted time.
    fn plan(&self, function: &Function, inputs: &[&E::Ciphertexts]) -> Result<E::Plan, Error>;

    /// The properties of inputs that plans depend on: the same text for those that are planned alike.
    fn likeness(&self, inputs: &[&E::Ciphertexts]) -> String;

    /// The results of a plan on vectors in memory.
    fn run(
        &self,
        plan: &E::Plan,
        inputs: &[&E::Ciphertexts],
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<E::Ciphertexts>, Error>;

    /// The same of what is read as it is needed, written as it comes.
    fn run_to<R: Read + Send, W: Write>(
        &self,
        plan: &E::Plan,
        inputs: Vec<E::Reader<R>>,
        outputs: Vec<W>,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Vec<W>, Error>;

    /// The same values in fewer bytes, to be sent and decrypted.
    fn compress(&self, x: &E::Ciphertexts, threads: usize, watch: &Watch<'_>) -> Result<E::Ciphertexts, Error>;

    /// The same of what is read as it is needed.
    fn compress_from<R: Read + Send>(
        &self,
        input: E::Reader<R>,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<E::Ciphertexts, Error> {
        self.compress(&input.read()?, threads, watch)
    }

    /// Plans ciphertexts of so many bits of what was encrypted by AES.
    fn plan_transciphering(
        &self,
        _bits: u32,
        _key: &fhew::EncryptedSymmetricKey,
    ) -> Result<fhew::TranscipherPlan, Error> {
        Err(fhew::refused(self.params()))
    }

    /// Does what was planned.
    fn transcipher(
        &self,
        _plan: &fhew::TranscipherPlan,
        _sent: (&fhew::SymmetricCiphertexts, &fhew::EncryptedSymmetricKey),
        _threads: usize,
        _watch: &Watch<'_>,
    ) -> Result<E::Ciphertexts, Error> {
        Err(fhew::refused(self.params()))
    }

    /// The same, written as it comes.
    fn transcipher_to<W: Write>(
        &self,
        _plan: &fhew::TranscipherPlan,
        _sent: (&fhew::SymmetricCiphertexts, &fhew::EncryptedSymmetricKey),
        _out: W,
        _threads: usize,
        _watch: &Watch<'_>,
    ) -> Result<W, Error> {
        Err(fhew::refused(self.params()))
    }
}

/// A vector of encrypted values.
pub(crate) trait EngineCiphertexts<E: Engine<Ciphertexts = Self>>: Clone + EngineRows + Stored {
    fn params(&self) -> &E::Params;
    fn key_id(&self) -> [u8; 16];
    fn len(&self) -> usize;
    /// Ciphertexts in the scheme's sense.
    fn ciphertexts(&self) -> usize;
    fn space(&self) -> Space;

    /// Whether they are to be decrypted, and nothing else.
    fn is_compressed(&self) -> bool {
        false
    }

    /// In as few bits as the promise allows, without a key.
    fn compressed_alone(&self) -> Result<Self, Error> {
        Err(Error::not_with("compression without a key", E::NAME, &[Name::Ckks]))
    }

    fn noise_budget(&self) -> f64;
    fn noise_variance(&self) -> f64;
    fn add(&self, other: &Self) -> Result<Self, Error>;
    fn sub(&self, other: &Self) -> Result<Self, Error>;
    fn mul_small(&self, factor: i64) -> Result<Self, Error>;
    fn add_constant(&self, constant: i64) -> Result<Self, Error>;
    fn add_constants(&self, constants: &[i64]) -> Result<Self, Error>;

    fn mul_constants(&self, _constants: &[i64]) -> Result<Self, Error> {
        Err(Error::not_with("a product with constants, one for each value", E::NAME, &[Name::Fhew, Name::Bfv]))
    }

    fn linear_map(&self, _weights: &[impl AsRef<[i64]>]) -> Result<Self, Error> {
        Err(Error::not_with("a linear map of the values of a column", E::NAME, &[Name::Fhew]))
    }

    fn as_residues(&self) -> Result<Self, Error> {
        Ok(self.clone())
    }

    fn as_integers(&self, _range: Interval) -> Result<Self, Error> {
        Err(Error::not_with("an integer of a range", E::NAME, INTEGERS))
    }
}

/// Vectors cut and put together, and matrices across columns.
pub(crate) trait EngineRows: Sized {
    fn slice(&self, range: impl RangeBounds<usize>) -> Result<Self, Error>;
    fn concat(vectors: &[&Self]) -> Result<Self, Error>;
    fn linear_columns(columns: &[&Self], weights: &[impl AsRef<[i64]>]) -> Result<Vec<Self>, Error>;
}

/// An object that goes to files.
pub(crate) trait Stored: Sized {
    const KIND: ObjectKind;
    /// Where the name of its set begins in the payload.
    const NAME_AT: usize = 0;
    fn stored_bytes(&self) -> u64;
    fn write<W: Write>(&self, out: W) -> Result<W, Error>;
    /// Reads one, and nothing beyond its end, in `memory` bytes at most.
    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error>;
}

/// A file of ciphertexts that is read as it is needed.
pub(crate) trait EngineReader<E: Engine<Reader<R> = Self>, R: Read>: Sized {
    fn within(memory: Option<u64>, input: R) -> Result<Self, Error>;
    /// The head: all that is known of the whole, and the first ciphertext where that has many values.
    fn head(&self) -> &E::Ciphertexts;

    fn len(&self) -> usize {
        self.head().len()
    }

    fn ciphertexts(&self) -> usize {
        self.head().ciphertexts()
    }

    fn read(self) -> Result<E::Ciphertexts, Error>;
    fn concat_to<W: Write>(vectors: Vec<Self>, out: W) -> Result<Space, Error>;
    fn slice_to<W: Write>(self, range: impl RangeBounds<usize>, out: W) -> Result<Space, Error>;
    fn weighted_sum_to<W: Write>(columns: Vec<(i64, Self)>, constant: i64, out: W) -> Result<Space, Error>;
    /// Reads what is left, and verifies the checksum.
    fn finish(self) -> Result<(), Error>;
}

/// A function prepared for inputs.
pub(crate) trait EnginePlan<E: Engine<Plan = Self>> {
    fn algorithms(&self) -> Vec<String>;
    fn log2_p_fail(&self) -> f64;
    fn out_spaces(&self) -> Vec<Space>;
    fn prediction(&self, load: &Load, masks: MaskStorage) -> Result<Prediction, Error>;
    /// All that is needed to plan again: the set and its inputs; none for what is larger than a plan.
    fn inputs(&self, function: &Function) -> Option<(E::Params, E::Inputs)>;

    fn rotations(&self) -> Option<usize> {
        None
    }

    fn padding_uses(&self) -> &[PaddingUse] {
        &[]
    }

    fn error_bound(&self) -> Option<f64> {
        None
    }

    /// The plan in words, unless the door finds them.
    fn words(&self) -> Option<String> {
        None
    }
}

/// The inputs of a plan: spaces and bounds on noise.
pub(crate) trait EngineInputs<E: Engine<Inputs = Self>> {
    fn count(&self) -> usize;
    /// Vectors of as few values as there may be, like the inputs.
    fn heads(&self, params: &E::Params, key_id: [u8; 16]) -> Result<Vec<E::Ciphertexts>, Error>;
}
