//! The one list of algorithms.
use crate::fhew::algorithm::Algorithm;
use crate::fhew::{
    BfvMult, Boot, CancelSign, Comp, Compress, CompressRings, Depth, EvalFunc, FdfbKs, Recursive, RecursiveRings,
    Select, SelectAlt, WopPbs1, WopPbs2,
};
use crate::{FhewLutError, LutError};

/// Every algorithm: those of the recursive-decomposition paper, those of the FDFB paper in the order of its Table 8 (a
/// star: with multi-value bootstrapping), then variants of a fixed depth.
pub fn algorithms() -> Vec<Box<dyn Algorithm>> {
    let mut all: Vec<Box<dyn Algorithm>> = vec![
        Box::new(Boot),
        Box::new(Recursive { depth: Depth::Best }),
        Box::new(Recursive { depth: Depth::Full }),
        Box::new(RecursiveRings),
        Box::new(EvalFunc),
        Box::new(FdfbKs),
        Box::new(Compress),
        Box::new(CompressRings),
        Box::new(CancelSign),
    ];
    for multi_value in [false, true] {
        all.extend([
            Box::new(Comp { multi_value }) as Box<dyn Algorithm>,
            Box::new(WopPbs1 { refined: false, multi_value }),
            Box::new(WopPbs2 { multi_value }),
            Box::new(WopPbs1 { refined: true, multi_value }),
            Box::new(BfvMult { multi_value }),
            Box::new(Select { multi_value }),
            Box::new(SelectAlt { multi_value }),
        ]);
    }
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
        None => Err(FhewLutError::UnknownAlgorithm {
            name: name.to_string(),
            known: all.iter().map(|algorithm| algorithm.name()).collect::<Vec<_>>().join(", "),
        }
        .into()),
    }
}
