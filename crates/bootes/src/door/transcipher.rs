//! The server's side of what is sent by AES.
use crate::door::failure::towards_worse;
use crate::engines::EngineServer;
use crate::engines::of::{Of, alike, each};
use crate::engines::watch::Watch;
use crate::planner::unless;
use crate::{Ciphertexts, EncryptedSymmetricKey, Error, Params, Server, Space, SymmetricCiphertexts, fhew};
use std::fmt;
use std::io::Write;

/// What a transciphering takes and promises: made once, for all that is sent in values of as many bits.
///
/// ```
/// # fn main() -> Result<(), bootes::Error> {
/// # use bootes::{Client, Params, Server};
/// # let client = Client::generate(&Params::named("toy_bits")?)?;
/// # let server = Server::new(client.server_key()?)?;
/// let key = client.encrypt_symmetric_key(&client.symmetric_key())?;
/// let plan = server.plan_transciphering(&client.encrypt_symmetric(&client.symmetric_key(), [3, 15])?, &key)?;
/// assert!(plan.rotations(1000) > 1000 && plan.seconds(1000) > 0.0 && plan.log2_p_fail() < -50.0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct TranscipherPlan {
    plan: fhew::TranscipherPlan,
    threads: usize,
}

impl TranscipherPlan {
    /// The parameters.
    pub fn params(&self) -> Params {
        Params(Of::Fhew(self.plan.params().clone()))
    }

    /// The message space of the results.
    pub fn space(&self) -> Space {
        self.plan.space()
    }

    /// log2 of the failure probability of a value, at most: of anything that its block is made of.
    pub fn log2_p_fail(&self) -> f64 {
        self.plan.log2_p_fail()
    }

    /// Blind rotations of so many values, those of the keys of rounds among them.
    pub fn rotations(&self, values: usize) -> usize {
        self.plan.rotations(values, self.threads)
    }

    /// Predicted seconds for so many values on the server's threads, keys expanded.
    pub fn seconds(&self, values: usize) -> f64 {
        self.plan.seconds(values, self.threads)
    }
}

impl fmt::Display for TranscipherPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let failure = match self.log2_p_fail() {
            least if least < -1000.0 => "below 2^-1000".to_string(),
            log2 => format!("2^{:.1}", towards_worse(log2)),
        };
        write!(f, "AES-128 on encrypted bits to {}, failure {failure} a value", self.space())
    }
}

impl Server {
    /// Plans ciphertexts of values like these.
    ///
    /// # Errors
    /// [`Error::Transcipher`] for parameters that have none, or another symmetric key; [`Error::OtherParams`],
    /// [`Error::OtherKey`].
    pub fn plan_transciphering(
        &self,
        sent: &SymmetricCiphertexts,
        key: &EncryptedSymmetricKey,
    ) -> Result<TranscipherPlan, Error> {
        sent.check_key(key)?;
        let plan = || each!(&*self.engine, server => server.plan_transciphering(sent.0.bits, &key.0));
        let plan = unless(&self.cancel, plan)?;
        Ok(TranscipherPlan { plan, threads: self.threads })
    }

    /// Makes ciphertexts of what the client encrypted by AES, and learns nothing of it: AES is evaluated on the
    /// encrypted bits of its key, and taken away. Results are residues like any others, inputs of any function.
    ///
    /// Results of one counter, twice, have their noise in common, as x and x have.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), bootes::Error> {
    /// # use bootes::{Client, Lut, Params, Server};
    /// let client = Client::generate(&Params::named("fhew_bits_2m128")?)?;
    /// let (symmetric, server) = (client.symmetric_key(), Server::new(client.server_key()?)?);
    /// let key = client.encrypt_symmetric_key(&symmetric)?; // once
    /// let sent = client.encrypt_symmetric(&symmetric, b"any bytes")?;
    /// let x = server.transcipher(&sent, &key)?;
    /// let capitals = Lut::modular((0..=255u8).map(|x| x.to_ascii_uppercase()).collect(), 256)?;
    /// assert_eq!(client.decrypt(&server.evaluate(&capitals, &x)?)?[..3], [65, 78, 89]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::plan_transciphering`]; [`Error::Memory`], [`Error::CiphertextMemory`] before anything is done;
    /// [`Error::Cancelled`].
    pub fn transcipher(&self, sent: &SymmetricCiphertexts, key: &EncryptedSymmetricKey) -> Result<Ciphertexts, Error> {
        let plan = self.plan_transciphering(sent, key)?;
        self.watch(|| {
            let (both, watch) = ((&sent.0, &key.0), Watch { progress: &|done| self.tell(done), cancel: &self.cancel });
            let results = alike!(&*self.engine, server => server.transcipher(&plan.plan, both, self.threads, &watch)?);
            Ok(Ciphertexts(results))
        })
    }

    /// [`Self::transcipher`] of what was planned, written as it comes: the ciphertexts of a few blocks at a time are in
    /// memory. Gives `out` back.
    ///
    /// # Errors
    /// As [`Self::transcipher`]; [`Error::OtherParams`] for another plan; [`Error::Stream`], where what was written is
    /// worth nothing.
    pub fn transcipher_to<W: Write>(
        &self,
        plan: &TranscipherPlan,
        sent: &SymmetricCiphertexts,
        key: &EncryptedSymmetricKey,
        out: W,
    ) -> Result<W, Error> {
        self.watch(|| {
            let (both, watch) = ((&sent.0, &key.0), Watch { progress: &|done| self.tell(done), cancel: &self.cancel });
            each!(&*self.engine, server => server.transcipher_to(&plan.plan, both, out, self.threads, &watch))
        })
    }
}
