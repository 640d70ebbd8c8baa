//! Tables of complex numbers.
use crate::{Ciphertexts, Client, Error, Lut};

/// A table Z_p → C, as two tables of fixed-point integers: real and imaginary parts in units of
/// [`Self::step`], modulo 2^bits.
///
/// Results are exact multiples of the step but with the probability of failure, so that each part is off by
/// half a step at most, by that over √3 in the mean square for parts without structure. Both parts share
/// everything but the last step of an evaluation.
///
/// ```no_run
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, ComplexTable, Params, Server};
/// # let client = Client::generate(&Params::named("toy_batch_4bit")?)?;
/// # let server = Server::new(client.server_key()?)?;
/// // exp(2πix/16), in 12 bits.
/// let angle = |x: i32| f64::from(x) * std::f64::consts::TAU / 16.0;
/// let points: Vec<[f64; 2]> = (0..16).map(|x| [angle(x).cos(), angle(x).sin()]).collect();
/// let table = ComplexTable::new(&points, 12)?;
/// let results = server.evaluate_all(&table, &client.encrypt(&[4])?)?;
/// let [re, im] = client.decrypt_complex(&results, table.step())?[0];
/// assert!(re.abs() <= table.error_bound() && (im - 1.0).abs() <= table.error_bound());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ComplexTable {
    parts: [Lut; 2],
    step: f64,
}

impl ComplexTable {
    /// Real and imaginary parts, rounded to so many bits, the sign among them: the step is the largest of all
    /// parts over 2^(bits−1) − 1.
    ///
    /// # Errors
    /// [`Error::Fixed`] for parts that are no numbers, or bits that are not 2 to 26; [`Error::Lut`] for
    /// another number of entries than a table has.
    pub fn new(values: &[[f64; 2]], bits: u32) -> Result<Self, Error> {
        if !(2..=26).contains(&bits) {
            return Err(Error::Fixed { what: format!("{bits} bits"), expected: "2 to 26 bits" });
        }
        let most = values.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if let Some(at) = values.iter().position(|z| !z.iter().all(|x| x.is_finite())) {
            return Err(Error::Fixed { what: format!("entry {at}, {:?}", values[at]), expected: "finite numbers" });
        }
        let (modulus, largest) = (1i64 << bits, ((1i64 << (bits - 1)) - 1) as f64);
        let step = if most > 0.0 { most / largest } else { 1.0 };
        if !step.is_normal() {
            let what = format!("parts of at most {most:e} in {bits} bits");
            return Err(Error::Fixed { what, expected: "parts that are 0, or have steps of at least 1e-307" });
        }
        let part = |part: usize| {
            let entry = |z: &[f64; 2]| ((z[part] / step).round_ties_even() as i64).rem_euclid(modulus) as u64;
            Lut::modular(values.iter().map(entry).collect(), modulus as u64)
        };
        Ok(Self { parts: [part(0)?, part(1)?], step })
    }

    /// The tables of real and imaginary parts.
    pub fn parts(&self) -> &[Lut; 2] {
        &self.parts
    }

    /// The value of the least integer step of results.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// By how much each part of a result may differ from that of the table.
    pub fn error_bound(&self) -> f64 {
        // Half a step, and what divisions of numbers round.
        self.step * (0.5 + 1e-6)
    }
}

impl Client {
    /// Decrypts the results of a [`ComplexTable`], both parts of each value, in units of `step`.
    ///
    /// # Errors
    /// [`Error::ResultCount`] unless there are two vectors; [`Error::Lengths`] unless they are of one length;
    /// as [`Self::decrypt`].
    pub fn decrypt_complex(&self, results: &[Ciphertexts], step: f64) -> Result<Vec<[f64; 2]>, Error> {
        let [re, im] = results else {
            return Err(Error::ResultCount { found: results.len(), expected: 2 });
        };
        if re.len() != im.len() {
            let what = "complex results".into();
            return Err(Error::Lengths { what, left: re.len(), right: im.len() });
        }
        let part = |x: &Ciphertexts| {
            let p = x.space().moduli()[0];
            let signed = |v: u64| v as f64 - if 2 * v >= p { p as f64 } else { 0.0 };
            Ok::<_, Error>(self.decrypt_residues(x)?.into_iter().map(|v| step * signed(v)).collect::<Vec<_>>())
        };
        Ok(part(re)?.into_iter().zip(part(im)?).map(|(re, im)| [re, im]).collect())
    }
}
