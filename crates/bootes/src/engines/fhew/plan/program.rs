//! Programs of several values, as one circuit: sums are linear steps, and functions of sums are appended to it.
//!
//! A value is made in the space in which it is used. A table's results are made modulo whatever is asked for, and
//! already times their weight; inputs, and what a selection keeps of them, have the modulus that they have, and those
//! of too little room are made anew by a table. The noise of a sum is that of independent summands, but where two hold
//! noise of one origin: n of them have at most n times as much.
use super::{Plan, Subject, of_parts};
use crate::door::space::Integers;
use crate::fhew::Prediction;
use crate::fhew::plan::Serving;
use crate::fhew::server_key::Expanded;
use crate::threads::deep;
use crate::{Error, Space};
use bootes_lut::fhew::circuit::{Circuit, InputVariance};
use bootes_lut::fhew::digits::{MAX_LARGE_BITS, MAX_TREE_BITS, cmux_gadgets, has_cmux_trees};
use bootes_lut::forms::{Atom, Capacity, Form, Forms, Limbs};
use bootes_lut::integer::IntegerLimbs;
use bootes_lut::planning;
use bootes_lut::program::{Node, Operation};
use bootes_lut::table::MAX_BITS;
use bootes_lut::{Congruent, FhewLutError, Interval, Kind, LutError, Program};
use bootes_schemes::fhew::FhewParams;
use compiler::{Compiler, Parts, Ways};

mod compiler;
#[cfg(test)]
mod tests;

/// Parts of a program share its failure: so much rarer is each to fail before the whole is fitted, in bits.
const SHARE: f64 = 6.0;

/// Of programs of so many rotations no other way is sought.
const FEW: usize = 50;

/// Of a tree of more results no other way is sought.
const CLEAR: usize = 4;

/// Values of an integer of which what several functions make is tried as one table.
const MOST_COMPOSED: u64 = 1 << 12;

const REFERENCE: &str = "sums, and functions of sums";

impl Plan {
    /// Plans a program on operands of these spaces and noise variances at most.
    pub(crate) fn program(
        key: &Expanded,
        program: &Program,
        spaces: &[Space],
        inputs: (&InputVariance, InCommon),
    ) -> Result<Self, Error> {
        let Compiled { circuit, out_spaces, .. } = circuit(key, program, spaces, inputs)?;
        let (input_variance, common) = inputs;
        let (related, each_alone) = (common != InCommon::Nothing, common == InCommon::Uncounted);
        let subject =
            Subject { name: program.to_string(), reference: REFERENCE.into(), in_spaces: spaces.to_vec(), out_spaces };
        Ok(Self { related, each_alone, ..Self::with(key, subject, circuit, input_variance) })
    }
}

/// The prediction of a program on fresh operands of these spaces, and whether some are made anew, with more room.
pub(crate) fn predict(
    keys: &(impl Serving + Sync),
    program: &Program,
    spaces: &[Space],
) -> Result<(Prediction, bool), Error> {
    let params = keys.params();
    let Compiled { circuit, widened, .. } =
        circuit(keys, program, spaces, (&params.fresh_variance().into(), InCommon::Nothing))?;
    Ok((Prediction::new(params, &circuit, params.fresh_variance()), widened))
}

/// The encryptions and evaluations that operands have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InCommon {
    /// They have none.
    Nothing,
    /// The bounds on their noise count it, as if all of them met in a sum.
    Counted,
    /// The bounds are those of each alone, and the circuit counts what meets in its sums.
    Uncounted,
}

/// A program as a circuit.
pub(crate) struct Compiled {
    pub(crate) circuit: Circuit,
    out_spaces: Vec<Space>,
    /// Whether inputs had too little room, and were made anew.
    widened: bool,
    /// Whether several tables on digits are of one register, whose bits trees of CMUXes take once.
    shares_bits: bool,
}

