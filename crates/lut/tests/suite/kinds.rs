//! What values of programs are, residues or integers, beside an interpreter that has the guide's words alone.
use bootes_lut::{Interval, Kind, Lut, LutError, Program};
use bootes_testkit::Expressions;

/// What the specification has of these inputs.
fn plain(program: &Program, made: &Expressions) -> Result<Vec<Vec<i128>>, LutError> {
    let inputs = || program.names().iter().map(|name| made.input(name));
    let kind = |modulus: Option<u64>| modulus.map_or(Kind::Integers(Interval { min: -3, max: 4 }), Kind::Residues);
    let kinds: Vec<Kind> = inputs().map(|input| kind(input.modulus)).collect();
    program.plain(&inputs().map(|input| &input.rows[..]).collect::<Vec<_>>(), &kinds)
}

/// None is refused.
#[test]
fn values_are_what_the_guide_says() -> Result<(), LutError> {
    for seed in 0..6000 {
        let mut made = Expressions::new(seed, [2, 2, 7, 16][seed as usize % 4]);
        let (wanted, text) = made.program(3);
        let (table, pairs) = (Lut::modular(made.entries.clone(), made.p)?, Lut::modular(made.pairs.clone(), made.p)?);
        let program = Program::parse(&text, &[("T", &table), ("U", &pairs)])?;
        for (value, found) in wanted.iter().zip(plain(&program, &made)?) {
            assert_eq!(found, value.rows, "{} of {text}: {value:?}", value.text);
        }
    }
    Ok(())
}
