//! The jobs: the strengths of each engine, and what is near where two of them take as long.
use std::fmt;

use bootes::planner::Request;
use bootes::{FailureTarget, Function, IntegerOp, Interval, Lut, Space};

use crate::BenchError;
use crate::random::SplitMix;

/// A function.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A table without structure, of so many entries.
    Table(u64),
    /// x ↦ 3·x + 1 modulo p.
    Affine(u64),
    /// A function of integers with a sign, of so many bits.
    Integers(IntegerOp, u32),
}
use Kind::{Affine, Integers, Table};

/// A function of so many fresh values, which is wrong with 2^-128 or 2^-64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    kind: Kind,
    pub(super) values: usize,
    target: FailureTarget,
}

/// Functions, and numbers of values.
const STRICT: &[(Kind, &[usize])] = &[
    (Table(1 << 1), &[1, 100, 300, 1000]),
    (Table(1 << 2), &[10, 1000]),
    (Table(1 << 3), &[100, 1000, 3000]),
    (Table(1 << 4), &[1, 1000, 65536]),
    (Table(1 << 5), &[100, 1000]),
    (Table(1 << 6), &[10, 1000]),
    (Table(1 << 8), &[1, 100, 200, 300, 65536]),
    (Table(1 << 10), &[10, 100, 65536]),
    (Table(1 << 12), &[1, 65536]),
    (Table(1 << 14), &[1, 10]),
    (Table(1 << 16), &[1, 10]),
    (Table(1 << 20), &[1]),
    (Table(3), &[1, 10000]),
    (Table(17), &[1000]),
    (Table(31), &[100, 1000]),
    (Table(100), &[10, 1000]),
    (Table(127), &[100]),
    (Table(251), &[100]),
    (Table(257), &[10, 100, 1000]),
    (Table(12289), &[10]),
    (Table(65537), &[65536]),
    (Affine(17), &[1000]),
    (Affine(127), &[100]),
    (Affine(257), &[10, 10000, 65536]),
    (Affine(65537), &[1000]),
    (Integers(IntegerOp::Less, 8), &[1000]),
    (Integers(IntegerOp::Max, 8), &[100]),
    (Integers(IntegerOp::Less, 16), &[1, 65536]),
    (Integers(IntegerOp::Relu, 16), &[500]),
    (Integers(IntegerOp::Less, 32), &[1, 10]),
];

/// The same with 2^-64.
const LOOSE: &[(Kind, &[usize])] = &[(Table(1 << 5), &[1000]), (Table(1 << 8), &[300])];

/// All of them.
pub(super) fn jobs() -> impl Iterator<Item = Job> {
    let of = |list: &'static [(Kind, &[usize])], target| {
        let each = move |&(kind, counts): &'static (Kind, &[usize])| {
            counts.iter().map(move |&values| Job { kind, values, target })
        };
        list.iter().flat_map(each)
    };
    of(STRICT, FailureTarget::Two128).chain(of(LOOSE, FailureTarget::Two64))
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x ", self.values)?;
        match self.kind {
            Table(p) if p.is_power_of_two() => write!(f, "table of {} bits", p.ilog2()),
            Table(p) => write!(f, "table modulo {p}"),
            Affine(p) => write!(f, "3·x + 1 modulo {p}"),
            Integers(op, width) => write!(f, "{op} of {width} bits"),
        }?;
        if self.target == FailureTarget::Two64 { write!(f, " at 2^-64") } else { Ok(()) }
    }
}

impl Job {
    /// Whether it takes a moment.
    pub(super) fn is_quick(&self) -> bool {
        matches!(self.kind, Table(2 | 16)) && self.values == 1
    }

    /// Bits of a value.
    pub(super) fn bits(&self) -> u32 {
        match self.kind {
            Table(p) | Affine(p) => p.next_power_of_two().ilog2(),
            Integers(_, width) => width,
        }
    }

    /// The library's request.
    pub(super) fn request(&self) -> Result<Request, BenchError> {
        let (function, space) = match self.kind {
            Table(p) => (Function::from(Lut::unstructured_modulo(p)), Space::Modular(p)),
            Affine(p) => {
                let entries = (0..p).map(|x| (3 * x + 1) % p).collect();
                (Function::from(Lut::modular(entries, p)?), Space::Modular(p))
            }
            Integers(op, width) => (Function::from(op), Space::signed(width)),
        };
        Ok(Request { function, space, target: self.target })
    }

    /// Values of each operand, and the results.
    pub(super) fn values(&self, request: &Request, random: &mut SplitMix) -> (Vec<Vec<i128>>, Vec<i128>) {
        let (operands, least, count) = match self.kind {
            Table(p) | Affine(p) => (1, 0, p),
            Integers(op, width) => (op.operands(), Interval::signed(width).min, 1 << width),
        };
        let mut column = || (0..self.values).map(|_| least + random.below(count) as i128).collect::<Vec<_>>();
        let columns: Vec<Vec<i128>> = (0..operands).map(|_| column()).collect();
        let row = |i: usize| columns.iter().map(|column| column[i]).collect::<Vec<_>>();
        let image = |x: Vec<i128>| match &request.function {
            Function::Table(lut) => lut.values()[x[0] as usize] as i128,
            Function::Integers(op) => op.apply(&x),
            _ => unreachable!("no other function is asked for"),
        };
        let results = (0..self.values).map(|i| image(row(i))).collect();
        (columns, results)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sixty_jobs_have_names_of_their_own() {
        let names: BTreeSet<String> = jobs().map(|job| job.to_string()).collect();
        assert_eq!((jobs().count(), names.len()), (60, 60));
        let has = |name: &str| names.contains(name);
        assert!(
            has("10000 x 3·x + 1 modulo 257") && has("10 x less of 32 bits") && has("300 x table of 8 bits at 2^-64")
        );
        assert_eq!(jobs().filter(Job::is_quick).count(), 2);
    }

    #[test]
    fn results_are_those_of_plain_functions() -> Result<(), BenchError> {
        for (name, image) in [
            ("10 x 3·x + 1 modulo 257", &(|x: &[i128]| (3 * x[0] + 1) % 257) as &dyn Fn(&[i128]) -> i128),
            ("1 x less of 16 bits", &|x| i128::from(x[0] < x[1])),
        ] {
            let job = jobs().find(|job| job.to_string() == name).unwrap();
            let (operands, results) = job.values(&job.request()?, &mut SplitMix(1));
            for (i, &result) in results.iter().enumerate() {
                let x: Vec<i128> = operands.iter().map(|values| values[i]).collect();
                assert_eq!(result, image(&x), "{name}");
            }
        }
        Ok(())
    }
}
