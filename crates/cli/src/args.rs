//! The command line.

use std::path::PathBuf;

use bootes::{Ciphertexts, Client, Engine, FailureTarget, IntegerOp, Interval, Objective, Space};
use clap::{ArgGroup, Args, Parser, Subcommand};

mod choice;
mod columns;
mod conversion;
mod engine;
mod line;
mod values;

pub(crate) use choice::{ParamChoice, check_promise};
pub(crate) use columns::{ConcatArgs, LinearArgs, PairArgs, SliceArgs, Weights};
pub(crate) use conversion::{ConversionKeyArgs, ConvertArgs, TranscipherArgs};
use engine::engine;
pub(crate) use engine::{MaskChoice, MemoryLimit};
pub(crate) use values::{Sizes, Threads};
use values::{
    any_modulus, bits, constant, count, depth, failure_target, gigabytes, modulus, objective, op, runs, sizes, threads,
    width,
};

/// Evaluates any lookup table on encrypted integers.
///
/// A client makes a key pair (`keygen`), encrypts integers (`encrypt`) and decrypts results (`decrypt`); a server with
/// the server key applies a table to the ciphertexts, or a function of large integers (`eval`), and learns neither
/// inputs nor results. `run` does all of it here and checks the result. `plan` says which algorithm does what, and why.
#[derive(Debug, Parser)]
#[command(name = "bootes", version, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
A file - is standard input where it is read, and standard output where it is written; ./- is one of that name.
Exit status: 0 if all is well, 1 if `run` found a wrong value, 2 on an error, with one line on standard error, \
141 if whoever read standard output went away.
BOOTES_ISA=scalar|avx2|avx512, on 64-bit ARM scalar|neon, limits the instructions used.
RAYON_NUM_THREADS=K is as --threads K where that is not given, and for commands that do not take it.
BOOTES_CALIBRATION=FILE predicts times for this machine: FILE is what `bench calibrate --write FILE` wrote here.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Do the whole job here: keys, encryption, evaluation, decryption, and a check against plain values
    Run(RunArgs),
    /// Make a key pair: DIR/client.key (secret) and DIR/server.key (public), and DIR/public.key to encrypt with
    Keygen(KeygenArgs),
    /// Encrypt integers or bytes with a client key, or a public key
    Encrypt(EncryptArgs),
    /// Apply a table, or a function of large integers, to ciphertexts with a server key
    Eval(EvalArgs),
    /// Add two files of ciphertexts, value by value
    Add(PairArgs),
    /// Subtract the second file of ciphertexts from the first
    Sub(PairArgs),
    /// Add up several files of ciphertexts, each times an integer, or apply a matrix to them
    Linear(LinearArgs),
    /// Take some rows of a file of ciphertexts
    Slice(SliceArgs),
    /// Put files of ciphertexts one after the other
    Concat(ConcatArgs),
    /// Make results smaller, to be sent and decrypted, with a server key (engine fhew: of keygen --compression)
    Compress(CompressArgs),
    /// Make ciphertexts of what encrypt --symmetric made, with a server key and the encrypted key of AES
    Transcipher(TranscipherArgs),
    /// Make the key by which a server converts ciphertexts of one client key to another, of another engine
    ConversionKey(ConversionKeyArgs),
    /// Make single ciphertexts (engine fhew) of values of a batch (engine ckks or bfv), or a batch of single ones, with
    /// a key of conversion-key
    Convert(ConvertArgs),
    /// Decrypt ciphertexts with a client key
    Decrypt(DecryptArgs),
    /// Compare all algorithms and parameter sets for tables of a size, and choose
    Plan(PlanArgs),
    /// List the parameter sets, or describe one
    Params(ParamsArgs),
    /// Say what a key or ciphertext file is, and check it
    Inspect(InspectArgs),
    /// List or run the benchmarks
    Bench(BenchArgs),
}

macro_rules! table_help {
    () => {
        "Table file: 2^B integers for B-bit inputs (B from 1 to 20), or P with --modulus P, separated by white space \
         or commas; `#` starts a comment; or an array of NumPy's (.npy); entry i is the image of i"
    };
}

macro_rules! named_table_help {
    () => {
        ". With --expr each has a name: --table f=T for f(x)"
    };
}

