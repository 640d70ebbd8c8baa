//! Objects in the data model of `serde`: keys and ciphertexts as the bytes of their files, parameter sets by
//! name, plans as what they are of. Everything that is read is checked as files are. Secret keys have no such
//! form.
use crate::door::space::Integers;
use crate::engines::of::Of;
use crate::names::{MAX_NAME_BYTES, hex};
use crate::{
    Ciphertexts, Continuous, ConversionKey, Error, Function, IntegerLimbs, IntegerOp, Lut, MultivariateLut, Node,
    Operation, PairOp, Params, Plan, PlanRequest, Program, PublicKey, ServerKey, Space, bfv, ckks, fhew,
};
use bootes_lut::fhew::circuit::InputVariance;
use bootes_lut::integer::{MAX_LIMB, MAX_LIMBS, MAX_WIDTH};
use bootes_lut::table::MAX_RESIDUE_BITS;
use bootes_schemes::bfv::{PhaseSize, Scheme, State};
use bootes_schemes::ckks::noise::{ErrorBound, SlotNoise};
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{self, Serialize, SerializeStruct, Serializer};
use std::fmt;

/// Name and fingerprint: a set of another content is refused where it is read.
impl Serialize for Params {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Params", 2)?;
        out.serialize_field("name", self.name())?;
        out.serialize_field("fingerprint", &hex(&self.fingerprint()))?;
        out.end()
    }
}

impl<'de> Deserialize<'de> for Params {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "Params", deny_unknown_fields)]
        struct Named {
            name: String,
            fingerprint: String,
        }
        let Named { name, fingerprint } = Named::deserialize(deserializer)?;
        if name.len() > MAX_NAME_BYTES {
            return Err(de::Error::custom("the name of a parameter set is too long"));
        }
        let params = Self::named(&name).map_err(de::Error::custom)?;
        let expected = hex(&params.fingerprint());
        if expected != fingerprint {
            // Somebody else may have written it.
            let found = fingerprint.chars().take(expected.len()).collect();
            return Err(de::Error::custom(Error::ChangedParams { what: "object", params: name, found, expected }));
        }
        Ok(params)
    }
}

/// The bytes of their file: one for one in binary formats; in JSON a list of numbers, 3.6 characters a byte.
/// Files and streams ([`ServerKey::write`]) take no second copy.
impl Serialize for ServerKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.to_bytes().map_err(ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for ServerKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(OfFile("the bytes of a server key", Self::from_bytes))
    }
}

/// The bytes of its file: one for one in binary formats; in JSON a list of numbers, 3.6 characters a byte.
impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.to_bytes().map_err(ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(OfFile("the bytes of a public key", Self::from_bytes))
    }
}

/// The bytes of its file: one for one in binary formats; in JSON a list of numbers, 3.6 characters a byte.
impl Serialize for ConversionKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.to_bytes().map_err(ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for ConversionKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(OfFile("the bytes of a conversion key", Self::from_bytes))
    }
}

/// The bytes of their file: one for one in binary formats; in JSON a list of numbers, 3.6 characters a byte.
/// Files and streams ([`Ciphertexts::write`]) take no second copy.
impl Serialize for Ciphertexts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.to_bytes().map_err(ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Ciphertexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(OfFile("the bytes of ciphertexts", Self::from_bytes))
    }
}

/// The name of what is expected, and its reader, which takes the whole input and nothing else.
struct OfFile<T>(&'static str, fn(&[u8]) -> Result<T, Error>);

impl<'de, T> Visitor<'de> for OfFile<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        (self.1)(bytes).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<T, A::Error> {
        // What is said of a length is not believed before the bytes come.
        let mut bytes = Vec::with_capacity(sequence.size_hint().unwrap_or(0).min(1 << 20));
        while let Some(byte) = sequence.next_element::<u8>()? {
            bytes.push(byte);
        }
        self.visit_bytes(&bytes)
    }
}

