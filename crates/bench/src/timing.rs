//! `timing`: whether the time of encryption and decryption tells of what is secret, by Welch's t-test.
//!
//! Inputs are of two classes, in random order: a fixed message, noise or key, and random ones. If both take the
//! same time in the mean, t = (x̄ − ȳ)/√(s_x²/n_x + s_y²/n_y) is about N(0, 1). Rare interruptions hide small
//! differences: so the test is made again of the times below some quantiles of all, and the largest |t| is taken.
//! From 10 on there is a leak, from 4.5 on another run is due. The last row is a comparison that does leak, and is
//! to be found.
//!
//! Keys are made anew for each block, in random order: of two that stay where they are one is faster by a nanosecond,
//! whatever they are, and a million samples tell (|t| was 19).
//!
//! Source: Reparaz, Balasch, Verbauwhede, *Dude, is my code constant time?*, DATE 2017.
use std::hint::black_box;
use std::rc::Rc;
use std::sync::mpsc;
use std::time::Instant;

use bootes::{Client, Params};
use bootes_lattice::port::{RlweCiphertext, RlweEncoding};
use bootes_lut::ckks::TableParams;
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvCiphertext, BfvLiteral, BfvSecretKey, BfvSlots, Scheme};
use bootes_schemes::ckks::CkksSecretKey;
use bootes_schemes::class::SetClass;
use bootes_schemes::fhew::FhewParams;
use bootes_schemes::fhew::encoding::{decode_modulo, encode_modulo};
use bootes_schemes::fhew::keys::SecretKeys;
use rayon::ThreadPoolBuilder;

use crate::clock::median;
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink};

mod welch;

use welch::{LEAK, SUSPICIOUS, compare};

pub(crate) const BENCH: Bench = Bench { name: NAME, engines: &Engine::ALL, summary: SUMMARY, columns: COLUMNS, run };

const NAME: &str = "timing";
const SUMMARY: &str = "whether times of encryption and decryption tell of messages, noise and keys: Welch's t-test";
const COLUMNS: &[Column] = &[
    Column::new("operation, and what it should not tell", "row", 42),
    Column::new("set", "params", 16),
    Column::new("samples", "samples", 9),
    Column::scaled("median µs", "median_ms", 10, 1e3),
    Column::new("t", "t", 9),
    Column::new("largest |t|", "largest_t", 11),
    Column::new("mean differs by ns", "difference_ns", 18),
    Column::new("verdict", "verdict", 12),
];

/// Inputs that are made before they are timed one after the other.
const BLOCK: usize = 32;
/// Calls that are timed together where one takes nanoseconds.
const CALLS: usize = 64;

/// Measures rows, and hands them on.
struct Rows<'a> {
    options: &'a Options,
    samples: usize,
    random: SplitMix,
    sink: Box<Sink<'a>>,
}

impl Rows<'_> {
    /// Times `work` on inputs of both classes: `prepare` makes one of the fixed class (`false`) or of the random one.
    fn measure<I, T>(
        &mut self,
        row: &str,
        params: &str,
        mut prepare: impl FnMut(bool, &mut SplitMix) -> Result<I, BenchError>,
        mut work: impl FnMut(&I) -> T,
    ) -> Result<(), BenchError> {
        if !self.options.wants(row, true, true) {
            return Ok(());
        }
        self.options.progress(row);
        let mut times = [Vec::with_capacity(self.samples), Vec::with_capacity(self.samples)];
        let mut block = Vec::with_capacity(BLOCK);
        // What comes first is slower, and not counted.
        for round in 0..=self.samples.div_ceil(BLOCK) {
            for _ in 0..BLOCK {
                let class = self.random.bits(1) == 1;
                block.push((class, prepare(class, &mut self.random)?));
            }
            for (class, input) in block.drain(..) {
                let start = Instant::now();
                black_box(work(black_box(&input)));
                let time = start.elapsed().as_nanos() as f64;
                if round > 0 {
                    times[usize::from(class)].push(time);
                }
            }
        }
        let found = compare(&times);
        let verdict = match found.largest_t {
            t if t >= LEAK => "LEAK",
            t if t >= SUSPICIOUS => "suspicious",
            _ => "none found",
        };
        let mut measured = Row::new(NAME, row)
            .with("samples", times.concat().len())
            .with("t", found.t)
            .with("largest_t", found.largest_t)
            .with("quantile", found.quantile)
            .with("difference_ns", found.difference)
            .with("verdict", verdict);
        measured.params = Some(params.to_string());
        measured.median_ms = Some(1e-6 * median(&times.concat()));
        (self.sink)(measured)
    }
}

