//! Our negacyclic transform against those of the `tfhe-fft` crate, by turns.
//!
//! A measurement is a forward and a backward transform; the figures are for one of the two, their mean.
use crate::clock::{median, time};
use crate::tables::SplitMix;
use bootes::Isa;
use bootes_ring::fft::Fft;
use bootes_ring::gadget::Gadget;
use bootes_ring::mem::AlignedVec;
use serde_json::{Value, json};
use std::time::Duration;
use tfhe::core_crypto::fft_impl::fft64::math::polynomial::FourierPolynomial;
use tfhe::core_crypto::prelude::{Fft as TfheFft, Polynomial, PolynomialSize};
use tfhe_fft::c64;

/// Ring degree N.
const DEGREE: usize = 2048;
/// Complex points.
const POINTS: usize = DEGREE / 2;
/// Pairs between two fresh inputs: an unnormalised pair multiplies by N/2, so that 64 stay below the largest number.
const PAIRS: usize = 64;

/// Names of the rows.
///
/// "fft-2048-bare" is like for like but for the twist: complex numbers to points and back, in place, in a layout of each one's choice,
/// without conversions and without the factor 1/N. Ours includes the negacyclic twist, which the peer's lacks.
///
/// "fft-2048" compares the same transform of the peer with what ours are called with: integers in another array to
/// points, and back to numbers in a third one, with the factor 1/N.
///
/// "fft-2048-torus" is like for like: both sides convert, twist, and add up torus words. We cut the digits out of the words as well.
pub const NAMES: [&str; 3] = ["fft-2048-bare", "fft-2048", "fft-2048-torus"];

/// How long each candidate plan of the peer is timed to choose among them.
const MEASURE: Duration = Duration::from_millis(20);

/// The ratio to stay below.
const TARGET: f64 = 0.8;

/// One contestant: runs so many pairs.
pub struct Contestant<'a> {
    pub name: &'static str,
    pub ours: bool,
    pub run: Box<dyn FnMut(usize) + 'a>,
}

/// Measures a row: `runs` rounds of every contestant.
pub fn measure(row: &str, runs: usize, quick: bool) -> Result<Value, String> {
    let pairs = if quick { 1000 } else { 4000 };
    match row {
        "fft-2048-bare" => {
            let what =
                "folded numbers to points and back in place, ours with the twist; the peer's bare complex transform";
            compare(row, bare()?, runs, pairs, TARGET, what)
        }
        "fft-2048" => {
            let what =
                "ours: integers to points and back to numbers, with the twist; the peer's bare complex transform";
            compare(row, plain()?, runs, pairs, TARGET, what)
        }
        _ => compare(
            row,
            torus()?,
            runs,
            pairs,
            TARGET,
            "digits of torus words to points, and back, added to torus words",
        ),
    }
}

/// `runs` rounds of every contestant, `pairs` pairs each; the ratio should be at most `target`.
pub fn compare(
    row: &str,
    mut contestants: Vec<Contestant<'_>>,
    runs: usize,
    pairs: usize,
    target: f64,
    what: &str,
) -> Result<Value, String> {
    let mut times = vec![Vec::with_capacity(runs); contestants.len()];
    for round in 0..=runs {
        for (contestant, times) in contestants.iter_mut().zip(&mut times) {
            let ((), spent) = time(|| (contestant.run)(pairs));
            if round > 0 {
                times.push(spent.cpu * 1e3 / (2 * pairs) as f64);
            }
        }
    }
    // Ours is what `new` chooses, the first; the peer's is its best in the same round, of the same instruction set
    // where it can be chosen.
    let isa = bootes::isa().to_string();
    let choice = contestants.iter().any(|c| !c.ours && c.name.contains(&isa));
    let rivals = |c: &Contestant<'_>| !c.ours && (!choice || c.name.contains(&isa));
    let best_peer: Vec<f64> = (0..runs)
        .map(|i| {
            contestants.iter().zip(&times).filter(|(c, _)| rivals(c)).map(|(_, t)| t[i]).fold(f64::INFINITY, f64::min)
        })
        .collect();
    let ratios: Vec<f64> = times[0].iter().zip(&best_peer).map(|(ours, peer)| ours / peer).collect();
    let all: serde_json::Map<String, Value> = contestants
        .iter()
        .zip(&times)
        .map(|(c, t)| (c.name.to_string(), json!(median(t.iter().copied()) * 1e3)))
        .collect();
    Ok(json!({
        "row": row,
        "what": what,
        "ours_ms": median(times[0].iter().copied()),
        "peer_ms": median(best_peer.iter().copied()),
        "ratio": median(ratios.iter().copied()),
        "ratio_min": ratios.iter().copied().fold(f64::INFINITY, f64::min),
        "ratio_max": ratios.iter().copied().fold(0.0, f64::max),
        "us": all,
        "runs": runs,
        "target_ratio": target,
        "meets_target": median(ratios.iter().copied()) <= target,
        "correct": true,
        "isa": bootes::isa().to_string(),
    }))
}

