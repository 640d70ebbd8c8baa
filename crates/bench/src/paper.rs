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

/// The FDFB and digit decomposition paper.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FdfbPaper {
    pub(crate) paper: String,
    pub(crate) title: String,
    pub(crate) machine: String,
    pub(crate) set: Vec<FdfbSet>,
    pub(crate) ratio: Vec<FdfbRatio>,
    pub(crate) cell: Vec<FdfbCell>,
    pub(crate) row: Vec<FdfbRow>,
}

/// A row of Table 5.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FdfbSet {
    pub(crate) name: String,
    pub(crate) lwe_dimension: usize,
    #[cfg_attr(not(test), expect(dead_code, reason = "a column of Table 5 that only the test of the sets reads"))]
    pub(crate) log2_modulus: u32,
}

/// A row of Table 3.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FdfbRatio {
    /// The paper's algorithm.
    pub(crate) ours: String,
    pub(crate) previous: String,
    /// As printed.
    pub(crate) variance: String,
    pub(crate) bootstraps: [u32; 2],
}

/// A row of Table 6: milliseconds in the four scenarios.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FdfbCell {
    pub(crate) name: String,
    pub(crate) algorithm: String,
    pub(crate) a: Option<f64>,
    pub(crate) b: Option<f64>,
    pub(crate) c: Option<f64>,
    pub(crate) d: Option<f64>,
}

impl FdfbCell {
    /// The scenarios: name, table of the rows, p, milliseconds.
    pub(crate) fn scenarios(&self) -> [(&'static str, u32, u64, Option<f64>); 4] {
        [("A", 11, 16, self.a), ("B", 11, 32, self.b), ("C", 12, 16, self.c), ("D", 12, 32, self.d)]
    }
}

/// A row of Tables 11 and 12.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FdfbRow {
    pub(crate) table: u32,
    pub(crate) name: String,
    pub(crate) algorithm: String,
    pub(crate) ms: f64,
    pub(crate) p: u64,
    /// Our set with the paper's numbers.
    pub(crate) params: String,
    pub(crate) log2_q: u32,
    pub(crate) log2_q_ks: u32,
    pub(crate) log2_b_g: u32,
    pub(crate) log2_second_base: Option<u32>,
    pub(crate) log2_q_pk: Option<u32>,
    #[serde(default)]
    pub(crate) product: bool,
}

impl FdfbPaper {
    pub(crate) fn load() -> Self {
        toml::from_str(include_str!("../papers/fdfb-and-digit-decomposition.toml")).expect("the shipped file parses")
    }

    /// Dimension n of the short key in a row.
    pub(crate) fn lwe_dimension(&self, row: &FdfbRow) -> usize {
        let name = if row.table == 11 { "decomp" } else { "fast" };
        self.set.iter().find(|set| set.name == name).map_or(0, |set| set.lwe_dimension)
    }
}

/// The wide-modulus paper.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WidePaper {
    pub(crate) paper: String,
    pub(crate) title: String,
    pub(crate) machine: String,
    pub(crate) tree: WideTree,
    pub(crate) cell: Vec<WideCell>,
}

/// A cell of Table 2: the paper's row and OpenFHE's of the same modulus (which has three digits).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WideCell {
    pub(crate) log2_modulus: u32,
    /// d_g, of which the paper leaves one out.
    pub(crate) digits: u32,
    /// log2 of the lower limb's base.
    pub(crate) log2_limb: u32,
    /// log2 of the standard deviation of the result's noise, in units of 1/Q.
    pub(crate) log2_noise: f64,
    pub(crate) ms: f64,
    pub(crate) openfhe_log2_noise: f64,
    pub(crate) openfhe_ms: f64,
}

/// Table 3.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WideTree {
    /// Our set with the paper's numbers.
    pub(crate) params: String,
    pub(crate) ms: f64,
    pub(crate) openfhe_ms: f64,
    /// The accuracy of encrypted inference, both programs'.
    pub(crate) accuracy: f64,
    pub(crate) plain_accuracy: f64,
}

impl WidePaper {
    pub(crate) fn load() -> Self {
        toml::from_str(include_str!("../papers/wide-modulus-fft-bootstrapping.toml")).expect("the shipped file parses")
    }
}

/// The paper on larger tables with CKKS.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CkksPaper {
    pub(crate) paper: String,
    pub(crate) title: String,
    pub(crate) machine: String,
    pub(crate) row: Vec<CkksRow>,
    pub(crate) profile: Vec<CkksProfile>,
    pub(crate) tree: Vec<CkksTree>,
    pub(crate) memory: Vec<CkksMemory>,
}

