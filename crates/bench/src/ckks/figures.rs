//! `ckks-figure2`, `ckks-figure3`: the series of Figures 2 and 3 of the paper on larger tables with CKKS. The paper
//! draws them without numbers; what its tables say of the same stands beside.
use bootes_lut::papers::multiplexer::{Cleaning, kronecker_product};
use bootes_schemes::polyeval::{ArithmeticCircuit, Gate};

use super::count;
use super::tree::{Method, QUICK_BITS, digits, measure};
use crate::paper::{CkksPaper, CkksTree};
use crate::row::{Column, Row};
use crate::{Bench, BenchError, Engine, Options, Sink};

/// Bits of digits: of BMT, and of CMT.
const DIGIT_BITS: std::ops::RangeInclusive<u32> = 1..=6;
/// Bits of tables.
const BITS: std::ops::RangeInclusive<u32> = 8..=20;

pub(crate) const FIGURE2: Bench = Bench {
    name: "ckks-figure2",
    engines: &[Engine::Ckks],
    summary: "Figure 2 of the CKKS paper: products of ciphertexts in Kronecker products, by size and digits of tables",
    columns: &[
        Column::new("table", "row", 8),
        Column::new("BMT, p = 2", "products_1", 10),
        Column::new("CMT, p = 4", "products_2", 10),
        Column::new("p = 8", "products_3", 6),
        Column::new("p = 16", "products_4", 6),
        Column::new("p = 32", "products_5", 6),
        Column::new("p = 64", "products_6", 6),
        Column::new("least", "least", 8),
    ],
    run: products,
};

pub(crate) const FIGURE3: Bench = Bench {
    name: "ckks-figure3",
    engines: &[Engine::Ckks],
    summary: "Figure 3 of the CKKS paper: time by method, size and digits, predicted; measured where --rows says so",
    columns: &[
        Column::new("table", "row", 24),
        Column::new("levels", "levels", 6),
        Column::new("log2 QP", "log2_qp", 7),
        Column::new("products", "products", 8),
        Column::new("predicted s", "predicted_s", 11),
        Column::scaled("predicted GB", "predicted_bytes", 12, 1e-9),
        Column::new("CPU s", "cpu_s", 6),
        Column::new("ms/value", "ms_value", 8),
        Column::new("paper", "paper_ms_value", 6),
        Column::scaled("paper s", "paper_ms", 7, 1e-3),
        Column::new("wrong", "wrong", 5),
        Column::new("noise/half step", "noise_of_half_step", 15),
    ],
    run: series,
};

/// The products that both Kronecker products of a tree make.
fn kronecker_products(bits: u32, digit_bits: u32) -> usize {
    let sizes = digits(bits, digit_bits);
    let (low, high) = sizes.split_at(sizes.len().div_ceil(2));
    let half = |sizes: &[u64]| {
        let mut circuit = ArithmeticCircuit::new(sizes.iter().sum::<u64>() as usize);
        let mut inputs = (0..).map(|i| i as usize);
        let mut vectors = Vec::new();
        for &p in sizes {
            vectors.push(inputs.by_ref().take(p as usize).map(|i| circuit.input(i)).collect());
        }
        kronecker_product(&mut circuit, vectors, Cleaning::None);
        circuit.gates().iter().filter(|gate| matches!(gate, Gate::Product { .. })).count()
    };
    half(low) + half(high)
}

fn products(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let note = "counted in the circuits that are evaluated; digits of log2 p bits, the last one of what is left; \
                none for a table of one digit";
    sink(
        Row::new(FIGURE2.name, "Figure 2")
            .with("note", note)
            .with("paper", CkksPaper::load().paper)
            .with("title", "Figure 2: products of ciphertexts in Kronecker products"),
    )?;
    for bits in 4..=*BITS.end() {
        let name = count(bits as usize, "bit");
        if !options.wants(&name, true, bits <= 12) {
            continue;
        }
        let mut row = Row::new(FIGURE2.name, name);
        row.bits = Some(bits);
        let mut least: Option<(usize, u32)> = None;
        for digit_bits in DIGIT_BITS.filter(|&digit_bits| digit_bits < bits) {
            let products = kronecker_products(bits, digit_bits);
            row = row.with(&format!("products_{digit_bits}"), products);
            least = Some(least.map_or((products, digit_bits), |least| least.min((products, digit_bits))));
        }
        sink(row.with("least", least.map(|(_, digit_bits)| format!("p = {}", 1u32 << digit_bits))))?;
    }
    Ok(())
}

