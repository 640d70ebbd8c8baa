//! Errors of interpolations by errors of their point: bounds, not leading terms.
//!
//! Near entry m, F(t) = Σ_j c_j·exp(2πi·j(m + t)/p) is what T = Re F is of a point that is off by an angle of t/p
//! turns. A radius 1 + ρ is a complex t: Re F(t − i·pρ/2π) = T + ρ·(p/2π)·Im F'(t) + …. So the error of an entry is
//! A(t) + B(t)·ρ, with
//! * A(t) = Re F(t) − f(m), which vanishes like t^(order + 1);
//! * B(t) = (p/2π)·Im F'(t), and half of |F''| times (pρ/2π)² at most, which is added to it.
//!
//! Both are Taylor series of t whose remainder is bounded by Σ|c_j|·(2πj/p)^k/k!. The largest values for |t| ≤ D are
//! taken at points of a geometric grid; between two of them, h apart, a function is off the line through them by
//! h²/8 times its second derivative, which is bounded by the absolute values of the series' terms. So a table whose
//! leading derivative vanishes at every entry has the error that it has.
//!
//! **Any table** onto values of a range w: A and B are Σ_d f(m + d)·K_d(t) with Σ_d K_d = 0, the dual norm of which is
//! w/2·Σ_d|K_d(t)|, and K_d is that of the table (1, 0, …, 0) at entry −d. Some table reaches it, at each t.
use core::f64::consts::TAU;

use super::Interpolation;

/// Points of the grid from D to D/2.
const HALVING: i32 = 8;

/// Points from D to what counts as 0, where the grid begins.
const STEPS: i32 = 4 * HALVING;

/// The remainder of the series, as a part of half the distance of messages, for |t| ≤ 1/2.
const REMAINDER: f64 = 1e-9;

/// The most that errors of an angle up to some distance do to a result, in units of half the distance of messages,
/// which are 1 apart: |A|, and |B|, the factor of ρ.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Reach {
    pub(super) angle: f64,
    pub(super) slope: f64,
}

/// How entries count together.
#[derive(Debug, Clone, Copy)]
enum Combine {
    /// The worst of a table.
    Largest,
    /// The worst table of this range of values, of which the entries are the kernel's.
    Dual { range: f64 },
}

impl Combine {
    fn of(self, values: impl Iterator<Item = f64>) -> f64 {
        match self {
            Self::Largest => values.fold(0.0, |most, x| most.max(x.abs())),
            Self::Dual { range } => 0.5 * range * values.map(f64::abs).sum::<f64>(),
        }
    }

    /// The larger, of sums or of differences.
    fn of_either(self, pairs: impl Iterator<Item = [f64; 2]>) -> f64 {
        match self {
            Self::Largest => self.of(pairs.map(|[a, b]| a.abs() + b.abs())),
            Self::Dual { range } => {
                let [sum, difference] =
                    pairs.fold([0.0; 2], |[sum, difference], [a, b]| [sum + (a + b).abs(), difference + (a - b).abs()]);
                0.5 * range * sum.max(difference)
            }
        }
    }
}

/// The series of A and B at entries.
#[derive(Debug, Clone)]
pub(super) struct Response {
    /// Coefficients of t^0, t^1, …, of one entry after the other.
    angle: Vec<f64>,
    slope: Vec<f64>,
    /// An even number.
    terms: usize,
    combine: Combine,
    /// Sums of absolute values of coefficients; the last one of `largest_angle` has what follows it as well.
    largest_angle: Vec<f64>,
    largest_slope: Vec<f64>,
    /// The same sums of F.
    largest: Vec<f64>,
    /// The rest is at most this times t^(terms − 1).
    rest: f64,
    /// p/2π.
    turn: f64,
    degree: f64,
}

impl Response {
    /// The response of a table of values 1 apart.
    pub(super) fn new(table: &Interpolation) -> Self {
        Self::with(table, Combine::Largest)
    }

    /// The response of any table of values within this range, by that of the table (1, 0, …, 0), up to its sign.
    pub(super) fn any(delta: &Interpolation, range: f64) -> Self {
        Self::with(delta, Combine::Dual { range })
    }

