//! Encrypted tables of engine ckks, as files.
use std::io::{Read, Write};
use std::sync::Arc;

use bootes_lattice::wire::{OVERHEAD_BYTES, ObjectKind, StreamError, StreamReader, WireError};
use bootes_lut::Lut;
use bootes_lut::ckks::{Basis, EncryptedTable as Table, SlotTables, TableParams as Params};
use bootes_schemes::ckks::{Encoder, SeededCiphertext};

use super::ciphertexts::most_bits;
use super::{Client, NEWEST, begin, maps, name_bytes, parameters};
use crate::Error;
use crate::engines::{ClientKey, Stored};
use crate::memory::Room;
use crate::threads::on_all_threads;

/// Digits of a basis, at most.
const MAX_DIGITS: u8 = 8;

/// A table whose entries nobody knows but the holders of its key.
#[derive(Debug, Clone)]
pub(crate) struct EncryptedTable {
    params: Params,
    key_id: [u8; 16],
    table: Arc<Table>,
}

impl EncryptedTable {
    /// Bytes that an encrypted table of p entries takes in memory, or one for each of so many values, and in
    /// a file but for some hundred.
    ///
    /// # Errors
    /// As [`Table::basis`].
    pub(crate) fn bytes_of(params: &Params, p: u64, values: Option<usize>) -> Result<u64, Error> {
        let transforms = maps(params)?;
        Ok(Table::bytes(params, &transforms, &Table::basis(params, &transforms, p)?, values))
    }

    /// Set and key.
    pub(super) fn owner(&self) -> (&Params, [u8; 16]) {
        (&self.params, self.key_id)
    }

    pub(super) fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// The parameters.
    pub(crate) fn params(&self) -> &Params {
        &self.params
    }

    /// Identifier of the key.
    pub(crate) fn key_id(&self) -> [u8; 16] {
        self.key_id
    }

    fn digits(&self) -> (&[u64], usize) {
        match self.table.shape() {
            Basis::Whole(_) => (&[], 0),
            Basis::Digits(shape) => (shape.moduli(), shape.factors().len()),
        }
    }

    fn payload_bytes(&self) -> u64 {
        let of = |c: &SeededCiphertext| SeededCiphertext::stored_bytes(self.params.ckks(), c.level());
        3 * 8 + 2 + 2 * self.digits().0.len() as u64 + self.table.coefficients().iter().map(of).sum::<u64>()
    }
}

impl EncryptedTable {
    /// Encrypts a table: a ciphertext for each entry, whose bytes are checked before anything is made.
    ///
    /// # Errors
    /// [`Error::Lut`] for more than 2^10 entries, or another number than the set has digits for;
    /// [`Error::Memory`]; [`Error::Ckks`] if there is no randomness.
    pub(super) fn of(client: &Client, lut: &Lut) -> Result<Self, Error> {
        let params = client.params();
        super::predict::check_tables(params, std::slice::from_ref(lut))?;
        Room::now(None).check(0, Self::bytes_of(params, lut.in_modulus(), None)?)?;
        on_all_threads(|| {
            let (transforms, encoder) = (maps(params)?, Encoder::new(params.capacity())?);
            let table = Arc::new(Table::encrypt(params, &transforms, &encoder, &client.keys, lut)?);
            Ok(Self { params: params.clone(), key_id: client.key_id(), table })
        })
    }

    /// The same of a table for each value.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub(super) fn of_slots(client: &Client, tables: &SlotTables) -> Result<Self, Error> {
        let params = client.params();
        // As wide as any of them.
        let any = Lut::modular(vec![0; tables.in_modulus() as usize], tables.out_modulus())?;
        super::predict::check_tables(params, &[any])?;
        let needed = Self::bytes_of(params, tables.in_modulus(), Some(tables.len()))?;
        Room::now(None).check(0, needed)?;
        on_all_threads(|| {
            let (transforms, encoder) = (maps(params)?, Encoder::new(params.capacity())?);
            let table = Arc::new(Table::encrypt_slots(params, &transforms, &encoder, &client.keys, tables)?);
            Ok(Self { params: params.clone(), key_id: client.key_id(), table })
        })
    }
}

impl Stored for EncryptedTable {
    const KIND: ObjectKind = ObjectKind::CkksTable;

    fn stored_bytes(&self) -> u64 {
        name_bytes(&self.params) + self.payload_bytes() + OVERHEAD_BYTES as u64
    }

    fn write<W: Write>(&self, out: W) -> Result<W, Error> {
        let mut out = begin::<Self, _>(out, NEWEST, (&self.params, self.key_id), self.payload_bytes())?;
        let (digits, factors) = self.digits();
        out.u64(self.table.shape().entries())?;
        out.u64(self.table.out_modulus())?;
        out.u64(self.table.values().unwrap_or(0) as u64)?;
        [digits.len(), factors].into_iter().try_for_each(|count| out.u8(count as u8))?;
        digits.iter().try_for_each(|&p| out.u16(p as u16))?;
        let params = self.params.ckks();
        self.table.coefficients().iter().try_for_each(|coefficient| coefficient.write(params, &mut out))?;
        Ok(out.finish()?)
    }

    fn read_within<R: Read>(memory: Option<u64>, input: R) -> Result<Self, Error> {
        let mut input = StreamReader::new(input, ObjectKind::CkksTable)?;
        let params: Params = parameters(&mut input, "encrypted table")?;
        let malformed = |what| Error::from(StreamError::from(WireError::Malformed { what }));
        let [p, out_modulus, values] = [input.u64()?, input.u64()?, input.u64()?];
        let values = usize::try_from(values).ok().filter(|&values| values > 0);
        let [count, factors] = [input.u8()?, input.u8()?];
        if count > MAX_DIGITS {
            return Err(malformed("a table of too many digits"));
        }
        let digits = (0..count).map(|_| Ok(input.u16()?.into())).collect::<Result<Vec<u64>, StreamError>>()?;
        if !(2..=1 << bootes_lut::ckks::tables::encrypted::MAX_BITS).contains(&p) {
            return Err(malformed("an encrypted table of too few or too many entries"));
        }
        if !(2..=1 << most_bits(&params)).contains(&out_modulus) {
            return Err(malformed("an encrypted table onto what no ciphertext of the set holds"));
        }
        if count == 0 && factors != 0 || count > 0 && params.literal().log2_slot_factor == 0 {
            return Err(malformed("an encrypted table of digits that its set has none of"));
        }
        let transforms = maps(&params)?;
        let basis = Basis::of_digits(&params, p, &digits, factors.into(), 1)?;
        let levels = basis.levels(&params, &transforms);
        let stored = levels.iter().map(|&level| SeededCiphertext::stored_bytes(params.ckks(), level)).sum::<u64>();
        let parts = values.map_or(1, |values| 2 * values.div_ceil(params.capacity()));
        input.expect_left(stored.saturating_mul(parts as u64))?;
        Room::check_read(memory, Table::bytes(&params, &transforms, &basis, values))?;
        let read = |&level: &usize| SeededCiphertext::read(params.ckks(), level, &mut input);
        let levels = std::iter::repeat_n(&levels, parts).flatten();
        let coefficients = levels.map(read).collect::<Result<Vec<_>, StreamError>>()?;
        let key_id = input.header().key_id;
        input.finish()?;
        let table = Arc::new(Table::from_parts(&params, basis, out_modulus, values, coefficients)?);
        Ok(Self { params, key_id, table })
    }
}