/// As its [`PlanRequest`]: it is planned again where it is read
/// ([`Server::plan_again`](crate::Server::plan_again)).
impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.request().map_err(ser::Error::custom)?.serialize(serializer)
    }
}

impl Serialize for PlanRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let function = FunctionForm::of(&self.function).map_err(ser::Error::custom)?;
        let inputs = match &self.inputs {
            Of::Fhew(fhew::Inputs { spaces, variance }) => {
                let spaces = spaces.iter().map(|&space| SpaceForm::from(space)).collect();
                InputsForm::Fhew { spaces, variances: variance.all().to_vec() }
            }
            Of::Ckks(ckks::Inputs { operands, log2_modulus, related }) => {
                let operand = |&(space, error): &(Space, ErrorBound)| {
                    let ErrorBound { bias, noise: SlotNoise { flat, keyed } } = error;
                    OperandForm { space: space.into(), bias, flat, keyed }
                };
                let operands = operands.iter().map(operand).collect();
                InputsForm::Ckks { operands, log2_modulus: *log2_modulus, related: *related }
            }
            Of::Bfv(bfv::Inputs { states, len }) => {
                let state = |&(state, padded): &(State, bool)| {
                    let State { level, scheme, exponent: _, factor, size: PhaseSize { average, worst } } = state;
                    StateForm { level, bgv: scheme == Scheme::Bgv, factor, average, worst, padded }
                };
                InputsForm::Bfv { states: states.iter().map(state).collect(), len: *len }
            }
        };
        let mut out = serializer.serialize_struct("PlanRequest", 3)?;
        out.serialize_field("params", &self.params)?;
        out.serialize_field("function", &function)?;
        out.serialize_field("inputs", &inputs)?;
        out.end()
    }
}

impl<'de> Deserialize<'de> for PlanRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "PlanRequest", deny_unknown_fields)]
        struct Form {
            params: Params,
            function: FunctionForm,
            inputs: InputsForm,
        }
        let Form { params, function, inputs } = Form::deserialize(deserializer)?;
        let inputs = match inputs {
            InputsForm::Fhew { spaces, variances } => {
                let spaces = spaces.into_iter().map(Space::try_from).collect::<Result<_, _>>();
                if variances.is_empty() {
                    return Err(de::Error::custom("no noise variances: expected one of each ciphertext"));
                }
                let variance = InputVariance::of_each(variances);
                Of::Fhew(fhew::Inputs { spaces: spaces.map_err(de::Error::custom)?, variance })
            }
            InputsForm::Ckks { operands, log2_modulus, related } => {
                let operand = |OperandForm { space, bias, flat, keyed }| {
                    Ok((Space::try_from(space)?, ErrorBound { bias, noise: SlotNoise { flat, keyed } }))
                };
                let operands = operands.into_iter().map(operand).collect::<Result<_, Error>>();
                let operands = operands.map_err(de::Error::custom)?;
                Of::Ckks(ckks::Inputs { operands, log2_modulus, related })
            }
            InputsForm::Bfv { states, len } => {
                let state = |StateForm { level, bgv, factor, average, worst, padded }| {
                    let scheme = if bgv { Scheme::Bgv } else { Scheme::Bfv };
                    (State { level, scheme, exponent: 0, factor, size: PhaseSize { average, worst } }, padded)
                };
                Of::Bfv(bfv::Inputs { states: states.into_iter().map(state).collect(), len })
            }
        };
        Ok(Self { params, function: function.into_function().map_err(de::Error::custom)?, inputs })
    }
}

/// The form of [`PlanRequest::inputs`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum InputsForm {
    Fhew { spaces: Vec<SpaceForm>, variances: Vec<f64> },
    Ckks { operands: Vec<OperandForm>, log2_modulus: u32, related: bool },
    Bfv { states: Vec<StateForm>, len: usize },
}

/// The form of an operand of engine ckks.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct OperandForm {
    space: SpaceForm,
    bias: f64,
    flat: f64,
    keyed: f64,
}

