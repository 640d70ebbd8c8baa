//! How inputs of a table are cut into digits, and where each digit comes in.
use std::fmt;

use bootes_schemes::polyeval::ArithmeticCircuit;

use crate::ckks::tables::whole::centred;
use crate::ckks::{TableLiteral, TableParams, characters, decompose};
use crate::{Lut, LutError};

/// Columns of the matrix product, at most: they are all in memory.
const MAX_COLUMNS: u64 = 256;

/// Digits at most.
const MAX_DIGITS: usize = 6;

/// m = d_1 + p_1·(d_2 + p_2·(d_3 + …)), and where the characters of each digit come in: as factors of the
/// columns of the matrix product, or in the sums of its rows.
///
/// The product of two digits' characters takes a level, and each sum. So what needs the most levels to be
/// made, large digits and the lowest with its interpolation of higher order, is summed last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// p_i, the lowest first.
    moduli: Vec<u64>,
    /// The order of each digit's interpolation.
    orders: Vec<u32>,
    /// The digits that are summed, the innermost first.
    summed: Vec<usize>,
    /// The others, one or two.
    factors: Vec<usize>,
    /// Levels between columns and rows: 1 if coefficients are ciphertexts, and 0 if they are not.
    row_levels: usize,
}

impl Shape {
    /// Digits modulo these p_i ≥ 2, the lowest first, with the interpolations of a set; the characters of
    /// `factors` digits, 1 or 2, make the columns. `None` if they are too few or too many, or the columns.
    #[must_use]
    pub fn new(set: &TableLiteral, moduli: &[u64], factors: usize) -> Option<Self> {
        let count = moduli.len();
        let counted = (2..=MAX_DIGITS).contains(&count) && (1..=2.min(count - 1)).contains(&factors);
        if !counted || moduli.iter().any(|p| !(2..=1 << 8).contains(p)) {
            return None;
        }
        let orders: Vec<u32> = (0..count).map(|i| if i < set.flat_digits { set.order } else { 1 }).collect();
        // Those that take the most levels last; of equal ones the lowest.
        let mut places: Vec<usize> = (0..count).rev().collect();
        places.sort_by_key(|&i| characters::depth(moduli[i] as usize, orders[i]));
        let summed = places.split_off(factors);
        places.reverse();
        let columns = places.iter().map(|&i| moduli[i]).product::<u64>();
        let shape = Self { moduli: moduli.to_vec(), orders, summed, factors: places, row_levels: 0 };
        (columns <= MAX_COLUMNS).then_some(shape)
    }

    /// Every way to cut Z_p into the digits that a set has levels for.
    #[must_use]
    pub fn all(params: &TableParams, p: u64) -> Vec<Self> {
        Self::all_with(params, p, 0)
    }

    /// The same for coefficients whose product with columns takes so many levels.
    #[must_use]
    pub fn all_with(params: &TableParams, p: u64, row_levels: usize) -> Vec<Self> {
        let (mut found, set) = (Vec::new(), params.literal());
        extend(p, set.largest_digit(), &mut Vec::new(), &mut found);
        let shapes = found.iter().flat_map(|moduli| [1, 2].into_iter().filter_map(|n| Self::new(set, moduli, n)));
        let shapes = shapes.map(|shape| shape.with_row_levels(row_levels));
        shapes.filter(|shape| shape.depth() <= params.table_levels()).collect()
    }

    /// The same for coefficients whose product with columns takes so many levels.
    #[must_use]
    pub fn with_row_levels(self, row_levels: usize) -> Self {
        Self { row_levels, ..self }
    }

    /// Levels between columns and rows.
    #[must_use]
    pub fn row_levels(&self) -> usize {
        self.row_levels
    }

    /// p_i, the lowest first.
    #[must_use]
    pub fn moduli(&self) -> &[u64] {
        &self.moduli
    }

    /// The digits that are summed over, the innermost first.
    #[must_use]
    pub fn summed(&self) -> &[usize] {
        &self.summed
    }

    /// The digits whose characters are factors of columns, one or two.
    #[must_use]
    pub fn factors(&self) -> &[usize] {
        &self.factors
    }