const TABLE_RUN_HELP: &str = concat!(
    table_help!(),
    ". Of several values it has an entry for each combination, the last varying fastest",
    named_table_help!()
);

const PLAN_TABLE_HELP: &str = concat!(table_help!(), named_table_help!());

const TABLES_HELP: &str = concat!(
    table_help!(),
    ". Several tables of one input share work: --table T1 --output R1 --table T2 --output R2 …",
    named_table_help!()
);

macro_rules! input_help {
    () => {
        "Input file: integers, separated by white space or commas; `#` starts a comment; or an array of NumPy's \
         (.npy). At 8 bits what is no text with digits from 0 to 9 is taken as its bytes. At most 16777216 values"
    };
}

const INPUT_HELP: &str = input_help!();

const INPUTS_HELP: &str = concat!(
    input_help!(),
    ". Of several values a file each, in their order; with --expr also by its names, --input x=X --input y=Y, or one \
     CSV file whose first line has them"
);

const OP_HELP: &str = "\
Function of large integers, instead of a table: sign (1 if x < 0), less (1 if x < y), equal (1 if x = y), relu, abs, max, min, add, sub, \
or floor:K (x/2^K, rounded down)";

const EXPR_HELP: &str = "\
Arithmetic: + - * ^, whole numbers, names of vectors; of integers (--width) also / % < <= > >= == !=, \
select(c, x, y), abs, relu, sign, not, shl, shr, and of words of w bits signed(x, w), unsigned, rotl(x, k, w), rotr, \
mulhi(x, y, w), leading_zeros(x, w); of any number of integers min, max, and, or, xor, sum, argmin, argmax, \
smallest(k, x, y), largest; of vectors modulo a prime (engine bfv) \
rot(x, N) (both rows of slots rotated to the left), \
swap(x) (the rows exchanged), sum(x), dot(x, y); `;` separates several results, which may have names: \
d = x - y; d*d";

/// What the sizes of a table and its results are.
#[derive(Debug, Default, Args)]
pub(crate) struct TableForm {
    /// Width of the results in bits, instead of the width of the largest entry or --modulus. Of answers and large
    /// integers (engine fhew) results are integers modulo 2^BITS, and modulo 2^(BITS+1), at least 2^3, where the table
    /// is evaluated on digits: of integers of 8 bits or more, or of as many as the set's messages
    #[arg(long, value_name = "BITS", value_parser = bits, conflicts_with = "op")]
    pub(crate) out_bits: Option<u32>,
    /// Inputs are integers modulo P (2 to 1048576): the table has P entries, or P^n of n values. For vectors (--expr) a
    /// prime below 2^40, or a power of two up to it
    #[arg(long, value_name = "P", value_parser = any_modulus, conflicts_with = "op")]
    pub(crate) modulus: Option<u64>,
    /// Results are integers modulo Q, instead of P
    #[arg(long, value_name = "Q", value_parser = modulus, requires = "modulus")]
    #[arg(conflicts_with_all = ["op", "out_bits"])]
    pub(crate) out_modulus: Option<u64>,
}

/// Whether large integers have a sign.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Sign {
    /// The integers of --width have no sign: 0 to 2^W-1 [default: they have one, -2^(W-1) to 2^(W-1)-1]
    #[arg(long, conflicts_with_all = ["bits", "modulus"])]
    pub(crate) unsigned: bool,
}

impl Sign {
    /// The integers of `width` bits.
    pub(crate) fn range(self, width: u32) -> Interval {
        if self.unsigned { Interval::unsigned(width) } else { Interval::signed(width) }
    }

    /// The space of integers of `width` bits.
    pub(crate) fn space(self, width: u32) -> Space {
        if self.unsigned { Space::unsigned(width) } else { Space::signed(width) }
    }

    /// With a sign where this has none, and without where it has one.
    pub(crate) fn other(self) -> Self {
        Self { unsigned: !self.unsigned }
    }

