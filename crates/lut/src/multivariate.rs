//! Functions of several values, as one table of all their combinations.
use crate::program::RESIDUE;
use crate::{Kind, Lut, LutError, Program};

/// A table of several values x_0, x_1, …, x_i from 0 to p_i − 1: entry ((x_0·p_1 + x_1)·p_2 + x_2)… is the image. The
/// last value varies fastest, as in the rows of a matrix.
///
/// ```
/// # fn main() -> Result<(), bootes_lut::LutError> {
/// # use bootes_lut::{Lut, MultivariateLut};
/// // x to the power of y modulo 5, for 3 bits and 1 bit.
/// let powers = MultivariateLut::images(&[8, 2], |x| if x[1] == 0 { 1 } else { x[0] % 5 });
/// let powers = MultivariateLut::new(&[8, 2], Lut::modular(powers, 5)?)?;
/// assert_eq!(powers.lut().values()[2 * 7 + 1], 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultivariateLut {
    sizes: Vec<u64>,
    lut: Lut,
}

impl MultivariateLut {
    /// The table `lut` of Π p_i entries on values of these sizes p_i ≥ 2.
    ///
    /// # Errors
    /// [`LutError::Sizes`] for another number of entries.
    pub fn new(sizes: &[u64], lut: Lut) -> Result<Self, LutError> {
        let entries = sizes.iter().try_fold(1u64, |entries, &size| entries.checked_mul(size));
        if entries != Some(lut.in_modulus()) || sizes.iter().any(|&size| size < 2) {
            return Err(LutError::Sizes { entries: lut.in_modulus(), sizes: sizes.to_vec() });
        }
        Ok(Self { sizes: sizes.to_vec(), lut })
    }

    /// The images of all combinations of values of these sizes, in order: the entries of a table.
    pub fn images<T>(sizes: &[u64], mut image: impl FnMut(&[u64]) -> T) -> Vec<T> {
        let entries = sizes.iter().product();
        let mut values = vec![0; sizes.len()];
        (0..entries)
            .map(|entry| {
                let mut rest: u64 = entry;
                for (value, size) in values.iter_mut().zip(sizes).rev() {
                    *value = rest % size;
                    rest /= size;
                }
                image(&values)
            })
            .collect()
    }

    /// The sizes p_i.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// By how many entries the image moves as each value grows by one: Π_{j > i} p_j.
    pub fn strides(&self) -> Vec<u64> {
        (1..=self.sizes.len()).map(|i| self.sizes[i..].iter().product()).collect()
    }

    /// The program of the same on values of these kinds: the table of what they are as one integer. Residues, which
    /// would wrap, become integers first.
    ///
    /// # Errors
    /// Those of [`Lut::modular`], for residues of which there are no tables.
    ///
    /// # Panics
    /// Unless there is a kind for each value.
    pub fn program(&self, kinds: &[Kind]) -> Result<Program, LutError> {
        assert_eq!(kinds.len(), self.sizes.len(), "values and their kinds");
        let mut program = Program::new();
        let mut packed = None;
        for (i, (&size, kind)) in self.sizes.iter().zip(kinds).enumerate() {
            let mut x = program.input(&format!("x{}", i + 1));
            if let Kind::Residues(p) = *kind {
                x = program.table_as(RESIDUE, x, &Lut::modular((0..p).collect(), p)?.of_integers());
            }
            packed = Some(match packed {
                None => x,
                Some(above) => {
                    let size = program.constant(size.into());
                    let above = program.mul(above, size);
                    program.add(above, x)
                }
            });
        }
        let image = program.table_as("f", packed.expect("a table has values"), &self.lut);
        program.output(image);
        Ok(program)
    }

    /// The program of the same on residues, each combination of which has an entry.
    #[must_use]
    pub fn of_residues(&self) -> Program {
        let mut program = Program::new();
        let operands: Vec<_> = (1..=self.sizes.len()).map(|i| program.input(&format!("x{i}"))).collect();
        let image = program.table_of("f", &operands, &self.lut);
        program.output(image);
        program
    }

    /// The table of all combinations.
    pub fn lut(&self) -> &Lut {
        &self.lut
    }
}
