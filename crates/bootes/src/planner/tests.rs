//! The choice beside all offers.
use super::*;
use crate::engines::Ckks;
use bootes_testkit::sampled;
use std::cell::Cell;
use std::sync::Mutex;

/// No set is left out that would have been chosen.
#[test]
fn least_times_are_less_than_those_of_any_set() -> Result<(), Error> {
    // Each set, and on one thread each size, too.
    for (threads, sizes) in [(1, &[1, 2, 3, 4, 6, 8, 9, 10, 11, 12, 13][..]), (16, &[1, 4, 8, 10, 12, 13])] {
        let sizes = sampled(sizes, 4);
        let load = Load { threads, bytes_per_second: 1e8, ..Load::of(1) };
        for &bits in sizes {
            let request = Request::table(Lut::unstructured(bits));
            let (least, offer) =
                (request.least_seconds(Engine::Ckks, &load, f64::INFINITY), request.offer(Engine::Ckks, &load)?);
            let found = offer.prediction.job_seconds;
            assert!(least > 0.0 && least < found, "{bits} bits: {least} of {found}");
        }
        for (p, square) in [(3, false), (17, true), (257, false), (257, true)] {
            let table = (0..p).map(|x| if square { x * x % p } else { x }).collect();
            let request = Request::table(Lut::modular(table, p)?);
            let (least, offer) =
                (request.least_seconds(Engine::Bfv, &load, f64::INFINITY), request.offer(Engine::Bfv, &load)?);
            assert!(least > 0.0 && least < offer.prediction.job_seconds, "modulo {p}: {least}");
        }
        let request = Request {
            function: Function::Integers(crate::IntegerOp::Less),
            space: Space::signed(16),
            target: FailureTarget::Two128,
        };
        let (least, offer) =
            (request.least_seconds(Engine::Ckks, &load, f64::INFINITY), request.offer(Engine::Ckks, &load)?);
        assert!(least > 0.0 && least < offer.prediction.job_seconds);
    }
    Ok(())
}

/// The same of programs, set by set.
#[test]
fn programs_take_no_less_than_the_least_times() -> Result<(), Error> {
    let programs =
        [("x + y", 8), ("max(x, y)", 8), ("x/y", 6), ("x/y; x % y; y/x", 6), ("x*y", 7), ("x < y; 3*x + 1", 12)];
    for (text, width) in sampled(programs, 2) {
        let function = Function::from(Program::parse(text, &[]).map_err(Error::from)?);
        let request = Request { function, space: Space::unsigned(width), target: FailureTarget::Two128 };
        for threads in sampled([16, 1], 2) {
            let load = Load { threads, bytes_per_second: 1e8, ..Load::of(1) };
            let mut compared = 0;
            for name in <<Ckks as engines::Engine>::Params as EngineParams>::program_sets(request.target) {
                let set = Params::named(&name)?;
                let Some(least) = request.least_of(&set, &load, f64::INFINITY) else { continue };
                let quick = request.least_of(&set, &load, 0.0).unwrap_or(0.0);
                assert!(quick <= least, "{text} with {name}: {quick} of {least}");
                // Some of each kind.
                if compared == 3 && set.max_integer_bits().is_none_or(|bits| bits == 0) {
                    continue;
                }
                let Ok(offer) = request.offer_of(set, &load) else { continue };
                let found = offer.prediction.job_seconds;
                assert!(least > 0.0 && least < found, "{text} with {name}: {least} of {found}");
                compared += 1;
            }
            assert!(compared > 0, "{text}");
        }
    }
    Ok(())
}

