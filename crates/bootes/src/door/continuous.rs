//! Functions that are not rounded to tables.
use crate::door::space::Integers;
use crate::{Engine, Error, IntegerLimbs, Interval, Space};

/// A continuous function of integers m ∈ \[min, max\], linear between its values there, evaluated as it is
/// and not as a table: its results are near f(m), and noise is multiplied with the slope (FDFB-Compress with
/// β-padding, FDFB paper, Theorem 8 and appendix A).
///
/// A result holds the real number f(m) and noise below ½, and decrypts to one of the two integers next to
/// f(m), but with the failure probability of the parameters. Such integers are approximate
/// ([`Integers::is_approximate`]): they are added and multiplied by constants, errors with them, and no table
/// takes them. [`Plan::error_bound`](crate::Plan::error_bound) states what a result may be off.
///
/// One rotation where the integers leave half of their space free, two elsewhere; residues modulo p take a
/// function of 0 to p − 1, and need no margin where p − 1 meets 0.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// use bootes::{Client, Continuous, Params, Server};
/// let client = Client::generate(&Params::named("toy_4")?)?;
/// let server = Server::new(client.server_key()?)?;
/// let root = Continuous::new(0..=7, 4, |x| (2.0 * x).sqrt())?; // 0 to 3.7, with room for 4 bits
/// let encrypted = client.encrypt_unsigned(&[2, 5, 7], 3)?;
/// let plan = server.plan(&root, &encrypted)?;
/// let results = client.decrypt(&server.run(&plan, &encrypted)?[0])?;
/// let bound = plan.error_bound().unwrap_or(0.0); // ½ to round, and noise
/// for (result, exact) in results.into_iter().zip([2.0, 3.162, 3.742]) {
///     assert!(bound < 1.0 && (result as f64 - exact).abs() <= bound);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Continuous {
    range: Interval,
    out_bits: u32,
    /// One an integer of the range.
    values: Vec<f64>,
    /// The largest distance from what it stands for.
    error: f64,
}

/// The most integers in a domain.
const MAX_VALUES: u64 = 1 << 16;

impl Continuous {
    /// f on the integers of a range, 2 to 2^16, with results that have room for `out_bits` bits: exact in
    /// each integer.
    ///
    /// # Errors
    /// [`Error::Continuous`] for another range, or values that are no numbers; [`Error::Room`] for values
    /// outside −2^w to 2^w − 1, w = `out_bits` − 1, or more than 2^`out_bits` integers apart.
    pub fn new(range: impl Into<Interval>, out_bits: u32, f: impl Fn(f64) -> f64) -> Result<Self, Error> {
        let range = checked(range.into())?;
        Self::of_values(range.min, (range.min..=range.max).map(|x| f(x as f64)).collect(), out_bits, 0.0)
    }

    /// f at `count` integers of a range, as even as they can be, and linear in between: its
    /// [`interpolation_error`](Self::interpolation_error) is that of the worst integer.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn sampled(
        range: impl Into<Interval>,
        count: usize,
        out_bits: u32,
        f: impl Fn(f64) -> f64,
    ) -> Result<Self, Error> {
        let range = checked(range.into())?;
        let width = (range.max - range.min) as f64;
        let pieces = (count.max(2) - 1).min((range.max - range.min) as usize);
        let place = |i: usize| range.min + (width * i as f64 / pieces as f64).round() as i128;
        let mut knots: Vec<i128> = (0..=pieces).map(place).collect();
        knots.dedup();
        let knots: Vec<(i128, f64)> = knots.into_iter().map(|x| (x, f(x as f64))).collect();
        let linear = Self::of_knots(&knots, out_bits)?;
        let errors = (range.min..).zip(&linear.values).map(|(x, y)| (f(x as f64) - y).abs());
        // What is no number is larger than any.
        let error = errors.fold(0.0, |most, error| if error <= most { most } else { error });
        Self::of_values(range.min, linear.values, out_bits, error)
    }

    /// The function that is linear between these points (m, f(m)), with m from the least to the largest.
    ///
    /// # Errors
    /// As [`Self::new`]; [`Error::Continuous`] for less than two points, or points out of order.
    pub fn of_knots(knots: &[(i128, f64)], out_bits: u32) -> Result<Self, Error> {
        let (Some(&(min, first)), Some(&(max, _))) = (knots.first(), knots.last()) else {
            return Err(refused("no points"));
        };
        if !knots.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(refused("points out of order"));
        }
        checked(Interval { min, max })?;
        let mut values = vec![first];
        for pair in knots.windows(2) {
            let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
            values.extend((x0 + 1..=x1).map(|x| y0 + (y1 - y0) * ((x - x0) as f64 / (x1 - x0) as f64)));
        }
        Self::of_values(min, values, out_bits, 0.0)
    }

    /// All that there is of it, checked.
    pub(crate) fn of_values(min: i128, values: Vec<f64>, out_bits: u32, error: f64) -> Result<Self, Error> {
        let max = min.checked_add(values.len() as i128 - 1).ok_or_else(|| refused("integers beyond 128 bits"))?;
        let range = checked(Interval { min, max })?;
        // Within what is an integer of an f64.
        let are_numbers = values.iter().all(|y| y.abs() < 1e9);
        if !are_numbers || !(0.0..1e9).contains(&error) {
            return Err(refused("values that are no numbers below 10^9"));
        }
        if !(2..=30).contains(&out_bits) {
            return Err(refused(&format!("results of {out_bits} bits, where 2 to 30 can be")));
        }
        let function = Self { range, out_bits, values, error };
        function.out_space(range).map(|_| function)
    }

    /// The integers that it is of.
    pub fn range(&self) -> Interval {
        self.range
    }

    /// Bits that its results have room for.
    pub fn out_bits(&self) -> u32 {
        self.out_bits
    }

    /// Its values, that of the least integer first.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The largest distance of a value from the function that was sampled.
    pub fn interpolation_error(&self) -> f64 {
        self.error
    }

    /// The steepest slope, of neighbours' values: noise of a message's distance is multiplied with it.
    pub fn slope(&self) -> f64 {
        self.values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
    }

    /// Its values on a part of the range, of two integers at least, in turns.
    pub(crate) fn turns(&self, part: Interval) -> Vec<f64> {
        let values = &self.values[(part.min - self.range.min) as usize..=(part.max - self.range.min) as usize];
        let mut turns: Vec<f64> = values.iter().map(|y| y / f64::from(self.out_bits).exp2()).collect();
        if let [only] = turns[..] {
            turns.push(only);
        }
        turns
    }

    /// The message space of its results for these inputs.
    pub(crate) fn out_space(&self, part: Interval) -> Result<Space, Error> {
        let values = &self.values[(part.min - self.range.min) as usize..=(part.max - self.range.min) as usize];
        let least = values.iter().copied().fold(f64::INFINITY, f64::min).floor() as i128;
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil() as i128;
        let (limbs, range) = (IntegerLimbs::one(self.out_bits - 1), Interval { min: least, max: largest });
        let integers =
            Integers::new(limbs, range).ok_or(Error::Room { range, width: limbs.width(), engine: Engine::Fhew })?;
        Ok(Space::Integers(integers.approximately()))
    }
}

fn checked(range: Interval) -> Result<Interval, Error> {
    match range.max.checked_sub(range.min) {
        Some(width) if (1..MAX_VALUES as i128).contains(&width) => Ok(range),
        _ => Err(refused(&format!("a domain from {range}"))),
    }
}

fn refused(what: &str) -> Error {
    Error::Continuous { what: what.into() }
}