fn input() -> Vec<i64> {
    let mut random = SplitMix(1);
    (0..DEGREE).map(|_| random.below(1 << 20) as i64 - (1 << 19)).collect()
}

fn error(e: impl std::fmt::Display) -> String {
    e.to_string()
}

fn bare() -> Result<Vec<Contestant<'static>>, String> {
    let mut all = ours(ours_bare)?;
    all.extend(peer_bare()?);
    Ok(all)
}

fn plain() -> Result<Vec<Contestant<'static>>, String> {
    let mut all = ours(ours_plain)?;
    all.extend(peer_bare()?);
    Ok(all)
}

type New = fn(&'static str, Fft) -> Result<Contestant<'static>, String>;

/// Ours: what `Fft::new` chooses, and then each instruction set.
fn ours(new: New) -> Result<Vec<Contestant<'static>>, String> {
    let mut all = vec![new("ours", Fft::new(DEGREE).map_err(error)?)?];
    for (name, isa) in [("ours avx512", Isa::Avx512), ("ours avx2", Isa::Avx2)] {
        if isa.is_available() {
            all.push(new(name, Fft::with_isa(DEGREE, isa).map_err(error)?)?);
        }
    }
    Ok(all)
}

/// The peer's bare complex transforms.
fn peer_bare() -> Result<Vec<Contestant<'static>>, String> {
    let mut all = Vec::new();
    macro_rules! peer {
        ($name:literal, $plan:expr, $buffer:expr, $stack:path) => {{
            let plan = $plan;
            let mut scratch = $buffer(plan.fft_scratch());
            let source: Vec<c64> = input().chunks(2).map(|x| c64::new(x[0] as f64, x[1] as f64)).collect();
            let mut data: aligned_vec::AVec<c64> = aligned_vec::AVec::from_slice(64, &source);
            plan.fwd(&mut data, $stack(&mut scratch));
            plan.inv(&mut data, $stack(&mut scratch));
            if data.iter().zip(&source).any(|(x, y)| (x / POINTS as f64 - y).norm() > 1e-6) {
                return Err(concat!("the transform ", $name, " is not its own inverse").into());
            }
            all.push(Contestant {
                name: $name,
                ours: false,
                run: Box::new(move |pairs| {
                    for i in 0..pairs {
                        if i % PAIRS == 0 {
                            data.copy_from_slice(&source);
                        }
                        plan.fwd(&mut data, $stack(&mut scratch));
                        plan.inv(&mut data, $stack(&mut scratch));
                    }
                    std::hint::black_box(&mut data);
                }),
            });
        }};
    }
    use dyn_stack::{PodBuffer, PodStack};
    use dyn_stack_avx2::{GlobalPodBuffer, PodStack as PodStackAvx2};
    let new = |size| PodBuffer::try_new(size).expect("a few kilobytes");
    let old = |size: Result<dyn_stack_avx2::StackReq, _>| GlobalPodBuffer::new(size.expect("a small size"));
    {
        use tfhe_fft::{ordered, unordered};
        peer!(
            "tfhe-fft avx512 unordered",
            unordered::Plan::new(POINTS, unordered::Method::Measure(MEASURE)),
            new,
            PodStack::new
        );
        peer!(
            "tfhe-fft avx512 ordered",
            ordered::Plan::new(POINTS, ordered::Method::Measure(MEASURE)),
            new,
            PodStack::new
        );
    }
    {
        use tfhe_fft_avx2::{ordered, unordered};
        peer!(
            "tfhe-fft avx2 unordered",
            unordered::Plan::new(POINTS, unordered::Method::Measure(MEASURE)),
            old,
            PodStackAvx2::new
        );
        peer!(
            "tfhe-fft avx2 ordered",
            ordered::Plan::new(POINTS, ordered::Method::Measure(MEASURE)),
            old,
            PodStackAvx2::new
        );
    }
    Ok(all)
}

