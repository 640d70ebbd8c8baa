//! The door is the same with every engine: each test here is one program that all of them run. What an engine has not,
//! it refuses, and by which kind of error; the fixtures below say so. What one engine alone has is tested beside this.
use std::fmt::Debug;
use std::sync::LazyLock;

use bootes::{
    BfvError, BfvLutError, Cancel, CiphertextReader, Ciphertexts, CkksLutError, Client, ComplexTable, Continuous,
    EncryptedTable, Engine, Error, Function, IntegerOp, Load, Lut, LutError, Params, Plain, Plan, PlanError,
    PlanRequest, Program, Server, ServerKey, SlotTables, Space, SpaceError,
};

mod files;
mod functions;
mod plans;
mod public;
mod refusals;
mod streams;
mod vectors;
mod watched;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// What some engine has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Has {
    /// Residues of other moduli than the set's.
    Moduli,
    /// Vectors of no values.
    Nothing,
    /// Integers of a range, with a set for them.
    Integers,
    /// Linear maps of the values of a column.
    LinearMaps,
    /// Products with constants, one for each value.
    Factors,
    /// Noise that is measured.
    Noise,
    /// Fresh vectors of a client, of others, and results of tables in one.
    Histories,
    /// Products of vectors, rotations.
    Programs,
    /// Programs of one value.
    Squares,
    /// Tables by algorithms that the caller names, and their keys.
    Algorithms,
    /// Complex numbers, more room and digits: tables into other moduli.
    Outputs,
    Continuous,
    PerSlot,
    Encrypted,
    /// Plans that are kept.
    Kept,
}

impl Has {
    /// How it is refused.
    fn is_refused_by(self, error: &Error) -> bool {
        match self {
            Self::Moduli => matches!(error, Error::Bfv(BfvError::Modulus { .. })),
            Self::Histories => matches!(error, Error::Bfv(BfvError::States)),
            Self::Nothing => matches!(error, Error::NoValues | Error::Slice { .. }),
            // Engines fhew and ckks have those of values, where the set has room.
            Self::Programs => {
                let of_values = matches!(error, Error::Lut(LutError::Kinds { .. } | LutError::Room { .. }));
                of_values || matches!(error, Error::NotWith { .. })
            }
            _ => matches!(error, Error::NotWith { .. }),
        }
    }
}

/// An engine, on a toy ring.
struct Fixture {
    engine: Engine,
    set: &'static str,
    /// Of the same engine.
    other: &'static str,
    /// For functions of integers.
    integers: Option<&'static str>,
    /// Residues are modulo this.
    p: u64,
    has: &'static [Has],
}

const FIXTURES: [Fixture; 4] = [
    Fixture {
        engine: Engine::Fhew,
        set: "toy_4",
        other: "toy_4_binary",
        integers: Some("toy_int16"),
        p: 16,
        has: &[
            Has::Moduli,
            Has::Nothing,
            Has::Integers,
            Has::LinearMaps,
            Has::Factors,
            Has::Noise,
            Has::Histories,
            Has::Algorithms,
            Has::Outputs,
            Has::Continuous,
            Has::Kept,
            Has::Squares,
        ],
    },
    Fixture {
        engine: Engine::Ckks,
        set: "toy_batch_4bit",
        other: "toy_batch_6bit",
        integers: Some("toy_batch_integers"),
        p: 16,
        has: &[
            Has::Moduli,
            Has::Integers,
            Has::Noise,
            Has::Histories,
            Has::Outputs,
            Has::PerSlot,
            Has::Encrypted,
            Has::Kept,
            Has::Squares,
        ],
    },
    Fixture {
        engine: Engine::Bfv,
        set: "toy_slots_257",
        other: "toy_slots_17",
        integers: None,
        p: 257,
        has: &[Has::Programs, Has::Squares, Has::Factors],
    },
    // Nothing is bootstrapped: room for any table, and some of low degree one after the other.
    Fixture {
        engine: Engine::Bfv,
        set: "toy_slots_257_depth_12",
        other: "toy_slots_17_depth_4",
        integers: None,
        p: 257,
        has: &[Has::Programs, Has::Squares, Has::Factors, Has::Histories],
    },
];

/// A client and its server, made once for all tests.
struct Session {
    fixture: &'static Fixture,
    client: Client,
    server: Server,
}