/// The circuit of a program, and the spaces of its results.
pub(crate) fn circuit(
    keys: &(impl Serving + Sync),
    program: &Program,
    spaces: &[Space],
    inputs: (&InputVariance, InCommon),
) -> Result<Compiled, Error> {
    // As deep as functions are of each other.
    deep(|| {
        let kinds: Vec<Kind> = spaces.iter().map(|space| space.kind()).collect();
        let of_integers = || kinds.iter().all(|kind| kind.modulus().is_none());
        let is_kept = |space: &Space| space.kept() != *space;
        // Functions of residues are those of the integers 0 to p − 1.
        let made = |short, first| congruent(program, spaces, (short, first));
        let found = if !spaces.iter().any(is_kept) && (of_integers() || program.is_whole(&kinds)) {
            in_parts(keys, program, spaces, inputs)
        } else {
            let lazily = made(keys.params().bits(), false)?;
            match of_residues(keys, &lazily, spaces, inputs) {
                // What is reduced first is quiet, if anything is.
                Err(error) if is_too_noisy(&error) => {
                    let reduced = made(keys.params().bits(), true)?;
                    let other = (reduced != lazily).then(|| of_residues(keys, &reduced, spaces, inputs));
                    other.and_then(Result::ok).ok_or(error)
                }
                found => found,
            }
        };
        match found {
            // Where two residues have no room in one message, all are kept as integers.
            Err(error @ Error::Lut(LutError::Packing { .. })) if !of_integers() => {
                made(0, false).ok().and_then(|kept| of_residues(keys, &kept, spaces, inputs).ok()).ok_or(error)
            }
            found => found,
        }
    })
}

/// The circuit of a program of integers congruent to residues, with the moduli of its results.
fn of_residues(
    keys: &(impl Serving + Sync),
    (program, moduli): &(Program, Vec<Option<u64>>),
    spaces: &[Space],
    inputs: (&InputVariance, InCommon),
) -> Result<Compiled, Error> {
    let kept: Vec<Space> = spaces.iter().map(|space| space.kept()).collect();
    let mut found = in_parts(keys, program, &kept, inputs)?;
    for (space, modulus) in found.out_spaces.iter_mut().zip(moduli) {
        *space = modulus.map_or(*space, |p| space.of_modulus(p));
    }
    Ok(found)
}

/// The program of integers congruent to residues, and the moduli of its results: these are sums of what is kept in one
/// ciphertext as long as there is room.
fn congruent(
    program: &Program,
    spaces: &[Space],
    (short, first): (u32, bool),
) -> Result<(Program, Vec<Option<u64>>), LutError> {
    let input = |space: &Space| {
        let modulus = space.kept_integers().and_then(Integers::modulus);
        Congruent { kind: space.kept().kind(), modulus }
    };
    let inputs: Vec<Congruent> = spaces.iter().map(input).collect();
    let longest = spaces.iter().filter(|space| space.limbs() == 1).map(|space| space.bits()).max();
    let holds = |range: Interval| longest.is_some_and(|bits| range.is_in_residues(bits));
    program.congruent(&inputs, short, first, &holds)
}

/// As it is, or with a table for what several functions make of one value, the faster one.
fn in_parts(
    keys: &impl Serving,
    program: &Program,
    spaces: &[Space],
    inputs: (&InputVariance, InCommon),
) -> Result<Compiled, Error> {
    let params = keys.params();
    for space in spaces {
        space.checked(params)?;
        space.check_exact(&program.to_string())?;
        space.check_limbs(params.name())?;
    }
    let kinds: Vec<Kind> = spaces.iter().map(|space| space.kind()).collect();
    let own = || as_it_is(keys, program, spaces, inputs);
    let Some((composed, rotations)) = program.composed(&kinds, MOST_COMPOSED) else { return own() };
    match as_it_is(keys, &composed, spaces, inputs) {
        // The functions one by one may take as long to plan as to evaluate: not where they surely take more.
        Ok(found) if 2 * found.circuit.rotations().count() as u64 <= rotations => Ok(found),
        found => faster(params, own(), found),
    }
}

