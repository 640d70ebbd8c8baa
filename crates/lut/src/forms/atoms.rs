//! What functions of sums are of.
use super::{Atom, Condition, Form, Forms};
use crate::LutError;
use crate::planning::{self, MAX_DEPTH};

impl Atom {
    /// The sums that it is of.
    fn operands(&self) -> Vec<&Form> {
        match self {
            Self::Input(_) => Vec::new(),
            Self::Image(_, form) | Self::Quotient(form, ..) | Self::Residue(form, _) => vec![form],
            Self::Joint(_, forms) | Self::Carry(forms, ..) => forms.iter().collect(),
            Self::OfSeveral(_, parts) => parts.iter().map(|(form, _)| form).collect(),
            Self::Select(Condition::One(form) | Condition::Negative(form), then, otherwise, _) => {
                vec![form, then, otherwise]
            }
        }
    }
}

impl Forms {
    /// The sums that functions and selections are of.
    pub fn operands(&self) -> impl Iterator<Item = &Form> {
        // A residue takes no room but its own.
        let takes = |atom: &&Atom| !matches!(atom, Atom::Residue(..));
        self.atoms.iter().filter(takes).flat_map(Atom::operands)
    }

    /// Unless they are of each other too often in a row.
    pub(super) fn checked(self) -> Result<Self, LutError> {
        planning::check("functions of each other in a row", self.depth(), MAX_DEPTH)?;
        Ok(self)
    }

    /// The most functions that are each of the one before.
    fn depth(&self) -> usize {
        let mut depths: Vec<usize> = Vec::with_capacity(self.atoms.len());
        for atom in &self.atoms {
            let below = atom.operands().into_iter().flat_map(Form::terms).map(|(atom, _)| depths[atom]).max();
            depths.push(below.map_or(0, |below| below + 1));
        }
        depths.into_iter().max().unwrap_or(0)
    }
}