/// Methods for tables of a size: what they are called, and whether to measure them.
fn cells(bits: u32, options: &Options) -> Vec<(u32, Method, String, bool)> {
    let trees = DIGIT_BITS.filter(|&digit_bits| digit_bits < bits && (!options.quick || digit_bits < 4));
    let methods = [Method::Whole, Method::Characters].into_iter().chain(trees.map(Method::Tree));
    let cell = |method: Method| {
        let mut label = format!("{} {}", count(bits as usize, "bit"), method.name());
        if let Method::Tree(digit_bits) = method {
            label.push_str(&format!(" p={}", 1u32 << digit_bits));
        }
        let evaluated = options.wants(&label, false, true);
        (bits, method, label, evaluated)
    };
    methods.map(cell).collect()
}

fn series(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let (name, paper) = (FIGURE3.name, CkksPaper::load());
    let note = format!(
        "one thread; predicted by the cost model from circuits and levels, with the moduli of ckks-table3; cleaned \
         by G_id from 13 bits on; paper: {}; of AKP-FBT its Table A1, of CMT-FBT its Table 3, at the digits that it \
         found best",
        paper.machine
    );
    let about = Row::new(name, "Figure 3").with("note", note).with("paper", paper.paper.as_str());
    sink(about.with("title", "Figure 3: time of a table by method, size and digits"))?;
    let bits = if options.quick { QUICK_BITS..=QUICK_BITS } else { BITS };
    let cells: Vec<_> = bits.flat_map(|bits| cells(bits, options)).collect();
    options.check(name)?;
    for (bits, method, label, evaluated) in cells {
        if evaluated {
            options.progress(&format!("{name}: {label}"));
        }
        let mut row = measure(Row::new(name, label), (bits, method), (evaluated, 1), options)?;
        if row.extra.get("predicted_s").is_none() {
            continue;
        }
        let cell = match method {
            _ if options.quick => None,
            Method::Whole => paper.row.iter().find(|row| row.bits == bits).map(|row| (row.seconds, row.ms)),
            Method::Tree(digit_bits) => {
                let cell = |tree: &&CkksTree| (tree.table, tree.bits, tree.digit_bits) == (3, bits, digit_bits);
                paper.tree.iter().find(cell).map(|tree| (tree.seconds, tree.ms))
            }
            Method::Characters => None,
        };
        if let Some((seconds, ms)) = cell {
            row.paper_ms = Some(seconds * 1e3);
            row = row.with("paper_ms_value", ms);
        }
        let values = row.extra.get("checked").and_then(|n| n.as_f64());
        let ms_value = row.cpu_ms.zip(values).map(|(ms, values)| ms / values);
        sink(row.with("ms_value", ms_value))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 6.2: for 2^a digits of p, each of both products takes Σ_{i=1}^{a−1} 2^(a−i−1)·p^(2^i).
    #[test]
    fn products_are_those_of_the_papers_sum() {
        for (bits, digit_bits) in [(8u32, 1u32), (16, 1), (8, 2), (16, 2), (12, 3), (16, 4), (20, 5)] {
            let (a, p) = ((bits / digit_bits).ilog2(), 1usize << digit_bits);
            let sum: usize = (1..a).map(|i| (1 << (a - i - 1)) * p.pow(1 << i)).sum();
            assert_eq!(kronecker_products(bits, digit_bits), 2 * sum, "{bits} bits, digits of {digit_bits}");
        }
    }
}