    /// "unsigned" or "signed".
    pub(crate) fn name(self) -> &'static str {
        if self.unsigned { "unsigned" } else { "signed" }
    }

    /// Encrypts integers of `bits` bits as such of `width` bits.
    pub(crate) fn encrypt(
        self,
        client: &Client,
        values: &[i128],
        bits: u32,
        width: u32,
    ) -> Result<Ciphertexts, bootes::Error> {
        client.encrypt_within(values, self.range(bits), width)
    }
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("function").args(["table", "op", "expr"]).required(true).multiple(true)))]
pub(crate) struct RunArgs {
    #[arg(long = "table", value_name = "T", id = "table", help = TABLE_RUN_HELP, conflicts_with = "op")]
    pub(crate) tables: Vec<PathBuf>,
    #[arg(long, value_name = "OP", help = OP_HELP, value_parser = op, conflicts_with = "expr")]
    pub(crate) op: Option<IntegerOp>,
    #[arg(long, value_name = "E", help = EXPR_HELP, conflicts_with = "bytes")]
    pub(crate) expr: Option<String>,
    #[arg(long = "input", value_name = "X", required = true, help = INPUTS_HELP)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Second operands: the same as another --input
    #[arg(long, value_name = "Y2")]
    pub(crate) input2: Option<PathBuf>,
    /// Of a table of several values, how many values each of them has, if that is not the same number (--sizes 4,8: 0
    /// to 3 and 0 to 7)
    #[arg(long, value_name = "S1,S2,…", value_parser = sizes, requires = "table", conflicts_with = "expr")]
    pub(crate) sizes: Option<Sizes>,
    /// The input is a CSV file: take the column that its first line calls so. Several are the operands, in their order:
    /// --column X --column Y
    #[arg(long = "column", value_name = "NAME", conflicts_with_all = ["bytes", "input2"])]
    pub(crate) columns: Vec<String>,
    /// Write the results here: one integer a line, bytes with --bytes, or an array of 64 bits if the name ends in
    /// .npy; of --expr CSV with a column for each result, if there are several, or it has a name, or the input is CSV
    /// whose columns the names of --expr are
    #[arg(long, value_name = "Y")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) choice: ParamChoice,
    #[command(flatten)]
    pub(crate) sign: Sign,
    #[command(flatten)]
    pub(crate) form: TableForm,
    /// Engine: fhew, one value at a time, ckks, thousands at once, or bfv, vectors modulo a prime [default: the faster
    /// one for the number of values]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    #[command(flatten)]
    pub(crate) masks: MaskChoice,
    #[command(flatten)]
    pub(crate) memory: MemoryLimit,
    /// Take the bytes of the input file as the values, and write results as bytes
    #[arg(long, conflicts_with = "op")]
    pub(crate) bytes: bool,
    /// Algorithm, instead of the planner's choice; keys that it needs are made
    #[arg(long, value_name = "NAME", conflicts_with = "op")]
    pub(crate) algorithm: Option<String>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

impl RunArgs {
    /// Files of operands, as they are written.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.inputs.iter().chain(&self.input2)
    }
}

impl EvalArgs {
    /// Files of operands, as they are written.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.inputs.iter().chain(&self.input2)
    }
}

