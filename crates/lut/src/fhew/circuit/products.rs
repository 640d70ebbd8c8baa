//! Noise that is no normal variable: that of trees of CMUXes, errors of selectors times digits.
use super::Register;
use bootes_lattice::noise::failure::{log2_failure_of_products, sigmas_for};
use std::collections::BTreeSet;

/// Σ e_i·x_i of normal variables, e_i the errors of selectors.
#[derive(Clone, Debug)]
pub(super) struct Product {
    /// What the rotations turned by that made the selectors: two with some in common are not independent.
    pub(super) selectors: BTreeSet<Register>,
    pub(super) variance: f64,
    /// How many products.
    pub(super) count: f64,
}

/// Independent sums of products.
#[derive(Clone, Debug, Default)]
pub(super) struct Products(Vec<Product>);

impl Products {
    /// Each with a variance that is `factor` times as large.
    pub(super) fn times(&self, factor: f64) -> Vec<Product> {
        let times = |product: &Product| Product { variance: factor * product.variance, ..product.clone() };
        self.0.iter().map(times).collect()
    }

    /// Adds one, and says how much more than the sum of variances it is: those with selectors in common, as results of
    /// one tree are, come from neighbours in a product with the key, and are taken as one and the same.
    pub(super) fn add(&mut self, mut product: Product) -> f64 {
        let before = self.variance() + product.variance;
        let (related, others): (Vec<_>, Vec<_>) =
            self.0.drain(..).partition(|other| !other.selectors.is_disjoint(&product.selectors));
        for other in related {
            product.variance = (product.variance.sqrt() + other.variance.sqrt()).powi(2);
            product.count = product.count.min(other.count);
            product.selectors.extend(other.selectors);
        }
        self.0 = others;
        self.0.push(product);
        self.variance() - before
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn variance(&self) -> f64 {
        self.0.iter().map(|product| product.variance).sum()
    }

    /// The variance of a normal variable that is beyond `half_window` as rarely as noise of this variance, of which
    /// these times `factor` are a part.
    pub(super) fn normal_at(&self, half_window: f64, variance: f64, factor: f64) -> f64 {
        if self.0.is_empty() {
            return variance;
        }
        let log2_p = self.log2_failure(half_window, variance, factor);
        variance.max((half_window / sigmas_for(log2_p)).powi(2))
    }

    /// The same where noise of this variance is beyond with probability 2^`log2_p`.
    pub(super) fn normal_where(&self, log2_p: f64, variance: f64) -> f64 {
        if self.0.is_empty() || variance == 0.0 {
            return variance;
        }
        let sigmas = sigmas_for(log2_p);
        // In standard deviations, by bisection: no part is as heavy as a single product.
        let (mut low, mut high) = (sigmas, sigmas * sigmas);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            match self.log2_failure(middle * variance.sqrt(), variance, 1.0) > log2_p {
                true => low = middle,
                false => high = middle,
            }
        }
        variance * (high / sigmas).powi(2)
    }

    /// log2 of a bound on the probability that noise of this variance, of which these times `factor` are a part, is
    /// beyond `half_window`.
    ///
    /// Of sums of k_i products whose variances are w_i each, the bound is that of V/max w_i of them, V all of their
    /// variance: −k/2·ln(1 − λ²·v/2k) is v times a function that grows with v/k.
    fn log2_failure(&self, half_window: f64, variance: f64, factor: f64) -> f64 {
        let all = self.variance();
        let largest = self.0.iter().map(|product| product.variance / product.count).fold(0.0, f64::max);
        let count = (all / largest).max(1.0) as usize;
        log2_failure_of_products(half_window, variance - factor * all, factor * all, count)
    }
}
