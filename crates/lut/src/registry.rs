//! The one list of algorithms.
use crate::LutError;
use crate::algorithm::Algorithm;
use crate::fhew::{Boot, Compress, Depth, Recursive, RecursiveRings};

/// Every algorithm, the ones the planner may choose first.
pub fn algorithms() -> Vec<Box<dyn Algorithm>> {
    let mut all: Vec<Box<dyn Algorithm>> = vec![
        Box::new(Boot),
        Box::new(Recursive { depth: Depth::Best }),
        Box::new(Recursive { depth: Depth::Full }),
        Box::new(Compress),
        Box::new(RecursiveRings),
    ];
    all.extend(
        (1..=crate::table::MAX_BITS)
            .map(|depth| Box::new(Recursive { depth: Depth::Fixed(depth) }) as Box<dyn Algorithm>),
    );
    all
}

/// The algorithm of this name.
pub fn by_name(name: &str) -> Result<Box<dyn Algorithm>, LutError> {
    let mut all = algorithms();
    match all.iter().position(|algorithm| algorithm.name() == name) {
        Some(i) => Ok(all.swap_remove(i)),
        None => Err(LutError::UnknownAlgorithm {
            name: name.to_string(),
            known: all.iter().map(|algorithm| algorithm.name()).collect::<Vec<_>>().join(", "),
        }),
    }
}
