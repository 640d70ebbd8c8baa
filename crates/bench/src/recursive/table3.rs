//! `recursive-table3`: Tables 3 and 4 of the recursive-table-decomposition paper, ours beside each cell, and our own
//! sets.
use crate::clock::{Samples, Stats, root_mean_square};
use crate::paper::{Cell, Parameters, RecursivePaper};
use crate::random::SplitMix;
use crate::row::{Column, Row};
use crate::{BenchError, Options, Sink};
use bootes::{Client, FailureTarget, Function, KeyNeeds, Lut, Params, Server};
use bootes_lut::fhew::registry;
use bootes_schemes::fhew::FhewParams;

pub(crate) const NAME: &str = "recursive-table3";
pub(crate) const SUMMARY: &str =
    "Tables 3 and 4 of the recursive-decomposition paper beside ours at its parameters, then our own sets";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("cell", "row", 28),
    Column::new("algorithm", "algorithm", 15),
    Column::new("paper ms", "paper_ms", 8),
    Column::new("rerun ms", "paper_rerun_ms", 8),
    Column::new("one value", "cpu_ms", 9),
    Column::new("one of 16", "batch16_cpu_ms", 9),
    Column::new("paper MiB", "paper_key_mib", 9),
    Column::scaled("in memory", "key_memory_bytes", 9, 1.0 / MIB),
    Column::scaled("stored MiB", "key_bytes", 10, 1.0 / MIB),
    Column::new("right", "correct", 5),
    Column::new("log2 p_fail", "log2_p_fail", 11),
    Column::new("noise", "noise_measured_std", 9),
    Column::new("predicted", "noise_predicted_std", 9),
    Column::new("security", "security_bits", 8),
];

const MIB: f64 = (1 << 20) as f64;
/// Values evaluated together in the second time.
const BATCH: usize = 16;

/// The algorithms with a key for every ring (non-EBS), the first at a depth of its own choice.
const RINGS: [&str; 2] = ["recursive-rings", "compress-rings"];
const TABLE_2: &str = "at the parameters of Table 2; Table 1 differs in d at p = 2^6";

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = RecursivePaper::load();
    let runs = options.runs(9, 1);
    sink(Row::new(NAME, &paper.title[..14]).with("note", format!(
        "paper: {}; rerun: the paper's program, {}; ours: CPU ms a value on this machine, alone and in batches of 16",
        paper.machine, paper.rerun_machine
    )).with("paper", paper.paper.as_str()).with("title", paper.title.as_str()))?;
    for parameters in &paper.parameters {
        let cells = |ebs| paper.cell.iter().filter(move |cell| cell.bits == parameters.bits && cell.ebs == ebs);
        let params = Params::named(&parameters.params)?;
        let subject = Subject::new(&params)?;
        for cell in cells(true) {
            let algorithm = match cell.algorithm.as_str() {
                "recursive" => format!("recursive-{}", parameters.depth),
                other => other.to_string(),
            };
            sink(subject.measure_or_say_why(|| paper_row(cell, parameters), &algorithm, runs)?)?;
        }
        // Gigabytes of keys at 7 and 8 bits.
        let rings = if options.quick && parameters.bits > 5 { None } else { Some(subject.with_keys(RINGS)?) };
        for cell in cells(false) {
            let row = || paper_row(cell, parameters).with("parameters", TABLE_2);
            match &rings {
                Some(subject) => {
                    let algorithm = format!("{}-rings", cell.algorithm);
                    sink(subject.measure_or_say_why(row, &algorithm, runs)?)?;
                }
                None => sink(row().with("ours_missing", "left out of a quick run"))?,
            }
        }
    }
    let bits: &[u32] = if options.quick { &[5, 8] } else { &[4, 5, 6, 7, 8] };
    for target in [FailureTarget::Two64, FailureTarget::Two128] {
        for &bits in bits {
            let row = Row::new(NAME, format!("ours {bits}-bit 2^{}", target.log2()));
            match Params::for_bits_with(bits, target) {
                Ok(params) => sink(Subject::new(&params)?.measure(row, None, runs)?)?,
                Err(error) => sink(row.with("note", error.to_string()))?,
            }
        }
    }
    Ok(())
}

/// A cell as the paper has it.
fn paper_row(cell: &Cell, parameters: &Parameters) -> Row {
    let kind = if cell.ebs { "EBS" } else { "non-EBS" };
    let mut row = Row::new(NAME, format!("p=2^{} {kind} {}", cell.bits, cell.algorithm));
    row.algorithm = Some(cell.algorithm.clone());
    row.bits = Some(cell.bits);
    row.paper_ms = Some(cell.ms);
    row.with("ebs", cell.ebs)
        .with("paper_lwe_dimension", parameters.lwe_dimension)
        .with("paper_log2_degree", parameters.log2_degree)
        .with("paper_depth", parameters.depth)
        .with("paper_key_mib", cell.key_mib)
        .with("paper_rerun_ms", cell.rerun_ms)
        .with("paper_rerun_wrong", cell.wrong)
        .with("paper_rerun_of", cell.of)
}

