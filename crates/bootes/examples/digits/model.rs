//! The network, in plain and on encrypted pixels.
use bootes::{Ciphertexts, Error, Function, Lut, Server};
use serde::Deserialize;

/// `Server::evaluate` would take the algorithm of least predicted time. This one takes a little more, and its results
/// have less noise: so little that a score can sum up to 28 of them (with `fhew_8bit_2m128`).
const ALGORITHM: &str = "recursive-1";

/// Pixels in the data are 0 to 16.
const DATA_PIXEL_MAX: u64 = 16;

/// What `examples/digits/train.py` writes: integers throughout.
#[derive(Clone, Deserialize)]
pub(crate) struct Network {
    pixel_bits: u32,
    /// The first layer's sums are taken modulo 2^`sum_bits`, and pixels encrypted so.
    pub(crate) sum_bits: u32,
    /// The scores are taken modulo 2^`score_bits`.
    score_bits: u32,
    /// The activation is min(max(z, 0) >> `shift`, `activation_max`).
    shift: u32,
    activation_max: i64,
    weights_1: Vec<Vec<i64>>,
    biases_1: Vec<i64>,
    weights_2: Vec<Vec<i64>>,
    biases_2: Vec<i64>,
    /// Accuracy of the model before quantisation, on the test rows.
    pub(crate) float_test_accuracy: f64,
    /// Rows of `digits.csv` that were not trained on.
    pub(crate) test_rows: Vec<usize>,
}

/// A row of `digits.csv`.
pub(crate) struct Image {
    /// 64 of them, 0 to 16.
    pixels: Vec<u64>,
    /// What it shows.
    pub(crate) digit: usize,
}

impl Network {
    /// The network in the repository.
    pub(crate) fn load() -> Result<Self, serde_json::Error> {
        serde_json::from_str(include_str!("../../../../examples/digits/model.json"))
    }

    /// The test rows of the data in the repository.
    pub(crate) fn test_images(&self) -> Vec<Image> {
        let lines: Vec<&str> = include_str!("../../../../examples/digits/digits.csv").lines().skip(1).collect();
        let image = |line: &str| {
            let mut pixels: Vec<u64> = line.split(',').map(|v| v.parse().expect("digits.csv: an integer")).collect();
            let digit = pixels.pop().expect("digits.csv: pixels, digit") as usize;
            Image { pixels, digit }
        };
        self.test_rows.iter().map(|&row| image(lines[row])).collect()
    }

    /// The pixels in fewer levels, rounded: public knowledge, done by the client.
    pub(crate) fn quantise(&self, image: &Image) -> Vec<u64> {
        let max = (1 << self.pixel_bits) - 1;
        image.pixels.iter().map(|&pixel| (pixel * max + DATA_PIXEL_MAX / 2) / DATA_PIXEL_MAX).collect()
    }

    /// The ten scores of quantised pixels, in plain: what the server computes, with the same wrapping sums.
    pub(crate) fn scores(&self, pixels: &[u64]) -> Vec<i64> {
        let layer = |weights: &[Vec<i64>], biases: &[i64], x: &[i64], bits| -> Vec<i64> {
            let sum = |row: &Vec<i64>| row.iter().zip(x).map(|(w, x)| w * x).sum::<i64>();
            weights.iter().zip(biases).map(|(row, bias)| signed((sum(row) + bias) as u64, bits)).collect()
        };
        let x: Vec<i64> = pixels.iter().map(|&x| x as i64).collect();
        let sums = layer(&self.weights_1, &self.biases_1, &x, self.sum_bits);
        let hidden: Vec<i64> = sums.into_iter().map(|z| self.activation(z)).collect();
        layer(&self.weights_2, &self.biases_2, &hidden, self.score_bits)
    }

    /// Rectifies and requantises.
    fn activation(&self, z: i64) -> i64 {
        (z.max(0) >> self.shift).min(self.activation_max)
    }

    /// [`Self::activation`] as a table: from integers modulo 2^`sum_bits` to integers modulo 2^`score_bits`.
    fn activation_table(&self) -> Result<Lut, Error> {
        let entry = |z: u64| self.activation(signed(z, self.sum_bits)) as u64;
        Ok(Lut::modular((0..1 << self.sum_bits).map(entry).collect(), 1 << self.score_bits)?)
    }
}

/// The integer from −2^(bits−1) to 2^(bits−1) − 1 that is `x` modulo 2^`bits`.
pub(crate) fn signed(x: u64, bits: u32) -> i64 {
    let unused = 64 - bits;
    ((x << unused) as i64) >> unused
}

/// The digit with the largest score, the first of equal ones.
pub(crate) fn best(scores: &[i64]) -> usize {
    (0..scores.len()).rev().max_by_key(|&digit| scores[digit]).unwrap_or(0)
}

/// The server's side: knows the network, sees ciphertexts only.
pub(crate) struct NetworkServer {
    server: Server,
    network: Network,
    activation: Function,
}

impl NetworkServer {
    /// Makes the table.
    pub(crate) fn new(server: Server, network: &Network) -> Result<Self, Error> {
        let activation = Function::TableBy(network.activation_table()?, ALGORITHM.into());
        Ok(Self { server, network: network.clone(), activation })
    }

    /// Ten scores, modulo 2^`score_bits`, from the pixels of an image.
    pub(crate) fn scores(&self, pixels: &Ciphertexts) -> Result<Ciphertexts, Error> {
        // 64 → 30: additions only, so cheap. Fresh ciphertexts have little noise, and sums of them too.
        let sums = pixels.linear_map(&self.network.weights_1)?.add_constants(&self.network.biases_1)?;
        // The time goes here: 30 tables.
        let hidden = self.server.evaluate(&self.activation, &sums)?;
        // 30 → 10. Results of tables have more noise: were there more weights in a sum, this would be refused.
        hidden.linear_map(&self.network.weights_2)?.add_constants(&self.network.biases_2)
    }
}
