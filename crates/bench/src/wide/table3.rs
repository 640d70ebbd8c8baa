//! `wide-table3`: Table 3 of the wide-modulus paper, the decision tree of `examples/iris` on encrypted flowers.
//!
//! The paper compares at every node with an EvalFunc of message space 2^11, in windows fewer than messages: 98 % of the
//! encrypted answers are right where all in plain are. Here features have 6 bits, the nodes of a feature share a table,
//! and a last table goes from all answers to the class: the same four tables with EvalFunc on words of 128 bits at the
//! paper's parameters, with one ring as the paper and with as large an extension as makes them exact, and with what the
//! library chooses on words of 64.
#[path = "../../../bootes/examples/iris/model.rs"]
mod iris;

use crate::clock::Samples;
use crate::paper::WidePaper;
use crate::row::{Column, Row};
use crate::wide::{Subject, log2_of_unit};
use crate::{BenchError, Options, Sink};
use bootes::{Client, FailureTarget, Params, Server};
use bootes_lattice::lwe;
use bootes_lattice::noise::failure::sum_log2;
use bootes_lut::Lut;
use bootes_lut::fhew::circuit::Circuit;
use bootes_lut::fhew::registry;
use bootes_schemes::fhew::FhewParams;
use iris::{Tree, TreeServer};

pub(crate) const NAME: &str = "wide-table3";
pub(crate) const SUMMARY: &str =
    "Table 3 of the wide-modulus paper: the Iris decision tree on encrypted flowers, time an instance and accuracy";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("tree", "row", 40),
    Column::new("paper ms, 32 threads", "paper_ms", 20),
    Column::new("OpenFHE ms", "openfhe_ms", 10),
    Column::new("CPU ms", "cpu_ms", 8),
    Column::new("tables", "tables", 6),
    Column::new("extension", "extension", 9),
    Column::scaled("encrypted %", "accuracy", 11, 100.0),
    Column::scaled("plain %", "plain_accuracy", 7, 100.0),
    Column::new("as in plain", "as_in_plain", 11),
    Column::new("rows", "checked", 4),
    Column::new("log2 p_fail", "log2_p_fail", 11),
];

/// Flowers and what the tree says of them in plain.
struct Rows {
    tree: Tree,
    /// Quantised features, a flower after the other.
    features: Vec<Vec<u64>>,
    labels: Vec<usize>,
    plain: Vec<usize>,
}

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = WidePaper::load();
    let tree = Tree::load().expect("the shipped file parses");
    let flowers: Vec<_> = tree.test_flowers().into_iter().step_by(if options.quick { 10 } else { 1 }).collect();
    let features: Vec<Vec<u64>> = flowers.iter().map(|flower| tree.quantise(flower)).collect();
    let plain = features.iter().map(|features| tree.infer(features)).collect();
    let labels = flowers.iter().map(|flower| flower.class).collect();
    let rows = Rows { tree, features, labels, plain };

    let mut row = Row::new(NAME, "the paper: p = 2^11");
    row.paper_ms = Some(paper.tree.ms);
    sink(
        row.with("openfhe_ms", paper.tree.openfhe_ms)
            .with("accuracy", paper.tree.accuracy)
            .with("plain_accuracy", paper.tree.plain_accuracy)
            .with("note", "8 nodes, 9 leaves, 50 flowers, 32 threads; ours: 6 nodes, 7 leaves, CPU time of one thread"),
    )?;
    let params = FhewParams::by_name(&paper.tree.params)?;
    let mut subject = Subject::new(&params)?;
    for (name, exact) in [("paper's parameters, one ring", false), ("paper's parameters, exact", true)] {
        sink(wide(Row::new(NAME, name), &mut subject, &rows, exact)?)?;
    }
    drop(subject);
    for target in [FailureTarget::Two64, FailureTarget::Two128] {
        sink(ours(&rows, target, options.runs(3, 1))?)?;
    }
    Ok(())
}

