//! Transciphering: AES-128 on the encrypted bits of a key, whose stream is taken away from what was sent.
//!
//! Bits are residues modulo 2, so that adding ciphertexts is XOR, and free. A column of a round is 32 rotations and,
//! for each of its bytes x, one tree of CMUXes that gives S(x), 2·S(x) and 3·S(x); MixColumns adds four of them to each
//! bit of its results. Keys of later rounds are sums of bits of the key and of S-boxes, ten in all, each of which is
//! taken once or not at all. The last step makes a message of some bits: a table of each, and a sum.
use super::plan::program::InCommon;
use super::server::own_variance;
use super::symmetric::check_symmetric;
use super::{Ciphertexts, EncryptedSymmetricKey, Params, Plan, Server, SymmetricCiphertexts};
use crate::aes::{self, BLOCK, ROUNDS};
use crate::door::error::TranscipherError;
use crate::engines::envelope::check_key;
use crate::engines::watch::Watch;
use crate::engines::{EngineCiphertexts, EngineParams, EngineRows, EngineServer};
use crate::fhew::ciphertexts::CiphertextWriter;
use crate::fhew::samples::{Form, Layout};
use crate::memory::{Room, reserved_as};
use crate::origin::{Origin, identify};
use crate::threads::useful;
use crate::{Error, Load, Lut, PlanError, Program, Space};
use bootes_lut::fhew::circuit::InputVariance;
use std::io::Write;
use std::iter;

/// The first set that has it for bytes.
const SET: &str = "fhew_bits_2m128";

/// Values of the widths that bytes are cut into.
const WIDTHS: [u32; 4] = [1, 2, 4, 8];

/// Results of trees that bits of a state are sums of, at most: four of MixColumns, and ten of a key.
const NOISIEST: f64 = 14.0;

/// Blocks that a thread has at a time, and blocks at a time in all: their bits take 2 MB a block and more.
const BLOCKS: [usize; 2] = [8, 64];

/// One bit of a byte of each row of the state: a vector of all columns of all blocks, `[row][bit]`. Value c·n + i is of
/// column c of block i of n, so that rows move as a whole.
type State = Vec<Vec<Ciphertexts>>;

/// The refusal of a set that has no transciphering of such values.
pub(crate) fn refused(params: &impl EngineParams) -> Error {
    TranscipherError::Set { params: params.name().into(), set: SET }.into()
}

impl Params {
    /// Bits of values that are sent by AES: a byte, or the most that messages have.
    pub(crate) fn symmetric_bits(&self) -> u32 {
        WIDTHS.into_iter().rev().find(|&bits| bits <= self.bits()).unwrap_or(1)
    }

    /// Refuses values that are not sent so.
    ///
    /// # Errors
    /// [`TranscipherError::Set`], [`TranscipherError::Bits`].
    pub(crate) fn check_symmetric_bits(&self, bits: u32) -> Result<(), Error> {
        let widths: Vec<u32> = WIDTHS.into_iter().filter(|&bits| bits <= self.bits()).collect();
        match (self.has_trees() && widths.contains(&bits), self.has_trees() && !WIDTHS.contains(&bits)) {
            (true, _) => Ok(()),
            (_, true) => Err(TranscipherError::Bits { found: bits, widths, params: self.name().into() }.into()),
            _ => Err(refused(self)),
        }
    }
}

/// What is evaluated, one after the other.
#[derive(Clone, Copy)]
enum Step {
    /// The S-boxes of the key of this round.
    Key(usize),
    /// A round, from 1 on.
    Round(usize),
    /// Messages of bits.
    Messages,
}

impl Step {
    /// Its place among all.
    fn number(self) -> usize {
        match self {
            Self::Key(round) => round - 1,
            Self::Round(round) => ROUNDS + round - 1,
            Self::Messages => 2 * ROUNDS,
        }
    }

    /// Steps that are planned alike, but for the noise of what they take.
    fn kind(self) -> (bool, usize) {
        match self {
            Self::Key(_) => (true, 0),
            Self::Round(round) => (false, round / ROUNDS),
            Self::Messages => (false, 2),
        }
    }

    fn program(self, bits: u32) -> Result<Program, Error> {
        match self {
            Self::Key(_) => s_boxes(),
            Self::Round(round) => columns(round < ROUNDS),
            Self::Messages => messages(bits),
        }
    }
}