/// A row of Table 3 or 4.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CkksTree {
    pub(crate) table: u32,
    pub(crate) bits: u32,
    /// Bits of a digit.
    pub(crate) digit_bits: u32,
    /// log2 of the modulus of the ciphertext that goes in.
    pub(crate) log2_modulus: u32,
    pub(crate) scale_bits: u32,
    pub(crate) log2_degree: u32,
    pub(crate) log2_qp: u32,
    pub(crate) seconds: f64,
    /// A value.
    pub(crate) ms: f64,
    /// AKP-FBT takes so many times the seconds.
    pub(crate) direct_over_tree: Option<f64>,
}

/// A row of Table 5, in GB.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CkksMemory {
    pub(crate) bits: u32,
    /// AKP-FBT.
    pub(crate) direct: f64,
    /// BMT-FBT.
    pub(crate) binary: f64,
    /// CMT-FBT.
    pub(crate) collapsed: f64,
}

/// A row of Table A1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CkksRow {
    pub(crate) bits: u32,
    /// log2 of the modulus of the ciphertext that goes in.
    pub(crate) log2_modulus: u32,
    pub(crate) log2_degree: u32,
    pub(crate) log2_qp: u32,
    pub(crate) seconds: f64,
    /// A value.
    pub(crate) ms: f64,
    /// A value, by the paper's own method on digits.
    pub(crate) digits_ms: Option<f64>,
}

/// A row of Table 2, in percent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CkksProfile {
    pub(crate) bits: u32,
    pub(crate) raise_to_slots: f64,
    pub(crate) exponential: f64,
    pub(crate) powers: f64,
    pub(crate) polynomial: f64,
    pub(crate) to_coeffs: f64,
    pub(crate) seconds: f64,
}

