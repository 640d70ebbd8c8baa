//! Tables that the server does not know.
use crate::engines::of::{Of, each};
use crate::engines::{EngineClient, EngineParams, Stored};
use crate::{Client, Error, Lut, Params, SlotTables, ckks, files};
use std::io::{Read, Write};

/// A table whose entries are encrypted, for [`Function::Encrypted`](crate::Function::Encrypted): engine ckks
/// evaluates it on encrypted values, and knows neither. What it learns is the number of entries, the output
/// modulus, and how inputs are cut into digits.
///
/// Each entry takes a ciphertext, so that tables have at most 2^10 entries: [`Self::predicted_bytes`].
///
/// ```no_run
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, EncryptedTable, Lut, Params, Server};
/// # let client = Client::generate(&Params::named("toy_batch_4bit")?)?;
/// # let server = Server::new(client.server_key()?)?;
/// let square = client.encrypt_table(&Lut::modular((0..16).map(|x| x * x % 16).collect(), 16)?)?;
/// let square = EncryptedTable::from_bytes(&square.to_bytes()?)?;
/// let results = server.evaluate(square, &client.encrypt(&[3, 5])?)?;
/// assert_eq!(client.decrypt(&results)?, [9, 9]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct EncryptedTable(pub(crate) ckks::EncryptedTable);

impl EncryptedTable {
    /// Bytes that a table of so many entries takes in memory, and nearly in its file; or one for each of so
    /// many values ([`Client::encrypt_tables`]).
    ///
    /// # Errors
    /// [`Error::Lut`] for more than 2^10 entries, with the bytes that these would take, or another number
    /// than the set has digits for; [`Error::NotWith`] for other engines.
    pub fn predicted_bytes(params: &Params, entries: u64, values: Option<usize>) -> Result<u64, Error> {
        each!(&params.0, params => params.encrypted_table_bytes(entries, values))
    }

    /// The parameters.
    pub fn params(&self) -> Params {
        Params(Of::Ckks(self.0.params().clone()))
    }

    /// Identifier of the key.
    pub fn key_id(&self) -> [u8; 16] {
        self.0.key_id()
    }

    /// The bytes of its file.
    pub fn stored_bytes(&self) -> u64 {
        self.0.stored_bytes()
    }

    /// Writes it, and gives `out` back; a [`BufWriter`](std::io::BufWriter) gathers what is small.
    ///
    /// # Errors
    /// [`Error::Stream`].
    pub fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        self.0.write(out)
    }

    /// Reads one, and nothing beyond its end; every size is checked, and the checksum.
    ///
    /// # Errors
    /// [`Error::Stream`] for what is none, [`Error::ChangedParams`]; [`Error::Memory`] before it is taken.
    pub fn read<R: Read>(input: R) -> Result<Self, Error> {
        Ok(Self(ckks::EncryptedTable::read_within(None, input)?))
    }
}

files::in_files!(EncryptedTable, "A table", files::Content::Values);

impl Client {
    /// Encrypts a table for [`Function::Encrypted`](crate::Function::Encrypted): a fresh ciphertext for each
    /// entry, under the key of all others.
    ///
    /// # Errors
    /// As [`EncryptedTable::predicted_bytes`]; [`Error::Memory`] before anything is made.
    pub fn encrypt_table(&self, lut: &Lut) -> Result<EncryptedTable, Error> {
        each!(&*self.0, client => client.encrypt_table(lut)).map(EncryptedTable)
    }

    /// Encrypts a table for each value of a vector: two fresh ciphertexts for each entry and as many values
    /// as a ciphertext holds.
    ///
    /// # Errors
    /// As [`Self::encrypt_table`].
    pub fn encrypt_tables(&self, tables: &SlotTables) -> Result<EncryptedTable, Error> {
        each!(&*self.0, client => client.encrypt_tables(tables)).map(EncryptedTable)
    }
}