/// As one circuit, or one for each result side by side.
fn as_it_is(
    keys: &impl Serving,
    program: &Program,
    spaces: &[Space],
    (input_variance, common): (&InputVariance, InCommon),
) -> Result<Compiled, Error> {
    let params = keys.params();
    let promised = params.log2_p_fail() - SHARE;
    let job = |program| Job { keys, program, input_variance, common, promised, parts: Parts::default() };
    match job(program).in_any_way(spaces) {
        Err(error) if program.outputs().len() > 1 && (lacks_room(&error) || is_too_noisy(&error)) => {
            // Equal results have one part.
            let mut distinct: Vec<Node> = Vec::new();
            let mut of_output = Vec::new();
            for node in program.outputs() {
                let found = distinct.iter().position(|other| other == node);
                of_output.push(found.unwrap_or_else(|| {
                    distinct.push(*node);
                    distinct.len() - 1
                }));
            }
            let first = |part: usize| of_output.iter().position(|of| *of == part).unwrap_or_default();
            let parts: Vec<Program> = (0..distinct.len()).map(|part| program.only(first(part))).collect();
            // A planning that is ended says so at the door, whichever refusal comes there.
            let apart = apart(&parts, |part| job(part).in_any_way(spaces));
            apart.and_then(|parts| side_by_side(keys, program, (parts, &of_output), input_variance)).or(Err(error))
        }
        found => found,
    }
}

/// The circuit of each part, of the longest first: what no way suits is most likely that one.
fn apart<'a>(
    parts: &'a [Program],
    of: impl Fn(&'a Program) -> Result<Compiled, Error>,
) -> Result<Vec<Compiled>, Error> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&part| std::cmp::Reverse(parts[part].operations().len()));
    let (mut made, mut steps) = (Vec::with_capacity(parts.len()), 0);
    for (number, &part) in order.iter().enumerate() {
        let found = planning::part(number, parts.len(), || of(&parts[part]))?;
        steps += found.circuit.steps().len();
        planning::check_steps(steps)?;
        made.push((part, found));
    }
    made.sort_by_key(|(part, _)| *part);
    Ok(made.into_iter().map(|(_, found)| found).collect())
}

/// Circuits of the same inputs as one: results that no way suits together may each have one, the part of their number.
fn side_by_side(
    keys: &impl Serving,
    program: &Program,
    (parts, of_output): (Vec<Compiled>, &[usize]),
    input_variance: &InputVariance,
) -> Result<Compiled, Error> {
    let mut all = Circuit::new(parts[0].circuit.inputs());
    let inputs: Vec<_> = (0..all.inputs()).map(|i| all.input(i)).collect();
    let (mut out_spaces, widened) = (Vec::new(), parts.iter().any(|part| part.widened));
    let registers: Vec<_> = parts.iter().map(|part| all.append(&part.circuit, &inputs)).collect();
    for &part in of_output {
        let (registers, part) = (&registers[part], &parts[part]);
        for (&register, output) in registers.iter().zip(part.circuit.outputs()) {
            // Each result has its own register.
            let register = all.multiple(register, 1);
            all.put_out(register, output.half_window);
        }
        out_spaces.extend(&part.out_spaces);
    }
    let circuit = of_parts(keys, &program.to_string(), all, input_variance)?;
    Ok(Compiled { circuit, out_spaces, widened, shares_bits: false })
}

/// Whether a ciphertext has no room, or a value has too many bits: limbs may help.
fn lacks_room(error: &Error) -> bool {
    matches!(
        error,
        Error::Lut(
            LutError::Room { .. } | LutError::TooWide { .. } | LutError::OutBits { .. } | LutError::Kinds { .. }
        )
    )
}

