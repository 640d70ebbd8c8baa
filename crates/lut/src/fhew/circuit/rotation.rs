//! Rotations and the functions that they evaluate.
use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::Register;

/// Key switch (shared by all rotations of one source), modulus switch to 2νN', blind rotation, extraction.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotation {
    /// Its sample.
    pub source: Register,
    /// The short sample is multiplied by 2^this, which drops the top bits of the message.
    pub log2_factor: u32,
    /// Added to the phase (a fraction of the torus) so that the table starts at 0.
    pub shift: f64,
    /// The table is right while the phase is off by less than this fraction of the torus.
    pub half_window: f64,
    /// The table that is rotated.
    pub table: Table,
    /// Extension factor ν: the accumulator has degree ν·N'.
    pub extension: usize,
    /// Whether it rotates in its own ring of degree ν·N', a power of two, with that ring's key; else ν components of
    /// degree N' with the one key of all. The result of an own ring is key-switched to the base ring's key.
    pub own_ring: bool,
}

impl Rotation {
    /// The rotation by the source as it is, with windows from 0 on when `shift` is added to the phase; to be fitted.
    pub fn new(source: Register, shift: f64, half_window: f64, table: Table) -> Self {
        Self { source, log2_factor: 0, shift, half_window, table, extension: 1, own_ring: false }
    }
}

/// The negacyclic function of a rotation on the half circle [0, 1/2), in equal windows.
#[derive(Clone, Debug, PartialEq)]
pub enum Table {
    /// Torus elements.
    Plain {
        /// Where the result goes.
        target: Register,
        /// A value a window.
        values: Vec<u64>,
    },
    /// Several tables at once (multi-value bootstrapping, CIM19; FDFB paper, section 2.3.5).
    Multi {
        /// p': values are multiples of 2^64/2p', times 2^−`log2_scale`.
        modulus: u64,
        /// The results are scaled down by 2^this.
        log2_scale: u32,
        /// The tables.
        columns: Vec<Column>,
    },
    /// Several tables at once, whose values take turns in the test vector (PBSmanyLUT: Chillotti, Ligier, Orfila, Tap,
    /// *Improved Programmable Bootstrapping with Larger Precision and Efficient Arithmetic Circuits for TFHE*, 2021):
    /// of m, a power of two, the modulus switch goes to 2νN'/m. Results have a rotation's noise.
    Interleaved {
        /// Where each result goes, and a value a window.
        functions: Vec<(Register, Vec<u64>)>,
    },
    /// A continuous function, linear between knots (x, f(x)) from x = 0 to x = 1/2; two knots at one x are a step.
    ///
    /// The result follows the noise of the phase.
    Continuous {
        /// Where the result goes.
        target: Register,
        /// The knots, as fractions of the torus.
        knots: Vec<[f64; 2]>,
        /// Whether the result takes away from the target what the source saw of it: source = c·target and f(x) = −x/c.
        /// Then their noise cancels too.
        clears: bool,
    },
    /// Ciphertexts, packed into the test vector.
    Packed {
        /// Where the result goes.
        target: Register,
        /// One a window, with its sign.
        blocks: Vec<(Register, i8)>,
    },
    /// A plain table and another one, of integers, times an encrypted value: Σ_i digits_i(x)·source_i + values(x)
    /// (FDFB-KS).
    Selected {
        /// Where the result goes.
        target: Register,
        /// A value a window.
        values: Vec<u64>,
        /// A ciphertext and its factors, one a window.
        digits: Vec<(Register, Vec<i64>)>,
    },
}

/// One table of a multi-value bootstrap.
#[derive(Clone, Debug)]
pub struct Column {
    /// Where the result goes.
    pub target: Register,
    pub(super) halves: Vec<i64>,
    /// The factor of its noise, for these modulus and scale: a long table's takes as long as all other readings.
    factor: OnceLock<(u64, u32, f64)>,
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        (self.target, &self.halves) == (other.target, &other.halves)
    }
}

impl Column {
    /// Multiples of 2^64/p'.
    pub fn new(target: Register, values: impl IntoIterator<Item = i64>) -> Self {
        Self::of_halves(target, values.into_iter().map(|v| 2 * v))
    }

    /// Multiples of 2^64/2p', one a window: all even or all odd.
    pub fn of_halves(target: Register, halves: impl IntoIterator<Item = i64>) -> Self {
        Self { target, halves: halves.into_iter().collect(), factor: OnceLock::new() }
    }

    /// How many windows there are.
    pub fn windows(&self) -> usize {
        self.halves.len()
    }

    /// TV_1 = (1 − X)·TV', sparse: the windows that begin with a step, and the step; and what is to be added to the
    /// result.
    ///
    /// The rotated polynomial is TV_0 = 2^64/2p'·Σ X^i, so p' times a monomial is one half everywhere: steps are
    /// centred modulo p', and 2^63 is to be added if an odd number of multiples of p' was left out. (The paper's TV_1
    /// is modulo 2p', of at most four times the noise.) Where results are scaled down, p' times a monomial is no
    /// constant, and the steps stay.
    pub fn steps(&self, modulus: u64, log2_scale: u32) -> (Vec<(usize, i64)>, u64) {
        let mut multiples = 0;
        let counted = self.centred_steps(modulus, log2_scale).inspect(|&(.., multiple)| multiples += multiple);
        let steps = counted.map(|(window, step, _)| (window, step)).filter(|&(_, step)| step != 0).collect();
        (steps, (multiples as u64) << 63)
    }

