//! Circuits with their test vectors and trees: equal ones are one.
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{PreparedTable, Vectors};
use crate::fhew::circuit::{Circuit, LookUp};
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

    /// Bytes that it takes, of what is shared but once.
    pub fn bytes(&self) -> usize {
        let mut shared = HashSet::new();
        let vectors = self.vectors.iter().map(|vectors| {
            let plain = vectors.plain.iter().filter(|plain| shared.insert(Arc::as_ptr(plain).cast::<()>()));
            let plain: usize = plain.map(|plain| plain.bytes()).sum();
            let columns: usize = vectors.columns.iter().map(|(terms, _)| terms.len() * size_of::<(usize, i64)>()).sum();
            let factors: usize = vectors.factors.iter().map(|factors| size_of_val(&factors[..])).sum();
            size_of::<Vectors>() + plain + columns + factors
        });
        let vectors: usize = vectors.sum();
        let trees = self.trees.iter().filter(|tree| shared.insert(Arc::as_ptr(tree).cast::<()>()));
        self.circuit.bytes() + vectors + trees.map(|tree| tree.bytes()).sum::<usize>()
    }
}

/// The polynomials of a lookup's tables.
fn tree(params: &FhewParams, look_up: &LookUp) -> TreeTable {
    let (bits, tables) = (look_up.selectors.len() as u32, &look_up.tables);
    TreeTable::new(params.shape().degree, bits, tables.len(), |address, table| tables[table].1[address])
}
