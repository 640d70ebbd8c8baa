//! What files say.
use super::*;

/// A file of ciphertexts or of keys with no more than a header, the name of a set and a number.
fn stub(params: &Params, kind: ObjectKind) -> Vec<u8> {
    let mut out = begin(Vec::new(), kind, params, [0; 16], 8).unwrap();
    out.u64(1).unwrap();
    out.finish().unwrap()
}

/// Files that are refused leave no set behind.
#[test]
fn names_in_files_keep_no_sets() {
    for p in [3, 5, 7, 11, 13, 19, 23, 29] {
        let params = Params::named(&format!("toy_slots_{p}")).unwrap().unwrap();
        Ciphertexts::read_within(None, &stub(&params, ObjectKind::SlotCiphertexts)[..]).unwrap_err();
        ServerKey::read_within(None, &stub(&params, ObjectKind::SlotServerKey)[..]).unwrap_err();
        assert!(!KEPT.names().iter().any(|name| name == params.name()), "{}", params.name());
    }
    // What is read whole does, so that the next file is read faster.
    let params = Params::named("toy_slots_37").unwrap().unwrap();
    let vector = Client::from_seed(&params, &[1; 32]).encrypt(&[1, 2, 3], 37).unwrap();
    Ciphertexts::read_within(None, &vector.write(Vec::new()).unwrap()[..]).unwrap();
    assert!(KEPT.names().iter().any(|name| name == "toy_slots_37"));
}
