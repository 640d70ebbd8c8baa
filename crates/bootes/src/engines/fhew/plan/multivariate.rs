//! Functions of several values: their ciphertexts are packed into one, on which a table is evaluated.
//!
//! The packed message is m = Σ s_i·x_i, with the strides s_i of the table, in Z_q at phase m/q. An operand in Z_p, at
//! phase x/p, is there already, times s_i·p/q, if that is an integer: the first operand, and integers with room. Others
//! are bootstrapped to s_i·x_i. q is the number of entries P, the whole circle. For P a power of two it may be 2P: a
//! table that leaves half the circle free takes one rotation, but residues are all bootstrapped. A table of another
//! number of entries that no bootstrap takes so has entries up to a power of two: integers take digits.
//!
//! Tables of bits, residues modulo 2, are trees of CMUXes where those are faster, as they are of more bits than a
//! bootstrap takes.
use super::{OnDigits, Plan, Serving, Subject, best, image, needs_digits, of_parts, on_space};
use crate::fhew::Prediction;
use crate::fhew::server_key::Expanded;
use crate::{Error, Objective, Space, SpaceError};
use bootes_lut::fhew::bits;
use bootes_lut::fhew::circuit::{Circuit, InputVariance, Variances};
use bootes_lut::fhew::digits::LargeLut;
use bootes_lut::{FhewLutError, Lut, LutError, MultivariateLut, Program};
use bootes_schemes::fhew::FhewParams;

impl Plan {
    /// Plans a table of several values on operands of these spaces and noise variances at most.
    pub(crate) fn multivariate(
        key: &Expanded,
        table: &MultivariateLut,
        spaces: &[Space],
        input_variance: &InputVariance,
    ) -> Result<Self, Error> {
        let (subject, circuit) = circuit(key, table, spaces, input_variance)?;
        Ok(Self::with(key, subject, circuit, input_variance))
    }
}

/// The circuit of a table of several values.
pub(crate) fn circuit(
    keys: &impl Serving,
    table: &MultivariateLut,
    spaces: &[Space],
    input_variance: &InputVariance,
) -> Result<(Subject, Circuit), Error> {
    for (&size, &space) in table.sizes().iter().zip(spaces) {
        space.check_values(size)?;
    }
    if are_kept(spaces) && !table.lut().gives_integers() {
        // Results are kept as integers, too.
        let integers = MultivariateLut::new(table.sizes(), table.lut().of_integers())?;
        let (mut subject, circuit) = circuit(keys, &integers, spaces, input_variance)?;
        subject.out_spaces.iter_mut().for_each(|space| *space = space.of_modulus(table.lut().out_modulus()));
        return Ok((subject, circuit));
    }
    let entries = table.lut().in_modulus();
    let whole = entries.next_power_of_two();
    let moduli = if entries == whole { vec![entries, 2 * entries] } else { vec![entries] };
    let lut = table.lut();
    let packed = |lut: &Lut, modulus: u64| packed(keys, (table, lut), spaces, input_variance, modulus);
    let found = moduli.into_iter().map(|modulus| packed(lut, modulus));
    let best_of = |all: &mut dyn Iterator<Item = _>| best_of(keys, input_variance, all);
    match best_of(&mut found.chain(on_bits(keys, table, spaces, input_variance))) {
        Err(error) if entries < whole => {
            let mut values: Vec<i64> = lut.entries().collect();
            values.resize(whole as usize, 0);
            let lut = match lut.gives_integers() {
                true => Lut::new(values, lut.out_bits())?,
                false => Lut::modular(values, lut.out_modulus())?,
            };
            best_of(&mut [whole, 2 * whole].into_iter().map(|modulus| packed(&lut, modulus))).map_err(|_| error)
        }
        found => found,
    }
}

/// Whether some of them are residues that are kept as integers.
fn are_kept(spaces: &[Space]) -> bool {
    spaces.iter().any(|space| space.kept() != *space)
}