/// The form of a [`State`]; its exponent is that of the set.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct StateForm {
    level: usize,
    bgv: bool,
    factor: u64,
    average: f64,
    worst: f64,
    /// Whether slots beside the values hold 0.
    #[serde(default)]
    padded: bool,
}

/// The form of [`Space`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum SpaceForm {
    Modular(u64),
    Integers {
        low: u32,
        #[serde(default, skip_serializing_if = "is_none_between")]
        between: u32,
        high: Option<u32>,
        min: i128,
        max: i128,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        modulus: Option<u64>,
    },
}

/// Whether there are two limbs at most.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none_between(between: &u32) -> bool {
    *between == 0
}

impl From<Space> for SpaceForm {
    fn from(space: Space) -> Self {
        match space {
            Space::Modular(p) => Self::Modular(p),
            Space::Integers(integers) => {
                let (IntegerLimbs { low, between, high }, range) = (integers.limbs(), integers.range());
                Self::Integers { low, between, high, min: range.min, max: range.max, modulus: integers.modulus() }
            }
        }
    }
}

impl TryFrom<SpaceForm> for Space {
    type Error = Error;

    /// A space as such: `Space::checked` knows whether there is room for it.
    fn try_from(form: SpaceForm) -> Result<Self, Error> {
        match form {
            SpaceForm::Modular(p) => Ok(Self::Modular(p)),
            SpaceForm::Integers { low, between, high, min, max, modulus } => {
                let refused = || Error::Request { what: format!("integers from {min} to {max}") };
                let is_short =
                    [Some(low), high].iter().flatten().all(|bits| *bits <= MAX_LIMB) && between <= MAX_LIMBS - 2;
                let limbs = Some(IntegerLimbs { low, between, high });
                let limbs = limbs.filter(|limbs| is_short && limbs.width() <= MAX_WIDTH);
                let integers = limbs.and_then(|limbs| Integers::new(limbs, crate::Interval { min, max }));
                let space = integers.map(Self::Integers).ok_or_else(refused)?;
                match modulus {
                    Some(p) if !(2..=1 << MAX_RESIDUE_BITS).contains(&p) => Err(refused()),
                    Some(p) => Ok(space.of_modulus(p)),
                    None => Ok(space),
                }
            }
        }
    }
}

/// The form of [`Lut`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct LutForm {
    values: Vec<i64>,
    out_modulus: u64,
    integers: bool,
}

impl From<&Lut> for LutForm {
    fn from(lut: &Lut) -> Self {
        Self { values: lut.entries().collect(), out_modulus: lut.out_modulus(), integers: lut.gives_integers() }
    }
}

impl TryFrom<LutForm> for Lut {
    type Error = Error;

    fn try_from(form: LutForm) -> Result<Self, Error> {
        let LutForm { values, out_modulus, integers } = form;
        Ok(match integers {
            true if out_modulus.is_power_of_two() => Self::new(values, out_modulus.ilog2())?,
            true => return Err(Error::Request { what: format!("a table of integers modulo {out_modulus}") }),
            false => Self::modular(values, out_modulus)?,
        })
    }
}

/// The form of [`Function`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum FunctionForm {
    Table(LutForm),
    Tables(Vec<LutForm>),
    TableBy(LutForm, String),
    Multivariate {
        sizes: Vec<u64>,
        table: LutForm,
    },
    Integers(String),
    Continuous {
        min: i128,
        values: Vec<f64>,
        out_bits: u32,
        interpolation_error: f64,
    },
    Widen(u32),
    Digits(u32),
    /// As it is parsed.
    Expression(String),
    Program(ProgramForm),
}