/// A bit of factor·S(x), the highest bit of x first, as the last varies fastest.
fn s_box(factor: u8, bit: u32) -> Result<Lut, Error> {
    let entry = |x: u8| u64::from(aes::byte_product(aes::s_box(x), factor) >> bit & 1);
    Ok(Lut::modular((0..=255).map(entry).collect(), 2)?)
}

/// The bits of S(x).
fn s_boxes() -> Result<Program, Error> {
    let mut program = Program::new();
    let byte: Vec<_> = (0..8).map(|bit| program.input(&format!("x{bit}"))).collect();
    let highest_first: Vec<_> = byte.into_iter().rev().collect();
    for bit in 0..8 {
        let result = program.table_of(&format!("S_{bit}"), &highest_first, &s_box(1, bit)?);
        program.output(result);
    }
    Ok(program)
}

/// SubBytes and MixColumns of a column, 32 bits to 32; the last round mixes nothing.
fn columns(mixes: bool) -> Result<Program, Error> {
    let mut program = Program::new();
    let inputs: Vec<Vec<_>> =
        (0..4).map(|row| (0..8).map(|bit| program.input(&format!("x{row}_{bit}"))).collect()).collect();
    let terms: &[(usize, u8)] = if mixes { &[(0, 2), (1, 3), (2, 1), (3, 1)] } else { &[(0, 1)] };
    for row in 0..4 {
        for bit in 0..8 {
            let mut sum = None;
            for &(from, factor) in terms {
                let byte: Vec<_> = inputs[(row + from) % 4].iter().rev().copied().collect();
                let term = program.table_of(&format!("S{factor}_{bit}"), &byte, &s_box(factor, bit)?);
                sum = Some(sum.map_or(term, |sum| program.add(sum, term)));
            }
            sum.into_iter().for_each(|sum| program.output(sum));
        }
    }
    Ok(program)
}

/// One message modulo 2^k of k bits, the lowest first.
fn messages(bits: u32) -> Result<Program, Error> {
    let (mut program, mut sum) = (Program::new(), None);
    for bit in 0..bits {
        let x = program.input(&format!("b{bit}"));
        let term = program.table(x, &Lut::modular(vec![0, 1 << bit], 1 << bits)?);
        sum = Some(sum.map_or(term, |sum| program.add(sum, term)));
    }
    sum.into_iter().for_each(|sum| program.output(sum));
    Ok(program)
}

/// What the steps of a transciphering are, and what they take and promise.
#[derive(Debug)]
pub(crate) struct TranscipherPlan {
    params: Params,
    plans: Vec<Plan>,
    /// Which of these each step has, by [`Step::number`].
    steps: Vec<usize>,
    bits: u32,
}

impl TranscipherPlan {
    /// The parameters.
    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// The space of results.
    pub(crate) fn space(&self) -> Space {
        Space::of_bits(self.bits)
    }

    /// Values of each step: of the key once, of a block, and of a value.
    fn counted(&self) -> impl Iterator<Item = (&Plan, [usize; 3])> {
        let key = iter::repeat_n([4, 0, 0], ROUNDS);
        let rounds = iter::once([0, 1, 0]).chain(iter::repeat_n([0, 4, 0], ROUNDS - 1));
        self.steps.iter().map(|&step| &self.plans[step]).zip(key.chain(rounds).chain([[0, 0, 1]]))
    }

    /// The same of so many values, on so many threads.
    fn counted_for(&self, values: usize, threads: usize) -> impl Iterator<Item = (&Plan, usize)> {
        let (blocks, at_once) = (blocks_of(values, self.bits), blocks_at_once(threads));
        let all = self.counted().enumerate().map(move |(number, (plan, [key, block, value]))| {
            // Counters of a batch differ in their last bytes.
            let shared = if number == ROUNDS { 3 * blocks.div_ceil(at_once) } else { 0 };
            (plan, (key + block * blocks + shared).saturating_add(value * values))
        });
        all.filter(|(_, count)| *count > 0)
    }

    /// Blind rotations of so many values.
    pub(crate) fn rotations(&self, values: usize, threads: usize) -> usize {
        let rotations = |(plan, count): (&Plan, usize)| plan.rotations().saturating_mul(count);
        self.counted_for(values, threads).map(rotations).fold(0, usize::saturating_add)
    }

    /// Predicted seconds of so many values.
    pub(crate) fn seconds(&self, values: usize, threads: usize) -> f64 {
        self.counted_for(values, threads).map(|(plan, count)| seconds_of(plan, count, threads)).sum()
    }