    fn with(table: &Interpolation, combine: Combine) -> Self {
        let (p, order) = (table.entries(), table.order() as usize);
        let turn = p as f64 / TAU;
        // Half of Σ|c_j|·(2πj/p)^k/k! is what is left from term k on, once terms are halves of those before.
        let degree = (table.coefficients().len() - 1) as f64;
        let half = 0.5 * degree / turn;
        let size = 4.0 * combine.of(std::iter::repeat_n(table.norm_1(), p));
        let (mut last, mut left) = (0, size);
        while left > REMAINDER || half > 0.5 * last as f64 || last % 2 == 0 {
            last += 1;
            left *= half / last as f64;
        }
        let terms = last + 1;
        let (mut angle, mut slope) = (vec![0.0; p * terms], vec![0.0; p * terms]);
        let mut largest = Vec::with_capacity(terms);
        for k in 0..terms {
            // Units are half as large as steps of the table.
            let of: Vec<_> = table.taylor(k as u32).into_iter().map(|x| 2.0 * x).collect();
            largest.push(combine.of(of.iter().map(|x| x.norm())));
            for (m, x) in of.iter().enumerate() {
                if k > order {
                    angle[m * terms + k] = x.re;
                }
                if k > 0 {
                    slope[m * terms + k - 1] = turn * k as f64 * x.im;
                }
            }
        }
        let sum = |all: &[f64]| (0..terms).map(|k| combine.of(all.iter().skip(k).step_by(terms).copied())).collect();
        let (mut largest_angle, mut largest_slope): (Vec<f64>, Vec<f64>) = (sum(&angle), sum(&slope));
        // What follows is at most left·(2t)^last, which is more than it in every derivative that is taken.
        let rest = left * (last as f64).exp2();
        largest_angle[last] += rest;
        largest_slope[last - 1] += turn * last as f64 * rest;
        largest[last] += rest;
        Self { angle, slope, terms, combine, largest_angle, largest_slope, largest, rest, turn, degree }
    }

    /// The same of one entry.
    pub(super) fn at(&self, entry: usize) -> Self {
        let own = entry * self.terms..(entry + 1) * self.terms;
        let (angle, slope) = (self.angle[own.clone()].to_vec(), self.slope[own].to_vec());
        Self { angle, slope, combine: Combine::Largest, ..self.clone() }
    }

    /// The degree of F.
    pub(super) fn degree(&self) -> f64 {
        self.degree
    }

    /// For |t| ≤ `distance` ≤ 1/2 and |pρ| ≤ `radius`.
    pub(super) fn reach(&self, distance: f64, radius: f64) -> Reach {
        self.reaches(distance, STEPS, radius)[0]
    }

    /// For |t| ≤ `distance`·2^(−i/8), 0 ≤ i ≤ `steps`, and |pρ| ≤ `radius`.
    pub(super) fn reaches(&self, distance: f64, steps: i32, radius: f64) -> Vec<Reach> {
        let node = |i: i32| distance * (-f64::from(i) / f64::from(HALVING)).exp2();
        // At t and at −t.
        let at = |series: &[f64], t: f64| {
            self.combine.of_either(series.chunks_exact(self.terms).map(|entry| even_and_odd(entry, t)))
        };
        let last = self.terms as i32 - 1;
        let shift = radius / TAU;
        let mut inner = (0.0, Reach { angle: 0.0, slope: at(&self.slope, 0.0) });
        let mut most = inner.1;
        let mut reaches: Vec<Reach> = (0..=steps + STEPS)
            .rev()
            .map(|i| {
                let t = node(i);
                let left = self.rest * t.powi(last - 1);
                let outer = Reach {
                    angle: at(&self.angle, t) + t * left,
                    slope: at(&self.slope, t) + self.turn * f64::from(last) * left,
                };
                let between = |series: &[f64]| (t - inner.0).powi(2) / 8.0 * second_derivative(series, t);
                most.angle = most.angle.max(outer.angle.max(inner.1.angle) + between(&self.largest_angle));
                most.slope = most.slope.max(outer.slope.max(inner.1.slope) + between(&self.largest_slope));
                inner = (t, outer);
                // (pρ/2π)²/2·|F''|, divided by ρ.
                let complex = 0.5 * self.turn * shift * second_derivative(&self.largest, t + shift);
                Reach { slope: most.slope + complex, ..most }
            })
            .collect();
        reaches.reverse();
        reaches.truncate(steps as usize + 1);
        reaches
    }
}

/// Σ_k c_k·t^k over even k, and over odd ones, of an even number of coefficients.
fn even_and_odd(coefficients: &[f64], t: f64) -> [f64; 2] {
    let (pairs, square) = (coefficients.as_chunks::<2>().0, t * t);
    let [even, odd] = pairs.iter().rev().fold([0.0; 2], |[even, odd], [a, b]| [even * square + a, odd * square + b]);
    [even, odd * t]
}

/// Σ_k k(k − 1)·c_k·t^(k − 2).
fn second_derivative(coefficients: &[f64], t: f64) -> f64 {
    let terms = coefficients.iter().enumerate().skip(2).rev();
    terms.fold(0.0, |sum, (k, c)| sum * t + (k * (k - 1)) as f64 * c)
}

#[cfg(test)]
mod tests {
    use bootes_testkit::TestRng;
    use num_complex::Complex64;

    use super::*;
    use crate::LutError;

    /// |A| at an offset of t/p turns, and what a radius e^ρ changes divided by ρ, from the polynomial itself.
    fn errors(table: &Interpolation, f: &[f64], m: usize, t: f64, rho: f64) -> [f64; 2] {
        let p = f.len() as f64;
        let at = |rho: f64| table.eval(Complex64::from_polar(rho.exp(), TAU * (m as f64 + t) / p));
        [2.0 * (at(0.0) - f[m]).abs(), 2.0 * ((at(rho) - at(0.0)) / rho).abs()]
    }