impl Session {
    fn of(fixture: &'static Fixture, set: &str, seed: u8) -> Result<Self, Error> {
        let client = Client::from_seed(&Params::named(set)?, &[seed; 32]);
        let server = Server::builder(client.server_key_builder().compression().build()?).threads(2).build()?;
        Ok(Self { fixture, client, server })
    }

    /// What is there with this engine; `None` for what there is not, which is refused by its kind.
    fn with<T: Debug>(&self, what: Has, result: Result<T, Error>) -> Option<T> {
        match (self.fixture.has.contains(&what), result) {
            (true, Ok(found)) => Some(found),
            (false, Err(error)) if what.is_refused_by(&error) => None,
            (has, found) => panic!("{what:?} with {}, expected {has}: {found:?}", self.fixture.set),
        }
    }

    /// Noise that is measured is within its bound: ten standard deviations never happen.
    fn within(&self, x: &Ciphertexts, values: &[impl Plain]) -> Option<Vec<f64>> {
        let noise = self.with(Has::Noise, self.client.measure_noise(x, values))?;
        let bound = x.noise_variance();
        assert!(noise.len() == x.len() * x.space().limbs() && noise.iter().all(|e| e * e < 100.0 * bound), "{bound:e}");
        Some(noise)
    }

    fn capacity(&self) -> usize {
        self.client.params().capacity()
    }

    /// As many values as fill two ciphertexts and begin a third.
    fn many(&self) -> Vec<u64> {
        (0..2 * self.capacity() as u64 + 3).map(|i| (i * 7 + i / 16) % self.fixture.p).collect()
    }

    /// Each value's image.
    fn each(&self, values: &[u64], f: impl Fn(i64) -> i64) -> Vec<u64> {
        let p = self.fixture.p as i64;
        values.iter().map(|&x| f(x as i64).rem_euclid(p) as u64).collect()
    }

    fn table(&self, f: impl Fn(i64) -> i64) -> Result<Lut, Error> {
        let all: Vec<u64> = (0..self.fixture.p).collect();
        Ok(Lut::modular(self.each(&all, f), self.fixture.p)?)
    }
}

static SESSIONS: LazyLock<[Session; 4]> =
    LazyLock::new(|| FIXTURES.each_ref().map(|fixture| Session::of(fixture, fixture.set, 1).expect("toy keys")));

/// Those of functions of integers; the set for residues where there is none.
static INTEGERS: LazyLock<[Session; 4]> = LazyLock::new(|| {
    FIXTURES
        .each_ref()
        .map(|fixture| Session::of(fixture, fixture.integers.unwrap_or(fixture.set), 2).expect("toy keys"))
});

/// With every engine.
fn with_each(test: impl Fn(&Session) -> Outcome) -> Outcome {
    SESSIONS.iter().try_for_each(|session| {
        println!("with {}", session.fixture.set);
        test(session).map_err(|error| format!("{}: {error}", session.fixture.set).into())
    })
}

/// A refusal of this kind, in a line.
macro_rules! refused {
    ($result:expr, $kind:pat) => {
        match $result.map(drop) {
            Err(error) if matches!(&error, $kind) => is_a_line(&error),
            found => panic!("expected {}, found {found:?}", stringify!($kind)),
        }
    };
}
use refused;

fn is_a_line(error: &Error) {
    let text = error.to_string();
    assert!(!text.contains('\n') && text.len() < 320, "{text}");
}

fn bytes(x: &Ciphertexts) -> Result<Vec<u8>, Error> {
    x.to_bytes()
}

fn readers(files: &[Vec<u8>]) -> Result<Vec<CiphertextReader<'_>>, Error> {
    files.iter().map(|file| CiphertextReader::new(&file[..])).collect()
}

fn reread(x: &Ciphertexts) -> Result<Ciphertexts, Error> {
    Ciphertexts::from_bytes(&bytes(x)?)
}

/// Every function of the door, of inputs that it takes, and its results.
struct Case {
    session: &'static Session,
    has: Option<Has>,
    function: Function,
    inputs: Vec<Ciphertexts>,
    expected: Vec<Vec<i64>>,
}

impl Case {
    fn inputs(&self) -> Vec<&Ciphertexts> {
        self.inputs.iter().collect()
    }

    fn files(&self) -> Result<Vec<Vec<u8>>, Error> {
        self.inputs.iter().map(bytes).collect()
    }

