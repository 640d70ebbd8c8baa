//! Transforms of degree 16 and 32: plain radix 2, for toy parameters only.

use super::tables::{self, factor};

type Tables = tables::Tables<f64>;

#[inline(always)]
pub(super) fn forward(tables: &Tables, data: &mut [f64]) {
    let p = tables.modulus;
    let mut half = tables.degree;
    for pass in &tables.passes {
        half /= 2;
        for (node, w) in pass.twiddles().iter().enumerate() {
            for j in 2 * half * node..2 * half * node + half {
                let (x, y) = (data[j], p.mul_factor(data[j + half], factor(w)));
                (data[j], data[j + half]) = (p.balance_f64(x + y), p.balance_f64(x - y));
            }
        }
    }
}

#[inline(always)]
pub(super) fn backward(tables: &Tables, data: &mut [f64]) {
    let p = tables.modulus;
    let mut half = 1;
    for pass in tables.passes.iter().rev() {
        for (node, w) in pass.twiddles().iter().rev().enumerate() {
            for j in 2 * half * node..2 * half * node + half {
                let (x, y) = (data[j], data[j + half]);
                (data[j], data[j + half]) = (p.balance_f64(x + y), p.mul_factor(y - x, factor(w)));
            }
        }
        half *= 2;
    }
    for x in data {
        *x = p.mul_factor(*x, factor(&tables.scale[0]));
    }
}