    /// log2 of the failure probability of a value, at most: that anything fails which its block is made of, or the keys
    /// of rounds.
    pub(crate) fn log2_p_fail(&self) -> f64 {
        let all = || self.counted().map(|(plan, [key, block, value])| (plan.log2_p_fail(), key + 4 * block + value));
        let largest = all().map(|(log2, _)| log2).fold(f64::NEG_INFINITY, f64::max);
        largest + all().map(|(log2, count)| count as f64 * (log2 - largest).exp2()).sum::<f64>().log2()
    }
}

fn seconds_of(plan: &Plan, values: usize, threads: usize) -> f64 {
    plan.prediction().of_load(&Load { threads, ..Load::of(values) }).seconds
}

/// Blocks that so many values take.
fn blocks_of(values: usize, bits: u32) -> usize {
    values.div_ceil(8 * BLOCK / bits as usize)
}

fn blocks_at_once(threads: usize) -> usize {
    let [each, most] = BLOCKS;
    (each * useful(threads)).min(most)
}

/// Evaluates steps: plans them, or does what was planned.
type Evaluate<'a> = dyn FnMut(Step, &[&Ciphertexts]) -> Result<Vec<Ciphertexts>, Error> + 'a;

/// Values from several vectors, one after the other: which one, and of which vector.
fn gathered<'a>(all: impl IntoIterator<Item = (&'a Ciphertexts, usize)>) -> Result<Ciphertexts, Error> {
    let one = |(vector, i): (&Ciphertexts, usize)| vector.slice(i..=i);
    let values = all.into_iter().map(one).collect::<Result<Vec<_>, _>>()?;
    Ciphertexts::concat(&values.iter().collect::<Vec<_>>())
}

/// Each value `times` times.
fn repeated(values: &Ciphertexts, times: usize) -> Result<Ciphertexts, Error> {
    if times == 1 {
        return Ok(values.clone());
    }
    let one = (0..values.len()).map(|i| values.slice(i..=i)).collect::<Result<Vec<_>, _>>()?;
    Ciphertexts::concat(&one.iter().flat_map(|value| iter::repeat_n(value, times)).collect::<Vec<_>>())
}

/// A bit of a byte of each row in the columns of public blocks, as a state has it.
fn public_bits(blocks: &[[u8; BLOCK]], row: usize, bit: usize) -> Vec<i64> {
    let of_column = |column: usize| blocks.iter().map(move |block| i64::from(block[4 * column + row] >> bit & 1));
    (0..4).flat_map(of_column).collect()
}

/// The keys of all rounds, states of one block, from the bits of the first.
fn round_keys(bits: &Ciphertexts, evaluate: &mut Evaluate<'_>) -> Result<Vec<State>, Error> {
    // What columns are sums of, vectors [row][bit] of one value: the columns of the key, and an S-box of each round. A
    // column is a set of these, as what is there twice is nothing.
    let of_key = |column: usize| {
        let of_bit = |row: usize, bit: usize| {
            let at = 8 * (4 * column + row) + bit;
            bits.slice(at..=at)
        };
        (0..4).map(|row| (0..8).map(|bit| of_bit(row, bit)).collect()).collect::<Result<Vec<Vec<_>>, _>>()
    };
    let mut terms = (0..4).map(of_key).collect::<Result<Vec<State>, Error>>()?;
    let mut columns = [1u16, 2, 4, 8];
    let sum = |terms: &[State], column: u16, row: usize, bit: usize| {
        let of_column = terms.iter().enumerate().filter(|(i, _)| column >> i & 1 == 1);
        let all: Vec<&Ciphertexts> = of_column.map(|(_, term)| &term[row][bit]).collect();
        Ok::<_, Error>(Ciphertexts::linear_columns(&all, &[vec![1; all.len()]])?.remove(0))
    };
    let key_of = |terms: &[State], columns: [u16; 4]| {
        let of_bit = |row: usize, bit: usize| {
            let all = columns.iter().map(|&column| sum(terms, column, row, bit)).collect::<Result<Vec<_>, _>>()?;
            Ciphertexts::concat(&all.iter().collect::<Vec<_>>())
        };
        (0..4).map(|row| (0..8).map(|bit| of_bit(row, bit)).collect()).collect::<Result<State, Error>>()
    };
    let mut keys = vec![key_of(&terms, columns)?];
    for (round, constant) in (1..=ROUNDS).zip(aes::round_constants()) {
        // The last column of the key before, a row up, of which row 0 has the constant added.
        let turned = |bit: usize| gathered((0..4).map(|row| (&keys[round - 1][(row + 1) % 4][bit], 3)));
        let inputs = (0..8).map(turned).collect::<Result<Vec<_>, _>>()?;
        let outputs = evaluate(Step::Key(round), &inputs.iter().collect::<Vec<_>>())?;
        let of_row = |row: usize| {
            let of_bit = |(bit, output): (usize, &Ciphertexts)| {
                let added = if row == 0 { i64::from(constant >> bit & 1) } else { 0 };
                output.slice(row..=row)?.add_constant(added)
            };
            outputs.iter().enumerate().map(of_bit).collect::<Result<Vec<_>, _>>()
        };
        terms.push((0..4).map(of_row).collect::<Result<_, _>>()?);
        columns[0] ^= 1 << (terms.len() - 1);
        (1..4).for_each(|column| columns[column] ^= columns[column - 1]);
        keys.push(key_of(&terms, columns)?);
    }
    Ok(keys)
}