/// Accuracy, and agreement with the plain tree.
fn judged(mut row: Row, rows: &Rows, found: &[u64], must_agree: bool) -> Row {
    let share =
        |classes: &[usize]| found.iter().zip(classes).filter(|(found, class)| **found == **class as u64).count();
    let right = rows.plain.iter().zip(&rows.labels).filter(|(plain, label)| plain == label).count();
    let (count, agreeing) = (found.len() as f64, share(&rows.plain));
    row.correct = must_agree.then_some(agreeing == found.len());
    row.with("accuracy", share(&rows.labels) as f64 / count)
        .with("plain_accuracy", right as f64 / count)
        .with("float_accuracy", rows.tree.float_test_accuracy)
        .with("as_in_plain", agreeing)
        .with("checked", found.len())
}

/// EvalFunc for all tables, on words of 128 bits: of extension 1, or as large as the set's failure probability asks
/// for.
fn wide(mut row: Row, subject: &mut Subject, rows: &Rows, exact: bool) -> Result<Row, BenchError> {
    let (bits, long) = (rows.tree.bits(), subject.long());
    let params = subject.params.clone();
    let algorithm = registry::by_name("eval-func")?;
    let circuit = |lut: &Lut, variance: f64| -> Result<Circuit, BenchError> {
        // The class in as many bits as the answers.
        let lut = Lut::new(lut.values().to_vec(), bits)?;
        Ok(if exact {
            algorithm.fit(&params, &lut, variance, params.log2_p_fail())?
        } else {
            algorithm.circuit(&lut)?
        })
    };
    let tables = rows.tree.answers_tables()?;
    let (mut samples, mut all) = (Samples::default(), vec![0u128; rows.features.len() * long]);
    let (mut failures, mut variance, mut extension) = (Vec::new(), 0.0, 1);
    let mut look_up = |subject: &Subject, circuit: &Circuit, inputs: &[u128], input_variance: f64| {
        let noise = circuit.noise(&params, input_variance);
        failures.push(noise.log2_p_fail);
        extension = extension.max(circuit.max_extension());
        let results = subject.evaluate(circuit, inputs, &mut samples);
        (results, noise.output_variance)
    };
    for (feature, lut) in &tables {
        let values: Vec<u64> = rows.features.iter().map(|features| features[*feature]).collect();
        let inputs = subject.encrypt(&values, bits);
        let circuit = circuit(lut, params.fresh_variance())?;
        let (answers, added) = look_up(subject, &circuit, &inputs, params.fresh_variance());
        lwe::add_assign(&mut all, &answers);
        variance += added;
    }
    let circuit = circuit(&rows.tree.class_table()?, variance)?;
    let (classes, variance) = look_up(subject, &circuit, &all, variance);
    let found = subject.decrypt(&classes, bits);
    // A flower's share of each table.
    row.cpu_ms = Some(samples.total_cpu_ms());
    row.params = Some(params.name().to_string());
    row.algorithm = Some(algorithm.name());
    row.log2_p_fail = Some(sum_log2(&failures));
    Ok(judged(row, rows, &found, exact)
        .with("tables", tables.len() + 1)
        .with("extension", extension)
        .with("predicted_log2_noise", log2_of_unit(&params, variance.sqrt())))
}

/// The work of `examples/iris`, on one thread.
fn ours(rows: &Rows, target: FailureTarget, runs: usize) -> Result<Row, BenchError> {
    let params = Params::for_bits_with(rows.tree.bits(), target)?;
    let client = Client::generate(&params)?;
    let server = TreeServer::new(Server::builder(client.server_key()?).threads(1).build()?, &rows.tree)?;
    let features = (0..rows.features[0].len())
        .map(|j| {
            let feature: Vec<u64> = rows.features.iter().map(|row| row[j]).collect();
            client.encrypt_bits(&feature, rows.tree.feature_bits())
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut samples = Samples::default();
    let mut classes = server.classify(&features, &|_, _| {})?;
    for _ in 0..runs {
        classes = samples.time(rows.features.len() as f64, || server.classify(&features, &|_, _| {}))?;
    }
    let tables = rows.tree.answers_tables()?.len() + 1;
    let mut row = Row::new(NAME, format!("ours, failure 2^{}", target.log2())).timed(&samples.stats());
    row.params = Some(params.name().to_string());
    row.log2_p_fail = Some(f64::from(target.log2()) + (tables as f64).log2());
    Ok(judged(row, rows, &client.decrypt_residues(&classes)?, true).with("tables", tables))
}
