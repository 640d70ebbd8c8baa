//! The pace of this machine: how many times as long as by the calibration in use the work of a world takes here, by a
//! measurement.
//!
//! What is measured is work of the engines themselves, whose amounts are those of the cost model: blind rotations by a
//! part of a rotation key; a key of four primes and rotations by it. The processor's time is taken, so that others who
//! use the machine do not count, but for the caches and the memory that they share.
use bootes_lattice::ggsw::SeededGgswList;
use bootes_lattice::noise::formula::rotation_keys;
use bootes_lattice::rns::{MaskStorage, RnsCiphertext};
use bootes_lattice::secret::{GlweSecretKey, LweSecretKey};
use bootes_ring::fft::Fft;
use bootes_ring::mem::{AlignedVec, ScratchBuffer};
use bootes_ring::primes;
use bootes_ring::sample::{KeyDistribution, SecretSeed};
use bootes_schemes::cancel::Cancel;
use bootes_schemes::cost::{Calibration, Residues, Torus};
use bootes_schemes::fhew::blind_rotate::{BlindRotation, RotationKey, rotation_messages};
use bootes_schemes::fhew::{FhewParams, cost};
use bootes_schemes::rlwe::{GaloisAction, GaloisGroup, KeyRequest, RlweCost, RlweLiteral, RlweParams, RlweSecretKeys};
use std::sync::OnceLock;
use std::time::Instant;

/// A world of arithmetic, which calibrations have units of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum World {
    /// Engine fhew.
    Torus,
    /// Engines ckks and bfv.
    Residues,
}

/// Seconds that a measurement of one world takes at most: where it is predicted to take longer, or its beginning does,
/// since others use the machine, there is none.
const MOST: f64 = 0.025;

/// Paces are within this factor of the calibration: what is beyond is a disturbance.
const WIDEST: f64 = 4.0;

impl World {
    /// How many times as long as by the calibration in use its work takes, measured once by a process, in 50 ms at most
    /// for both worlds. 1 where one of them could not be measured.
    pub(crate) fn pace(self) -> f64 {
        static PACES: OnceLock<[f64; 2]> = OnceLock::new();
        let paces = PACES.get_or_init(|| {
            let found = crate::threads::on_threads(1, || Some([torus()?, residues()?]));
            found.ok().flatten().map_or([1.0; 2], |paces| paces.map(|pace| pace.clamp(1.0 / WIDEST, WIDEST)))
        });
        paces[self as usize]
    }
}

/// A measurement that does not take too long.
struct Measurement {
    start: Instant,
    /// The predicted seconds of a run.
    predicted: f64,
}

impl Measurement {
    /// Begins, if its runs may be measured.
    fn begin(predicted: f64) -> Option<Self> {
        ((RUNS as f64) * predicted <= MOST).then(|| Self { start: Instant::now(), predicted })
    }

    /// Goes on, if there is time.
    fn go_on(&self) -> Option<()> {
        (self.start.elapsed().as_secs_f64() <= MOST).then_some(())
    }

    /// How many times as long as predicted a run takes: the least of some, as far as there is time. The first one
    /// touches new memory.
    fn pace(self, mut run: impl FnMut() -> Option<f64>) -> Option<f64> {
        let timed = (0..RUNS).map_while(|i| if i == 0 { run() } else { self.go_on().and_then(|()| run()) });
        let least = timed.fold(f64::INFINITY, f64::min);
        least.is_finite().then_some(least / self.predicted)
    }
}

/// Runs of each measurement.
const RUNS: usize = 3;

/// The set, coefficients of its key, and values of the rotations.
const SET: &str = "fhew_5bit_2m128";
const COEFFICIENTS: usize = 48;
const VALUES: usize = 16;