/// The columns of a state, of which as many are taken as are `kept`.
fn first_of_columns(bit: &Ciphertexts, kept: [usize; 4]) -> Result<Ciphertexts, Error> {
    let blocks = bit.len() / 4;
    let of_column = |(column, kept)| bit.slice(column * blocks..column * blocks + kept);
    let columns = kept.into_iter().enumerate().map(of_column).collect::<Result<Vec<_>, _>>()?;
    Ciphertexts::concat(&columns.iter().collect::<Vec<_>>())
}

/// All of them again: what was kept of a column is all of it, or as often as there are blocks.
fn all_of_columns(bit: &Ciphertexts, kept: [usize; 4], blocks: usize) -> Result<Ciphertexts, Error> {
    let mut start = 0;
    let columns = kept.map(|kept| {
        start += kept;
        let column = bit.slice(start - kept..start)?;
        if kept == blocks { Ok(column) } else { repeated(&column, blocks) }
    });
    let columns = columns.into_iter().collect::<Result<Vec<_>, Error>>()?;
    Ciphertexts::concat(&columns.iter().collect::<Vec<_>>())
}

/// The key stream of these counters.
fn stream(counters: &[[u8; BLOCK]], keys: &[State], evaluate: &mut Evaluate<'_>) -> Result<State, Error> {
    let blocks = counters.len();
    let add_key = |(row, bit): (usize, usize), x: Option<&Ciphertexts>, key: &State| {
        let key = repeated(&key[row][bit], blocks)?;
        match x {
            Some(x) => x.add(&key),
            None => key.add_constants(&public_bits(counters, row, bit)),
        }
    };
    let all = || (0..4).flat_map(|row| (0..8).map(move |bit| (row, bit)));
    let mut state = all().map(|at| add_key(at, None, &keys[0])).collect::<Result<Vec<_>, _>>()?;
    // Counters differ in their last bytes: a column of the first round whose bytes are the same in all is one.
    let alike = |column: usize| (0..4).map(move |row| 4 * ((column + row) % 4) + row);
    let is_one = |column| alike(column).all(|i| counters.iter().all(|other| other[i] == counters[0][i]));
    let kept = [0, 1, 2, 3].map(|column| if is_one(column) { 1 } else { blocks });
    for (round, key) in keys.iter().enumerate().skip(1) {
        // Row r moves r columns to the left.
        let moved = |(i, bit): (usize, Ciphertexts)| match i / 8 * blocks {
            0 => Ok(bit),
            at => Ciphertexts::concat(&[&bit.slice(at..)?, &bit.slice(..at)?]),
        };
        let mut inputs = state.into_iter().enumerate().map(moved).collect::<Result<Vec<_>, _>>()?;
        if round == 1 {
            inputs = inputs.iter().map(|bit| first_of_columns(bit, kept)).collect::<Result<_, _>>()?;
        }
        let outputs = evaluate(Step::Round(round), &inputs.iter().collect::<Vec<_>>())?;
        drop(inputs);
        let added = |(at, output): ((usize, usize), Ciphertexts)| {
            let output = if round == 1 { all_of_columns(&output, kept, blocks)? } else { output };
            add_key(at, Some(&output), key)
        };
        state = all().zip(outputs).map(added).collect::<Result<_, Error>>()?;
    }
    Ok(state.chunks(8).map(<[_]>::to_vec).collect())
}