/// The program of a table, where what was refused so may be planned as one of integers.
pub(crate) fn as_program(table: &MultivariateLut, spaces: &[Space], refusal: &Error) -> Option<Program> {
    let is_long = matches!(refusal, Error::Lut(LutError::TooWide { .. } | LutError::Packing { .. }));
    let is_unreduced = matches!(refusal, Error::Space(SpaceError::Unreduced { .. }));
    match (are_kept(spaces), table.lut().gives_integers()) {
        (true, _) if is_long || is_unreduced => Some(table.of_residues()),
        (false, true) if is_long => table.program(&spaces.iter().map(|space| space.kind()).collect::<Vec<_>>()).ok(),
        _ => None,
    }
}

/// The one of least predicted time.
fn best_of(
    keys: &impl Serving,
    input_variance: &InputVariance,
    all: impl Iterator<Item = Result<(Subject, Circuit), Error>>,
) -> Result<(Subject, Circuit), Error> {
    let mut best: Option<(Subject, Circuit, Prediction)> = None;
    let mut refusal = None;
    for found in all {
        match found {
            Ok((subject, circuit)) => {
                let prediction = Prediction::new(keys.params(), &circuit, input_variance);
                if best.as_ref().is_none_or(|(.., best)| prediction.is_better(best, Objective::default())) {
                    best = Some((subject, circuit, prediction));
                }
            }
            // Noise is what somebody can do something about.
            Err(error) if refusal.is_none() || is_noise(&error) => refusal = Some(error),
            Err(_) => {}
        }
    }
    match (best, refusal) {
        (Some((subject, circuit, _)), _) => Ok((subject, circuit)),
        (None, Some(error)) => Err(error),
        (None, None) => unreachable!("a modulus was tried"),
    }
}

/// A table of bits by a tree of CMUXes, if it is one and the parameters have such.
fn on_bits(
    keys: &impl Serving,
    table: &MultivariateLut,
    spaces: &[Space],
    input_variance: &InputVariance,
) -> Option<Result<(Subject, Circuit), Error>> {
    let (params, lut) = (keys.params(), table.lut());
    let of_bits = spaces.iter().all(|&space| space == Space::Modular(2)) && !lut.gives_integers();
    let fitted = || bits::fit(std::slice::from_ref(lut), params, input_variance, params.log2_p_fail());
    Some(of_bits.then(fitted)??.and_then(|circuit| keys.serves(bits::NAME, &circuit).map(|()| circuit)).map_or_else(
        |error| Err(error.into()),
        |circuit| {
            let (name, reference) = (bits::NAME.into(), bits::REFERENCE.into());
            let out_spaces = vec![Space::Modular(lut.out_modulus())];
            Ok((Subject { name, reference, in_spaces: spaces.to_vec(), out_spaces }, circuit))
        },
    ))
}

fn is_noise(error: &Error) -> bool {
    matches!(error, Error::Lut(LutError::Fhew(FhewLutError::Noise { .. } | FhewLutError::OutputNoise { .. })))
}

/// The refusal of an operand, or of all together, that a bootstrap does not take.
fn too_wide(params: &FhewParams, table: &MultivariateLut, error: Error) -> Error {
    match error {
        Error::Lut(LutError::TooWide { .. } | LutError::LongIntegers { .. }) => {
            let widths = table.sizes().iter().map(|size| size.next_power_of_two().ilog2()).collect();
            LutError::Packing { widths, bits: params.bits(), params: params.name().to_string() }.into()
        }
        error => error,
    }
}