fn ours_bare(name: &'static str, fft: Fft) -> Result<Contestant<'static>, String> {
    let source: Vec<f64> = input().iter().map(|&x| x as f64).collect();
    let mut data = AlignedVec::<f64>::from_slice(&source);
    fft.forward_in_place(&mut data);
    fft.backward_in_place(&mut data);
    if data.iter().zip(&source).any(|(x, y)| (x / POINTS as f64 - y).abs() > 1e-6) {
        return Err(format!("the transform {name} is not its own inverse"));
    }
    Ok(Contestant {
        name,
        ours: true,
        run: Box::new(move |pairs| {
            for i in 0..pairs {
                if i % PAIRS == 0 {
                    data.copy_from_slice(&source);
                }
                fft.forward_in_place(&mut data);
                fft.backward_in_place(&mut data);
            }
            std::hint::black_box(&mut data);
        }),
    })
}

fn ours_plain(name: &'static str, fft: Fft) -> Result<Contestant<'static>, String> {
    let source = input();
    let mut freq = AlignedVec::<f64>::new(DEGREE);
    let mut out = AlignedVec::<f64>::new(DEGREE);
    fft.forward_integer(&mut freq, &source);
    fft.backward_f64(&mut out, &mut freq);
    if out.iter().zip(&source).any(|(x, &y)| (x - y as f64).abs() > 1e-6) {
        return Err(format!("the transform {name} is not its own inverse"));
    }
    Ok(Contestant {
        name,
        ours: true,
        run: Box::new(move |pairs| {
            for _ in 0..pairs {
                fft.forward_integer(&mut freq, &source);
                fft.backward_f64(&mut out, &mut freq);
            }
            std::hint::black_box(&mut out);
        }),
    })
}

/// What blind rotation does: torus words in, torus words out. The peer's words are digits already.
fn torus() -> Result<Vec<Contestant<'static>>, String> {
    let gadget = Gadget::try_new(22, 1).map_err(error)?;
    let words: Vec<u64> = input().iter().map(|&x| (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut all = Vec::new();
    let mut candidates = vec![("ours", Fft::new(DEGREE))];
    for (name, isa) in [("ours avx512", Isa::Avx512), ("ours avx2", Isa::Avx2)] {
        if isa.is_available() {
            candidates.push((name, Fft::with_isa(DEGREE, isa)));
        }
    }
    for (name, fft) in candidates {
        let (fft, words) = (fft.map_err(error)?, words.clone());
        let (mut freq, mut acc) = (AlignedVec::<f64>::new(DEGREE), AlignedVec::<u64>::new(DEGREE));
        all.push(Contestant {
            name,
            ours: true,
            run: Box::new(move |pairs| {
                for _ in 0..pairs {
                    fft.forward_digit(&mut freq, &words, gadget, 1);
                    fft.backward_add_torus(&mut acc, &mut freq);
                }
                std::hint::black_box(&mut acc);
            }),
        });
    }
    let fft = TfheFft::new(PolynomialSize(DEGREE));
    let digits: Vec<u64> = words.iter().map(|&x| gadget.digit(x, 1) as u64).collect();
    let mut fourier = FourierPolynomial::new(PolynomialSize(DEGREE));
    let mut acc: aligned_vec::AVec<u64> = aligned_vec::AVec::from_slice(64, &digits);
    let view = fft.as_view();
    let mut scratch =
        dyn_stack::PodBuffer::try_new(view.forward_scratch().or(view.backward_scratch())).map_err(|_| "no memory")?;
    all.push(Contestant {
        name: "tfhe avx512",
        ours: false,
        run: Box::new(move |pairs| {
            let view = fft.as_view();
            for _ in 0..pairs {
                let stack = dyn_stack::PodStack::new(&mut scratch);
                view.forward_as_integer(fourier.as_mut_view(), Polynomial::from_container(&digits[..]), stack);
                view.add_backward_in_place_as_torus(
                    Polynomial::from_container(&mut acc[..]),
                    fourier.as_mut_view(),
                    stack,
                );
            }
            std::hint::black_box(&mut acc);
        }),
    });
    Ok(all)
}
