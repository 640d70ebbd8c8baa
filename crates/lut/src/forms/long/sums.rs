//! Sums of many: of pairs, and of pairs of those, so that each carry is of few and none waits for all before it.
use super::{Long, TOO_LONG, Value, sum};
use crate::Interval;
use crate::forms::Lowering;
use crate::program::{Node, Operation};

/// The operands of a sum or difference, with their signs.
fn signed(operation: &Operation) -> Option<[(Node, i64); 2]> {
    match operation {
        Operation::Sum(a, b) => Some([(*a, 1), (*b, 1)]),
        Operation::Difference(a, b) => Some([(*a, 1), (*b, -1)]),
        _ => None,
    }
}

impl Lowering<'_> {
    /// Which sums nothing takes but one sum that is too long for a ciphertext: they are made as one.
    pub(in crate::forms) fn summands(&self) -> Vec<bool> {
        let operations = self.program.operations();
        let mut summands = vec![false; operations.len()];
        let Some(most) = self.limbs.as_ref().map(|limbs| limbs.most) else { return summands };
        let mut uses = vec![0; operations.len()];
        let taken = operations.iter().flat_map(Operation::operands).chain(self.program.outputs().iter().copied());
        taken.for_each(|node| uses[node.index()] += 1);
        for (number, operation) in operations.iter().enumerate().rev() {
            let is_sum = |number: usize| self.kinds[number].constant().is_none() && self.wraps[number].is_none();
            let is_long = self.kinds[number].range().is_some_and(|range| range.width() > most);
            if let Some(operands) = signed(operation)
                && (summands[number] || is_long && is_sum(number))
            {
                for (node, _) in operands {
                    let number = node.index();
                    let is_one = signed(&operations[number]).is_some() && uses[number] == 1 && is_sum(number);
                    summands[number] |= is_one;
                }
            }
        }
        summands
    }

    /// A sum or difference whose value is too long for one ciphertext.
    pub(super) fn total(&mut self, operation: &Operation, range: Interval) -> Result<Long, &'static str> {
        let mut open = signed(operation).map_or_else(Vec::new, |operands| operands.into_iter().rev().collect());
        let mut terms = Vec::new();
        while let Some((node, sign)) = open.pop() {
            match signed(&self.program.operations()[node.index()]).filter(|_| self.is_summand[node.index()]) {
                Some(operands) => open.extend(operands.into_iter().rev().map(|(node, own)| (node, own * sign))),
                None => terms.push((self.values[node.index()].clone(), sign)),
            }
        }
        while terms.len() > 1 {
            let mut rest = std::mem::take(&mut terms).into_iter();
            while let Some(one) = rest.next() {
                terms.push(match rest.next() {
                    Some(other) => self.of_two(one, other)?,
                    None => one,
                });
            }
        }
        let (value, sign) = terms.pop().ok_or(TOO_LONG)?;
        let value = self.long_of(&value)?;
        let value = match sign {
            1 => value,
            _ => self.difference(&Long::zero(), &value)?,
        };
        let [min, max] = [value.range.min.max(range.min), value.range.max.min(range.max)];
        Ok(Long { range: Interval { min, max }, ..value })
    }

    /// ±(a ± b), with its sign: in one ciphertext if it has room.
    fn of_two(&mut self, a: (Value, i64), b: (Value, i64)) -> Result<(Value, i64), &'static str> {
        // −a + b is b − a.
        let ((a, of_a), (b, of_b)) = if (a.1, b.1) == (-1, 1) { (b, a) } else { (a, b) };
        let sign = of_a * of_b;
        let most = self.limbs.as_ref().map_or(62, |limbs| limbs.most);
        if let (Value::Short(a), Value::Short(b)) = (&a, &b)
            && let Some(sum) = sum(a, b, sign)
            && sum.range().width() <= most
        {
            return Ok((Value::Short(sum), of_a));
        }
        let [a, b] = [self.long_of(&a)?, self.long_of(&b)?];
        let range = if sign == 1 { a.range.plus(b.range) } else { a.range.minus(b.range) };
        Ok((Value::Long(self.combined(&a, &b, sign, range.ok_or(TOO_LONG)?)?), of_a))
    }
}