/// A key of each class for a block: a fixed one, and a random one.
struct Keys<F> {
    make: F,
    fixed: [u8; 32],
}

impl<K, F: Fn(&[u8; 32]) -> K> Keys<F> {
    fn new(make: F, random: &mut SplitMix) -> Self {
        Self { make, fixed: random.seed() }
    }

    /// The fixed one.
    fn fixed(&self) -> K {
        (self.make)(&self.fixed)
    }

    /// The giver of keys of a class, with new ones for each block, which come to lie where chance puts them.
    fn by_class(&self) -> impl FnMut(bool, &mut SplitMix) -> Rc<K> {
        let (mut keys, mut uses) = (None, 0);
        move |class, random| {
            if uses % BLOCK == 0 {
                keys = None;
            }
            uses += 1;
            let [fixed, other] = keys.get_or_insert_with(|| {
                let seeds = [self.fixed, random.seed()];
                let first = random.bits(1) as usize;
                let [x, y] = [first, 1 - first].map(|class| Rc::new((self.make)(&seeds[class])));
                if first == 0 { [x, y] } else { [y, x] }
            });
            Rc::clone(if class { other } else { fixed })
        }
    }
}

fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    // In a pool of one thread: starting others takes longer than what is measured, and never as long.
    let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
    let (out, measured) = mpsc::channel();
    std::thread::scope(|scope| {
        let rows = scope.spawn(move || {
            pool.install(|| {
                let sink = Box::new(move |row| {
                    out.send(row).map_err(|_| BenchError::NotWritten("nobody takes the rows".into()))
                });
                all(&mut Rows { options, samples: options.runs(1_000_000, 2_000), random: SplitMix(2017), sink })
            })
        });
        measured.into_iter().try_for_each(sink)?;
        rows.join().expect("the rows panic nowhere")
    })
}

fn all(rows: &mut Rows<'_>) -> Result<(), BenchError> {
    door(rows, "fhew", "toy_4")?;
    door(rows, "ckks", "toy_batch_4bit")?;
    bfv(rows, 257, "bfv modulo 257")?;
    bfv(rows, 127, "bfv modulo 127^2")?;
    fhew_phases(rows)?;
    ckks_noise(rows)?;
    control(rows)
}

/// Encryption and decryption as users call them: messages of zero or random ones, one key or several.
fn door(rows: &mut Rows<'_>, engine: &str, set: &str) -> Result<(), BenchError> {
    let params = Params::named(set)?;
    let p = params.modulus().unwrap_or(1 << params.bits());
    let count = params.capacity();
    let keys = Keys::new(|seed| Client::from_seed(&params, seed), &mut rows.random);
    let client = keys.fixed();
    let messages = |class: bool, random: &mut SplitMix| {
        let mut message = || random.below(p);
        (0..count).map(|_| message() * u64::from(class)).collect::<Vec<u64>>()
    };

    let row = |what: &str| format!("{engine} {what}");
    rows.measure(
        &row("encryption: messages"),
        set,
        |class, random| Ok(messages(class, random)),
        |message| client.encrypt(message),
    )?;
    let mut key = keys.by_class();
    let prepare = |class, random: &mut SplitMix| Ok((key(class, random), messages(true, random)));
    rows.measure(&row("encryption: keys"), set, prepare, |(key, message)| key.encrypt(message))?;
    let prepare = |class, random: &mut SplitMix| Ok(client.encrypt(messages(class, random))?);
    rows.measure(&row("decryption: messages"), set, prepare, |ciphertexts| client.decrypt(ciphertexts))?;
    let mut key = keys.by_class();
    let prepare = |class, random: &mut SplitMix| {
        let key = key(class, random);
        let ciphertexts = key.encrypt(messages(true, random))?;
        Ok((key, ciphertexts))
    };
    rows.measure(&row("decryption: keys"), set, prepare, |(key, ciphertexts)| key.decrypt(ciphertexts))
}