/// The same of tables of several values.
#[test]
fn tables_of_several_values_take_no_less_than_the_least_times() -> Result<(), Error> {
    for (space, sizes, threads) in [(Space::Modular(16), [4, 4], 16), (Space::unsigned(9), [20, 20], 1)] {
        let entries = sizes.iter().product::<u64>();
        let lut = Lut::modular((0..entries).map(|v| v % 4).collect(), entries)?;
        let function = Function::from(crate::MultivariateLut::new(&sizes, lut)?);
        let request = Request { function, space, target: FailureTarget::Two128 };
        let load = Load { threads, bytes_per_second: 1e8, ..Load::of(1) };
        let sets = <<Ckks as engines::Engine>::Params as EngineParams>::program_sets(request.target);
        let sets = sets.iter().map(|name| Params::named(name)).collect::<Result<Vec<_>, _>>()?;
        let offers = sets.into_iter().filter_map(|set| Some((request.offer_of(set.clone(), &load).ok()?, set)));
        // Some of them: the maps of each take a second.
        for (offer, set) in offers.take(2) {
            let (least, found) = (request.least_of(&set, &load, f64::INFINITY), offer.prediction.job_seconds);
            assert!(
                least.is_some_and(|least| 0.0 < least && least < found),
                "{sizes:?} with {}: {least:?}",
                set.name()
            );
        }
    }
    Ok(())
}

#[test]
fn a_choice_is_the_best_of_all_offers() -> Result<(), Error> {
    for (modulus, values) in [(16, 1), (16, 3000), (257, 1000), (5, 1500), (16, 1 << 20)] {
        let request = Request::table(Lut::unstructured_modulo(modulus));
        let load = Load { threads: 2, ..Load::of(values) };
        let choice = choose(&request, &load)?;
        let seconds = choice.offer.prediction.job_seconds;
        for engine in Engine::ALL {
            let offer = request.offer(engine, &load);
            assert!(offer.is_err() || offer?.prediction.job_seconds >= seconds, "{modulus} {values} {engine}");
        }
        assert_eq!(choice.others.len(), 2);
    }
    Ok(())
}

/// What is measured is handed in: an engine that takes longer than predicted loses, and nothing is measured where
/// it cannot matter.
#[test]
fn a_measurement_corrects_a_choice_where_it_may_matter() -> Result<(), Error> {
    let request = Request::table(Lut::unstructured(4));
    let load = |values| Load { threads: 1, ..Load::of(values) };
    let job = |engine, values| request.offer(engine, &load(values)).map(|offer| offer.prediction.job_seconds);
    // Where both take as long, and a tenth before and behind.
    let [few, more] = [job(Engine::Fhew, 1600)?, job(Engine::Fhew, 3200)?];
    let equal = 1600.0 + 1600.0 * (job(Engine::Ckks, 1)? - few) / (more - few);
    let [few, many] = [0.9, 1.1].map(|part| (part * equal) as usize);
    let found = |values, [fhew, others]: [f64; 2]| -> Result<_, Error> {
        let (asked, load) = (Cell::new(0), load(values));
        let pace = |engine| {
            asked.set(asked.get() + 1);
            if engine == Engine::Fhew { fhew } else { others }
        };
        let choice = corrected(choose(&request, &load)?, &request, &load, &pace)?;
        Ok((choice.offer, choice.others, asked.get()))
    };
    for (values, pace, expected) in [
        (few, [1.0, 1.0], Engine::Fhew),
        (few, [1.5, 1.0], Engine::Ckks),
        (many, [1.0, 1.0], Engine::Ckks),
        (many, [1.0, 1.5], Engine::Fhew),
        (many, [2.0, 2.0], Engine::Ckks),
    ] {
        let (offer, others, _) = found(values, pace)?;
        assert_eq!((offer.params.engine(), others.len()), (expected, 2), "{values} {pace:?}");
        // The prediction is the corrected one.
        let pace = pace[usize::from(expected != Engine::Fhew)];
        let plain = job(expected, values)?;
        assert!((offer.prediction.job_seconds / (pace * plain) - 1.0).abs() < 1e-9);
    }
    // One value takes a moment, and of a million engine fhew takes an hour.
    for values in [1, 1 << 20] {
        assert_eq!(found(values, [9.0, 9.0])?.2, 0, "{values}");
    }
    Ok(())
}

