//! A table of several values.

use super::*;
use crate::error::of_sizes;
use crate::table::{check_sizes, faster};
use bootes::planner::{self, Offer};

impl Job {
    /// The job of a table that has an entry for each combination of the operands.
    pub(super) fn several(args: &RunArgs, path: PathBuf) -> Result<Self, CliError> {
        if args.algorithm.is_some() {
            return Err(CliError::new("--algorithm is for tables of one --input: leave it out"));
        }
        let table = Table::of_several(Text::open(&path)?, &args.form, args.paths().count().max(args.columns.len()))?;
        let paths: Vec<PathBuf> = args.paths().cloned().collect();
        let source = Source::new(&paths, &args.columns)?;
        let sizes = sizes(args, source.len(), table.entries()).map_err(|line| CliError::at(&path, line))?;
        let domain = if args.form.modulus.is_some() { Domain::Modulo } else { Domain::Below };
        let domains: Vec<Domain> = sizes.iter().map(|&size| domain(size)).collect();
        let (operands, format) = source.residues(&domains, args.bytes)?;
        // Integers are given the room in which packing is free; what is no power of two has none.
        let are_integers = table.entries().is_power_of_two() && args.choice.bits.is_none();
        let (space, table) = match are_integers {
            true => (Space::unsigned(table.lut.in_bits()), table.on_integers()),
            false => (Space::Modular(table.entries()), table),
        };
        let lut = MultivariateLut::new(&sizes, table.lut.clone());
        let lut = lut.map_err(|error| CliError::of(&path, error.into()))?;
        let target = args.choice.pfail.unwrap_or(FailureTarget::Two128);
        let load = commands::load(operands[0].len(), &args.threads, &args.memory, &args.masks);
        let mut request = Request { function: lut.clone().into(), space, target };
        let may_be_integers =
            args.form.modulus.is_none() && args.form.out_modulus.is_none() && args.choice.bits.is_none();
        if may_be_integers {
            let set = args.choice.params.as_ref().map(|name| Params::named(name)).transpose()?;
            request = faster(request, (set.as_ref(), args.engine), &load, &sizes, lut.lut());
        }
        let offer = match (&args.choice.params, args.engine) {
            (Some(name), engine) => {
                let set = Params::named(name)?;
                check_promise(&set, args.choice.pfail)?;
                if let Some(engine) = engine.filter(|engine| *engine != set.engine()) {
                    return Err(commands::other_engine(&set, engine));
                }
                request.offer_of(set, &load)
            }
            (None, Some(engine)) => request.offer(engine, &load),
            (None, None) => planner::choose(&request, &load).map(|choice| choice.offer),
        };
        let Offer { params, space, .. } = offer.map_err(|error| {
            let is_elsewhere = || planner::choose(&request, &load).is_ok();
            let cure = (args.choice.params.is_some() && is_elsewhere()).then_some("leave --params out");
            CliError::at(&path, of_sizes(&sizes, &error, cure))
        })?;
        let title = format!(
            "table {} of {} values, {} of each; inputs {}: {} ({})",
            path.display(),
            sizes.len(),
            report::list(&sizes),
            commands::names(&paths),
            report::values(operands[0].len()),
            format.name(),
        );
        let request = Request { space, ..request };
        Ok(Self { work: Work::Several { table, sizes }, operands, format, params, table: Some(path), request, title })
    }

    /// Operands of these sizes: residues, or integers with room for all together.
    pub(super) fn encrypt_packed(&self, client: &Client, sizes: &[u64]) -> Result<Vec<Ciphertexts>, bootes::Error> {
        let encrypt = |(values, &size): (&Vec<i128>, &u64)| match self.request.space.integers() {
            None => client.encrypt_modulo(&residues(values)?, size),
            Some(all) => client.encrypt_within(values, 0..=size as i128 - 1, all.width()),
        };
        self.operands.iter().zip(sizes).map(encrypt).collect()
    }
}

/// How many values each of so many operands has, as options say it, or else the same number each.
fn sizes(args: &RunArgs, operands: usize, entries: u64) -> Result<Vec<u64>, String> {
    let bits = args.choice.width.or(args.choice.bits);
    if let (Some(sizes), Some(bits)) = (&args.sizes, bits) {
        let option = if args.choice.width.is_some() { "--width" } else { "--bits" };
        let all = 1u64.checked_shl(bits.saturating_mul(operands as u32));
        let left_out = if all == Some(entries) && check_sizes(entries, &sizes.0).is_err() { "--sizes" } else { option };
        return Err(format!("--sizes says how many values each input has, and {option} too: leave {left_out} out"));
    }
    if args.choice.width.is_some() && !args.sign.unsigned {
        return Err("--width with a table of several values is of integers from 0 on: give --unsigned, too".into());
    }
    let sizes = match (&args.sizes, bits) {
        (Some(sizes), _) if sizes.0.len() == operands => sizes.0.clone(),
        (Some(sizes), _) => {
            let found = sizes.0.len();
            return Err(format!("--sizes has {found} numbers, and there are {operands} inputs: give one for each"));
        }
        (None, Some(bits)) => vec![1 << bits; operands],
        (None, None) => {
            let root = (entries as f64).powf(1.0 / operands as f64).round() as u64;
            vec![root.max(2); operands]
        }
    };
    check_sizes(entries, &sizes).map(|()| sizes.clone()).map_err(|line| match (&args.sizes, bits) {
        (None, None) => format!(
            "the table has {entries} entries for {operands} inputs, which have not one number of values each: give \
             --sizes with how many each has, whose product is {entries}"
        ),
        (None, Some(_)) => format!("{line}; --bits and --width are of each input: leave them out, or give --sizes"),
        _ => line,
    })
}
