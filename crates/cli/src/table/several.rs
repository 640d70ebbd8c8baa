//! Tables of several values.
use bootes::planner::Request;
use bootes::{Load, Lut, LutError, MultivariateLut, Params, Space};

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

/// The table of as many bits of each operand as it has values for, 0 where there are none: integers are packed by bits.
pub(crate) fn with_room(sizes: &[u64], table: &Lut) -> Result<MultivariateLut, LutError> {
    let wide: Vec<u64> = sizes.iter().map(|size| size.next_power_of_two()).collect();
    let entry = |values: &[u64]| {
        let index = values
            .iter()
            .zip(sizes)
            .try_fold(0, |index, (&value, &size)| (value < size).then_some(index * size + value));
        index.map_or(0, |index| table.values()[index as usize])
    };
    let entries = MultivariateLut::images(&wide, entry);
    MultivariateLut::new(&wide, Lut::new(entries, table.out_bits())?)
}

/// The request of a table of several values for this set, on integers with room for each value where it takes no
/// residues of so many: a bootstrap takes fewer bits of residues than a tree does of integers.
pub(crate) fn on_integers(request: Request, set: &Params, load: &Load, sizes: &[u64], table: &Lut) -> Request {
    let refused = request.offer_of(set.clone(), load);
    if let Err(bootes::Error::Lut(LutError::Packing { .. })) = refused
        && let Ok(table) = with_room(sizes, table)
    {
        let space = Space::unsigned(table.lut().in_bits());
        let on_integers = Request { function: table.into(), space, target: request.target };
        if on_integers.offer_of(set.clone(), load).is_ok() {
            return on_integers;
        }
    }
    request
}
