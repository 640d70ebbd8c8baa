//! What a circuit takes of memory.
use std::collections::HashSet;

use super::{Circuit, Column, Step, Table};

impl Circuit {
    /// Bytes that it takes: of steps, and of tables, those that are shared but once.
    pub fn bytes(&self) -> usize {
        let mut trees = HashSet::new();
        let of = |step: &Step| match step {
            Step::Rotate(rotation) => rotation.table.words() * size_of::<u64>(),
            Step::LookUp(look_up) => {
                let own = look_up.tables.iter().filter(|(_, entries)| trees.insert(entries.as_ptr()));
                let entries: usize = own.map(|(_, entries)| entries.len()).sum();
                let registers = look_up.selectors.iter().map(Vec::len).sum::<usize>() + 3 * look_up.tables.len();
                (entries + registers) * size_of::<u64>()
            }
            _ => 0,
        };
        self.steps.capacity() * size_of::<Step>() + self.steps.iter().map(of).sum::<usize>()
    }
}

impl Table {
    /// Words of its values.
    fn words(&self) -> usize {
        match self {
            Self::Plain { values, .. } => values.len(),
            Self::Multi { columns, .. } => columns.iter().map(Column::windows).sum(),
            Self::Interleaved { functions } => functions.iter().map(|(_, values)| values.len() + 4).sum(),
            Self::Continuous { knots, .. } => 2 * knots.len(),
            Self::Packed { blocks, .. } => 2 * blocks.len(),
            Self::Selected { values, digits, .. } => {
                values.len() + digits.iter().map(|(_, factors)| factors.len()).sum::<usize>()
            }
        }
    }
}