#[test]
fn odd_numbers_of_entries_take_the_fastest_set() -> Result<(), Error> {
    let (target, load) = (FailureTarget::Two128, Load { threads: 1, ..Load::of(MANY) });
    for p in [5, 100] {
        let lut = Lut::unstructured_modulo(p);
        let seconds = |set: &Params| set.predict(&lut, &load).map(|prediction| prediction.cpu_seconds);
        let chosen = seconds(&Params::for_table(Engine::Fhew, &lut, target)?)?;
        for bits in lut.in_bits()..=MAX_BITS {
            let other = seconds(&Params::for_bits(bits)?);
            assert!(other.is_err() || chosen <= LEAST_GAIN * other?, "{p}: {bits} bits");
        }
    }
    Ok(())
}

#[test]
fn where_none_can_the_refusal_is_that_of_its_own_engine() {
    let too_long = Request::table(Lut::unstructured(18));
    let load = Load { memory: Some(50_000_000), ..Load::of(10) };
    assert!(matches!(choose(&too_long, &load), Err(Error::Memory { .. })));
    let request = Request { function: Function::Widen(3), ..Request::table(Lut::unstructured(2)) };
    assert!(matches!(choose(&request, &Load::of(1)), Err(Error::NotWith { .. })));
}

#[test]
fn the_memory_that_a_refusal_names_is_enough_and_the_least() -> Result<(), Error> {
    let program = Program::parse("x*y", &[])?;
    let products = |space| Request { function: (&program).into(), space, ..Request::table(Lut::unstructured(1)) };
    let spaces = [Space::unsigned(8), Space::Modular(16), Space::Modular(257)];
    let tables = [3, 12].map(|bits| Request::table(Lut::unstructured(bits)));
    let requests = spaces.map(products).into_iter().chain(tables);
    sampled(requests, 3).for_each(|request| names_the_least_memory(&request));
    Ok(())
}

/// Of each engine, though its keys refuse before it is planned: following what is named once is enough.
#[test]
fn the_memory_that_a_refusal_of_an_engine_names_is_enough() -> Result<(), Error> {
    let program: Function = (&Program::parse("x*y", &[])?).into();
    let of = |function, space| Request { function, space, ..Request::table(Lut::unstructured(1)) };
    for (engine, request) in [
        (Engine::Fhew, Request::table(Lut::unstructured(3))),
        (Engine::Fhew, of(program.clone(), Space::unsigned(4))),
        (Engine::Ckks, Request::table(Lut::unstructured(4))),
        (Engine::Ckks, of(crate::IntegerOp::Relu.into(), Space::signed(6))),
        (Engine::Bfv, of(program, Space::Modular(257))),
    ] {
        let within = |memory| request.offer(engine, &Load { memory: Some(memory), ..Load::of(1) }).map(drop);
        let Err(Error::Memory { needed, .. }) = within(1_000_000) else { panic!("{:?}", within(1_000_000)) };
        assert!(within(needed).is_ok(), "{engine} {} {needed} {:?}", request.function, within(needed));
    }
    Ok(())
}

/// Checks that the memory which the refusal of a request names is enough, and the least.
fn names_the_least_memory(request: &Request) {
    // On integers where that is all that there is room for.
    let within = |memory| {
        let load = Load { memory: Some(memory), ..Load::of(1) };
        choose(request, &load).map(drop).or_else(|error| match request.faster_on_integers(None, None, &load) {
            Some(_) => Ok(()),
            None => Err(request.refusal_on_integers(error, None, &load)),
        })
    };
    let Err(Error::Memory { needed, .. }) = within(1_000_000) else { panic!("{:?}", within(1_000_000)) };
    assert!(within(needed).is_ok(), "{} {needed} {:?}", request.space, within(needed));
    let less = within(needed - 1);
    assert!(matches!(less, Err(Error::Memory { needed: more, .. }) if more == needed), "{needed} {less:?}");
}

