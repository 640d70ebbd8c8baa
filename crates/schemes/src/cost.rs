//! The cost model of all engines: what they do, as amounts of a few units of work, and nanoseconds of each unit on a
//! kind of machine, its *calibration*.
//!
//! The units are those of the two arithmetic worlds, of the torus ([`Torus`]) and of residues ([`Residues`]): each
//! engine reads its amounts off its circuits and parameters ([`fhew::cost`](crate::fhew::cost),
//! [`ckks::cost`](crate::ckks::cost)), whatever the set, and multiplies. Times are linear in the amounts, so a
//! calibration is fitted to measured work (`bootes bench calibrate`), one for each instruction set; what depends on the
//! processor beyond that is in the amounts (transforms on words of 52 bits are a unit of their own, which other
//! processors do none of).
use bootes_ring::isa::Isa;
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};
use std::sync::OnceLock;
use thiserror::Error;

/// One number for each unit of a world: how much of it, or how many nanoseconds it takes.
pub trait Units: Copy + Default + Add<Output = Self> + Mul<f64, Output = Self> {
    /// Names of the units, in the order of [`Self::numbers`].
    const NAMES: &'static [&'static str];

    /// The numbers.
    fn numbers(&self) -> Vec<f64>;

    /// From the numbers.
    ///
    /// # Panics
    /// Unless there is one for each unit.
    fn from_numbers(numbers: &[f64]) -> Self;

    /// Nanoseconds of each unit.
    fn of(calibration: &Calibration) -> &Self;
}

macro_rules! units {
    ($(#[$docs:meta])* $name:ident in $field:ident { $($(#[$unit_docs:meta])* $unit:ident),* $(,)? }) => {
        $(#[$docs])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$unit_docs])* pub $unit: f64,)*
        }

        impl Units for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($unit)),*];

            fn numbers(&self) -> Vec<f64> {
                vec![$(self.$unit),*]
            }

            fn from_numbers(numbers: &[f64]) -> Self {
                let &[$($unit),*] = numbers else { panic!("{} numbers for {} units", numbers.len(), Self::NAMES.len()) };
                Self { $($unit),* }
            }

            fn of(calibration: &Calibration) -> &Self {
                &calibration.$field
            }
        }

        impl Add for $name {
            type Output = Self;

            fn add(self, other: Self) -> Self {
                Self { $($unit: self.$unit + other.$unit),* }
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;

            fn mul(self, factor: f64) -> Self {
                Self { $($unit: self.$unit * factor),* }
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
                all.fold(Self::default(), Add::add)
            }
        }
    };
}

units! {
    /// Units of the torus world: engine fhew.
    Torus in torus {
        /// A point and level of a transform of one polynomial of N/2 points, log2(N/2) levels.
        transform,
        /// A complex multiply-add with a word of the rotation key.
        key,
        /// A complex multiply-add of a component of an extended accumulator with a bundle of keys, loads and stores
        /// included.
        bundle,
        /// A byte of a key from main memory.
        memory,
        /// A byte from the third-level cache.
        cache,
        /// A multiply-add of 32-bit words in a key switch.
        key_switch,
        /// A complex multiply-add with a row of a GLWE key switch.
        row,
        /// A 64-bit word that is copied, added, or extracted.
        word,
        /// A multiply-add of 64-bit words in PackingKS.
        packing,
        /// A byte of a mask that is made from its seed.
        mask,
        /// A Gaussian number.
        noise,
        /// A byte of a key that is written where it stays.
        stored,
    }
}

units! {
    /// Units of the residue world: engines ckks and bfv.
    Residues in residues {
        /// A point and level of a transform of N points, log2 N levels, on `f64`.
        transform,
        /// The same on words of 52 bits, where the processor multiplies such words.
        words,
        /// A multiply-add of residues in the cache: conversions of bases, products of limbs.
        product,
        /// A multiply-add with a packed residue of a key, from memory.
        key,
        /// A residue of a polynomial that one operation reads, value by value: sums, products with constants,
        /// permutations.
        pass,
        /// A residue of a mask that is made from its seed.
        mask,
        /// A Gaussian number.
        noise,
        /// A residue of a key that is packed and written where it stays.
        stored,
        /// A multiply-add of a residue and an entry in a product with a matrix of integers, residues in two digits.
        matrix,
        /// A multiply-add that waits for the one before: integers composed of their residues, messages of slots.
        step,
    }
}

/// How much of the work threads cannot share, 0 to 1: T threads take (s + (1 − s)/T) of one thread's time. Waiting for
/// each other, for the memory and for a processor's common units all are in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Serial {
    /// The serial part of many values of engine fhew.
    pub values: f64,
    /// The serial part of one ciphertext of engine ckks, or of making its keys.
    pub ciphertext: f64,
    /// The serial part of as many ciphertexts of engine ckks side by side as there are threads.
    pub ciphertexts: f64,
}

impl Serial {
    /// The part of one thread's time that `threads` take.
    #[must_use]
    pub fn part(serial: f64, threads: usize) -> f64 {
        serial + (1.0 - serial) / threads.max(1) as f64
    }