/// Messages of the data under a key stream: of some bits each, the lowest first.
fn received(
    state: &State,
    data: &[u8],
    (count, bits): (usize, usize),
    evaluate: &mut Evaluate<'_>,
) -> Result<Ciphertexts, Error> {
    let blocks = state[0][0].len() / 4;
    let of_bit = |i: usize| {
        let place = |value: usize| (value * bits / 8, value * bits % 8 + i);
        let encrypted = (0..count).map(place).map(|(byte, bit)| {
            let (block, row, column) = (byte / BLOCK, byte % 4, byte % BLOCK / 4);
            (&state[row][bit], column * blocks + block)
        });
        let sent: Vec<i64> = (0..count).map(place).map(|(byte, bit)| i64::from(data[byte] >> bit & 1)).collect();
        gathered(encrypted)?.add_constants(&sent)
    };
    let mut all = (0..bits).map(of_bit).collect::<Result<Vec<_>, _>>()?;
    match bits {
        1 => Ok(all.remove(0)),
        _ => Ok(evaluate(Step::Messages, &all.iter().collect::<Vec<_>>())?.remove(0)),
    }
}

impl Server {
    fn check_owner(&self, params: &Params, key_id: [u8; 16]) -> Result<(), Error> {
        check_key("symmetric ciphertext", [(params, key_id), (self.params(), self.key_id())])
    }

    /// Results with an origin of their own: trees and tables pass no noise on, and whatever has an input in common is
    /// made here.
    fn of_step(key: &EncryptedSymmetricKey, step: Step, results: Vec<Ciphertexts>) -> Vec<Ciphertexts> {
        let words = key.bits().origin().lineage.iter().copied();
        let origin = Origin::new(identify(words.chain([step.number() as u64])));
        results.into_iter().map(|result| result.with_origin(origin.clone())).collect()
    }

    /// Plans all steps, on one block of a key like this.
    pub(super) fn plan_steps(&self, bits: u32, key: &EncryptedSymmetricKey) -> Result<TranscipherPlan, Error> {
        self.params().check_symmetric_bits(bits)?;
        self.check_owner(key.params(), key.key_id())?;
        let (mut plans, mut steps, mut kinds): (Vec<Plan>, Vec<usize>, Vec<(bool, usize)>) = Default::default();
        let mut result = 0.0;
        let mut evaluate = |step: Step, inputs: &[&Ciphertexts]| {
            let fits = |i: &usize| kinds[*i] == step.kind() && self.check_operands(&plans[*i], inputs).is_ok();
            let number = match (0..plans.len()).find(fits) {
                Some(number) => number,
                None => {
                    // As noisy as any, so that rounds have one plan: sums of results of trees.
                    let noisy = own_variance(inputs).all().iter().map(|own| own + NOISIEST * result).collect();
                    let spaces: Vec<Space> = inputs.iter().map(|input| input.space()).collect();
                    let known = (&InputVariance::of_each(noisy), InCommon::Uncounted);
                    plans.push(Plan::program(&self.key, &step.program(bits)?, &spaces, known)?);
                    kinds.push(step.kind());
                    plans.len() - 1
                }
            };
            steps.push(number);
            let results = self.nothing_of(&plans[number], inputs);
            result = f64::max(result, if step.number() == 0 { results[0].noise_variance() } else { 0.0 });
            Ok(Self::of_step(key, step, results))
        };
        let keys = round_keys(key.bits(), &mut evaluate)?;
        let state = stream(&[[0; BLOCK]], &keys, &mut evaluate)?;
        received(&state, &[0; BLOCK], (1, bits as usize), &mut evaluate)?;
        Ok(TranscipherPlan { params: self.params().clone(), plans, steps, bits })
    }