#[derive(Debug, Args)]
pub(crate) struct KeygenArgs {
    #[command(flatten)]
    pub(crate) choice: ParamChoice,
    /// Keys for vectors modulo the prime P, with engine bfv
    #[arg(long, value_name = "P", value_parser = any_modulus, conflicts_with_all = ["bits", "width", "params"])]
    pub(crate) modulus: Option<u64>,
    /// Keys without bootstrapping, for D products in a row: some hundred times smaller; and P is any prime below
    /// 2^40, or a power of two up to it, of which a ciphertext holds one value
    #[arg(long, value_name = "D", value_parser = depth, requires = "modulus",
          conflicts_with_all = ["bits", "width", "params"])]
    pub(crate) depth: Option<u32>,
    /// Add the keys that this algorithm needs to the server key; most need none
    #[arg(long, value_name = "NAME")]
    pub(crate) algorithm: Option<String>,
    /// Add the key that compress takes to the server key, some megabytes with engine fhew; the others need none
    #[arg(long)]
    pub(crate) compression: bool,
    /// Engine: fhew, one value at a time, ckks, thousands at once, or bfv, vectors modulo a prime [default: that of the
    /// parameter set, or fhew]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    /// Directory for client.key and server.key; made if it does not exist
    #[arg(long, value_name = "DIR", required_unless_present_all = ["client", "server"])]
    pub(crate) out: Option<PathBuf>,
    /// Client key to write, instead of DIR/client.key
    #[arg(long, value_name = "CLIENT_KEY")]
    pub(crate) client: Option<PathBuf>,
    /// Server key to write, instead of DIR/server.key
    #[arg(long, value_name = "SERVER_KEY")]
    pub(crate) server: Option<PathBuf>,
    /// Make a key that anybody encrypts with to this client, too: DIR/public.key, or PUBLIC_KEY
    #[arg(long, value_name = "PUBLIC_KEY", num_args = 0..=1)]
    pub(crate) public: Option<Option<PathBuf>>,
    #[command(flatten)]
    pub(crate) memory: MemoryLimit,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Replace keys that are there: what was encrypted under them is then lost
    #[arg(long)]
    pub(crate) force: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EncryptArgs {
    /// Client key, or public key of keygen --public
    #[arg(long, value_name = "KEY")]
    pub(crate) key: PathBuf,
    #[arg(long, value_name = "X", help = INPUT_HELP)]
    pub(crate) input: PathBuf,
    /// Ciphertext file to write; one for each --column, in their order
    #[arg(long = "output", value_name = "C", required = true)]
    pub(crate) outputs: Vec<PathBuf>,
    /// The input is a CSV file: take the column that its first line calls so. Several give several files:
    /// --column A --output A.ct --column B --output B.ct …
    #[arg(long = "column", value_name = "NAME", conflicts_with = "bytes")]
    pub(crate) columns: Vec<String>,
    /// Engine: fhew, one value at a time, ckks, thousands at once, or bfv, vectors modulo a prime [default: the key's]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    /// Width of the values in bits (1 to 20), instead of the most that one bootstrap of the key's parameters takes
    #[arg(long, value_name = "B", value_parser = bits, conflicts_with_all = ["width", "modulus"])]
    pub(crate) bits: Option<u32>,
    /// Encrypt integers modulo P (2 to 1048576; the key's, of vectors) for `eval --table --modulus`
    #[arg(long, value_name = "P", value_parser = any_modulus, conflicts_with = "width")]
    pub(crate) modulus: Option<u64>,
    /// Encrypt integers of so many bits (1 to 64; of engine ckks 32) for `eval --expr` and `--op`: -2^(W-1) to
    /// 2^(W-1)-1, or 0 to 2^W-1 with --unsigned
    #[arg(long, value_name = "W", value_parser = width)]
    pub(crate) width: Option<u32>,
    #[command(flatten)]
    pub(crate) sign: Sign,
    /// The integers of --width have R bits alone (1 to 64): sums and differences of them have room in W bits
    #[arg(long, value_name = "R", value_parser = width, requires = "width", conflicts_with_all = ["bits", "modulus"])]
    pub(crate) within: Option<u32>,
    /// Take the bytes of the input file as the values, also as integers (--width 8 --unsigned, or more)
    #[arg(long)]
    pub(crate) bytes: bool,
    /// Encrypt by AES-128 in counter mode, a byte a byte, for `transcipher` to make ciphertexts of: values of --bits 8,
    /// 4, 2 or 1, with a client key of a set that has it (fhew_bits_2m128). It hides, and does not authenticate
    #[arg(long, conflicts_with_all = ["columns", "modulus", "width", "unsigned", "within"])]
    pub(crate) symmetric: bool,
    /// With --symmetric: write the key of AES here, its 128 bits encrypted, for the server to keep; once is enough
    #[arg(long, value_name = "K", requires = "symmetric", conflicts_with_all = ["columns", "modulus", "width"])]
    pub(crate) symmetric_key: Option<PathBuf>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("function").args(["table", "op", "expr"]).required(true).multiple(true)))]
