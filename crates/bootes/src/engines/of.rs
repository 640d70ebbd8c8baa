//! Values of one of the engines, told apart once a call.
use crate::{Engine, Error};

/// A value of one of the engines.
#[derive(Clone, Debug)]
pub(crate) enum Of<F, C, B> {
    Fhew(F),
    Ckks(C),
    Bfv(B),
}

/// Two values of one engine.
pub(crate) type OfBoth<F, G, C, D, B, A> = Of<(F, G), (C, D), (B, A)>;

/// Values of one engine.
pub(crate) type OfAll<F, C, B> = Of<Vec<F>, Vec<C>, Vec<B>>;

/// An expression on the value of whichever engine.
macro_rules! each {
    ($of:expr, $x:pat => $body:expr) => {
        match $of {
            $crate::engines::of::Of::Fhew($x) => $body,
            $crate::engines::of::Of::Ckks($x) => $body,
            $crate::engines::of::Of::Bfv($x) => $body,
        }
    };
}

/// An expression on the value of whichever engine, whose value is of that engine.
macro_rules! alike {
    ($of:expr, $x:pat => $body:expr) => {
        match $of {
            $crate::engines::of::Of::Fhew($x) => $crate::engines::of::Of::Fhew($body),
            $crate::engines::of::Of::Ckks($x) => $crate::engines::of::Of::Ckks($body),
            $crate::engines::of::Of::Bfv($x) => $crate::engines::of::Of::Bfv($body),
        }
    };
}

/// An expression for the engine of this name, whose type is `$e` in it, and whose value is of that engine.
macro_rules! named {
    ($name:expr, $e:ident => $body:expr) => {
        match $name {
            $crate::Engine::Fhew => {
                type $e = $crate::engines::Fhew;
                $crate::engines::of::Of::Fhew($body)
            }
            $crate::Engine::Ckks => {
                type $e = $crate::engines::Ckks;
                $crate::engines::of::Of::Ckks($body)
            }
            $crate::Engine::Bfv => {
                type $e = $crate::engines::Bfv;
                $crate::engines::of::Of::Bfv($body)
            }
        }
    };
}

/// An expression for the engine of this name, whose type is `$e` in it.
macro_rules! of_engine {
    ($name:expr, $e:ident => $body:expr) => {
        match $name {
            $crate::Engine::Fhew => {
                type $e = $crate::engines::Fhew;
                $body
            }
            $crate::Engine::Ckks => {
                type $e = $crate::engines::Ckks;
                $body
            }
            $crate::Engine::Bfv => {
                type $e = $crate::engines::Bfv;
                $body
            }
        }
    };
}

pub(crate) use {alike, each, named, of_engine};

impl<F, C, B> Of<F, C, B> {
    pub(crate) fn engine(&self) -> Engine {
        match self {
            Self::Fhew(_) => Engine::Fhew,
            Self::Ckks(_) => Engine::Ckks,
            Self::Bfv(_) => Engine::Bfv,
        }
    }

    pub(crate) fn as_ref(&self) -> Of<&F, &C, &B> {
        alike!(self, x => x)
    }

    /// Both, which must be of one engine: what `other` is called where it is not of this one.
    ///
    /// # Errors
    /// [`Error::OtherEngine`].
    pub(crate) fn with<G, D, A>(
        self,
        other: Of<G, D, A>,
        what: &'static str,
    ) -> Result<OfBoth<F, G, C, D, B, A>, Error> {
        match (self, other) {
            (Self::Fhew(x), Of::Fhew(y)) => Ok(Of::Fhew((x, y))),
            (Self::Ckks(x), Of::Ckks(y)) => Ok(Of::Ckks((x, y))),
            (Self::Bfv(x), Of::Bfv(y)) => Ok(Of::Bfv((x, y))),
            (x, y) => Err(Error::other_engine(what, y.engine(), x.engine())),
        }
    }
}

impl<F, G, C, D, B, A> OfBoth<F, G, C, D, B, A> {
    pub(crate) fn unzip(self) -> (Of<F, C, B>, Of<G, D, A>) {
        match self {
            Self::Fhew((x, y)) => (Of::Fhew(x), Of::Fhew(y)),
            Self::Ckks((x, y)) => (Of::Ckks(x), Of::Ckks(y)),
            Self::Bfv((x, y)) => (Of::Bfv(x), Of::Bfv(y)),
        }
    }
}

impl<F, C, B> OfAll<F, C, B> {
    /// One of each.
    pub(crate) fn each<T>(self, of: impl FnMut(Of<F, C, B>) -> T) -> Vec<T> {
        match self {
            Self::Fhew(all) => all.into_iter().map(Of::Fhew).map(of).collect(),
            Self::Ckks(all) => all.into_iter().map(Of::Ckks).map(of).collect(),
            Self::Bfv(all) => all.into_iter().map(Of::Bfv).map(of).collect(),
        }
    }
}

/// All of them, which must be of one engine, that of the first.
///
/// # Errors
/// [`Error::NoValues`] for none; [`Error::OtherEngine`].
pub(crate) fn all<F, C, B>(all: impl IntoIterator<Item = Of<F, C, B>>) -> Result<OfAll<F, C, B>, Error> {
    let mut all = all.into_iter();
    let first = all.next().ok_or(Error::NoValues)?;
    let mut found = alike!(first, x => vec![x]);
    for x in all {
        match (&mut found, x) {
            (Of::Fhew(found), Of::Fhew(x)) => found.push(x),
            (Of::Ckks(found), Of::Ckks(x)) => found.push(x),
            (Of::Bfv(found), Of::Bfv(x)) => found.push(x),
            (found, x) => return Err(Error::other_engine("ciphertext", x.engine(), found.engine())),
        }
    }
    Ok(found)
}
