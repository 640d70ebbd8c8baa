//! AES-128 on encrypted bits.
//!
//! Bits are residues modulo 2, so that adding ciphertexts is XOR, and free. Each byte is 8 rotations and one tree of
//! CMUXes that gives S(x), 2·S(x) and 3·S(x), 24 bits; MixColumns adds four of them to each bit of its results.
use super::cipher::{ROUNDS, product, s_box};
use bootes::{Ciphertexts, Client, Error, Lut, Plan, Program, Server};

/// One bit of a byte of each row of the state: a vector of all columns of all blocks, `[row][bit]`. Value c·n + i is of
/// column c of block i of n, so that rows move as a whole.
pub(crate) type State = Vec<Vec<Ciphertexts>>;

/// The bits of all blocks' bytes in a row: a vector a bit, of the lowest first.
pub(crate) fn bits_of(blocks: &[[u8; 16]], row: usize) -> Vec<Vec<u64>> {
    let byte = |bit: usize| {
        let of_column = |column: usize| blocks.iter().map(move |block| u64::from(block[4 * column + row] >> bit & 1));
        (0..4).flat_map(of_column).collect()
    };
    (0..8).map(byte).collect()
}

/// The encrypted bits of a key, in the form of a state of `blocks` blocks.
pub(crate) fn encrypt_key(client: &Client, key: [u8; 16], blocks: usize) -> Result<State, Error> {
    let of_row = |row: usize| {
        let bits = bits_of(&[key], row);
        let one = bits.into_iter().map(|bits| client.encrypt_modulo(bits, 2));
        one.map(|bits| repeated(&bits?, blocks)).collect()
    };
    (0..4).map(of_row).collect()
}

/// The first values of each column, as many as `kept`.
fn first_of_columns(bit: &Ciphertexts, kept: [usize; 4]) -> Result<Ciphertexts, Error> {
    let blocks = bit.len() / 4;
    let columns = kept.iter().enumerate().map(|(column, kept)| bit.slice(column * blocks..column * blocks + kept));
    Ciphertexts::concat(&columns.collect::<Result<Vec<_>, _>>()?)
}

/// All of them again: what was kept of a column is all of it, or as often as there are blocks.
fn all_of_columns(bit: &Ciphertexts, kept: [usize; 4], blocks: usize) -> Result<Ciphertexts, Error> {
    let mut start = 0;
    let columns = kept.map(|kept| {
        start += kept;
        let column = bit.slice(start - kept..start)?;
        if kept == blocks { Ok(column) } else { repeated(&column, blocks) }
    });
    Ciphertexts::concat(&columns.into_iter().collect::<Result<Vec<_>, Error>>()?)
}

/// Each value as often as there are blocks.
fn repeated(values: &Ciphertexts, blocks: usize) -> Result<Ciphertexts, Error> {
    let one = (0..values.len()).map(|i| values.slice(i..=i)).collect::<Result<Vec<_>, _>>()?;
    Ciphertexts::concat(one.iter().flat_map(|value| std::iter::repeat_n(value, blocks)))
}

/// Row r moved r columns to the left.
fn shift_rows(state: &State) -> Result<Vec<Ciphertexts>, Error> {
    let moved = |(row, bits): (usize, &Vec<Ciphertexts>)| {
        let of_bit = |bit: &Ciphertexts| match row * bit.len() / 4 {
            0 => Ok(bit.clone()),
            at => Ciphertexts::concat([&bit.slice(at..)?, &bit.slice(..at)?]),
        };
        bits.iter().map(of_bit).collect::<Vec<_>>()
    };
    state.iter().enumerate().flat_map(moved).collect()
}

/// A state and the bits of public blocks.
pub(crate) fn xor_public(state: &State, blocks: &[[u8; 16]]) -> Result<State, Error> {
    let rows = state.iter().enumerate().map(|(row, bits)| {
        let added = bits.iter().zip(bits_of(blocks, row));
        added.map(|(bit, public)| bit.add(&bit.constants(public)?)).collect()
    });
    rows.collect()
}

fn xor_all(state: &[Vec<Ciphertexts>], other: &[Vec<Ciphertexts>]) -> Result<State, Error> {
    let rows = state.iter().zip(other);
    rows.map(|(row, other)| row.iter().zip(other).map(|(x, y)| x.add(y)).collect()).collect()
}