impl FunctionForm {
    fn of(function: &Function) -> Result<Self, Error> {
        Ok(match function {
            Function::Table(lut) => Self::Table(lut.into()),
            Function::Tables(luts) => Self::Tables(luts.iter().map(LutForm::from).collect()),
            Function::TableBy(lut, algorithm) => Self::TableBy(lut.into(), algorithm.clone()),
            Function::Complex(table) => Self::Tables(table.parts().iter().map(LutForm::from).collect()),
            Function::PerSlot(_) | Function::Encrypted(_) => {
                return Err(Error::Request { what: function.name() });
            }
            Function::Program(program) => {
                let text = program.to_string();
                match Program::parse(&text, &[]) {
                    Ok(read) if read == **program => Self::Expression(text),
                    _ => Self::Program(ProgramForm::of(program)),
                }
            }
            Function::Multivariate(table) => {
                Self::Multivariate { sizes: table.sizes().to_vec(), table: table.lut().into() }
            }
            Function::Integers(op) => Self::Integers(op.to_string()),
            Function::Continuous(function) => Self::Continuous {
                min: function.range().min,
                values: function.values().to_vec(),
                out_bits: function.out_bits(),
                interpolation_error: function.interpolation_error(),
            },
            Function::Widen(bits) => Self::Widen(*bits),
            Function::Digits(bits) => Self::Digits(*bits),
        })
    }

    fn into_function(self) -> Result<Function, Error> {
        Ok(match self {
            Self::Table(lut) => Function::Table(lut.try_into()?),
            Self::Tables(luts) => Function::Tables(luts.into_iter().map(Lut::try_from).collect::<Result<_, _>>()?),
            Self::TableBy(lut, algorithm) => Function::TableBy(lut.try_into()?, algorithm),
            Self::Multivariate { sizes, table } => MultivariateLut::new(&sizes, table.try_into()?)?.into(),
            Self::Integers(op) => {
                Function::Integers(op.parse::<IntegerOp>().map_err(|what| Error::Request { what: what.to_string() })?)
            }
            Self::Continuous { min, values, out_bits, interpolation_error } => {
                Function::Continuous(Continuous::of_values(min, values, out_bits, interpolation_error)?)
            }
            Self::Widen(bits) => Function::Widen(bits),
            Self::Digits(bits) => Function::Digits(bits),
            Self::Expression(text) => Program::parse(&text, &[])?.into(),
            Self::Program(program) => program.into_program()?.into(),
        })
    }
}

/// The form of a [`Program`]: values are named by their positions.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramForm {
    names: Vec<String>,
    tables: Vec<LutForm>,
    operations: Vec<OperationForm>,
    outputs: Vec<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    output_names: Vec<Option<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    table_names: Vec<String>,
}

/// The form of an [`Operation`].
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum OperationForm {
    Input(usize),
    Constant(i128),
    Sum(usize, usize),
    Difference(usize, usize),
    Not(usize),
    Product(usize, usize),
    Rotation(usize, i64),
    Exchange(usize),
    SumSlots(usize),
    Table(usize, usize),
    TableOf(Vec<usize>, usize),
    Integers(String, Vec<usize>),
    Pair(String, usize, usize),
    Select(usize, usize, usize),
}

impl ProgramForm {
    fn of(program: &Program) -> Self {
        let form = |(number, operation): (usize, &Operation)| match *operation {
            Operation::Input(i) => OperationForm::Input(i),
            Operation::Constant(c) => OperationForm::Constant(c),
            Operation::Sum(a, b) => OperationForm::Sum(a.index(), b.index()),
            Operation::Difference(_, c) if program.is_negation(number) => OperationForm::Not(c.index()),
            Operation::Difference(a, b) => OperationForm::Difference(a.index(), b.index()),
            Operation::Product(a, b) => OperationForm::Product(a.index(), b.index()),
            Operation::Rotation(x, by) => OperationForm::Rotation(x.index(), by),
            Operation::Exchange(x) => OperationForm::Exchange(x.index()),
            Operation::SumSlots(x) => OperationForm::SumSlots(x.index()),
            Operation::Table(x, table) => OperationForm::Table(x.index(), table),
            Operation::TableOf(ref operands, table) => {
                OperationForm::TableOf(operands.iter().map(|node| node.index()).collect(), table)
            }
            Operation::Integers(op, ref operands) => {
                OperationForm::Integers(op.to_string(), operands.iter().map(|node| node.index()).collect())
            }
            Operation::Pair(op, x, y) => OperationForm::Pair(op.to_string(), x.index(), y.index()),
            Operation::Select { condition, then, otherwise } => {
                OperationForm::Select(condition.index(), then.index(), otherwise.index())
            }
        };
        Self {
            names: program.names().to_vec(),
            tables: program.tables().iter().map(LutForm::from).collect(),
            operations: program.operations().iter().enumerate().map(form).collect(),
            outputs: program.outputs().iter().map(|node| node.index()).collect(),
            output_names: match program.output_names() {
                names if names.iter().all(Option::is_none) => Vec::new(),
                names => names.to_vec(),
            },
            table_names: program.table_names().to_vec(),
        }
    }