/// Sets of engine ckks for integers keep long ones in limbs, which others have not.
#[test]
fn programs_of_long_integers_are_for_sets_of_integers() -> Result<(), Error> {
    let function = Function::from(Program::parse("relu(x)", &[]).map_err(Error::from)?);
    let request = Request { function, space: Space::signed(17), target: FailureTarget::Two128 };
    let offer = request.offer_of(Params::named("batch_integers")?, &Load::of(1))?;
    assert_eq!(offer.space.limbs(), 2);
    let refused = request.offer_of(Params::named("batch_8bit")?, &Load::of(1));
    assert!(matches!(refused, Err(Error::Width { .. })), "{refused:?}");
    Ok(())
}

/// What is planned is told, part by part, and ends where the one who hears of it wants no more.
#[test]
fn choices_are_watched_and_cancelled() {
    let program = Program::parse("(x + y)*(x - y) < 7", &[]).expect("a program");
    let request = Request { function: (&program).into(), space: Space::signed(8), target: FailureTarget::Two128 };
    let told = Arc::new(Mutex::new(Vec::new()));
    let (cancel, hears) = (Cancel::new(), Arc::clone(&told));
    let tell = move |part| hears.lock().expect("nobody panicked").push(part);
    let load = Load { threads: 1, ..Load::of(1) };
    assert!(watched(&cancel, tell, || request.offer(Engine::Fhew, &load)).is_ok());
    let told = told.lock().expect("nobody panicked").clone();
    assert!(told.len() > 3 && told.iter().all(|part| (0.0..=1.0).contains(part)), "{told:?}");
    assert!(told.windows(2).all(|pair| pair[0] < pair[1] + 1e-9), "{told:?}");
    let ends = cancel.clone();
    let cancelled = watched(&cancel, move |_| ends.cancel(), || request.offer(Engine::Fhew, &load));
    assert!(matches!(cancelled, Err(Error::Cancelled)));
}

/// What a thread of somebody's pool does while a plan waits is no part of that, and not ended with it.
#[test]
fn work_of_others_is_not_cancelled() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let cancel = Cancel::new();
    let plan = || {
        watched(
            &cancel,
            |_| (),
            || {
                cancel.cancel();
                crate::threads::on_threads(1, || ())
            },
        )
    };
    let other = || (planning::wanted().is_ok(), Waiting::here().is_none());
    let (planned, other) = pool.join(plan, other);
    assert!(matches!(planned, Err(Error::Cancelled)));
    assert_eq!(other, (true, true));
}

/// Products of residues take a rotation of engine fhew at least, of residues and of integers.
#[test]
fn products_take_no_less_than_a_rotation() -> Result<(), Error> {
    for (text, bits, values) in sampled([("x*y", 1, 1), ("x*x", 12, 1), ("x*y", 3, 100), ("x*y + 3*x", 8, 10)], 2) {
        let function: Function = Program::parse(text, &[]).map_err(Error::from)?.into();
        let request = Request { function, space: Space::of_bits(bits), target: FailureTarget::Two128 };
        let load = Load { threads: 1, bytes_per_second: 1e8, ..Load::of(values) };
        let least = request.least_seconds(Engine::Fhew, &load, 1e9);
        let own = request.offer(Engine::Fhew, &load).ok();
        let integers = request.faster_on_integers(None, None, &load).map(|(_, offer)| offer);
        for offer in [own, integers].into_iter().flatten() {
            let found = offer.prediction.job_seconds;
            assert!(least > 0.0 && least < found, "{text} of {bits} bits: {least} of {found}");
        }
    }
    for text in ["x + y", "3*x", "(x + 1)*5"] {
        let function: Function = Program::parse(text, &[]).map_err(Error::from)?.into();
        let request = Request { function, space: Space::of_bits(8), target: FailureTarget::Two128 };
        assert_eq!(request.least_seconds(Engine::Fhew, &Load::of(1), 1e9), 0.0);
    }
    Ok(())
}