/// Keys of one parameter set.
pub(crate) struct Subject {
    client: Client,
    server: Server,
    stored_bytes: u64,
}

impl Subject {
    pub(crate) fn new(params: &Params) -> Result<Self, BenchError> {
        Self::of(Client::generate(params)?, KeyNeeds::default())
    }

    /// Keys of a client, with these additional ones, on one thread.
    fn of(client: Client, needs: KeyNeeds) -> Result<Self, BenchError> {
        let key = client.server_key_builder().additional(needs).build()?;
        let stored_bytes = key.stored_bytes();
        Ok(Self { client, server: Server::builder(key).threads(1).build()?, stored_bytes })
    }

    /// The same with the additional keys that these algorithms need.
    pub(crate) fn with_keys<'a>(self, algorithms: impl IntoIterator<Item = &'a str>) -> Result<Self, BenchError> {
        let Self { client, server, .. } = self;
        // One key with all of them takes its place.
        drop(server);
        let params = FhewParams::by_name(client.params().name())?;
        let mut needs = KeyNeeds::default();
        for algorithm in algorithms {
            needs = needs.and(registry::by_name(algorithm)?.keys(&params, params.bits()));
        }
        Self::of(client, needs)
    }

    /// [`Self::measure`]; a refusal, where our (fuller) noise account does not keep the paper's promise at its
    /// parameters, is a row too.
    fn measure_or_say_why(&self, row: impl Fn() -> Row, algorithm: &str, runs: usize) -> Result<Row, BenchError> {
        match self.measure(row(), Some(algorithm), runs) {
            Err(BenchError::Bootes(error)) => Ok(row().with("note", format!("ours: — ({error})"))),
            other => other,
        }
    }

    /// Fills a row: a random full-domain table, one value at a time and in batches, every result decrypted.
    pub(crate) fn measure(&self, row: Row, algorithm: Option<&str>, runs: usize) -> Result<Row, BenchError> {
        let bits = self.client.params().bits();
        self.measure_bits(row, algorithm, bits, runs)
    }

    /// The same with a table of `bits`-bit integers.
    pub(crate) fn measure_bits(
        &self,
        mut row: Row,
        algorithm: Option<&str>,
        bits: u32,
        runs: usize,
    ) -> Result<Row, BenchError> {
        let params = self.client.params();
        let mut random = SplitMix(u64::from(bits));
        let table = random.values(1 << bits, bits);
        let lut = Lut::new(table.clone(), bits)?;
        let function = match algorithm {
            Some(name) => Function::TableBy(lut.clone(), name.into()),
            None => Function::Table(lut.clone()),
        };
        let plan = self.server.plan(function, &self.client.encrypt_bits([0], bits)?)?;
        // The mean over messages is what is measured.
        let (algorithm, set) = (plan.algorithms().concat(), FhewParams::by_name(params.name())?);
        let circuit = registry::by_name(&algorithm)?.fit(&set, &lut, set.fresh_variance(), set.log2_p_fail())?;
        let noise = circuit.noise(&set, set.fresh_variance());

        let (mut wrong, mut checked, mut errors) = (0, 0, Vec::new());
        let mut measure = |batch: usize| -> Result<Stats, BenchError> {
            let mut samples = Samples::default();
            // The first run warms the caches and does not count.
            for run in 0..=runs {
                let values = random.values(batch, bits);
                let inputs = self.client.encrypt_bits(&values, bits)?;
                let evaluate = || self.server.run(&plan, &inputs);
                let outputs = if run == 0 { evaluate()? } else { samples.time(batch as f64, evaluate)? };
                let expected: Vec<u64> = values.iter().map(|&v| table[v as usize]).collect();
                let found = self.client.decrypt_residues(&outputs[0])?;
                wrong += found.iter().zip(&expected).filter(|(x, y)| x != y).count();
                checked += batch;
                errors.extend(self.client.measure_noise(&outputs[0], &expected)?);
            }
            Ok(samples.stats())
        };
        let one = measure(1)?;
        let many = measure(BATCH)?;

        row = row.timed(&one);
        row.algorithm = Some(algorithm);
        row.params = Some(params.name().to_string());
        row.bits = Some(bits);
        row.key_bytes = Some(self.stored_bytes);
        row.correct = Some(wrong == 0);
        row.log2_p_fail = Some(plan.log2_p_fail());
        row.noise_predicted_std = Some(noise.mean_output_variance.sqrt());
        row.noise_measured_std = Some(root_mean_square(&errors));
        Ok(row
            .with("batch16_ms", many.median_ms)
            .with("batch16_cpu_ms", many.cpu_ms)
            .with("key_memory_bytes", self.server.key_bytes())
            .with("rotations", plan.rotations())
            .with("wrong", wrong)
            .with("checked", checked)
            .with("security_bits", params.security().map(|s| s.standard))
            .with("security_bits_strict", params.security().and_then(|s| s.strict))
            .with("isa", bootes::isa().to_string()))
    }
}