/// SubBytes, and MixColumns of all rounds but the last: 32 bits of a column to 32.
fn round(mixes: bool) -> Result<Program, Error> {
    let mut program = Program::new();
    let inputs: Vec<Vec<_>> =
        (0..4).map(|row| (0..8).map(|bit| program.input(&format!("x{row}_{bit}"))).collect()).collect();
    let table = |factor: u8, bit: u32| {
        // The highest bit first, as the last varies fastest.
        Lut::modular((0..=255).map(|x| u64::from(product(s_box(x), factor) >> bit & 1)).collect(), 2)
    };
    for row in 0..4 {
        for bit in 0..8 {
            let mut sum = None;
            for (from, factor) in [(0, 2), (1, 3), (2, 1), (3, 1)].into_iter().take(if mixes { 4 } else { 1 }) {
                let factor = if mixes { factor } else { 1 };
                let byte: Vec<_> = inputs[(row + from) % 4].iter().rev().copied().collect();
                let term = program.table_of(&format!("S{factor}_{bit}"), &byte, &table(factor, bit)?);
                sum = Some(sum.map_or(term, |sum| program.add(sum, term)));
            }
            sum.into_iter().for_each(|sum| program.output(sum));
        }
    }
    Ok(program)
}

/// What the server keeps.
pub(crate) struct Cipher {
    pub(crate) server: Server,
    /// The first round, those after it, and the last.
    pub(crate) plans: Vec<Plan>,
}

impl Cipher {
    /// The key stream of these counters under encrypted keys of all rounds.
    pub(crate) fn stream(&mut self, counters: &[[u8; 16]], keys: &[State]) -> Result<State, Error> {
        let mut state = xor_public(&keys[0], counters)?;
        // Counters differ in their last bytes: a column of the first round whose bytes are the same in all is one.
        let alike = |column: usize| (0..4).map(move |row| 4 * ((column + row) % 4) + row);
        let is_one = |column| alike(column).all(|i| counters.iter().all(|other| other[i] == counters[0][i]));
        let kept = [0, 1, 2, 3].map(|column| if is_one(column) { 1 } else { counters.len() });
        for (number, key) in keys.iter().enumerate().skip(1) {
            let mut inputs = shift_rows(&state)?;
            if number == 1 {
                inputs = inputs.iter().map(|bit| first_of_columns(bit, kept)).collect::<Result<_, _>>()?;
            }
            // Three plans: fresh bits are of no evaluation; the last round mixes nothing.
            let plan = if number == ROUNDS { 2 } else { usize::from(number > 1) };
            if self.plans.len() == plan {
                self.plans.push(self.server.plan(round(number < ROUNDS)?, &inputs)?);
            }
            let mut outputs = self.server.run(&self.plans[plan], &inputs)?;
            if number == 1 {
                outputs =
                    outputs.iter().map(|bit| all_of_columns(bit, kept, counters.len())).collect::<Result<_, _>>()?;
            }
            let outputs: Vec<Vec<Ciphertexts>> = outputs.chunks(8).map(<[_]>::to_vec).collect();
            state = xor_all(&outputs, key)?;
        }
        Ok(state)
    }

    /// log2 of the failure probability of a block: the sum of those of all columns of all rounds.
    pub(crate) fn log2_p_fail(&self) -> f64 {
        let all = || self.plans.iter().zip([1, ROUNDS - 2, 1]);
        let largest = all().map(|(plan, _)| plan.log2_p_fail()).fold(f64::NEG_INFINITY, f64::max);
        let of = |(plan, rounds): (&Plan, usize)| 4.0 * rounds as f64 * (plan.log2_p_fail() - largest).exp2();
        largest + all().map(of).sum::<f64>().log2()
    }
}

/// One message modulo 2^k of k bits, the lowest first: a table of each, and a sum.
pub(crate) fn message_of(server: &Server, bits: &[Ciphertexts]) -> Result<Ciphertexts, Error> {
    let (mut program, mut sum) = (Program::new(), None);
    for bit in 0..bits.len() {
        let x = program.input(&format!("b{bit}"));
        let term = program.table(x, &Lut::modular(vec![0, 1 << bit], 1 << bits.len())?);
        sum = Some(sum.map_or(term, |sum| program.add(sum, term)));
    }
    sum.into_iter().for_each(|sum| program.output(sum));
    server.evaluate(program, bits)
}

/// Blocks of what the bits of a state are.
pub(crate) fn decrypt(client: &Client, state: &State) -> Result<Vec<[u8; 16]>, Error> {
    let blocks = state[0][0].len() / 4;
    let mut found = vec![[0; 16]; blocks];
    for (row, bits) in state.iter().enumerate() {
        for (bit, vector) in bits.iter().enumerate() {
            for (i, value) in client.decrypt_residues(vector)?.into_iter().enumerate() {
                found[i % blocks][4 * (i / blocks) + row] |= (value as u8) << bit;
            }
        }
    }
    Ok(found)
}