/// Phases of engine fhew: with noise or without, under the lightest of many keys or the heaviest; and their messages.
fn fhew_phases(rows: &mut Rows<'_>) -> Result<(), BenchError> {
    const SET: &str = "toy_4";
    const P: u64 = 10;
    let params = FhewParams::by_name(SET)?;
    let key = |seed: &[u8; 32]| SecretKeys::derive(&params, SecretSeed::from_bytes(seed));
    let weight =
        |seed: &[u8; 32]| key(seed).expose_glwe().as_lwe().expose_coefficients().iter().filter(|&&s| s != 0).count();
    let mut seeds: Vec<[u8; 32]> = (0..256).map(|_| rows.random.seed()).collect();
    seeds.sort_by_cached_key(weight);
    let lightest = key(&seeds[0]);
    let of_phase = |key: &SecretKeys, phase: u64, random: &mut SplitMix| {
        let mut ciphertext = random.values(params.ciphertext_dimension(), 64);
        ciphertext.push(0);
        let body = phase.wrapping_sub(key.phase(&ciphertext));
        ciphertext.pop();
        ciphertext.push(body);
        ciphertext
    };
    let prepare = |class: bool, random: &mut SplitMix| {
        let noise = (random.word() as i64 / (2 * P as i64 + 1)) * i64::from(class);
        let message = encode_modulo(random.below(P), P);
        Ok(of_phase(&lightest, message.wrapping_add(noise as u64), random))
    };
    rows.measure("fhew decryption: noise", SET, prepare, |words| decode_modulo(lightest.phase(words), P))?;
    let prepare = |class: bool, random: &mut SplitMix| {
        // In memory of its own, whichever it is.
        let key = key(&seeds[if class { seeds.len() - 1 } else { 0 }]);
        let words = of_phase(&key, random.word(), random);
        Ok((key, words))
    };
    rows.measure("fhew decryption: weight of the key", SET, prepare, |(key, words)| {
        decode_modulo(key.phase(words), P)
    })?;
    let phases =
        |class, random: &mut SplitMix| Ok(if class { random.values(CALLS, 64) } else { vec![u64::MAX; CALLS] });
    rows.measure("fhew decoding: phases", SET, phases, |phases| {
        phases.iter().map(|&phase| black_box(decode_modulo(phase, P))).sum::<u64>()
    })
}

/// Decryption of engine ckks, with noise that is still right or none.
fn ckks_noise(rows: &mut Rows<'_>) -> Result<(), BenchError> {
    const SET: &str = "toy_batch_4bit";
    let params = TableParams::named(SET)?;
    let key = CkksSecretKey::derive(params.ckks(), &SecretSeed::from_bytes(&rows.random.seed()));
    let (ring, encoding) = (params.ckks().ring(), RlweEncoding::new(16, params.literal().log2_modulus)?);
    let prepare = |class: bool, random: &mut SplitMix| {
        let seed = SecretSeed::from_bytes(&random.seed());
        let (mask, noise) = seed.fork_both(0, 0);
        let std = if class { encoding.tolerance() / 10.0 } else { 0.0 };
        let values = random.values(ring.degree(), 4);
        Ok(RlweCiphertext::encrypt(ring, encoding, &values, key.key(), std, mask, &noise)?)
    };
    rows.measure("ckks decryption: noise", SET, prepare, |ciphertext| ciphertext.decrypt(ring, key.key()))
}

