//! Figures of a paper, from `papers/*.toml`.
use serde::Deserialize;

/// The recursive-table-decomposition paper.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecursivePaper {
    pub(crate) paper: String,
    pub(crate) title: String,
    pub(crate) machine: String,
    pub(crate) rerun_machine: String,
    pub(crate) parameters: Vec<Parameters>,
    pub(crate) cell: Vec<Cell>,
}

/// A row of Tables 1 and 2.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parameters {
    pub(crate) bits: u32,
    pub(crate) lwe_dimension: usize,
    pub(crate) log2_degree: u32,
    pub(crate) depth: u32,
    /// Our set with the paper's numbers.
    pub(crate) params: String,
}

/// A cell of Tables 3 and 4.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cell {
    pub(crate) bits: u32,
    pub(crate) ebs: bool,
    pub(crate) algorithm: String,
    pub(crate) ms: f64,
    pub(crate) key_mib: f64,
    /// The paper's program on another machine.
    pub(crate) rerun_ms: Option<f64>,
    /// Wrong results of that.
    pub(crate) wrong: Option<u32>,
    /// Results checked.
    pub(crate) of: Option<u32>,
}

impl RecursivePaper {
    pub(crate) fn load() -> Self {
        toml::from_str(include_str!("../papers/recursive-table-decomposition.toml")).expect("the shipped file parses")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bootes_schemes::fhew::FhewParams;

    fn parameters(paper: &RecursivePaper, bits: u32) -> &Parameters {
        paper.parameters.iter().find(|p| p.bits == bits).expect("the paper has parameters for every cell")
    }

    #[test]
    fn every_cell_of_the_tables_is_there_and_our_sets_have_their_numbers() {
        let paper = RecursivePaper::load();
        assert_eq!(paper.cell.len(), 16);
        for p in &paper.parameters {
            let set = FhewParams::by_name(&p.params).unwrap();
            assert_eq!((set.bits(), set.lwe_dimension()), (p.bits, p.lwe_dimension));
            // N' = N/2^mu: EBS multiplies the degree by 2^mu.
            assert_eq!(set.shape().degree << p.depth, 1 << p.log2_degree);
            for (ebs, algorithm) in [(false, "compress"), (false, "recursive"), (true, "compress"), (true, "recursive")]
            {
                let cells = paper.cell.iter().filter(|c| (c.bits, c.ebs, &*c.algorithm) == (p.bits, ebs, algorithm));
                assert_eq!(cells.count(), 1, "{} {ebs} {algorithm}", p.bits);
            }
        }
    }

    #[test]
    fn key_sizes_of_table_4_follow_from_our_sets() {
        let paper = RecursivePaper::load();
        for cell in paper.cell.iter().filter(|c| c.ebs) {
            let set = FhewParams::by_name(&parameters(&paper, cell.bits).params).unwrap();
            let (n, words) = (set.lwe_dimension(), set.shape().words());
            let rows = set.shape().polynomials() * set.bootstrap_gadget().levels() as usize;
            let switch = set.ciphertext_dimension() * set.key_switch_gadget().levels() as usize * (n + 1);
            let mib = ((n * rows * words + switch) * 8) as f64 / f64::from(1 << 20);
            assert!(
                (mib / cell.key_mib - 1.0).abs() < 0.02,
                "{} bits: {mib} MiB, the paper {}",
                cell.bits,
                cell.key_mib
            );
        }
    }
}
