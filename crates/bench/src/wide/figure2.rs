//! `wide-figure2`: Figure 2 of the wide-modulus paper, the noise of blind rotation against the place where words are split.
//!
//! log B̄ is the place of the split above the unit of the modulus: the upper limb has log Q − log B̄ bits. A split too low leaves the
//! upper limb's sums inexact, and what rounding then gets wrong is of size B̄; one too high leaves the lower limb long, and its sums err.
use crate::paper::WidePaper;
use crate::row::{Column, Row};
use crate::subject::RotationSubject;
use crate::wide::log2_of_unit;
use crate::{BenchError, Options, Sink};
use bootes_ring::fft::WordLimbs;
use bootes_schemes::fhew::FhewParams;

pub(crate) const NAME: &str = "wide-figure2";
pub(crate) const SUMMARY: &str =
    "Figure 2 of the wide-modulus paper: noise of blind rotation against the place of the split into two limbs";
pub(crate) const COLUMNS: &[Column] = &[
    Column::new("split", "row", 36),
    Column::new("upper bits", "upper_bits", 10),
    Column::new("paper log2", "paper_log2_noise", 10),
    Column::new("gadget", "gadget_log2_noise", 6),
    Column::new("transforms", "transforms_log2_noise", 10),
    Column::new("predicted", "predicted_log2_noise", 9),
    Column::new("measured", "measured_log2_noise", 9),
    Column::new("by rule", "chosen", 7),
];

/// The sets, and the splits of a quick run.
const SETS: [&str; 2] = ["paper_wide_72_d3", "paper_wide_76_d4"];
const QUICK: [u32; 2] = [52, 56];

pub(crate) fn run(options: &Options, sink: &mut Sink<'_>) -> Result<(), BenchError> {
    let paper = WidePaper::load();
    sink(
        Row::new(NAME, "Figure 2")
            .with(
                "note",
                "n = 1305, N = 4096; log2 of standard deviations in units of 1/Q: of the gadget (sigma_GINX), of the transforms \
                 (Delta_fft), of both, measured over all coefficients of rotations; paper: Table 2, at its choice of the split; by \
                 rule: the split that is chosen here, the lowest whose upper limb is exact",
            )
            .with("paper", paper.paper.as_str())
            .with("title", "Figure 2: noise of blind rotation against the place of the split"),
    )?;
    for name in SETS {
        let params = FhewParams::by_name(name)?;
        let (log2_modulus, digits) = (params.log2_modulus(), params.bootstrap_gadget().levels() + 1);
        let rotation = params.blind_rotation(params.shape());
        let chosen = params.limbs::<u128>(params.shape());
        for log2_split in (42..=64).step_by(2) {
            if options.quick && !QUICK.contains(&log2_split) {
                continue;
            }
            let upper_bits = log2_modulus - log2_split;
            let limbs = WordLimbs::split(rotation.transform_error(), upper_bits);
            // Half of the variance is one random number to all coefficients of a rotation: more of them.
            let mut subject = RotationSubject::<u128>::with_limbs(&params, limbs, None, 1, options.runs(12, 2))?;
            let (predicted, measured) = (subject.predicted_std(), subject.measured_std());
            let log2 = |std: f64| log2_of_unit(&params, std);
            let mut row = Row::new(NAME, format!("log Q = {log2_modulus}, d = {digits}, log B = {log2_split}"));
            row.params = Some(params.name().to_string());
            row.noise_predicted_std = Some(predicted);
            row.noise_measured_std = Some(measured);
            let cell = paper
                .cell
                .iter()
                .find(|cell| (cell.log2_modulus, cell.digits, cell.log2_limb) == (log2_modulus, digits, log2_split));
            sink(
                row.with("log2_split", log2_split)
                    .with("upper_bits", upper_bits)
                    .with("paper_log2_noise", cell.map(|cell| cell.log2_noise))
                    .with("gadget_log2_noise", log2(rotation.gadget_variance().sqrt()))
                    .with("transforms_log2_noise", log2(rotation.float_variance(&limbs, None).sqrt()))
                    .with("predicted_log2_noise", log2(predicted))
                    .with("measured_log2_noise", log2(measured))
                    .with("checked", subject.group())
                    .with("chosen", chosen.as_slice()[0].high - chosen.as_slice()[0].low == upper_bits),
            )?;
        }
    }
    Ok(())
}
