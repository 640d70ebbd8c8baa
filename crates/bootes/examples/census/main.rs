//! A decision tree on encrypted flowers by arithmetic modulo 257, and how many flowers there are of each class:
//! `cargo run --release -p bootes --example census`.
//!
//! The client has the flowers of `examples/iris/iris.csv`, a feature a vector. The server compares with tables modulo p,
//! selects by products, x < y ? a : b as b + c·(a − b), and counts with a sum of all slots: deeper than a ciphertext's
//! modulus, so it bootstraps where it must. Every answer is compared with the tree in plain.
use bootes::{Ciphertexts, Client, Lut, Node, Params, Program, Server, ServerKey};
use serde::Deserialize;
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

/// What `examples/iris/train.py` writes, as far as it is needed.
#[derive(Deserialize)]
struct Tree {
    classes: Vec<String>,
    features: Vec<String>,
    quantisation: Quantisation,
    nodes: Vec<TreeNode>,
    /// The class of each leaf.
    leaves: Vec<u64>,
}

/// x ↦ round(x · `units_per_cm`) − offset, within 0 to 2^`bits` − 1.
#[derive(Deserialize)]
struct Quantisation {
    bits: u32,
    units_per_cm: f64,
    offsets: Vec<f64>,
}

#[derive(Deserialize)]
struct TreeNode {
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

impl Tree {
    fn quantise(&self, line: &str) -> Vec<u64> {
        let q = &self.quantisation;
        let max = f64::from((1u32 << q.bits) - 1);
        let integer = |(cm, offset): (&str, &f64)| {
            let cm: f64 = cm.parse().expect("iris.csv: a length in cm");
            ((cm * q.units_per_cm).round() - offset).clamp(0.0, max) as u64
        };
        line.split(',').zip(&q.offsets).map(integer).collect()
    }

    fn infer(&self, flower: &[u64]) -> u64 {
        let mut next = Next::Node(0);
        loop {
            next = match next {
                Next::Leaf(leaf) => return self.leaves[leaf],
                Next::Node(i) if flower[self.nodes[i].feature] > self.nodes[i].threshold => self.nodes[i].if_greater,
                Next::Node(i) => self.nodes[i].if_not_greater,
            }
        }
    }

    /// Of the features and of a vector of ones where there are flowers: the class of each, and for each class how many.
    fn program(&self, p: u64) -> Result<Program, bootes::Error> {
        let mut program = Program::new();
        let features: Vec<Node> = self.features.iter().map(|name| program.input(name)).collect();
        let are = program.input("are");
        let class = self.select(&mut program, &features, Next::Node(0), p)?;
        program.output(class);
        for wanted in 0..self.classes.len() as u64 {
            let is = Lut::modular((0..p).map(|class| u64::from(class == wanted)).collect(), p)?;
            let is = program.table(class, &is);
            let count = program.inner_product(is, are);
            program.output(count);
        }
        Ok(program)
    }

    fn select(&self, program: &mut Program, features: &[Node], next: Next, p: u64) -> Result<Node, bootes::Error> {
        let TreeNode { feature, threshold, if_not_greater, if_greater } = match next {
            Next::Leaf(leaf) => return Ok(program.constant(self.leaves[leaf].into())),
            Next::Node(i) => &self.nodes[i],
        };
        let greater = Lut::modular((0..p).map(|x| u64::from(x > *threshold)).collect(), p)?;
        let greater = program.table(features[*feature], &greater);
        let [no, yes] = [*if_not_greater, *if_greater].map(|next| self.select(program, features, next, p));
        let (no, yes) = (no?, yes?);
        let difference = program.sub(yes, no);
        let chosen = program.mul(greater, difference);
        Ok(program.add(no, chosen))
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(right) => ExitCode::from(u8::from(!right)),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether all answers are right.
fn run() -> Result<bool, Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or("slots_257".into());
    let params = Params::named(&name)?;
    let p = params.modulus().ok_or_else(|| format!("{name} has no slots: take slots_257 or toy_slots_257"))?;
    let tree: Tree = serde_json::from_str(include_str!("../../../../examples/iris/tree.json"))?;
    let lines = include_str!("../../../../examples/iris/iris.csv").lines().skip(1);
    let flowers: Vec<Vec<u64>> = lines.map(|line| tree.quantise(line)).collect();

    // Client: keys, and a block of flowers at a time, feature by feature.
    let client = Client::generate(&params)?;
    let key = client.server_key()?.to_bytes()?;
    let server = Server::new(ServerKey::from_bytes(&key)?)?;
    let (program, mut right) = (tree.program(p)?, true);
    let mut counts = vec![0; tree.classes.len()];
    for block in flowers.chunks(params.capacity()) {
        let column = |j: usize| block.iter().map(|flower| flower[j]).collect::<Vec<_>>();
        let mut request: Vec<Vec<u64>> = (0..tree.features.len()).map(column).collect();
        request.push(vec![1; block.len()]);
        let sent = request.iter().map(|values| client.encrypt(values)?.to_bytes());
        let sent = sent.collect::<Result<Vec<_>, _>>()?;

        // Server: from bytes to bytes, without a secret.
        let inputs = sent.iter().map(|bytes| Ciphertexts::from_bytes(bytes)).collect::<Result<Vec<_>, _>>()?;
        let (start, plan) = (Instant::now(), server.plan(&program, &inputs)?);
        let results = server.run(&plan, &inputs)?;
        let seconds = start.elapsed().as_secs_f64();
        let method = plan.algorithms().join(", ");
        println!("{} flowers in {seconds:.2} s: {method}", block.len());

        // Client: the classes, and how many there are of each.
        let classes = client.decrypt_residues(&results[0])?;
        right &= classes == block.iter().map(|flower| tree.infer(flower)).collect::<Vec<_>>();
        for (class, result) in results[1..].iter().enumerate() {
            let count = client.decrypt_residues(result)?[0];
            right &= count == block.iter().filter(|flower| tree.infer(flower) == class as u64).count() as u64;
            counts[class] += count;
        }
    }
    for (class, count) in tree.classes.iter().zip(counts) {
        println!("{class:<12}{count}");
    }
    println!("{}", if right { "right: as the tree in plain" } else { "WRONG: not as the tree in plain" });
    Ok(right)
}
