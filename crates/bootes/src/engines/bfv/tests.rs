//! Refusals of files.
mod corpus;

use super::*;
use crate::engines::*;

/// A file of ciphertexts or of keys with no more than a header, the name of a set and a number.
fn stub<T: Stored>(params: &Params) -> Vec<u8> {
    let mut out = begin::<T, _>(Vec::new(), VERSION, (params, [0; 16]), 8).unwrap();
    out.u64(1).unwrap();
    out.finish().unwrap()
}

/// Files that are refused leave no set behind.
#[test]
fn names_in_files_keep_no_sets() {
    for p in [5, 7, 11, 13, 19, 23, 29, 37] {
        let params = <Params as EngineParams>::named(&format!("toy_slots_{p}")).unwrap();
        Ciphertexts::read_within(None, &stub::<Ciphertexts>(&params)[..]).unwrap_err();
        ServerKey::read_within(None, &stub::<ServerKey>(&params)[..]).unwrap_err();
        assert!(!params::KEPT.names().iter().any(|name| name == params.name()), "{}", params.name());
    }
}
