//! The name of an engine, and what engines differ in.
use crate::engines::of::of_engine;
use crate::engines::{self, ClientKey, EngineParams, Stored};
use crate::planner::LARGEST;
use crate::planner::pace::World;
use crate::wire::ObjectKind;
use std::fmt;

/// The evaluator. A set, and with it keys, ciphertexts and plans, is of one engine; the program is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// One value at a time, with the least latency: FHEW/TFHE. The engine if nothing else is known.
    #[default]
    Fhew,
    /// Thousands of values at once, with the least time for many: CKKS.
    Ckks,
    /// Vectors modulo p^r, with sums, products, rotations and tables modulo p: BFV and BGV.
    Bfv,
}

impl Engine {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Fhew, Self::Ckks, Self::Bfv];

    /// The engine whose objects are of this kind.
    pub fn of_kind(kind: ObjectKind) -> Self {
        engines::of_kind(kind)
    }

    /// The kinds of its client keys, server keys, ciphertexts and public keys in files.
    pub fn kinds(self) -> [ObjectKind; 4] {
        of_engine!(self, E => [
            <E as engines::Engine>::Client::KIND,
            <E as engines::Engine>::ServerKey::KIND,
            <E as engines::Engine>::Ciphertexts::KIND,
            <E as engines::Engine>::PublicKey::KIND,
        ])
    }

    /// The engine for tables of so many entries, if nothing else is known: fhew where it has sets for them.
    pub fn for_entries(entries: u64) -> Self {
        if entries <= 1 << LARGEST { Self::Fhew } else { Self::Ckks }
    }

    /// Whether each of its sets is for values modulo one number, [`Params::modulus`](crate::Params::modulus).
    pub fn has_modulus(self) -> bool {
        of_engine!(self, E => <E as engines::Engine>::HAS_MODULUS)
    }

    /// Whether tables give integers of a range, not residues alone.
    pub fn tables_give_integers(self) -> bool {
        of_engine!(self, E => <E as engines::Engine>::TABLES_GIVE_INTEGERS)
    }

    /// Whether the masks of server keys are kept or made at each use, as
    /// [`ServerBuilder::masks`](crate::ServerBuilder::masks) says.
    pub fn has_masks(self) -> bool {
        of_engine!(self, E => <E as engines::Engine>::HAS_MASKS)
    }

    /// Whether results are compressed without a server key
    /// ([`Ciphertexts::compressed_alone`](crate::Ciphertexts::compressed_alone)).
    pub fn compresses_alone(self) -> bool {
        of_engine!(self, E => <E as engines::Engine>::COMPRESSES_ALONE)
    }

    /// Whether [`Memory`](crate::Memory) is predicted of all that is held, not of keys alone.
    pub fn predicts_all_memory(self) -> bool {
        of_engine!(self, E => <E as engines::Engine>::PREDICTS_ALL_MEMORY)
    }

    /// The units that its times are predicted in.
    pub(crate) fn world(self) -> World {
        of_engine!(self, E => <E as engines::Engine>::WORLD)
    }

    /// Bytes of memory that a client of any set takes, at least.
    pub fn least_client_bytes(self) -> usize {
        of_engine!(self, E => <E as engines::Engine>::LEAST_CLIENT_BYTES)
    }

    /// Its algorithms that can be asked for by name: name, reference and one line on each.
    pub fn algorithms(self) -> Vec<(String, &'static str, &'static str)> {
        of_engine!(self, E => <E as engines::Engine>::Params::algorithms())
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fhew => "fhew",
            Self::Ckks => "ckks",
            Self::Bfv => "bfv",
        })
    }
}