    fn numbers(&self) -> [(&'static str, f64); 3] {
        [("values", self.values), ("ciphertext", self.ciphertext), ("ciphertexts", self.ciphertexts)]
    }
}

/// Nanoseconds of each unit on one thread of a machine, and what more threads gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The instruction set that it holds for.
    pub isa: Isa,
    /// Nanoseconds of the units of the torus world.
    pub torus: Torus,
    /// Nanoseconds of the units of the residue world.
    pub residues: Residues,
    /// Threads.
    pub serial: Serial,
}

/// Why a calibration was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// Not what `bootes bench calibrate --write` wrote.
    #[error("not a calibration: {reason}; write one with `bootes bench calibrate --write FILE`")]
    Malformed {
        /// The reason.
        reason: String,
    },
    /// A calibration of other instructions than those in use.
    #[error(
        "a calibration for {found}, but {expected} is in use; write one with `bootes bench calibrate --write FILE`"
    )]
    Isa {
        /// Its instruction set.
        found: Isa,
        /// The one in use.
        expected: Isa,
    },
    /// Costs were predicted already.
    #[error("the calibration is in use already; install another one before anything is planned")]
    InUse,
}

/// Nanoseconds that a unit may take: what is beyond was not measured on any processor.
const UNITS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

static CURRENT: OnceLock<Calibration> = OnceLock::new();

/// A calibration as a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    isa: String,
    torus: Torus,
    residues: Residues,
    serial: Serial,
}

impl Calibration {
    /// The calibration shipped for an instruction set: `data/calibration/`, with the machine that each was recorded on.
    /// NEON takes that of AVX2, which is a guess.
    #[must_use]
    pub fn shipped(isa: Isa) -> Self {
        let text = match isa {
            Isa::Avx512 => include_str!("../data/calibration/avx512.toml"),
            Isa::Avx2 => include_str!("../data/calibration/avx2.toml"),
            Isa::Scalar => include_str!("../data/calibration/scalar.toml"),
            // Not measured: four pipes of two lanes, which large cores have, do per cycle what two of four do.
            Isa::Neon => return Self { isa, ..Self::shipped(Isa::Avx2) },
        };
        Self::from_toml(text).expect("the shipped calibrations parse")
    }

    /// The one shipped for an instruction set on processors like this one: an AMD's, or an Intel's, which others take.
    /// With AVX2 the first is 1.5 times as fast as the other.
    #[must_use]
    pub fn nearest(isa: Isa) -> Self {
        let text = match isa {
            Isa::Avx512 if is_amd() => include_str!("../data/calibration/avx512-amd.toml"),
            Isa::Avx2 if is_amd() => include_str!("../data/calibration/avx2-amd.toml"),
            _ => return Self::shipped(isa),
        };
        Self::from_toml(text).expect("the shipped calibrations parse")
    }

    /// The calibration in use: [`Self::install`]ed, or the nearest for the instruction set in use.
    pub fn current() -> &'static Self {
        CURRENT.get_or_init(|| Self::nearest(Isa::selected()))
    }

    /// Makes this the calibration of all predictions of the process.
    ///
    /// # Errors
    /// [`CalibrationError::Isa`] if it is for other instructions than those in use, [`CalibrationError::InUse`] after
    /// the first prediction.
    pub fn install(self) -> Result<(), CalibrationError> {
        let expected = Isa::selected();
        if self.isa != expected {
            return Err(CalibrationError::Isa { found: self.isa, expected });
        }
        CURRENT.set(self).map_err(|_| CalibrationError::InUse)
    }

    /// Reads what [`Self::to_toml`] wrote.
    ///
    /// # Errors
    /// [`CalibrationError::Malformed`] unless it is an instruction set, 10^-6 to 10^6 ns for each unit, and parts of
    /// 0 to 1, in whole lines: a number may be cut.
    pub fn from_toml(text: &str) -> Result<Self, CalibrationError> {
        let malformed = |reason: String| CalibrationError::Malformed { reason };
        if !(text.is_empty() || text.ends_with('\n')) {
            return Err(malformed("the last line has no end, so the file may be cut off".into()));
        }
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1));
            malformed(format!("line {line}: {}", error.message().replace('\n', " ")))
        })?;
        let isa = file.isa.parse().map_err(|_| {
            malformed(format!("isa is {:?}, expected {}", file.isa, Isa::ALL.map(|isa| isa.to_string()).join(", ")))
        })?;
        let File { torus, residues, serial, .. } = file;
        let numbers = named(&torus).map(|unit| ("torus", unit)).chain(named(&residues).map(|unit| ("residues", unit)));
        for (world, (name, ns)) in numbers {
            if !UNITS.contains(&ns) {
                let (least, most) = (UNITS.start(), UNITS.end());
                return Err(malformed(format!("{name} of {world} takes {ns} nanoseconds, expected {least} to {most}")));
            }
        }
        if let Some((name, part)) = serial.numbers().into_iter().find(|(_, part)| !(0.0..=1.0).contains(part)) {
            return Err(malformed(format!("{name} of serial is {part}, expected 0 to 1")));
        }
        Ok(Self { isa, torus, residues, serial })
    }

    /// As a file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let lines = |numbers: &mut dyn Iterator<Item = (&'static str, f64)>| {
            numbers.map(|(name, number)| format!("{name} = {number:?}\n")).collect::<String>()
        };
        format!(
            "isa = \"{}\"\n\n# Nanoseconds.\n[torus]\n{}\n[residues]\n{}\n# What threads cannot share: 0 to 1.\n[serial]\n{}",
            self.isa,
            lines(&mut named(&self.torus)),
            lines(&mut named(&self.residues)),
            lines(&mut self.serial.numbers().into_iter())
        )
    }

    /// Nanoseconds of `work` on one thread.
    pub fn ns<W: Units>(&self, work: W) -> f64 {
        work.numbers().iter().zip(W::of(self).numbers()).map(|(amount, ns)| amount * ns).sum()
    }

    /// Seconds of `work` on one thread.
    pub fn seconds<W: Units>(&self, work: W) -> f64 {
        self.ns(work) * 1e-9
    }

    /// The same machine, `factor` times as slow.
    #[must_use]
    pub fn slower(&self, factor: f64) -> Self {
        Self { torus: self.torus * factor, residues: self.residues * factor, ..*self }
    }
}