/// Whether short limbs may help: what is made in them may be noisier.
fn is_too_noisy(error: &Error) -> bool {
    use FhewLutError::{Noise, OutputNoise};
    let Error::Lut(error) = error else { return false };
    matches!(error, LutError::Fhew(Noise { .. } | OutputNoise { .. }) | LutError::Intermediate { .. })
}

/// Limbs as the inputs have them, the longest, if all that the program makes has room in as few of them, or else as
/// long as there may be, and as the inputs have them; and the shortest such, in which nothing longer is put together.
fn limbs_of(params: &FhewParams, program: &Program, spaces: &[Space]) -> Result<Vec<Limbs>, Error> {
    let most = params.space_bits() - 1;
    if most == 0 {
        return Ok(Vec::new());
    }
    let several = |space: &Space| space.integers().map(Integers::limbs).filter(|limbs| limbs.count() > 1);
    let inputs: Vec<Option<IntegerLimbs>> = spaces.iter().map(several).collect();
    let own = inputs.iter().flatten().map(|limbs| limbs.low).max();
    let kinds: Vec<Kind> = spaces.iter().map(|space| space.kind()).collect();
    let kinds: Vec<Kind> = program.wrapping(&kinds, most)?.into_iter().map(|(kind, _)| kind).collect();
    let ranges = || kinds.iter().filter_map(|kind| kind.range());
    let longest = ranges().map(Interval::width).max().unwrap_or(0);
    let between = longest.div_ceil(most).saturating_sub(2);
    let fit = |&bits: &u32| ranges().all(|range| IntegerLimbs { low: bits, between, high: Some(bits) }.hold(range));
    let limbs = |bits: u32, most: u32| Limbs { bits, most, inputs: inputs.clone() };
    let usual = if own.is_some_and(|own| fit(&own)) { None } else { Some(most) };
    let usual = usual.into_iter().chain(own.filter(|own| usual != Some(*own)));
    // In as few of these all has room.
    let short = (own.unwrap_or(0).max(2)..most).find(fit);
    Ok(usual.map(|bits| limbs(bits, most)).chain(short.map(|bits| limbs(bits, bits))).collect())
}

/// A program that is made a circuit, in one way or another.
struct Job<'a, K> {
    keys: &'a K,
    program: &'a Program,
    input_variance: &'a InputVariance,
    common: InCommon,
    /// log2 of the failure probability of a part.
    promised: f64,
    parts: Parts,
}

