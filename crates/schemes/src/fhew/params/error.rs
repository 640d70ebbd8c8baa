//! Why a parameter set was refused or not found.
use thiserror::Error;

/// Why a parameter set was refused or not found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParamsError {
    /// A field outside its domain.
    #[error("parameter set {name}: {field} is {found}, expected {expected}")]
    Field {
        /// Name of the set.
        name: String,
        /// The field.
        field: &'static str,
        /// Its value.
        found: String,
        /// The values that it may have.
        expected: &'static str,
    },
    /// A set that does not keep the rule on security, and does not say so by its name.
    #[error(
        "parameter set {set} has {standard:.1} bits of security ({strict:.1} in the strict model): expected 132 and \
         128, and a key of 472 bits of entropy; more noise or larger dimensions have them, and names that begin with \
         toy_ or paper_ do without"
    )]
    Insecure {
        /// Name of the set.
        set: String,
        /// Bits in the standard model; 0 where estimates do not reach.
        standard: f64,
        /// Bits in the strict model; 0 where estimates do not reach.
        strict: f64,
    },
    /// No set has this name.
    #[error("no parameter set is called {name:?}; {}", suggestion(.nearest.as_deref()))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The nearest name there is, of a secure set unless a toy was asked for; none is like some.
        nearest: Option<String>,
    },
    /// No set holds so many bits at this failure probability.
    #[error(
        "no parameter set holds {bits}-bit messages in one piece with a failure probability of 2^{log2_p_fail}: sets \
         exist for 1 to 8 bits at 2^-64 and 2^-128{}", longer(*bits)
    )]
    NoSet {
        /// Message bits.
        bits: u32,
        /// log2 of the failure probability.
        log2_p_fail: i32,
    },
    /// No shipped set holds such integers.
    #[error(
        "no parameter set holds {width}-bit integers in one ciphertext with a failure probability of \
         2^{log2_p_fail}: sets exist for 1 to 16 bits at 2^-64 and 2^-128"
    )]
    NoIntegerSet {
        /// Bits of the integers.
        width: u32,
        /// log2 of the failure probability.
        log2_p_fail: i32,
    },
}

/// The advice for messages of more bits.
fn longer(bits: u32) -> String {
    match bits {
        9..=16 => format!("; tables of 9 to 16 bits are evaluated on digits (Params::for_modulus({}))", 1u64 << bits),
        17..=20 => {
            format!("; tables of up to 20 bits have engine ckks (Params::on(Engine::Ckks, {}, …))", 1u64 << bits)
        }
        _ => String::new(),
    }
}

/// Where the names are; those of engine bfv are endless.
const KNOWN: &str = "`bootes params` lists those of engines fhew and ckks; engine bfv has slots_P for primes P";

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or(KNOWN.into(), |nearest| format!("did you mean {nearest:?}?"))
}
