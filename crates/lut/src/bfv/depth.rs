//! The depth that a program takes where nothing is bootstrapped, and refusals that say so.
use bootes_schemes::bfv::{BfvSchemeError, State};

use super::plan::circuit_of;
use super::{ProgramParams, ProgramPlan};
use crate::program::{Node, Operation, Program};
use crate::{BfvLutError, LutError};

/// The refusal of an operation.
pub(super) struct Refusal {
    /// Its number in the program.
    pub(super) number: usize,
    pub(super) error: LutError,
}

impl<E: Into<LutError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self { number: 0, error: error.into() }
    }
}

impl Refusal {
    /// The error; for want of room, where nothing is bootstrapped, with the set that has it.
    pub(super) fn with_cure(self, params: &ProgramParams, program: &Program, inputs: &[State]) -> LutError {
        let Some(depth) = params.depth() else { return self.error };
        match self.error {
            LutError::Bfv(BfvLutError::TableDepth { .. }) | LutError::BfvScheme(BfvSchemeError::Exhausted { .. }) => {
                let fresh = inputs.iter().all(|&input| input == params.fresh_state());
                // What inputs have behind them took no more than all that there was.
                let before = if fresh { 0 } else { depth };
                let deeper = least_depth(params, program).map(|more| before + more);
                params.no_room(&program.part(self.number), deeper)
            }
            error => error,
        }
    }
}

/// Sets of how many depths are tried for a program that those before had no room for.
const TRIED: u32 = 4;

/// The least depth of sets like this that have the room for a program of fresh inputs, from that of its products on.
pub(super) fn least_depth(params: &ProgramParams, program: &Program) -> Option<u32> {
    let least = depth_of(params, program)?;
    (least..least + TRIED).find(|&depth| {
        let fits = |set: ProgramParams| {
            ProgramPlan::of(&set, None, program, &vec![set.fresh_state(); program.inputs()]).is_ok()
        };
        params.with_depth(depth).is_ok_and(fits)
    })
}

/// Products in a row of a program, those of its tables as circuits; one at least. None for tables of other vectors.
fn depth_of(params: &ProgramParams, program: &Program) -> Option<u32> {
    let of_table = |lut| circuit_of(params, lut).ok().map(|circuit| circuit.depth() as u32);
    let tables = program.tables().iter().map(of_table).collect::<Option<Vec<u32>>>()?;
    let mut depths: Vec<Option<u32>> = Vec::with_capacity(program.operations().len());
    for operation in program.operations() {
        // None of a number that is the same for all values.
        let of = |node: &Node| depths[node.index()];
        depths.push(match operation {
            Operation::Constant(_) => None,
            Operation::Input(_) => Some(0),
            Operation::Product(a, b) => match (of(a), of(b)) {
                (Some(a), Some(b)) => Some(a.max(b) + 1),
                (a, b) => a.or(b),
            },
            Operation::Table(x, table) => of(x).map(|x| x + tables[*table]),
            operation => operation.operands().iter().filter_map(of).max(),
        });
    }
    program.outputs().iter().map(|node| depths[node.index()].unwrap_or(0)).max().map(|depth| depth.max(1))
}