    /// Of each window the step that it begins with, centred, and the multiple of p' that this left out.
    fn centred_steps(&self, modulus: u64, log2_scale: u32) -> impl Iterator<Item = (usize, i64, i64)> {
        let p = modulus as i64;
        let last = self.halves[self.halves.len() - 1];
        self.halves.iter().enumerate().scan(-last, move |before, (window, &value)| {
            let step = (value - std::mem::replace(before, value)) / 2;
            let multiple = if log2_scale == 0 { (step + p / 2).div_euclid(p) } else { 0 };
            Some((window, step - multiple * p, multiple))
        })
    }

    /// The factor on the variance of the rotation: ‖TV_1‖², and what its errors have in common.
    ///
    /// ‖TV_1‖² takes the coefficients of a rotation's noise as independent. They are not: the digits' rounding errors
    /// are multiplied with the binary key, whose coefficients have a mean, so that two coefficients d of N apart have
    /// up to (1 − 2d/N)/2 of their variance in common. Where that makes the steps noisier, it is counted; where
    /// quieter, it is not.
    pub fn noise_factor(&self, modulus: u64, log2_scale: u32) -> f64 {
        let factor = || self.factor_of(self.centred_steps(modulus, log2_scale).map(|(window, step, _)| (window, step)));
        match self.factor.get_or_init(|| (modulus, log2_scale, factor())) {
            &(of_modulus, scale, found) if (of_modulus, scale) == (modulus, log2_scale) => found,
            _ => factor(),
        }
    }

    /// Those of self + other and of self − other, results of one rotation.
    pub fn joint_noise_factors(&self, other: &Self, modulus: u64, log2_scale: u32) -> [f64; 2] {
        [1, -1].map(|sign: i64| {
            let mut steps = BTreeMap::new();
            for (column, sign) in [(self, 1), (other, sign)] {
                for (window, step) in column.steps(modulus, log2_scale).0 {
                    *steps.entry(window).or_default() += sign * step;
                }
            }
            self.factor_of(steps)
        })
    }

    /// Whether their results, of one rotation, are one ciphertext but for a constant.
    ///
    /// Then the error of their product, p·(u·e' + u'·e), has twice the variance of that of independent ones. It takes
    /// both errors and overflows u to be alike: packing makes the overflows of all others independent, those of
    /// negatives too.
    pub fn is_twin(&self, other: &Self, modulus: u64) -> bool {
        self.steps(modulus, 0).0 == other.steps(modulus, 0).0
    }

    /// The factor of a sparse TV_1, its steps in order.
    fn factor_of(&self, steps: impl IntoIterator<Item = (usize, i64)>) -> f64 {
        let windows = self.halves.len() as f64;
        // Σ f and Σ f·x of the steps so far.
        let (mut squares, mut shared, mut sum, mut moment) = (0.0, 0.0, 0.0, 0.0);
        for (x, f) in steps.into_iter().map(|(x, f)| (x as f64, f as f64)) {
            squares += f * f;
            shared += f * (sum - 2.0 / windows * (x * sum - moment));
            sum += f;
            moment += f * x;
        }
        // Over keys what is shared spreads more than the variance of a coefficient: by up to 5 %, which in the mean of
        // failures counts as much as 6 % more of it (see `failure::over_keys`).
        squares + 1.06 * f64::max(shared, 0.0)
    }
}

impl Table {
    /// The table's targets.
    pub fn targets(&self) -> Vec<Register> {
        match self {
            Self::Plain { target, .. }
            | Self::Continuous { target, .. }
            | Self::Packed { target, .. }
            | Self::Selected { target, .. } => vec![*target],
            Self::Multi { columns, .. } => columns.iter().map(|column| column.target).collect(),
            Self::Interleaved { functions } => functions.iter().map(|&(target, _)| target).collect(),
        }
    }

    /// The ciphertexts in it.
    pub fn sources(&self) -> Vec<Register> {
        match self {
            Self::Packed { blocks, .. } => blocks.iter().map(|&(block, _)| block).collect(),
            Self::Selected { digits, .. } => digits.iter().map(|&(digit, _)| digit).collect(),
            Self::Plain { .. } | Self::Continuous { .. } | Self::Multi { .. } | Self::Interleaved { .. } => Vec::new(),
        }
    }

    /// How many tables take turns in the test vector, m: 1 but for [`Self::Interleaved`].
    pub fn interleaved(&self) -> usize {
        match self {
            Self::Interleaved { functions } => functions.len().next_power_of_two(),
            _ => 1,
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        match self {
            Self::Plain { values, .. } => values.iter().all(|&v| v == 0),
            _ => false,
        }
    }
}

/// The value of a piecewise linear function at `x`, between its knots.
pub(crate) fn interpolate(knots: &[[f64; 2]], x: f64) -> f64 {
    let after = knots.partition_point(|knot| knot[0] <= x).clamp(1, knots.len() - 1);
    let [[x0, y0], [x1, y1]] = [knots[after - 1], knots[after]];
    if x1 > x0 { y0 + (y1 - y0) * ((x - x0) / (x1 - x0)).clamp(0.0, 1.0) } else { y1 }
}

/// The steepest slope of a piecewise linear function, its steps aside.
pub(crate) fn steepest(knots: &[[f64; 2]]) -> f64 {
    knots
        .windows(2)
        .filter(|pair| pair[1][0] > pair[0][0])
        .map(|pair| ((pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0])).abs())
        .fold(0.0, f64::max)
}