/// The circuit that packs the operands modulo `modulus`, and evaluates the table, which may have more entries.
fn packed(
    key: &impl Serving,
    (table, lut): (&MultivariateLut, &Lut),
    spaces: &[Space],
    input_variance: &InputVariance,
    modulus: u64,
) -> Result<(Subject, Circuit), Error> {
    let (params, entries) = (key.params(), lut.in_modulus());
    let strides = table.strides();
    // Of each operand the coefficient with which it is there already, if there is one.
    let coefficients = spaces.iter().zip(&strides).map(|(space, &stride)| {
        let product = u128::from(stride) * u128::from(space.moduli()[0]);
        (product % u128::from(modulus) == 0).then_some((product / u128::from(modulus)) as i64)
    });
    let coefficients: Vec<Option<i64>> = coefficients.collect();
    // Each of the tables fails as rarely as that all together keep the promise.
    let tables = 1 + coefficients.iter().filter(|coefficient| coefficient.is_none()).count();
    let promised = params.log2_p_fail() - (tables as f64).log2();
    let mut circuit = Circuit::new(spaces.len());
    let message = circuit.register();
    for (i, (coefficient, &space)) in coefficients.iter().zip(spaces).enumerate() {
        let input = circuit.input(i);
        match coefficient {
            Some(coefficient) => circuit.add(message, input, *coefficient),
            None => {
                let scaled = (0..table.sizes()[i]).map(|x| x * strides[i]).collect();
                let scaled = Lut::modular(scaled, modulus)?;
                let scaling = if needs_digits(params, &scaled, space) && modulus > entries {
                    // Results on digits leave half of their circle free, as the packed message does.
                    let scaled = Lut::new(scaled.values().to_vec(), entries.ilog2().max(2))?;
                    OnDigits::promising(params, &scaled, space, input_variance.of(i), promised)?.circuit
                } else {
                    let scaled = on_space(&scaled, space).map_err(|error| too_wide(params, table, error))?;
                    let found = best(key, &scaled, None, input_variance.of(i), promised, Objective::default());
                    found.map_err(|error| too_wide(params, table, error))?.1
                };
                let scaled = circuit.append(&scaling, &[input]);
                circuit.add(message, scaled[0], 1);
            }
        }
    }
    let space = match modulus == entries {
        true => Space::Modular(modulus),
        false => Space::unsigned(entries.ilog2()),
    };
    let variance = Variances::new(params, spaces.len(), input_variance).of(&circuit, message);
    let (name, of_message, reference, out_space) = if needs_digits(params, lut, space) {
        let OnDigits { name, circuit, out_space } = OnDigits::promising(params, lut, space, variance, promised)?;
        let reference = LargeLut::reference(&name);
        (name, circuit, reference, out_space)
    } else {
        let lut = on_space(lut, space).map_err(|error| too_wide(params, table, error))?;
        if lut.in_bits() > params.bits() {
            let (what, found, bits, params_name) = ("inputs", lut.in_bits(), params.bits(), params.name().into());
            return Err(too_wide(params, table, LutError::TooWide { what, found, bits, params: params_name }.into()));
        }
        let (algorithm, circuit) = best(key, &lut, None, variance, promised, Objective::default())?;
        (algorithm.name(), circuit, algorithm.reference(), image(&lut, space))
    };
    let results = circuit.append(&of_message, &[message]);
    for (result, output) in results.into_iter().zip(of_message.outputs()) {
        circuit.put_out(result, output.half_window);
    }
    let circuit = of_parts(key, &name, circuit, input_variance)?;
    let subject = Subject {
        name: format!("{name} of packed values"),
        reference: reference.to_string(),
        in_spaces: spaces.to_vec(),
        out_spaces: vec![out_space],
    };
    Ok((subject, circuit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhew::Params;

    /// Rotations share the promise as a whole: a table of one and packing of three are not measured apart.
    #[test]
    fn fresh_operands_within_a_set_are_planned() -> Result<(), Error> {
        for (set, sizes) in [
            ("fhew_7bit_2m128", &[2, 54][..]),
            ("fhew_7bit_2m128", &[54, 2]),
            ("fhew_7bit_2m128", &[2, 2, 27]),
            ("fhew_7bit_2m128", &[2, 27, 2]),
            ("fhew_8bit_2m128", &[2, 125]),
            ("fhew_8bit_2m64", &[4, 39]),
            ("fhew_8bit_2m64", &[6, 39]),
        ] {
            let params = Params(FhewParams::by_name(set)?);
            let entries = sizes.iter().product();
            let table = MultivariateLut::new(sizes, Lut::unstructured_modulo(entries))?;
            let spaces: Vec<Space> = sizes.iter().map(|&p| Space::Modular(p)).collect();
            let fresh = params.fresh_variance();
            let (_, circuit) =
                circuit(&params, &table, &spaces, &fresh.into()).inspect_err(|_| println!("{set} {sizes:?}"))?;
            assert!(circuit.noise(&params, fresh).log2_p_fail <= params.log2_p_fail(), "{set} {sizes:?}");
        }
        Ok(())
    }
}
