//! Tables of bits: those of the same bits have one tree.
use super::{Compiler, Made, Origins};
use crate::Error;
use crate::fhew::plan::Serving;
use bootes_lut::fhew::bits;
use bootes_lut::fhew::circuit::Register;
use bootes_lut::forms::{Atom, Form};
use bootes_lut::{FhewLutError, LutError};

impl<K: Serving> Compiler<'_, K> {
    /// A table of bits, and with it all tables of the same ones, with noise of a standard deviation of at most `quiet`
    /// if a gadget has it.
    pub(super) fn joint(&mut self, atom: usize, operands: &[Form], quiet: f64) -> Result<Made, Error> {
        let forms = self.forms;
        let of_these = |other: &Atom| match other {
            Atom::Joint(table, others) if others == operands => Some(*table),
            _ => None,
        };
        let all: Vec<(usize, usize)> =
            forms.atoms.iter().enumerate().filter_map(|(number, atom)| Some((number, of_these(atom)?))).collect();
        let modulus = |atom: usize| forms.kinds[atom].modulus().unwrap_or(2);
        let luts = all.iter().map(|&(_, table)| self.job.program.tables()[table].clone()).collect::<Vec<_>>();
        let (params, bits) = (self.params(), operands.len() as u32);
        let gadget = bits::gadget(params, bits, luts.len(), quiet).ok_or_else(|| {
            LutError::Fhew(FhewLutError::Unsupported {
                algorithm: bits::NAME.into(),
                reason: format!("set {} has no trees of CMUXes for tables of {bits} bits", params.name()),
            })
        })?;
        // The last varies fastest.
        let sources = operands.iter().rev().map(|form| Ok(self.sum(form, 2)?.register));
        let sources = sources.collect::<Result<Vec<Register>, Error>>()?;
        let tables = luts.iter().map(|lut| (self.circuit.register(), lut.encoded()));
        let tables: Vec<(Register, Vec<u64>)> = tables.collect();
        for (&(number, _), &(register, _)) in all.iter().zip(&tables) {
            // What results of trees have in common is in the account of noise.
            let made = Made { register, origins: Origins::none(), asked: quiet };
            self.made.insert((number, 1, modulus(number)), made);
        }
        self.circuit.look_up_bits(&sources, gadget, tables);
        Ok(self.made[&(atom, 1, modulus(atom))].clone())
    }
}
