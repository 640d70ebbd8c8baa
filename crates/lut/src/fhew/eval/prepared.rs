//! Circuits with their test vectors and trees: equal ones are one.
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{PreparedTable, Vectors, windows};
use crate::fhew::circuit::{Circuit, LookUp, Table};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::cmux_tree::TreeTable;

impl PreparedTable {
    /// The test vectors of `circuit` for the accumulator of `params`.
    pub fn new(params: &FhewParams, circuit: Circuit, fft: &bootes_ring::fft::Fft) -> Self {
        let mut shared = HashMap::new();
        let vectors = circuit.rotations().map(|rotation| Vectors::new(params, rotation, fft, &mut shared)).collect();
        let mut grown = HashMap::new();
        let trees = circuit.look_ups().map(|look_up| {
            let tables: Vec<&[u64]> = look_up.tables.iter().map(|(_, entries)| &entries[..]).collect();
            Arc::clone(grown.entry(tables).or_insert_with(|| Arc::new(tree(params, look_up))))
        });
        let trees = trees.collect();
        Self { circuit, vectors, trees }
    }

    /// Bytes that `circuit` takes when it is prepared, of what is shared but once.
    pub fn bytes(params: &FhewParams, circuit: &Circuit) -> usize {
        let degree = params.shape().degree;
        let mut shared = HashSet::new();
        let rotations = circuit.rotations().map(|rotation| {
            let length = rotation.extension * degree;
            let mut is_new = |windows| shared.insert((rotation.extension, rotation.own_ring, windows));
            let plain = if windows(rotation, degree).is_some_and(&mut is_new) { length } else { 0 };
            plain
                + match &rotation.table {
                    Table::Selected { digits, .. } => digits.len() * length,
                    // Of each step its position and factor.
                    Table::Multi { modulus, log2_scale, columns } => {
                        columns.iter().map(|column| 2 * column.steps(*modulus, *log2_scale).0.len()).sum()
                    }
                    _ => 0,
                }
        });
        let words: usize = rotations.sum();
        let mut grown = HashSet::new();
        let trees = circuit.look_ups().map(|look_up| {
            let tables: Vec<&[u64]> = look_up.tables.iter().map(|(_, entries)| &entries[..]).collect();
            if grown.insert(tables) { degree << look_up.shape(degree).levels() } else { 0 }
        });
        let words = words + trees.sum::<usize>();
        circuit.bytes() + circuit.rotations().count() * size_of::<Vectors>() + words * size_of::<u64>()
    }
}

/// The polynomials of a lookup's tables.
fn tree(params: &FhewParams, look_up: &LookUp) -> TreeTable {
    let (bits, tables) = (look_up.selectors.len() as u32, &look_up.tables);
    TreeTable::new(params.shape().degree, bits, tables.len(), |address, table| tables[table].1[address])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lut;
    use crate::fhew::registry::algorithms;
    use crate::fhew::{Algorithm, bits};
    use bootes_ring::fft::Fft;

    /// Bytes that `table` takes, counted.
    fn counted(table: &PreparedTable) -> usize {
        let mut shared = HashSet::new();
        let vectors = table.vectors.iter().map(|vectors| {
            let plain = vectors.plain.iter().filter(|plain| shared.insert(Arc::as_ptr(plain).cast::<()>()));
            let plain: usize = plain.map(|plain| plain.bytes()).sum();
            let columns: usize = vectors.columns.iter().map(|(terms, _)| terms.len() * size_of::<(usize, i64)>()).sum();
            let factors: usize = vectors.factors.iter().map(|factors| size_of_val(&factors[..])).sum();
            size_of::<Vectors>() + plain + columns + factors
        });
        let vectors: usize = vectors.sum();
        let trees = table.trees.iter().filter(|tree| shared.insert(Arc::as_ptr(tree).cast::<()>()));
        table.circuit.bytes() + vectors + trees.map(|tree| tree.bytes()).sum::<usize>()
    }

    /// Of every algorithm and of a tree.
    #[test]
    fn bytes_are_those_of_what_is_prepared() {
        let params = FhewParams::by_name("toy_bits").unwrap();
        let (fft, variance) = (Fft::new(params.shape().degree).unwrap(), params.fresh_variance());
        let lut = Lut::new((0..8).map(|x| x * x % 7).collect(), 3).unwrap();
        let fitted = |algorithm: &dyn Algorithm| algorithm.circuit(&lut).ok();
        let mut circuits: Vec<Circuit> = algorithms().iter().filter_map(|of| fitted(&**of)).collect();
        let luts = [lut.clone(), lut.clone()];
        circuits.push(bits::fit(&luts, &params, variance, -40.0).unwrap().unwrap());
        assert!(circuits.len() > 20);
        for circuit in circuits {
            let predicted = PreparedTable::bytes(&params, &circuit);
            assert_eq!(predicted, counted(&PreparedTable::new(&params, circuit, &fft)));
        }
    }
}
