//! The work of tables whose coefficients are no numbers, as amounts of the units of [`bootes_schemes::cost`].
use bootes_lattice::rns::MaskStorage;
use bootes_schemes::ckks::Cost;
use bootes_schemes::ckks::bootstrap::{BootstrapStep, Transforms};
use bootes_schemes::cost::Residues;
use bootes_schemes::polyeval::Gate;

use super::{ROWS, VariedTable};
use crate::LutError;
use crate::ckks::TableParams;
use crate::ckks::cost::{circle, large_evaluation};

/// The work of a table whose coefficients are no numbers ([`VariedTable`]), step by step, in the order in
/// which they are heard of.
///
/// # Errors
/// As circuits.
pub fn varied_evaluation(
    params: &TableParams,
    transforms: &Transforms,
    table: &VariedTable,
    masks: MaskStorage,
) -> Result<Vec<(BootstrapStep, Residues)>, LutError> {
    let cost = Cost::new(params.ckks(), masks);
    let Some(shape) = table.digits() else {
        let ([raise, to_slots, exponential], circle) = circle(params, transforms, cost)?;
        let circuit = table.circuit().expect("a table that is evaluated whole");
        let level = circle - circuit.depth();
        let levels = circuit.latest().into_iter().map(|below| circle - below);
        let coefficients = circuit.gates().iter().zip(levels).filter_map(|(gate, level)| match gate {
            Gate::Combination { terms, .. } => {
                // Of all entries.
                let sums = if table.is_encrypted() { 0 } else { terms.len() * table.in_modulus() as usize };
                Some(coefficients(cost, table, terms.len(), level + 1) + cost.passes(sums))
            }
            _ => None,
        });
        let lut = cost.circuit(circuit, circle)? * 2.0 + coefficients.sum::<Residues>() * 2.0 + cost.join(level);
        let back = cost.slots_to_coeffs(transforms, level) + cost.base_values();
        let steps = [cost.base_values() + raise, to_slots, exponential, lut, back];
        return Ok(BootstrapStep::ALL.into_iter().zip(steps).collect());
    };
    let work = large_evaluation(params, transforms, shape, masks)?;
    let level = params.sums_level() + shape.summed().len() + shape.row_levels();
    // The matrix product is in `sums` too, which is as nothing beside what is in its place.
    // For one table, or the direct and the mirrored parts of those of all values.
    let row = match table.values() {
        None => coefficients(cost, table, shape.columns() - 1, level),
        Some(_) => coefficients(cost, table, shape.columns() - 1, level) * 2.0 + cost.rotation(level),
    };
    // All entries are summed for a row of plaintexts.
    let row = if table.is_encrypted() { row } else { row + cost.passes(shape.entries() as usize) };
    let mut all: Vec<_> = work.digits.into_iter().flat_map(|digit| BootstrapStep::ALL.into_iter().zip(digit)).collect();
    // The last digit has no way back.
    all.pop();
    all.push((BootstrapStep::EvalLut, work.columns));
    let pieces = shape.rows().div_ceil(ROWS);
    let piece = (row * shape.rows() as f64 + work.sums) * (1.0 / pieces as f64);
    all.extend(std::iter::repeat_n((BootstrapStep::EvalLut, piece), pieces));
    all.push((BootstrapStep::SlotsToCoeffs, work.back));
    Ok(all)
}

/// The products of so many coefficients at a level: what plaintexts take to be encoded, or masks to be made.
fn coefficients(cost: Cost<'_>, table: &VariedTable, count: usize, level: usize) -> Residues {
    let each = match table.is_encrypted() {
        true => cost.masks_of(level) + cost.tensor(level),
        false => cost.encoding(level) + cost.passes(4 * (level + 1)),
    };
    let last = if table.is_encrypted() { cost.relinearisation(level) } else { cost.rescaling(level) };
    each * count as f64 + last
}
