//! Programs on vectors modulo p^r, bootstrapped where they have to be.
use std::sync::Arc;

use bootes_lattice::rns::MaskStorage;
use bootes_lut::Lut;
use bootes_lut::Program;
use bootes_lut::bfv::{ProgramParams, ProgramPlan};
use bootes_ring::sample::SecretSeed;
use bootes_schemes::bfv::{BfvSecretKey, Evaluator, Scheme};
use bootes_testkit::{TestRng, seed_bytes};

/// Results of a program, which are checked, and how often it bootstrapped.
fn check(p: u64, r: u32, text: &str, table: Option<&Lut>) -> usize {
    let tables: Vec<(&str, &Lut)> = table.iter().map(|&lut| ("f", lut)).collect();
    check_with(&ProgramParams::toy(p, r).unwrap(), text, &tables)
}

fn check_with(params: &ProgramParams, text: &str, tables: &[(&str, &Lut)]) -> usize {
    let (p, r) = (params.base(), params.exponent());
    let bootstrap = params.bootstrap().unwrap();
    let program = Program::parse(text, tables).unwrap();
    let secret = BfvSecretKey::derive(params, &SecretSeed::from_bytes(&seed_bytes("programs", p)));
    let key = secret.evaluation_key(&params.request(bootstrap), MaskStorage::Expanded, crate::unheard).unwrap();
    let evaluator = Evaluator::new(Arc::new(key));
    let mut rng = TestRng::new("programs", p);
    let (slots, t) = (params.slots(), params.modulus());
    let vector = |_| (0..slots.count()).map(|_| rng.below(t) as i128).collect::<Vec<_>>();
    let values: Vec<Vec<i128>> = (0..program.inputs()).map(vector).collect();
    let fresh = params.fresh_state();
    let level = bootstrap.map_or(fresh.level, |bootstrap| bootstrap.predict(fresh).unwrap().result.level);
    let encrypt = |values: &Vec<i128>| {
        let values: Vec<i64> = values.iter().map(|&x| x as i64).collect();
        secret.encrypt(&slots.encode(&values).unwrap(), Scheme::Bgv, r, level).unwrap()
    };
    let inputs: Vec<_> = values.iter().map(encrypt).collect();
    let states: Vec<_> = inputs.iter().map(|x| x.state()).collect();
    let plan = ProgramPlan::new(params, bootstrap, &program, &states).unwrap();
    assert!(plan.log2_failure() < -128.0, "{text}: {}", plan.log2_failure());
    let outputs = plan.run(bootstrap, &evaluator, &inputs.iter().collect::<Vec<_>>(), crate::unheard).unwrap();
    let expected = program.values(&values.iter().map(Vec::as_slice).collect::<Vec<_>>(), slots.shape(), t);
    assert_eq!(outputs.iter().map(|x| x.state()).collect::<Vec<_>>(), plan.results());
    for (output, expected) in outputs.iter().zip(&expected) {
        let found = slots.decode(&secret.decrypt(output).unwrap()).unwrap();
        assert!(found.iter().zip(expected).all(|(&x, &y)| x == y as u64), "{text} modulo {p}^{r}");
        let serves = bootstrap.is_none_or(|bootstrap| bootstrap.check(output.state()).is_ok());
        assert!(serves, "{text}: a result is no input");
    }
    plan.bootstraps()
}

#[test]
fn arithmetic_on_vectors() {
    for (p, r) in [(5, 1), (17, 1), (31, 1), (127, 1), (127, 2), (257, 1), (257, 2)] {
        check(p, r, "x*y + 3*rot(x, 1) - swap(y) + 1; rot(x*x - 2, -3); dot(x, y) - sum(x)", None);
        check(p, r, "0*x + 5; -x; 2 - y", None);
    }
}

#[test]
fn what_is_deeper_than_one_budget_is_bootstrapped() {
    assert_eq!(check(257, 1, "x^8 + y", None), 0);
    assert!(check(257, 1, "(x^65536 + y)^1000 - x", None) >= 2);
    assert!(check(127, 2, "(x^16000*y + x)^300", None) >= 1);
}

#[test]
fn tables_on_slots() {
    for p in [5, 17, 31, 127, 257] {
        let mut rng = TestRng::new("tables on slots", p);
        let lut = Lut::modular((0..p).map(|_| rng.below(p)).collect(), p).unwrap();
        // A chain: each on results of the one before.
        let bootstraps = check(p, 1, "f(f(f(x)) + y); f(x)", Some(&lut));
        assert!(p < 100 || bootstraps >= 2, "{bootstraps} bootstraps modulo {p}");
    }
}

/// One of degree 65536, in products and sums that few others have; and one of odd coefficients alone.
#[test]
fn tables_of_65537_entries() {
    let p = 65537;
    let mut rng = TestRng::new("tables on slots", p);
    let random: Vec<u64> = (0..p).map(|_| rng.below(p)).collect();
    let odd = (0..p).map(|a| if a <= p / 2 { a * random[a as usize] % p } else { 0 }).collect::<Vec<_>>();
    let odd = (0..p).map(|a| if a <= p / 2 { odd[a as usize] } else { (p - odd[(p - a) as usize]) % p }).collect();
    let params = ProgramParams::named("toy_slots_65537_tables").unwrap().unwrap();
    let [random, odd] = [random, odd].map(|values| Lut::modular(values, p).unwrap());
    assert_eq!(check_with(&params, "g(f(x))", &[("f", &random), ("g", &odd)]), 1);
}