    /// Πp_i.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.moduli.iter().product()
    }

    fn size(&self, digits: &[usize]) -> usize {
        digits.iter().map(|&i| self.moduli[i] as usize).product()
    }

    /// Columns of the matrix.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.size(&self.factors)
    }

    /// Rows of the matrix.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.size(&self.summed)
    }

    /// Digit i of an input.
    pub(in crate::ckks) fn digit(&self, i: usize, m: usize) -> usize {
        let stride = self.moduli[..i].iter().product::<u64>() as usize;
        m / stride % self.moduli[i] as usize
    }

    /// For each entry of row after row of the matrix the number of its coefficient a_1 + p_1·(a_2 + …).
    pub(in crate::ckks) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let stride = |i: usize| self.moduli[..i].iter().product::<u64>() as usize;
        let of = move |mut a: usize, digits: &[usize]| {
            let digit = |&i: &usize| {
                let p = self.moduli[i] as usize;
                let place = a % p * stride(i);
                a /= p;
                place
            };
            digits.iter().map(digit).sum::<usize>()
        };
        let columns: Vec<usize> = (0..self.columns()).map(|b| of(b, &self.factors)).collect();
        (0..self.rows()).flat_map(move |a| {
            let row = of(a, &self.summed);
            columns.clone().into_iter().map(move |column| row + column)
        })
    }

    /// How each digit becomes characters.
    pub(in crate::ckks) fn plans(&self, coeffs_level: usize) -> Vec<DigitPlan> {
        let sums = self.summed.len();
        let plan = |(i, (&p, &order)): (usize, (&u64, &u32))| {
            let modulus = p as usize;
            match self.summed.iter().position(|&digit| digit == i) {
                Some(place) => DigitPlan { modulus, order, level: coeffs_level + sums - place, factor: 0.5 },
                None => {
                    let level = coeffs_level + sums + self.row_levels + self.factors.len() - 1;
                    DigitPlan { modulus, order, level, factor: 1.0 }
                }
            }
        };
        self.moduli.iter().zip(&self.orders).enumerate().map(plan).collect()
    }

    /// Levels from the circle to SlotsToCoeffs.
    #[must_use]
    pub fn depth(&self) -> usize {
        let depth = |plan: DigitPlan| plan.level + characters::depth(plan.modulus, plan.order);
        self.plans(0).into_iter().map(depth).max().unwrap_or(0)
    }
}

/// "16 x 16 x 32", the lowest digit first.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moduli: Vec<String> = self.moduli.iter().map(u64::to_string).collect();
        f.write_str(&moduli.join(" x "))
    }
}

/// Ordered factorisations of p, those behind the lowest digit without regard to their order.
fn extend(p: u64, most: u64, begun: &mut Vec<u64>, found: &mut Vec<Vec<u64>>) {
    if p == 1 && begun.len() > 1 {
        found.push(begun.clone());
    }
    if p == 1 || begun.len() == MAX_DIGITS {
        return;
    }
    let least = if begun.len() > 1 { begun[begun.len() - 1] } else { 2 };
    for factor in (least..=most.min(p)).filter(|factor| p.is_multiple_of(*factor)) {
        begun.push(factor);
        extend(p / factor, most, begun, found);
        begun.pop();
    }
}

/// How a digit becomes characters.
pub(in crate::ckks) struct DigitPlan {
    /// p.
    pub(in crate::ckks) modulus: usize,
    /// How far errors are flattened.
    pub(in crate::ckks) order: u32,
    /// The level of the characters.
    pub(in crate::ckks) level: usize,
    /// The parts of a ciphertext are `factor`/2·φ before halves are joined.
    pub(in crate::ckks) factor: f64,
}

impl DigitPlan {
    /// The characters, and a table of the digit.
    pub(in crate::ckks) fn circuit(&self, values: Option<&[f64]>) -> Result<ArithmeticCircuit, LutError> {
        characters::circuit(self.modulus, self.order, self.factor, values)
    }

    /// Whether exp(2πijd/p) is more than its real part.
    pub(in crate::ckks) fn has_sine(&self, j: usize) -> bool {
        2 * j < self.modulus
    }

    /// The digit as a message modulo `modulus`, in turns.
    pub(in crate::ckks) fn as_message(&self, modulus: u64) -> Result<Vec<f64>, LutError> {
        let table: Lut = decompose::digit_of(modulus, self.modulus as u64)?;
        Ok(centred(&table).into_iter().map(|value| value / modulus as f64).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ckks::params;
    use bootes_schemes::class::SetClass;

    fn set(order: u32, flat_digits: usize) -> TableLiteral {
        TableLiteral { order, flat_digits, ..params::literals()[0].clone() }
    }

    #[test]
    fn digits_are_placed_by_what_they_need() {
        // Two factors of columns, the lowest digits with order 3 in the last sums.
        let shape = Shape::new(&set(3, 2), &[16, 16, 16, 16], 2).unwrap();
        assert_eq!((shape.summed(), shape.factors()), (&[1, 0][..], &[2, 3][..]));
        assert_eq!((shape.rows(), shape.columns(), shape.depth()), (256, 256, 8));
        let shape = Shape::new(&set(3, 1), &[16, 32, 32], 1).unwrap();
        assert_eq!((shape.summed(), shape.factors(), shape.depth()), (&[1, 0][..], &[2][..], 8));
        for (moduli, factors) in [(vec![16], 1), (vec![4, 4], 2), (vec![4, 1], 1), (vec![2, 512], 1), (vec![2; 7], 1)] {
            assert_eq!(Shape::new(&set(1, 0), &moduli, factors), None);
        }
        assert_eq!(Shape::new(&set(1, 0), &[32, 32, 32], 2), None);
    }

    #[test]
    fn entries_are_placed_once() {
        let params =
            TableLiteral { digits: vec![16; 3], bits: 12, log2_slot_factor: 20, class: SetClass::Toy, ..set(1, 0) };
        let params = params.try_build().unwrap();
        let shapes = Shape::all(&params, 120);
        assert!(shapes.iter().any(|shape| shape.moduli() == [8, 15]));
        for shape in shapes {
            assert_eq!(shape.entries(), 120);
            let mut places: Vec<usize> = shape.places().collect();
            places.sort_unstable();
            assert!(places.into_iter().eq(0..120), "{shape:?}");
        }
        assert!(Shape::all(&params, 1009).is_empty() && Shape::all(&params, 2 * 37).is_empty());
    }
}