impl<K: Serving> Job<'_, K> {
    /// In one ciphertext each, or in limbs where something has no room otherwise, or where they are faster.
    fn in_any_way(&self, spaces: &[Space]) -> Result<Compiled, Error> {
        let whole = spaces.iter().all(|space| space.limbs() == 1).then(|| self.bearable(spaces, None, false));
        let few = |found: &Compiled| found.circuit.rotations().count() <= FEW;
        let whole = match whole {
            Some(Ok(found)) if few(&found) => return Ok(found),
            Some(Err(error)) if !lacks_room(&error) && !is_too_noisy(&error) => return Err(error),
            whole => whole,
        };
        let may_be_whole = whole.is_some();
        // Limbs have the most room: what they lack is what is told; of residues there are none.
        let of_residues = spaces.iter().any(|space| space.integers().is_none());
        let (whole, lack) = match whole {
            Some(Err(error)) if lacks_room(&error) => (None, Some(error)),
            whole => (whole, None),
        };
        let params = self.keys.params();
        let in_limbs = |(limbs, carries): (Limbs, bool)| {
            let found = self.bearable(spaces, Some(&limbs), carries)?;
            // Results of more limbs than inputs are operands again, and not only told as a whole.
            let held = |space: &Space| space.integers().is_none_or(|own| own.limbs().hold(own.range()));
            if let Some(space) = found.out_spaces.iter().find(|space| limbs.bits < limbs.most && !held(space)) {
                let (range, params) = (space.range(), params.name().into());
                let (found, bits) = (residue_bits(range) + 1, space.bits());
                return Err(LutError::Room { range, found, bits, params, other: None, residues: None }.into());
            }
            // With more room it may be faster whole.
            Ok(Compiled { widened: may_be_whole || found.widened, ..found })
        };
        let mut limbs = Vec::new();
        for own in limbs_of(params, self.program, spaces)? {
            let carries = self.has_carries(spaces, &own);
            limbs.extend([Some((own.clone(), false)), carries.then_some((own, true))].into_iter().flatten());
        }
        let count = limbs.len();
        let in_limbs = |(i, way)| planning::part(i, count, || in_limbs(way));
        let mut ways = whole.into_iter().chain(limbs.into_iter().enumerate().map(in_limbs));
        let Some(first) = ways.next() else {
            return Err(lack.unwrap_or_else(|| unreachable!("limbs are tried, or it lacks room")));
        };
        match (ways.fold(first, |one, other| faster(params, one, other)), lack) {
            (Err(Error::Lut(LutError::Kinds { .. })), Some(lack)) if of_residues => Err(lack),
            (found, _) => found,
        }
    }

    /// Whether sums are of so many that carries may be read at once.
    fn has_carries(&self, spaces: &[Space], limbs: &Limbs) -> bool {
        let forms = self.forms(spaces, Some(limbs), (self.short(), false), (false, true));
        forms.is_ok_and(|forms| forms.atoms.iter().any(|atom| matches!(atom, Atom::Carry(..) | Atom::Residue(..))))
    }

    /// The fastest, and if that is too noisy the one in which everything is as quiet as can be, at any price.
    fn bearable(&self, spaces: &[Space], limbs: Option<&Limbs>, carries: bool) -> Result<Compiled, Error> {
        match self.in_either_form(spaces, limbs, (false, carries)) {
            Err(error) if is_too_noisy(&error) => self.in_either_form(spaces, limbs, (true, carries)).or(Err(error)),
            found => found,
        }
    }

    /// Bits of messages that a table takes as a whole.
    fn short(&self) -> u32 {
        self.keys.params().bits().min(MAX_BITS)
    }

    /// The sums of the program, with tables of two values of so many bits together and trees, quiet and with carries of
    /// many or not.
    fn forms(
        &self,
        spaces: &[Space],
        limbs: Option<&Limbs>,
        (packed, trees): (u32, bool),
        (quiet, carries): (bool, bool),
    ) -> Result<Forms, LutError> {
        let kinds: Vec<Kind> = spaces.iter().map(|space| space.kind()).collect();
        let (short, limbs) = (self.short(), limbs.cloned());
        let tree_bits = if has_cmux_trees(self.keys.params()) { MAX_TREE_BITS } else { 0 };
        let capacity = Capacity { short, packed, limbs, quiet, trees, tree_bits, carries, batched: false };
        Forms::of(self.program, &kinds, capacity)
    }

    /// The faster one of functions of two values by parts and as tables of both.
    fn in_either_form(
        &self,
        spaces: &[Space],
        limbs: Option<&Limbs>,
        (quiet, carries): (bool, bool),
    ) -> Result<Compiled, Error> {
        let (params, short, operands) = (self.keys.params(), self.short(), spaces);
        let forms = |packed, trees| self.forms(operands, limbs, (packed, trees), (quiet, carries));
        // Each ciphertext, and whose it is.
        let limbs =
            spaces.iter().enumerate().flat_map(|(i, space)| space.of_limbs().into_iter().map(move |limb| (limb, i)));
        let spaces: Vec<(Space, usize)> = limbs.collect();
        if self.program.operations().iter().any(|operation| matches!(operation, Operation::TableOf(..))) {
            let trees = self.of_forms(&spaces, &forms(short, true)?, quiet);
            // Of many tables on the same bits nothing else is as fast.
            let is_clear = |found: &Compiled| found.circuit.look_ups().any(|look_up| look_up.tables.len() > CLEAR);
            return match trees {
                Ok(found) if is_clear(&found) => Ok(found),
                trees => faster(params, trees, self.of_forms(&spaces, &forms(short, false)?, quiet)),
            };
        }
        let by_parts = forms(short, false)?;
        let packed = forms(short.max(params.integer_bits().unwrap_or(0).min(MAX_LARGE_BITS)), false)?;
        let first = self.of_forms(&spaces, &by_parts, quiet);
        if (&packed.atoms, &packed.outputs) == (&by_parts.atoms, &by_parts.outputs) {
            return first;
        }
        faster(params, first, self.of_forms(&spaces, &packed, quiet))
    }

    /// The circuit of sums of functions of sums: the faster of two, where 2^k·x is in the space of x, k bits noisier,
    /// and where it is in one of k bits more, which the others of its sum then have to be made in.
    fn of_forms(&self, spaces: &[(Space, usize)], forms: &Forms, quiet: bool) -> Result<Compiled, Error> {
        let compiled = |ways| {
            let found = Compiler::new(self, spaces, forms, ways).compiled()?;
            let circuit = of_parts(self.keys, &self.program.to_string(), found.circuit, self.input_variance)?;
            Ok(Compiled { circuit, ..found })
        };
        let is_even = |form: &Form| form.terms().any(|(_, weight)| weight % 2 == 0);
        let results = forms.outputs.iter().flat_map(|output| &output.limbs);
        let widening = forms.limb_bits == 0 && results.chain(forms.operands()).any(is_even);
        let params = self.keys.params();
        // Each table alone may be fastest with another gadget, or with other digits.
        let with_gadgets = |ways: Ways| match compiled(ways) {
            Ok(found) if found.shares_bits => {
                let mut best = Ok(found);
                for gadget in cmux_gadgets() {
                    best = faster(params, best, compiled(Ways { gadget: Some(gadget), ..ways }));
                }
                best
            }
            found => found,
        };
        let fastest = |ways: Ways| match (with_gadgets(ways), widening) {
            (first, false) => first,
            (first, true) => faster(params, first, with_gadgets(Ways { widens: true, ..ways })),
        };
        let usual = Ways { quiet, ..Ways::default() };
        let found = match fastest(usual) {
            Err(Error::Lut(LutError::Intermediate { .. })) => fastest(Ways { roomy: true, ..usual }),
            Err(Error::Lut(LutError::TooWide { .. })) => match fastest(Ways { narrow: true, ..usual }) {
                Err(Error::Lut(LutError::TooWide { .. })) => fastest(Ways { in_parts: true, ..usual }),
                found => found,
            },
            found => found,
        };
        found.map_err(|error| of_set(error, params.log2_p_fail()))
    }
}

/// The one of less predicted time, or the first refusal.
fn faster(
    params: &FhewParams,
    one: Result<Compiled, Error>,
    other: Result<Compiled, Error>,
) -> Result<Compiled, Error> {
    match (one, other) {
        (Ok(one), Ok(other)) if other.circuit.cost_ns(params) < one.circuit.cost_ns(params) => Ok(other),
        (Err(_), Ok(other)) => Ok(other),
        (one, _) => one,
    }
}

/// A refusal of a part with the promise of the whole.
fn of_set(mut error: Error, whole: f64) -> Error {
    if let Error::Lut(LutError::Fhew(FhewLutError::Noise { promised, found, .. })) = &mut error
        && *found > whole
    {
        *promised = whole;
    }
    error
}

/// Bits of a space with integers of this range on half of the circle.
fn room_of(range: Interval) -> u32 {
    range.width().max(Form::of_atom(0, Kind::Integers(range)).bits()) + 1
}

/// The least bits of a space whose residues tell these integers apart.
fn residue_bits(range: Interval) -> u32 {
    (1..=range.width()).find(|&bits| range.is_in_residues(bits)).unwrap_or(range.width() + 1)
}
