//! Tables of several values.
use bootes::planner::{self, Request};
use bootes::{Engine, Load, Lut, LutError, MultivariateLut, Params, Space};

/// Checks that a table of several values, of which there are so many each, has an entry for each combination.
pub(crate) fn check_sizes(entries: u64, sizes: &[u64]) -> Result<(), String> {
    let expected = sizes.iter().map(|&size| u128::from(size)).product::<u128>();
    if u128::from(entries) == expected {
        return Ok(());
    }
    let product: Vec<String> = sizes.iter().map(u64::to_string).collect();
    Err(format!(
        "the table has {entries} entries, and there are {} = {expected} combinations of the values that each input may \
         have: expected an entry for each, the last input varying fastest",
        product.join("*")
    ))
}

/// The table of operands that hold so many values each, 0 where it has none: integers are packed by bits. It gives
/// integers, or residues as it did.
pub(crate) fn with_room(
    sizes: &[u64],
    held: &[u64],
    table: &Lut,
    gives_integers: bool,
) -> Result<MultivariateLut, LutError> {
    let entry = |values: &[u64]| {
        let index = values
            .iter()
            .zip(sizes)
            .try_fold(0, |index, (&value, &size)| (value < size).then_some(index * size + value));
        index.map_or(0, |index| table.values()[index as usize])
    };
    let entries = MultivariateLut::images(held, entry);
    let lut = match gives_integers {
        true => Lut::new(entries, table.out_bits())?,
        false => Lut::modular(entries, table.out_modulus())?,
    };
    MultivariateLut::new(held, lut)
}

/// The faster one of a request of a table of several values and the same on integers with room for each: of residues of
/// so many each some sets take fewer bits, and engine fhew no tree. Of the set or the engine that is named, or of all.
pub(crate) fn faster(
    request: Request,
    named: (Option<&Params>, Option<Engine>),
    load: &Load,
    sizes: &[u64],
    table: &Lut,
) -> Request {
    let seconds = |request: &Request, limit: f64| {
        let offer = match named {
            (Some(set), _) => request.offer_of(set.clone(), load),
            (None, Some(engine)) => request.offer(engine, load),
            (None, None) => planner::choose_under(request, load, limit).map(|choice| choice.offer),
        };
        offer.map_or(f64::INFINITY, |offer| offer.prediction.job_seconds)
    };
    let wide: Vec<u64> = sizes.iter().map(|size| size.next_power_of_two()).collect();
    let (false, Ok(table)) = (wide == sizes, with_room(sizes, &wide, table, true)) else {
        return request;
    };
    let space = Space::unsigned(table.lut().in_bits());
    let on_integers = Request { function: table.into(), space, target: request.target };
    let enough = seconds(&on_integers, f64::INFINITY);
    if enough < seconds(&request, enough) { on_integers } else { request }
}
