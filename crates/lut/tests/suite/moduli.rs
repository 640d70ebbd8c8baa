//! Plaintext moduli that are no powers of two: every algorithm on every input, and what refuses odd ones.
use crate::common::Keys;
use bootes_lut::fhew::registry;
use bootes_lut::{FhewLutError, Lut, LutError};
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode_modulo, encode_modulo};
use bootes_testkit::TestRng;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn any_modulus() -> Outcome {
    let params = FhewParams::by_name("toy_8")?;
    let mut keys = Keys::new(&params)?;
    let mut random = TestRng::new("moduli", 0);
    for (p, out) in [(6, 6), (10, 7), (12, 5), (14, 3), (22, 22), (7, 4), (9, 9), (2, 3)] {
        let values: Vec<u64> = (0..p).map(|_| random.below(out)).collect();
        let lut = Lut::modular(values.clone(), out)?;
        let mut evaluated = 0;
        for algorithm in registry::algorithms() {
            let circuit = match algorithm.fit(&params, &lut, params.fresh_variance(), params.log2_p_fail()) {
                Ok(circuit) => circuit,
                Err(LutError::Fhew(FhewLutError::Unsupported { reason, .. })) => {
                    let expected = ["odd", "negacyclic", "divisible by"];
                    assert!(expected.iter().any(|word| reason.contains(word)), "{}: {reason}", algorithm.name());
                    continue;
                }
                Err(LutError::Fhew(FhewLutError::Noise { .. } | FhewLutError::OutputNoise { .. })) => {
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            keys.add(&circuit)?;
            let inputs: Vec<u64> = (0..p).map(|m| encode_modulo(m, p)).collect();
            let phases = keys.phases_encoded(&circuit, &[inputs]);
            let found: Vec<u64> = phases[0].iter().map(|&phase| decode_modulo(phase, out)).collect();
            assert_eq!(found, values, "{} from Z_{p} to Z_{out}", algorithm.name());
            evaluated += 1;
        }
        assert!(evaluated >= if p % 2 == 0 { 18 } else { 5 }, "{evaluated} algorithms took p = {p}");
    }
    Ok(())
}