/// Whether Linux says that the processor is an AMD; other systems are not asked.
fn is_amd() -> bool {
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    processors.lines().find(|line| line.starts_with("vendor_id")).is_some_and(|line| line.contains("AMD"))
}

/// The numbers of units with their names.
fn named<W: Units>(units: &W) -> impl Iterator<Item = (&'static str, f64)> + use<W> {
    W::NAMES.iter().copied().zip(units.numbers())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calibration_comes_back_from_its_file() {
        for isa in Isa::ALL {
            let shipped = Calibration::shipped(isa);
            assert_eq!(shipped.isa, isa);
            assert_eq!(Calibration::from_toml(&shipped.to_toml()), Ok(shipped));
            assert_eq!(Calibration::nearest(isa).isa, isa);
        }
        assert_eq!(Torus::from_numbers(&Torus::default().numbers()), Torus::default());
        let numbers: Vec<f64> = (0..Residues::NAMES.len()).map(|i| i as f64).collect();
        assert_eq!(Residues::from_numbers(&numbers).numbers(), numbers);
    }

    #[test]
    fn each_instruction_set_and_each_world_has_units_of_its_own() {
        let [scalar, avx2, avx512, neon] = Isa::ALL.map(Calibration::shipped);
        let (torus, residues) = (Torus { key: 2.0, ..Torus::default() }, Residues { key: 3.0, ..Residues::default() });
        for calibration in [scalar, avx2, avx512, neon] {
            assert_eq!(calibration.ns(torus), 2.0 * calibration.torus.key);
            assert_eq!(calibration.ns(residues), 3.0 * calibration.residues.key);
            assert_eq!(calibration.slower(2.0).ns(torus + torus), 4.0 * calibration.ns(torus));
        }
        let transform = Residues { transform: 1.0, ..Residues::default() };
        assert!(scalar.ns(transform) > avx2.ns(transform) && avx2.ns(transform) > avx512.ns(transform));
    }

    #[test]
    fn threads_share_all_but_a_part() {
        assert_eq!([1, 2, 4].map(|threads| Serial::part(0.0, threads)), [1.0, 0.5, 0.25]);
        assert_eq!([1, 2, 1024].map(|threads| Serial::part(1.0, threads)), [1.0; 3]);
        assert!(Serial::part(0.1, 1 << 20) > 0.1);
    }

    #[test]
    fn files_that_are_no_calibration_are_refused_in_a_line() {
        let good = Calibration::shipped(Isa::Avx512).to_toml();
        for (bad, reason) in [
            (String::new(), "isa"),
            (good.replace("avx512", "avx1024"), "avx1024"),
            (good.replace("word =", "words ="), "words"),
            (good.replacen("transform = ", "transform = -", 1), "transform of torus takes -"),
            (good.replacen("words = ", "words = inf # ", 1), "words of residues takes inf"),
            (good.replacen("values = ", "values = 1.5 # ", 1), "values of serial is 1.5"),
            (good.replace("[residues]", "[rings]"), "rings"),
            (good.replace("[serial]", "[torus]"), "line"),
            (format!("{good}\nmore = 1\n"), "more"),
            (good[..good.len() / 2].to_string(), "line"),
            (good[..good.len() - 2].to_string(), "cut off"),
            ("not toml\n".into(), "line 1"),
        ] {
            let error = Calibration::from_toml(&bad).unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains("bootes bench calibrate"), "{reason}: {error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn only_one_of_the_instructions_in_use_is_installed() {
        let other = Isa::ALL.into_iter().find(|&isa| isa != Isa::selected()).unwrap();
        let error = Calibration::shipped(other).install().unwrap_err();
        assert_eq!(error, CalibrationError::Isa { found: other, expected: Isa::selected() });
        Calibration::current();
        assert_eq!(Calibration::shipped(Isa::selected()).install(), Err(CalibrationError::InUse));
    }
}