fn torus() -> Option<f64> {
    let params = FhewParams::by_name(SET).ok()?;
    let (shape, distribution) = (params.shape(), params.lwe_distribution());
    let part = COEFFICIENTS as f64 / params.lwe_dimension() as f64;
    let work: Torus = cost::blind_rotations(&params, shape, &[1], VALUES) * (VALUES as f64 * part);
    let measurement = Measurement::begin(Calibration::current().seconds(work))?;
    let root = SecretSeed::from_bytes(&[1; 32]);
    let lwe = LweSecretKey::generate(&root.fork(1), COEFFICIENTS, distribution);
    let glwe = GlweSecretKey::generate(&root.fork(2), shape.rank, shape.degree, params.glwe_distribution());
    let fft = Fft::new(shape.degree).ok()?;
    let messages = rotation_messages(lwe.expose_coefficients(), distribution);
    debug_assert_eq!(messages.len(), rotation_keys(distribution, COEFFICIENTS));
    let (gadget, std, mask) = (params.bootstrap_gadget(), params.glwe_std(), root.fork_mask(3));
    let seeded = SeededGgswList::encrypt(&glwe, &fft, gadget, &messages, std, mask, &root.fork(4));
    let limbs = params.limbs::<u64>(shape);
    let key: RotationKey = RotationKey::prepare(&seeded, limbs, fft, distribution, COEFFICIENTS).ok()?;
    let masks: Vec<u32> = (0..VALUES * COEFFICIENTS).map(|i| (i * 777 % (2 * shape.degree)) as u32).collect();
    let words = key.accumulator_words(1);
    let mut accumulators = AlignedVec::<u64>::new(VALUES * words);
    let mut scratch = ScratchBuffer::new(key.rotate_scratch_bytes(1));
    let mut run = || {
        let parts = masks.chunks_exact(COEFFICIENTS).zip(accumulators.chunks_exact_mut(words));
        let rotation = |(mask, accumulator)| BlindRotation { extension: 1, mask, accumulator };
        key.rotate(&mut parts.map(rotation).collect::<Vec<_>>(), &Cancel::new(), scratch.scratch());
    };
    measurement.go_on()?;
    measurement.pace(|| seconds(&mut run))
}

/// The ring, primes of the chain and of key switching, and rotations of a key.
const LOG2_DEGREE: u32 = 14;
const CHAIN: usize = 4;
const SPECIAL: usize = 2;
const ROTATIONS: usize = 2;

fn residues() -> Option<f64> {
    let degree = 1 << LOG2_DEGREE;
    let mut primes = primes::below(1 << 46, degree);
    let mut take = |count| primes.by_ref().take(count).collect::<Vec<_>>();
    let literal = RlweLiteral {
        log2_degree: LOG2_DEGREE,
        chain: take(CHAIN),
        special: take(SPECIAL),
        auxiliary: Vec::new(),
        digit_primes: SPECIAL,
        key: KeyDistribution::SparseTernary { weight: 192 },
        sparse: None,
        galois: GaloisGroup::complex(degree),
        error_factor: 1,
    };
    let params: RlweParams = literal.try_build().ok()?;
    let (level, action, masks) = (params.max_level(), GaloisAction::rotation(1), MaskStorage::Expanded);
    let mut request = KeyRequest::default();
    request.action(action, level);
    let cost = RlweCost::new(&params, masks);
    let work: Residues = cost.keys(&request) + cost.rotation(level) * ROTATIONS as f64;
    let measurement = Measurement::begin(Calibration::current().seconds(work))?;
    let root = SecretSeed::from_bytes(&[2; 32]);
    let secret = RlweSecretKeys::derive(&params, &[0; 16], &root, |_| true);
    let zero = RnsCiphertext::trivial(params.ring(), params.ring().zero(params.limbs(level)));
    measurement.go_on()?;
    let run = || {
        let key = secret.evaluation_key(&params, &request, masks, &root, |_, _| ());
        let key = key.galois(action, level).expect("it was asked for");
        (0..ROTATIONS).fold(zero.clone(), |x, _| key.apply(params.ring(), params.gadget(), &x));
    };
    measurement.pace(|| seconds(&run))
}

/// Seconds of this thread that some work takes.
#[cfg(target_os = "linux")]
fn seconds(mut work: impl FnMut()) -> Option<f64> {
    use rustix::time::{ClockId, clock_gettime};
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    };
    let start = now();
    work();
    Some(now() - start)
}

/// Where no thread's time is known, nothing is measured.
#[cfg(not(target_os = "linux"))]
fn seconds(_: impl FnMut()) -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_pace_is_measured_once_and_bounded() {
        for world in [World::Torus, World::Residues] {
            let pace = world.pace();
            assert!((1.0 / WIDEST..=WIDEST).contains(&pace), "{world:?}: {pace}");
            assert_eq!(world.pace(), pace);
        }
        // The least of all runs, handed in; nothing where runs are predicted to take too long.
        let mut times = [3e-3, 2e-3, 1e-3].into_iter();
        let measurement = Measurement { start: Instant::now() + Duration::from_secs(60), predicted: 2e-3 };
        assert_eq!(measurement.pace(|| times.next()), Some(0.5));
        assert!(Measurement::begin(MOST).is_none());
    }
}
