//! The decision tree, in plain and on encrypted features.
use bootes::{Ciphertexts, Error, Lut, Server};
use serde::Deserialize;

/// What `examples/iris/train.py` writes.
#[derive(Clone, Deserialize)]
pub(crate) struct Tree {
    /// Names of the classes.
    pub(crate) classes: Vec<String>,
    features: Vec<String>,
    quantisation: Quantisation,
    nodes: Vec<Node>,
    /// The class of each leaf.
    leaves: Vec<usize>,
    /// Accuracy of the tree before quantisation, on the test rows.
    pub(crate) float_test_accuracy: f64,
    /// Rows of `iris.csv` that were not trained on.
    pub(crate) test_rows: Vec<usize>,
}

/// x ↦ round(x · `units_per_cm`) − offset, within 0 to 2^`bits` − 1.
#[derive(Clone, Deserialize)]
struct Quantisation {
    bits: u32,
    units_per_cm: f64,
    offsets: Vec<f64>,
}

/// Asks whether a feature is greater than a threshold.
#[derive(Clone, Deserialize)]
struct Node {
    feature: usize,
    threshold: u64,
    if_not_greater: Next,
    if_greater: Next,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Next {
    Node(usize),
    Leaf(usize),
}

/// A row of `iris.csv`.
pub(crate) struct Flower {
    /// In cm.
    lengths: Vec<f64>,
    /// Index of the class.
    pub(crate) class: usize,
}

impl Tree {
    /// The tree in the repository.
    pub(crate) fn load() -> Result<Self, serde_json::Error> {
        serde_json::from_str(include_str!("../../../../examples/iris/tree.json"))
    }

    /// The test rows of the data in the repository.
    pub(crate) fn test_flowers(&self) -> Vec<Flower> {
        let lines: Vec<&str> = include_str!("../../../../examples/iris/iris.csv").lines().skip(1).collect();
        let flower = |line: &str| {
            let (lengths, class) = line.rsplit_once(',').expect("iris.csv: lengths, species");
            Flower {
                lengths: lengths.split(',').map(|cm| cm.parse().expect("iris.csv: a length in cm")).collect(),
                class: self.classes.iter().position(|c| c == class).expect("iris.csv: a species of the tree"),
            }
        };
        self.test_rows.iter().map(|&row| flower(lines[row])).collect()
    }

    /// Bits of a quantised feature.
    pub(crate) fn feature_bits(&self) -> u32 {
        self.quantisation.bits
    }

    /// The bits that the tables need: of a feature, or of all nodes' answers together.
    pub(crate) fn bits(&self) -> u32 {
        self.feature_bits().max(self.nodes.len() as u32)
    }

    /// The flower's features as small integers: public knowledge, done by the client.
    pub(crate) fn quantise(&self, flower: &Flower) -> Vec<u64> {
        let q = &self.quantisation;
        let max = f64::from((1u32 << q.bits) - 1);
        let integer = |(cm, offset): (&f64, &f64)| ((cm * q.units_per_cm).round() - offset).clamp(0.0, max) as u64;
        flower.lengths.iter().zip(&q.offsets).map(integer).collect()
    }

    /// The class of quantised features, in plain.
    pub(crate) fn infer(&self, features: &[u64]) -> usize {
        self.walk(|node| features[self.nodes[node].feature] > self.nodes[node].threshold)
    }

    /// From the root to a leaf, given each node's answer.
    fn walk(&self, is_greater: impl Fn(usize) -> bool) -> usize {
        let mut next = Next::Node(0);
        loop {
            next = match next {
                Next::Leaf(leaf) => return self.leaves[leaf],
                Next::Node(node) if is_greater(node) => self.nodes[node].if_greater,
                Next::Node(node) => self.nodes[node].if_not_greater,
            }
        }
    }

    /// Which features some node asks for.
    fn features_used(&self) -> Vec<usize> {
        (0..self.features.len()).filter(|&feature| self.nodes.iter().any(|node| node.feature == feature)).collect()
    }

    /// The table x ↦ Σ 2^i over the nodes with x > threshold, of those that ask for `feature`: all their answers at
    /// once.
    fn answers_table(&self, feature: usize) -> Result<Lut, Error> {
        let answers = |x: u64| {
            let nodes = self.nodes.iter().enumerate().filter(|(_, node)| node.feature == feature);
            nodes.map(|(i, node)| u64::from(x > node.threshold) << i).sum::<u64>()
        };
        Ok(Lut::new((0..1 << self.feature_bits()).map(answers).collect(), self.nodes.len() as u32)?)
    }

    /// The features that are used, each with its table of answers.
    pub(crate) fn answers_tables(&self) -> Result<Vec<(usize, Lut)>, Error> {
        self.features_used().into_iter().map(|feature| Ok((feature, self.answers_table(feature)?))).collect()
    }

    /// The table from all answers, bit i that of node i, to the class.
    pub(crate) fn class_table(&self) -> Result<Lut, Error> {
        let class = |answers: u64| self.walk(|node| answers >> node & 1 == 1) as u64;
        let bits = self.classes.len().next_power_of_two().trailing_zeros();
        Ok(Lut::new((0..1 << self.nodes.len()).map(class).collect(), bits)?)
    }
}

/// The server's side: knows the tree, sees ciphertexts only.
pub(crate) struct TreeServer {
    server: Server,
    /// A feature that is used, and its table.
    answers: Vec<(usize, Lut)>,
    class: Lut,
}

impl TreeServer {
    /// Makes the tables.
    pub(crate) fn new(server: Server, tree: &Tree) -> Result<Self, Error> {
        Ok(Self { server, answers: tree.answers_tables()?, class: tree.class_table()? })
    }

    /// Classes of many flowers: `features[j]` holds feature j of each. `progress` hears how many tables are done, of
    /// how many.
    pub(crate) fn classify(
        &self,
        features: &[Ciphertexts],
        progress: &dyn Fn(usize, usize),
    ) -> Result<Ciphertexts, Error> {
        let total = self.answers.len() + 1;
        let mut all: Option<Ciphertexts> = None;
        for (done, (feature, table)) in self.answers.iter().enumerate() {
            progress(done, total);
            // The comparisons: one table a feature, whose result has the bits of its nodes and zeros elsewhere.
            let answers = self.server.evaluate(table, &features[*feature])?;
            // The sum puts the bits of all nodes side by side.
            all = Some(match all {
                Some(all) => all.add(&answers)?,
                None => answers,
            });
        }
        progress(self.answers.len(), total);
        let all = all.expect("a tree asks for some feature");
        // One more table: which way the answers lead.
        let classes = self.server.evaluate(&self.class, &all)?;
        progress(total, total);
        Ok(classes)
    }
}
