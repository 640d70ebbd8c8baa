//! What the parts of a program have in common: what was made for one is there for the others.
use super::tables::{Inputs, Numbers};
use crate::engines::fhew::plan::Budget;
use crate::{Error, Objective};
use bootes_lut::fhew::circuit::Circuit;
use bootes_lut::planning;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What was fitted to noise, by the bits of its variance: programs have many parts alike.
#[derive(Default)]
pub(in super::super) struct Parts {
    /// Of a table, by its number, which has an entry for each residue that it may meet.
    pub(super) tables: RefCell<HashMap<(usize, u64, Fit), Rc<Circuit>>>,
    pub(super) numbers: RefCell<Numbers>,
    /// The digits of signs of so many bits.
    pub(super) signs: RefCell<HashMap<(u32, u64), u32>>,
}

/// How a table is fitted.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Fit {
    /// By the algorithm that is best by this.
    Best(Objective),
    /// On digits of these inputs, with results of so many bits, and this room for noise.
    OnDigits(Inputs, u32, Budget),
}

/// Of what was made for such a key, a copy.
pub(super) fn cached<K: std::hash::Hash + Eq, V: Clone>(
    parts: &RefCell<HashMap<K, V>>,
    key: K,
    make: impl FnOnce() -> Result<V, Error>,
) -> Result<V, Error> {
    if let Some(made) = parts.borrow().get(&key) {
        return Ok(made.clone());
    }
    planning::wanted()?;
    let made = make()?;
    parts.borrow_mut().insert(key, made.clone());
    Ok(made)
}
