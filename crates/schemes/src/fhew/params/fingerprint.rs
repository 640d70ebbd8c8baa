//! What makes two parameter sets the same.
use super::{
    FhewParamsLiteral, GLWE_DISTRIBUTION, GadgetLiteral, GlweLiteral, LweLiteral, PACKING_LOG2_STD, PackingMethod,
    RING_KEY_SWITCH, RING_KEY_SWITCH_LOG2_STD,
};
use bootes_lattice::Gadget;
use bootes_lattice::wire::{self, Writer};
use bootes_ring::sample::KeyDistribution;

/// The [fingerprint](wire::fingerprint) of all that keys and ciphertexts depend on, everything but the source: the
/// fields of the literal in their order, with the packing that is meant, and then what all sets have in common, so that
/// a later change of that makes other sets.
///
/// Gadgets are log2 B and the digits, distributions their number (0 binary, 1 ternary, 2 block-binary with its length,
/// 3 sparse ternary with its weight), methods of packing 0 (trace) or 1 (key switch).
pub(super) fn fingerprint(
    literal: &FhewParamsLiteral,
    distribution: KeyDistribution,
    packing: (PackingMethod, Gadget),
) -> [u8; 16] {
    let FhewParamsLiteral {
        name,
        class: _,
        bits,
        integer_bits,
        // Additional keys are told by their own marks.
        trees: _,
        log2_p_fail,
        source: _,
        log2_modulus,
        limbs,
        lwe: LweLiteral { dimension, distribution: _, log2_std: lwe_log2_std },
        glwe: GlweLiteral { rank, degree, log2_std: glwe_log2_std },
        bootstrap: GadgetLiteral { log2_base: bootstrap_base, levels: bootstrap_levels },
        key_switch: GadgetLiteral { log2_base: key_switch_base, levels: key_switch_levels },
        // As it was resolved.
        packing: _,
    } = literal;
    let option = |w: &mut Writer, value: Option<u64>| {
        w.u8(value.is_some().into());
        w.u64(value.unwrap_or(0));
    };
    let gadget = |w: &mut Writer, log2_base: u32, levels: u32| {
        w.u32(log2_base);
        w.u32(levels);
    };
    wire::fingerprint("bootes fhew 2", |w| {
        w.str(name);
        w.u32(*bits);
        option(w, integer_bits.map(u64::from));
        w.f64(*log2_p_fail);
        option(w, log2_modulus.map(u64::from));
        option(w, limbs.map(|limbs| limbs as u64));
        w.u64(*dimension as u64);
        write_distribution(w, distribution);
        w.f64(*lwe_log2_std);
        w.u64(*rank as u64);
        w.u64(*degree as u64);
        w.f64(*glwe_log2_std);
        gadget(w, *bootstrap_base, *bootstrap_levels);
        gadget(w, *key_switch_base, *key_switch_levels);
        w.u8(matches!(packing.0, PackingMethod::KeySwitch).into());
        gadget(w, packing.1.log2_base(), packing.1.levels());
        write_distribution(w, GLWE_DISTRIBUTION);
        gadget(w, RING_KEY_SWITCH.log2_base, RING_KEY_SWITCH.levels);
        w.f64(RING_KEY_SWITCH_LOG2_STD);
        w.f64(PACKING_LOG2_STD);
    })
}

/// The distribution of a secret in a fingerprint.
fn write_distribution(w: &mut Writer, distribution: KeyDistribution) {
    let (kind, number) = match distribution {
        KeyDistribution::Binary => (0, 0),
        KeyDistribution::Ternary => (1, 0),
        KeyDistribution::BlockBinary { length } => (2, length),
        KeyDistribution::SparseTernary { weight } => (3, weight),
    };
    w.u8(kind);
    w.u32(number);
}
