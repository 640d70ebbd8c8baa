//! The values that a parameter set is to hold, and how large they may be.

use bootes::{BfvLutError, Engine, Error, Lut, LutError, Params};

/// The widest messages of the parameter sets, and tables of one bootstrap, in bits.
pub(crate) const MAX_BITS: u32 = 8;

/// The widest tables of engine fhew, on digits, in bits.
pub(crate) const FHEW_BITS: u32 = 16;

/// The widest tables, those of engine ckks, in bits.
pub(crate) const MAX_TABLE_BITS: u32 = 20;

/// The largest moduli of vectors, in bits.
pub(crate) const MAX_VECTOR_BITS: u32 = 40;

/// The longest large integers, in bits.
pub(crate) use bootes::MAX_WIDTH;

/// The longest of engine ckks, in bits.
pub(crate) const MAX_BATCH_WIDTH: u32 = 32;

/// The values that a parameter set is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Messages of so many bits, for tables.
    Messages(u32),
    /// Integers of so many bits, for functions of them.
    Integers(u32),
    /// Vectors modulo a prime.
    Vectors(u64),
    /// The same, and tables of them.
    VectorTables(u64),
    /// Vectors modulo a prime, with so many products in a row and no bootstrapping.
    Leveled(u64, u32),
}

impl Need {
    /// The values that every set for tables holds.
    pub(crate) const LEAST: Self = Self::Messages(1);

    /// The need of messages 0 to p − 1.
    pub(crate) fn of_modulus(p: u64) -> Self {
        Self::Messages(p.next_power_of_two().ilog2())
    }

    /// The same, of vectors where there are no tables of so many entries.
    pub(crate) fn of_values(p: u64) -> Self {
        match p > 1 << MAX_TABLE_BITS && Params::for_vectors_to_depth(p, 1).is_ok() {
            true => Self::Leveled(p, 1),
            false => Self::of_modulus(p),
        }
    }

    /// What there is beyond tables, of a modulus that no set has.
    pub(crate) fn beyond(p: u64) -> Option<String> {
        let bits = p.next_power_of_two().ilog2();
        match (p > 1 << MAX_TABLE_BITS, Params::for_vectors_to_depth(p, 1)) {
            (true, Err(Error::Lut(LutError::Bfv(BfvLutError::Prime { nearest, .. })))) => Some(format!(
                "no keys hold values modulo {p}: take a prime, as --modulus {nearest} with keys of bootes keygen {}, \
                or \
                 integers, which do not wrap, --width {bits} --unsigned with keys of bootes keygen --width {bits}",
                Self::Leveled(nearest, 1).option(Engine::default())
            )),
            _ => None,
        }
    }

    /// The need of a table's inputs and results, with an engine.
    pub(crate) fn of_table(engine: Engine, lut: &Lut) -> Self {
        match engine.has_modulus() {
            true => Self::VectorTables(lut.in_modulus()),
            false => Self::Messages(lut.in_bits().max(lut.out_bits())),
        }
    }

    /// The options of `keygen` for it, with parameters of this engine where it has such.
    pub(crate) fn option(self, engine: Engine) -> String {
        let own = self.engine();
        // What the usual engine has no sets for, one has alone.
        let is_long = matches!(self, Self::Integers(bits) if bits > MAX_BATCH_WIDTH);
        let is_free = own == Engine::default() && !engine.has_modulus() && !is_long;
        let named = if is_free && engine != own { format!("--engine {engine} ") } else { String::new() };
        match self {
            Self::Vectors(p) | Self::VectorTables(p) if Params::for_vectors(p).is_err() => {
                let (leveled, messages) = (Self::Leveled(p, 1), Self::of_modulus(p));
                let is_beside_tables = p > 1 << MAX_TABLE_BITS && Params::for_vectors_to_depth(p, 1).is_ok();
                let need = if is_beside_tables { leveled } else { messages };
                need.option(need.engine())
            }
            Self::Vectors(p) => format!("--engine {own} --modulus {p}"),
            Self::Leveled(p, depth) => format!("--engine {own} --modulus {p} --depth {depth}"),
            Self::VectorTables(p) => match Params::for_vector_tables(p) {
                Ok(params) => format!("--params {}", params.name()),
                Err(_) => format!("--engine {own} --modulus {p}"),
            },
            Self::Messages(bits) => format!("{named}--bits {bits}"),
            Self::Integers(bits) => format!("{named}--width {bits}"),
        }
    }

    /// The engine for it, if nothing else is known.
    pub(crate) fn engine(self) -> Engine {
        match self {
            Self::Messages(bits) => Engine::for_entries(1 << bits),
            Self::Integers(_) => Engine::default(),
            Self::Vectors(_) | Self::VectorTables(_) | Self::Leveled(..) => {
                Engine::ALL.into_iter().find(|engine| engine.has_modulus()).unwrap_or_default()
            }
        }
    }

    /// Refuses parameters that lack bits for it.
    pub(crate) fn check(self, params: &Params) -> Result<(), String> {
        match (self, params.modulus()) {
            (Self::Vectors(p) | Self::VectorTables(p) | Self::Leveled(p, _), Some(found)) if p == found => {
                return Ok(());
            }
            (Self::Vectors(p) | Self::VectorTables(p) | Self::Leveled(p, _), Some(found)) => {
                return Err(format!("parameters {} hold values modulo {found}, but {p} is asked for", params.name()));
            }
            (Self::Vectors(p) | Self::VectorTables(p) | Self::Leveled(p, _), None) => {
                return Err(format!(
                    "parameters {} are none of engine {}, for values modulo {p}",
                    params.name(),
                    self.engine()
                ));
            }
            (_, Some(found)) => {
                return Err(format!("parameters {} hold values modulo {found} and nothing else", params.name()));
            }
            _ => {}
        }
        // For tables on digits.
        let longer = params.integer_bits().filter(|_| params.engine().tables_give_integers());
        let (most, needed, what) = match self {
            Self::Messages(bits) => (longer.unwrap_or(0).max(params.bits()), bits, "messages"),
            Self::Integers(bits) => (params.max_integer_bits().unwrap_or(0), bits, "large integers"),
            Self::Vectors(_) | Self::VectorTables(_) | Self::Leveled(..) => return Ok(()),
        };
        let held = if most == 0 { format!("no {what}") } else { format!("at most {most}-bit {what}") };
        if most < needed {
            return Err(format!("parameters {} hold {held}, but {needed} bits are asked for", params.name()));
        }
        Ok(())
    }
}