impl CkksPaper {
    pub(crate) fn load() -> Self {
        toml::from_str(include_str!("../papers/larger-tables-with-ckks.toml")).expect("the shipped file parses")
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
    fn our_wide_sets_have_the_papers_numbers() {
        let paper = WidePaper::load();
        assert!(FhewParams::by_name(&paper.tree.params).is_ok());
        for cell in paper.cell {
            let name = format!("paper_wide_{}_d{}", cell.log2_modulus, cell.digits);
            let set = FhewParams::by_name(&name).unwrap();
            assert_eq!((set.log2_modulus(), set.lwe_dimension(), set.shape().degree), (cell.log2_modulus, 1305, 4096));
            assert_eq!(set.bootstrap_gadget().levels() + 1, cell.digits);
            // The paper does not give the base; OpenFHE's noise tells it for three digits, the paper's for four.
            let rounded = if cell.digits == 3 { cell.log2_modulus / 3 } else { cell.log2_modulus.div_ceil(4) };
            assert_eq!(set.bootstrap_gadget().log2_base(), rounded);
            let gadget = set.blind_rotation(set.shape()).gadget_variance().sqrt().log2() + f64::from(cell.log2_modulus);
            let expected = if cell.digits == 3 { cell.openfhe_log2_noise } else { cell.log2_noise };
            assert!(gadget.round() <= expected, "{name}: {gadget}");
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

    #[test]
    fn every_cell_of_the_fdfb_paper_is_there() {
        let paper = FdfbPaper::load();
        let count = |table| paper.row.iter().filter(|row| row.table == table).count();
        assert_eq!((count(11), count(12), paper.cell.len(), paper.ratio.len()), (30, 17, 11, 10));
        let given = paper.cell.iter().flat_map(|cell| cell.scenarios()).filter(|(.., ms)| ms.is_some()).count();
        // Slashes: eleven.
        assert_eq!(given, 4 * 11 - 11);
        for cell in &paper.cell {
            for (scenario, table, p, ms) in cell.scenarios() {
                let rows =
                    paper.row.iter().filter(|row| (row.table, row.p) == (table, p) && row.algorithm == cell.algorithm);
                let least = rows.map(|row| row.ms).min_by(f64::total_cmp);
                assert_eq!(ms, least, "{} in scenario {scenario}", cell.name);
            }
        }
    }

    #[test]
    fn fdfb_rows_have_sets_and_algorithms_of_their_numbers() {
        let paper = FdfbPaper::load();
        for row in &paper.row {
            let set = FhewParams::by_name(&row.params).unwrap();
            assert_eq!(set.lwe_dimension(), paper.lwe_dimension(row), "{}", row.params);
            assert_eq!(set.shape().degree, 2048);
            let gadget = set.bootstrap_gadget();
            assert_eq!((gadget.log2_base(), gadget.levels()), (row.log2_b_g, 53u32.div_ceil(row.log2_b_g)));
            assert!(row.p <= 1 << set.bits() && row.p.is_power_of_two());
            assert_eq!(set.lwe_distribution(), bootes_ring::sample::KeyDistribution::Ternary);
            assert!(bootes_lut::fhew::registry::by_name(&row.algorithm).is_ok(), "{}", row.algorithm);
            assert_eq!(row.product, row.algorithm.contains("pbs") || row.algorithm.starts_with("bfv"));
            // An extra bit halves q.
            let extra_bit = ["eval-func", "cancel-sign"].contains(&&*row.algorithm) || row.algorithm.contains("pbs1");
            assert_eq!(row.log2_q, if extra_bit { 11 } else { 12 }, "{}", row.name);
        }
        for ratio in &paper.ratio {
            for algorithm in [&ratio.ours, &ratio.previous] {
                assert!(paper.row.iter().any(|row| row.algorithm == *algorithm), "{algorithm}");
            }
        }
        // The noise of the short key is 3.19 of Table 11's and 12's q_ks, that of the accumulator 3.19 of Q.
        assert_eq!(paper.set.iter().map(|set| set.log2_modulus).collect::<Vec<_>>(), [35, 20]);
        for set in FhewParams::all().iter().filter(|set| set.name().starts_with("paper_fdfb_")) {
            let [lwe, glwe] = [set.lwe_std() * 2f64.powi(20), set.glwe_std() * 2f64.powi(53)];
            assert!((lwe / 3.19 - 1.0).abs() < 1e-3 && (glwe / 3.19 - 1.0).abs() < 1e-3, "{}", set.name());
        }
    }

    #[test]
    fn every_row_of_the_ckks_tables_is_there() {
        let paper = CkksPaper::load();
        let bits: Vec<u32> = paper.row.iter().map(|row| row.bits).collect();
        assert_eq!(bits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16]);
        for row in &paper.row {
            let ms = row.seconds * 1e3 / f64::from(row.log2_degree).exp2();
            assert!((ms / row.ms - 1.0).abs() < 1e-3, "{} bits: {ms} ms a value", row.bits);
            assert_eq!(row.digits_ms.is_none(), row.bits == 1);
            assert!(row.log2_modulus < row.log2_qp);
        }
        for (table, bits) in [(3, &[8, 10, 11, 12, 13, 14, 16, 18, 20][..]), (4, &[8, 10, 12, 14, 16, 18, 20])] {
            let rows: Vec<_> = paper.tree.iter().filter(|row| row.table == table).collect();
            assert!(rows.iter().map(|row| row.bits).eq(bits.iter().copied()));
            for row in rows {
                let ms = row.seconds * 1e3 / f64::from(row.log2_degree).exp2();
                assert!((ms / row.ms - 1.0).abs() < 0.01, "table {table}, {} bits: {ms} ms a value", row.bits);
                // A value in Table 3: AKP-FBT of Table A1 over CMT-FBT.
                let direct = paper.row.iter().find(|direct| direct.bits == row.bits);
                let ratio = direct.filter(|_| table == 3).map(|direct| direct.ms / row.ms);
                if let (Some(ratio), Some(printed)) = (ratio, row.direct_over_tree) {
                    assert!((ratio / printed - 1.0).abs() < 0.01, "{} bits: {ratio}", row.bits);
                }
            }
        }
        assert!(paper.memory.iter().map(|row| row.bits).eq([10, 12, 14, 16]));
        assert_eq!(paper.profile.len(), 9);
        for step in &paper.profile {
            let total = step.raise_to_slots + step.exponential + step.powers + step.polynomial + step.to_coeffs;
            // The paper's steps leave up to 1.4 % out.
            assert!((98.0..=100.1).contains(&total), "{} bits: {total} %", step.bits);
            let latency = paper.row.iter().find(|row| row.bits == step.bits).map(|row| row.seconds);
            assert!(latency.is_some_and(|s| (s / step.seconds - 1.0).abs() < 0.01), "{} bits", step.bits);
        }
    }
}