    /// Tables that somebody chose: the leading term vanishes, or the next ones are as large as there are.
    fn chosen(p: usize, order: u32) -> Vec<Vec<f64>> {
        let delta = |m: usize| if m == 0 { 1.0 } else { 0.0 };
        let kernel = Interpolation::new(&(0..p).map(delta).collect::<Vec<_>>(), order).unwrap();
        let mut rng = TestRng::new("chosen tables", p as u64);
        let mut tables: Vec<Vec<f64>> = vec![
            (0..p).map(delta).collect(),
            (0..p).map(|m| (m % 2) as f64).collect(),
            (0..p).map(|m| m as f64 / p as f64).collect(),
            (0..p).map(|m| f64::from(2 * m < p)).collect(),
            (0..p).map(|m| 0.5 * (TAU * m as f64 / p as f64).cos()).collect(),
            (0..p).map(|_| rng.unit_f64()).collect(),
        ];
        // Signs of the kernel of each derivative, which no table of these sizes exceeds, and of the error far off.
        for n in order + 1..order + 5 {
            for of in [|x: Complex64| x.re, |x: Complex64| x.im] {
                tables.push(kernel.taylor(n).into_iter().rev().map(|x| f64::from(of(x) > 0.0)).collect());
            }
        }
        for t in [0.1, 0.3] {
            let at = |d: usize| kernel.eval(Complex64::cis(TAU * (t - d as f64) / p as f64));
            tables.push((0..p).map(|d| f64::from(at(d) > 0.0)).collect());
        }
        tables
    }

    #[test]
    fn no_chosen_table_exceeds_its_bound_or_stays_far_below() -> Result<(), LutError> {
        for p in [2, 3, 5, 16, 37, 64] {
            for order in 1..=3 {
                for f in chosen(p, order) {
                    let table = Interpolation::new(&f, order)?;
                    let response = Response::new(&table);
                    for (distance, radius) in [(0.005, 1e-4), (0.05, 0.01), (0.2, 0.002), (0.5, 0.1)] {
                        let reach = response.reach(distance, radius);
                        let mut most = [0.0f64; 2];
                        for m in 0..p {
                            for i in -64..=64_i32 {
                                let t = distance * f64::from(i) / 64.0;
                                let found =
                                    errors(&table, &f, m, t, radius / p as f64 * if i % 2 == 0 { 1.0 } else { -1.0 });
                                most = [most[0].max(found[0]), most[1].max(found[1])];
                            }
                        }
                        assert!(most[0] <= reach.angle + 1e-9, "{p} {order} {distance}: {} {reach:?} {f:?}", most[0]);
                        assert!(
                            distance == 0.5 || reach.angle <= 1.12 * most[0] + 2e-9,
                            "{p} {order} {distance}: {} {reach:?} {f:?}",
                            most[0]
                        );
                        // Differences are of a part in 10^6.
                        let slope = 1.0 + 1e-4;
                        assert!(
                            most[1] <= slope * reach.slope + 1e-4,
                            "{p} {order} {distance}: {} {reach:?} {f:?}",
                            most[1]
                        );
                        let near = distance <= 0.2 && radius <= 0.01;
                        assert!(
                            !near || reach.slope <= 1.2 * most[1] + 0.05,
                            "{p} {order} {distance}: {} {reach:?} {f:?}",
                            most[1]
                        );
                    }
                }
            }
        }
        Ok(())
    }

    #[test]
    fn no_table_exceeds_the_dual_norm_and_some_reaches_it() -> Result<(), LutError> {
        for p in [2, 3, 16, 64, 256] {
            for order in 1..=3 {
                let mut delta = vec![0.0; p];
                delta[0] = 1.0;
                let any = Response::any(&Interpolation::new(&delta, order)?, 1.0);
                for distance in [0.01, 0.1, 0.4] {
                    let (most, mut found) = (any.reach(distance, 0.0), Reach::default());
                    let at = |d: usize| (distance - d as f64) / p as f64;
                    let kernel = Interpolation::new(&delta, order)?;
                    let worst = (0..p).map(|d| {
                        let x = kernel.eval(Complex64::cis(TAU * at(d)));
                        f64::from(if d == 0 { x > 1.0 } else { x > 0.0 })
                    });
                    for f in chosen(p, order).into_iter().chain([worst.collect()]) {
                        let reach = Response::new(&Interpolation::new(&f, order)?).reach(distance, 0.0);
                        assert!(reach.angle <= most.angle + 1e-8, "{p} {order} {distance}: {reach:?} {most:?}");
                        assert!(reach.slope <= most.slope + 1e-6, "{p} {order} {distance}: {reach:?} {most:?}");
                        found = Reach { angle: found.angle.max(reach.angle), slope: found.slope.max(reach.slope) };
                    }
                    assert!(found.angle >= 0.85 * most.angle, "{p} {order} {distance}: {found:?} {most:?}");
                    assert!(found.slope >= 0.6 * most.slope, "{p} {order} {distance}: {found:?} {most:?}");
                }
            }
        }
        Ok(())
    }
}