    /// Does what was planned, and writes results to `out`, some blocks at a time.
    pub(super) fn transcipher_blocks_to<W: Write>(
        &self,
        plan: &TranscipherPlan,
        sent: (&SymmetricCiphertexts, &EncryptedSymmetricKey),
        out: W,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<W, Error> {
        let (mut waiting, mut writer) = (Some(out), None);
        self.transcipher_blocks(plan, sent, threads, watch, |results| {
            if let Some(out) = waiting.take() {
                writer = Some(CiphertextWriter::new(out, &results, sent.0.count)?);
            }
            writer.as_mut().map_or(Ok(()), |writer| writer.put(results.samples()))
        })?;
        writer.ok_or(Error::NoValues)?.finish()
    }

    /// Does what was planned.
    pub(super) fn transcipher_in_memory(
        &self,
        plan: &TranscipherPlan,
        sent: (&SymmetricCiphertexts, &EncryptedSymmetricKey),
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Ciphertexts, Error> {
        let mut head = None;
        let mut bytes: Vec<u8> = reserved_as(sent.0.count, Layout::of(self.params()).bytes(&Form::Full))?;
        self.transcipher_blocks(plan, sent, threads, watch, |results| {
            results.samples().put_as(&Form::Full, &mut bytes);
            head.get_or_insert(results);
            Ok(())
        })?;
        Ok(head.ok_or(Error::NoValues)?.with_words(bytes))
    }

    /// Does what was planned, and hands results to `take`, some blocks at a time.
    fn transcipher_blocks(
        &self,
        plan: &TranscipherPlan,
        (sent, key): (&SymmetricCiphertexts, &EncryptedSymmetricKey),
        threads: usize,
        watch: &Watch<'_>,
        mut take: impl FnMut(Ciphertexts) -> Result<(), Error>,
    ) -> Result<(), Error> {
        check_symmetric(sent, key)?;
        self.check_owner(&sent.params, sent.key_id)?;
        if plan.params != *self.params() {
            return Err(Error::OtherParams { what: "plan", params: self.params().name().into() });
        }
        if plan.bits != sent.bits {
            return Err(PlanError::Space { found: Space::of_bits(sent.bits), expected: plan.space() }.into());
        }
        if threads == 0 {
            return Err(Error::Threads);
        }
        let (at_once, blocks) = (blocks_at_once(threads), blocks_of(sent.count, sent.bits));
        // Bits of a state, what they were made of, and those of keys.
        let ciphertexts = 8 * BLOCK * (3 * at_once.min(blocks) + ROUNDS + 1);
        let bytes = ciphertexts * Layout::of(self.params()).bytes(&Form::Full);
        Room::now(self.memory).check(self.key_bytes() as u64, bytes as u64)?;
        let all = plan.seconds(sent.count, threads);
        let mut done = 0.0;
        let mut evaluate = |step: Step, inputs: &[&Ciphertexts]| {
            let planned = &plan.plans[plan.steps[step.number()]];
            let part = seconds_of(planned, inputs[0].len(), threads) / all;
            let progress = |now: f64| (watch.progress)((done + now * part).min(1.0));
            let results = self.evaluate_operands(planned, inputs, threads, &Watch { progress: &progress, ..*watch })?;
            done += part;
            Ok(Self::of_step(key, step, results))
        };
        let keys = round_keys(key.bits(), &mut evaluate)?;
        let (values, bits) = (8 * BLOCK / sent.bits as usize * at_once, sent.bits as usize);
        let origin = origin_of(sent, key);
        for (number, data) in sent.data.chunks(BLOCK * at_once).enumerate() {
            let counters: Vec<_> =
                aes::counters(sent.counter, number * at_once).take(data.len().div_ceil(BLOCK)).collect();
            let state = stream(&counters, &keys, &mut evaluate)?;
            let count = values.min(sent.count - number * values);
            let results = received(&state, data, (count, bits), &mut evaluate)?;
            take(results.with_origin(origin.clone()))?;
        }
        Ok(())
    }
}

/// Where results come from: a key stream, which is there as often as its counters are taken, whatever is added to it.
/// Messages are made by rotations and have nothing else in common; bits have the keys of rounds, too.
fn origin_of(sent: &SymmetricCiphertexts, key: &EncryptedSymmetricKey) -> Origin {
    let lineage = &key.bits().origin().lineage;
    // Of 2^32 counters each.
    let first = u128::from_be_bytes(sent.counter);
    let last = first.wrapping_add(blocks_of(sent.count, sent.bits) as u128 - 1);
    let streams = [first, last].map(|counter| {
        let counter = counter >> 32;
        identify(lineage.iter().copied().chain([counter as u64, (counter >> 64) as u64]))
    });
    match sent.bits {
        1 => Origin { dependent: true, ..Origin::of([lineage, &streams[..]].concat()) },
        _ => Origin::of(streams.to_vec()),
    }
}