    fn into_program(self) -> Result<Program, Error> {
        let Self { names, tables, operations, outputs, output_names, table_names } = self;
        let tables = tables.into_iter().map(Lut::try_from).collect::<Result<Vec<_>, _>>()?;
        let refused = |what: &str| Error::Request { what: format!("a program of {what} that there is not") };
        let mut program = Program::new();
        // In this order, whichever is used first.
        for name in &names {
            program.input(name);
        }
        let mut nodes: Vec<Node> = Vec::new();
        for operation in operations {
            let node = |i: usize| nodes.get(i).copied().ok_or_else(|| refused("a value"));
            let made = match operation {
                OperationForm::Input(i) => program.input(names.get(i).ok_or_else(|| refused("a vector"))?),
                OperationForm::Constant(c) => program.constant(c),
                OperationForm::Sum(a, b) => program.add(node(a)?, node(b)?),
                OperationForm::Difference(a, b) => program.sub(node(a)?, node(b)?),
                OperationForm::Not(c) => program.not(node(c)?),
                OperationForm::Product(a, b) => program.mul(node(a)?, node(b)?),
                OperationForm::Rotation(x, by) => program.rotate(node(x)?, by),
                OperationForm::Exchange(x) => program.exchange(node(x)?),
                OperationForm::SumSlots(x) => program.sum_slots(node(x)?),
                OperationForm::Table(x, i) => {
                    let lut = tables.get(i).ok_or_else(|| refused("a table"))?;
                    match table_names.get(i) {
                        Some(name) => program.table_as(name, node(x)?, lut),
                        None => program.table(node(x)?, lut),
                    }
                }
                OperationForm::TableOf(operands, i) => {
                    let lut = tables.get(i).ok_or_else(|| refused("a table"))?;
                    let operands = operands.into_iter().map(node).collect::<Result<Vec<_>, _>>()?;
                    let name = table_names.get(i).cloned().unwrap_or_else(|| format!("table{i}"));
                    program.table_of(&name, &operands, lut)
                }
                OperationForm::Integers(op, operands) => {
                    let op: IntegerOp = op.parse().map_err(|_| refused("a function of integers"))?;
                    let operands = operands.into_iter().map(node).collect::<Result<Vec<_>, _>>()?;
                    match operands.len() == op.operands() {
                        true => program.integers(op, &operands),
                        false => return Err(refused("an operand")),
                    }
                }
                OperationForm::Pair(op, x, y) => {
                    let op: PairOp = op.parse().map_err(|()| refused("a function of two integers"))?;
                    program.pair(op, node(x)?, node(y)?)
                }
                OperationForm::Select(c, x, y) => program.select(node(c)?, node(x)?, node(y)?),
            };
            nodes.push(made);
        }
        if output_names.len() > outputs.len() {
            return Err(refused("a result"));
        }
        let output_names = output_names.into_iter().chain(std::iter::repeat(None));
        for (i, name) in outputs.into_iter().zip(output_names) {
            let node = *nodes.get(i).ok_or_else(|| refused("a value"))?;
            match name {
                Some(name) => program.output_as(&name, node),
                None => program.output(node),
            }
        }
        Ok(program)
    }
}