/// Encryption and decryption of engine bfv with three primes, as real sets do it: slots of one row and of two.
fn bfv(rows: &mut Rows<'_>, base: u64, engine: &str) -> Result<(), BenchError> {
    let literal = BfvLiteral {
        name: format!("timing_{base}"),
        class: SetClass::Toy,
        log2_degree: 7,
        base,
        exponent: 2,
        base_bits: 50,
        primes: vec![(46, 2)],
        digit_primes: 1,
        special_primes: 1,
        special_bits: 50,
        weight: 32,
        sparse_weight: 8,
    };
    let params = literal.try_build()?;
    let (exponent, level) = (params.max_exponent(), params.max_level());
    let slots = BfvSlots::new(&params, exponent)?;
    let keys = Keys::new(|seed| BfvSecretKey::derive(&params, &SecretSeed::from_bytes(seed)), &mut rows.random);
    let key = &keys.fixed();
    let messages = |class: bool, random: &mut SplitMix| {
        (0..slots.count()).map(|_| random.below(params.power(exponent)) as i64 * i64::from(class)).collect::<Vec<i64>>()
    };
    let encrypt =
        |key: &BfvSecretKey, message: &[i64]| key.encrypt(&slots.encode(message)?, Scheme::Bgv, exponent, level);
    let decrypt = |key: &BfvSecretKey, ciphertext: &BfvCiphertext| slots.decode(&key.decrypt(ciphertext)?);

    let (set, row) = (params.name(), |what: &str| format!("{engine} {what}"));
    let prepare = |class, random: &mut SplitMix| Ok(messages(class, random));
    rows.measure(&row("encryption: messages"), set, prepare, |message| encrypt(key, message))?;
    let mut choose = keys.by_class();
    let prepare = |class, random: &mut SplitMix| Ok((choose(class, random), messages(true, random)));
    rows.measure(&row("encryption: keys"), set, prepare, |(key, message)| encrypt(key, message))?;
    let prepare = |class, random: &mut SplitMix| Ok(encrypt(key, &messages(class, random))?);
    rows.measure(&row("decryption: messages"), set, prepare, |ciphertext| decrypt(key, ciphertext))?;
    let mut choose = keys.by_class();
    let prepare = |class, random: &mut SplitMix| {
        let key = choose(class, random);
        let ciphertext = encrypt(&key, &messages(true, random))?;
        Ok((key, ciphertext))
    };
    rows.measure(&row("decryption: keys"), set, prepare, |(key, ciphertext)| decrypt(key, ciphertext))?;
    // That of fresh ciphertexts, or 2^30 times as much.
    let ring = params.ring();
    let prepare = |class, random: &mut SplitMix| {
        let fresh = encrypt(key, &messages(true, random))?;
        let mut inner = fresh.inner().clone();
        let large = random.values(ring.degree(), 32).into_iter();
        let noise: Vec<f64> = large.map(|x| (x * params.power(exponent) * u64::from(class)) as f64).collect();
        let noise = ring.forward(ring.from_integers(inner.limbs(), &noise));
        ring.add_assign(&mut inner.b, &noise);
        Ok(BfvCiphertext::new(&params, inner, fresh.state(), key.id()))
    };
    rows.measure(&row("decryption: noise"), set, prepare, |ciphertext| decrypt(key, ciphertext))
}

/// A comparison of bytes that stops where they differ: at the first one, or at one of all.
fn control(rows: &mut Rows<'_>) -> Result<(), BenchError> {
    let prepare = |class: bool, random: &mut SplitMix| {
        let mut bytes = [0u8; CALLS];
        bytes[if class { random.bits(6) as usize } else { 0 }] = 1;
        Ok(bytes)
    };
    rows.measure("control: a comparison that stops early", "none", prepare, |bytes| {
        bytes.iter().position(|&byte| black_box(byte) != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaks_is_found() {
        let options = Options { runs: Some(5_000), rows: Some("control:".into()), ..Options::default() };
        let mut found = Vec::new();
        run(&options, &mut |row| {
            found.push(row);
            Ok(())
        })
        .unwrap();
        let [row] = &found[..] else { panic!("{found:?}") };
        assert_eq!(row.extra["verdict"], "LEAK", "{row:?}");
    }
}