    /// `None` for what the engine has not.
    fn plan(&self) -> Option<Plan> {
        let plan = self.session.server.plan(&self.function, self.inputs());
        println!("{}: {:.60}", self.session.fixture.set, format!("{:?}", self.function));
        match self.has {
            Some(has) => self.session.with(has, plan),
            None => Some(plan.expect("every engine has tables")),
        }
    }

    /// From bytes to bytes.
    fn stream(&self, server: &Server, plan: &Plan) -> Result<Vec<Vec<u8>>, Error> {
        server.run_to(plan, readers(&self.files()?)?, vec![Vec::new(); self.expected.len()])
    }
}

/// Of all engines, those that they have not as well.
fn cases() -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    // An object of the one engine that makes such.
    let table = SESSIONS[1].client.encrypt_table(&SESSIONS[1].table(|x| 3 * x + 1)?)?;
    for (s, integers) in SESSIONS.iter().zip(INTEGERS.iter()) {
        let (client, p) = (&s.client, s.fixture.p);
        let values = if s.capacity() == 1 { vec![0, 1, 5, 15] } else { s.many() };
        let x = client.encrypt(&values)?;
        let few = if p == 16 { client.encrypt_unsigned([2, 5, 7], 3)? } else { x.clone() };
        let of = |f: &dyn Fn(i64) -> i64| s.each(&values, f).into_iter().map(|y| y as i64).collect::<Vec<_>>();
        let luts = [s.table(|x| x * x)?, s.table(|x| 5 - x)?];
        let [square, line] = [of(&|x| x * x), of(&|x| 5 - x)];
        let by = Function::TableBy(luts[0].clone(), "recursive-2".into());
        // x + i for value number i.
        let shifts = (0..values.len() as u64).flat_map(|i| (0..p).map(move |x| ((x + i) % p) as u16)).collect();
        let shifted = (0..).zip(&values).map(|(i, &x)| ((x + i) % p) as i64).collect();
        // In steps of 1.
        let complex = ComplexTable::new(&(0..p).map(|x| [(x % 4) as f64, 1.0]).collect::<Vec<_>>(), 3)?;
        let continuous = Continuous::new(0..=7, 4, |x| 7.0 - x)?;
        let residues: [(Option<Has>, Function, _, _); 10] = [
            (None, (&luts[0]).into(), &x, vec![square.clone()]),
            (None, luts[..].into(), &x, vec![square.clone(), line]),
            (Some(Has::Algorithms), by, &x, vec![square]),
            (Some(Has::PerSlot), SlotTables::new(shifts, p as usize, p)?.into(), &x, vec![shifted]),
            (Some(Has::Encrypted), (&table).into(), &x, vec![of(&|x| 3 * x + 1)]),
            (Some(Has::Outputs), (&complex).into(), &x, vec![of(&|x| x % 4), vec![1; values.len()]]),
            (Some(Has::Outputs), Function::Digits(2), &x, vec![of(&|x| x % 4), of(&|x| x / 4)]),
            (Some(Has::Outputs), Function::Widen(4), &few, vec![vec![2, 5, 7]]),
            (Some(Has::Continuous), continuous.into(), &few, vec![vec![5, 2, 0]]),
            (Some(Has::Squares), Program::parse("x*x + 3", &[])?.into(), &x, vec![of(&|x| x * x + 3)]),
        ];
        cases.extend(residues.map(|(has, function, x, expected)| Case {
            session: s,
            has,
            function,
            inputs: vec![x.clone()],
            expected,
        }));
        let encrypt = |values: &[i64]| match integers.client.encrypt_integers(values, 8) {
            Err(Error::NotWith { .. }) => integers.client.encrypt([1, 2, 3]),
            encrypted => encrypted,
        };
        let (a, b) = (encrypt(&[-3, 5, 100])?, encrypt(&[4, 5, -100])?);
        for (op, expected) in [
            (IntegerOp::Max, [4, 5, 100]),
            (IntegerOp::Less, [1, 0, 0]),
            (IntegerOp::Abs, [3, 5, 100]),
            (IntegerOp::Floor(2), [-1, 1, 25]),
        ] {
            let inputs = [a.clone(), b.clone()][..op.operands()].to_vec();
            let (has, expected) = (Some(Has::Integers), vec![expected.to_vec()]);
            cases.push(Case { session: integers, has, function: op.into(), inputs, expected });
        }
    }
    Ok(cases)
}