pub(crate) struct EvalArgs {
    /// Server key
    #[arg(long, value_name = "SERVER_KEY")]
    pub(crate) key: PathBuf,
    #[arg(long = "table", value_name = "T", id = "table", help = TABLES_HELP, conflicts_with = "op")]
    pub(crate) tables: Vec<PathBuf>,
    #[arg(long, value_name = "OP", help = OP_HELP, value_parser = op, conflicts_with = "expr")]
    pub(crate) op: Option<IntegerOp>,
    /// Bits of the integers, to be checked against the ciphertexts, which tell
    #[arg(long, value_name = "W", value_parser = width, conflicts_with = "table")]
    pub(crate) width: Option<u32>,
    #[arg(long, value_name = "E", help = EXPR_HELP, conflicts_with_all = ["width", "algorithm"])]
    pub(crate) expr: Option<String>,
    /// Ciphertext file; with --expr one for each name, --input x=X --input y=Y, or in the order in which the names
    /// appear; with a --table of several values one for each, the last varying fastest
    #[arg(long = "input", value_name = "C", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Ciphertext file of the second operands, for --op less, equal, max, min, add or sub, or a --table of two values:
    /// the same as another --input
    #[arg(long, value_name = "C2")]
    pub(crate) input2: Option<PathBuf>,
    /// Of a table of several values, how many values each of them has, to be checked against the ciphertexts; needed
    /// for integers that have others than 2^K values (--sizes 5,13 of integers from 0 to 7 and to 15)
    #[arg(long, value_name = "S1,S2,…", value_parser = sizes, requires = "table", conflicts_with = "expr")]
    pub(crate) sizes: Option<Sizes>,
    /// Ciphertext file to write; one for each --table, or each result of --expr, in their order, or by its name, as of
    /// d = x - y; d*d: --output d=D --output S
    #[arg(long = "output", value_name = "R", required = true)]
    pub(crate) outputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) form: TableForm,
    /// Engine: fhew, one value at a time, ckks, thousands at once, or bfv, vectors modulo a prime [default: the server
    /// key's]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    #[command(flatten)]
    pub(crate) masks: MaskChoice,
    #[command(flatten)]
    pub(crate) memory: MemoryLimit,
    /// Algorithm, instead of the planner's choice
    #[arg(long, value_name = "NAME", conflicts_with = "op")]
    pub(crate) algorithm: Option<String>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompressArgs {
    /// Server key
    #[arg(long, value_name = "SERVER_KEY")]
    pub(crate) key: PathBuf,
    /// Ciphertext file
    #[arg(long, value_name = "R")]
    pub(crate) input: PathBuf,
    /// Ciphertext file to write; with engine fhew for decryption alone
    #[arg(long, value_name = "C")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) memory: MemoryLimit,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DecryptArgs {
    /// Client key
    #[arg(long, value_name = "CLIENT_KEY")]
    pub(crate) key: PathBuf,
    /// Ciphertext file; one for each --column, in their order
    #[arg(long = "input", value_name = "R", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Write CSV, the values in a column of this name: --column A --input A.ct --column B --input B.ct …
    #[arg(long = "column", value_name = "NAME", conflicts_with = "bytes")]
    pub(crate) columns: Vec<String>,
    /// Engine: fhew, one value at a time, ckks, thousands at once, or bfv, vectors modulo a prime [default: the client
    /// key's]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    /// Write the values here instead of on standard output: one integer a line, bytes with --bytes, or an
    /// array of 64 bits if the name ends in .npy
    #[arg(long, value_name = "Y")]
    pub(crate) output: Option<PathBuf>,
    /// Write one byte a value
    #[arg(long)]
    pub(crate) bytes: bool,
    /// Print one JSON object and nothing else; it has the values if there is no --output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("size").args(["bits", "modulus", "width", "sizes"])))]
#[command(group(ArgGroup::new("of_tables").args(["expr", "tables"]).multiple(true)))]
#[command(group(
    ArgGroup::new("what").args(["bits", "modulus", "width", "sizes", "tables"]).required(true).multiple(true)
))]
pub(crate) struct PlanArgs {
    /// Width of inputs and results in bits (1 to 20); without --table the table is one without structure
    #[arg(long, value_name = "B", value_parser = bits)]
    pub(crate) bits: Option<u32>,
    /// Inputs and results are integers modulo P (2 to 1048576); of vectors (--expr) a prime below 2^40, or a
    /// power of two up to it
    #[arg(long, value_name = "P", value_parser = any_modulus)]
    pub(crate) modulus: Option<u64>,
    #[arg(long, value_name = "E", help = EXPR_HELP, conflicts_with_all = ["objective", "explain"])]
    pub(crate) expr: Option<String>,
    #[arg(long = "table", value_name = "T", help = PLAN_TABLE_HELP)]
    #[arg(conflicts_with_all = ["objective", "explain"])]
    pub(crate) tables: Vec<PathBuf>,
    /// A table of several values, which have so many values each: --sizes 4,8 is one of 32 entries, 0 to 3 and 0 to 7;
    /// without --table one without structure
    #[arg(long, value_name = "S1,S2,…", value_parser = sizes)]
    #[arg(conflicts_with_all = ["expr", "objective", "explain", "unsigned"])]
    pub(crate) sizes: Option<Sizes>,
    /// The values of --expr are integers of W bits; those of --table integers of W bits from 0 on
    #[arg(long, value_name = "W", value_parser = width, requires = "of_tables")]
    pub(crate) width: Option<u32>,
    #[command(flatten)]
    pub(crate) sign: Sign,
    /// Engine: fhew (one value at a time), ckks (thousands) or bfv (vectors modulo a prime) [default: all are compared]
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    /// Parameter set by name, instead of all defaults (fhew), or the smallest for the table (ckks)
    #[arg(long, visible_alias = "set", value_name = "NAME")]
    pub(crate) params: Option<String>,
    /// How many values there are
    #[arg(long, value_name = "M", value_parser = count)]
    pub(crate) count: Option<u64>,
    /// Limit on the failure probability of a value, as a power of two: -128 (the default) or -64
    #[arg(long, value_name = "L", value_parser = failure_target)]
    pub(crate) pfail: Option<FailureTarget>,
    /// What to choose by: throughput (CPU time a value, the default), latency (one value alone), key-size, noise
    #[arg(long, value_name = "OBJECTIVE", value_parser = objective)]
    pub(crate) objective: Option<Objective>,
    /// Memory that an evaluation may take at most, in GB, keys and workspace; planning long programs takes some 150 MB
    /// itself
    #[arg(long, value_name = "G", value_parser = gigabytes)]
    pub(crate) memory: Option<f64>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Say of every combination why it is not the choice
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ParamsArgs {
    /// Describe this set
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Only the sets of this engine: fhew, one value at a time, ckks, thousands at once, or bfv, vectors modulo a prime
    #[arg(long, value_parser = engine, value_name = "ENGINE", conflicts_with = "name")]
    pub(crate) engine: Option<Engine>,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// Key or ciphertext file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print one JSON object and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, disable_help_subcommand = true)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub(crate) command: Option<BenchCommand>,
    /// Benchmark to run
    #[arg(value_name = "NAME", required_unless_present_any = ["list", "engine"], conflicts_with = "list")]
    pub(crate) name: Option<String>,
    /// List the benchmarks
    #[arg(long)]
    pub(crate) list: bool,
    /// Only the benchmarks of this engine, its kernels among them: fhew, one value at a time, ckks, thousands at once,
    /// or bfv, vectors modulo a prime
    #[arg(long, value_parser = engine, value_name = "ENGINE")]
    pub(crate) engine: Option<Engine>,
    /// Fewer rows and runs
    #[arg(long)]
    pub(crate) quick: bool,
    /// Repetitions of each measurement
    #[arg(long, value_name = "R", value_parser = runs)]
    pub(crate) runs: Option<usize>,
    /// Only the rows with this in their name; of calibrate the parameter sets, or rows of theirs; of the CKKS
    /// benchmarks several words, with commas (`--rows 4,8`)
    #[arg(long, value_name = "ROWS", conflicts_with = "list")]
    pub(crate) rows: Option<String>,
    /// T threads beside one (ckks-tableA1, ckks-bootstrap, ckks-large, ckks-table4)
    #[arg(long, value_name = "T", value_parser = threads, conflicts_with = "list")]
    pub(crate) threads: Option<usize>,
    /// With calibrate: write this machine's calibration here, for BOOTES_CALIBRATION=FILE
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub(crate) write: Option<PathBuf>,
    /// Print one JSON object a row and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Make a page with tables and plots of the recorded results; measures nothing
    Report(BenchReportArgs),
}

#[derive(Debug, Args)]
pub(crate) struct BenchReportArgs {
    /// Directory for report.md and its plots; made if it does not exist
    #[arg(long, value_name = "DIR", default_value = "bench/report")]
    pub(crate) out: PathBuf,
    /// Directory of the recorded results; the newest DATE-NAME.jsonl of each benchmark counts
    #[arg(long, value_name = "DIR", default_value = "bench/results")]
    pub(crate) results: PathBuf,
}
