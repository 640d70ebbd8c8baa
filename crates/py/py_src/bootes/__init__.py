"""Any table on encrypted integers.

Examples
--------
>>> import bootes, numpy as np
>>> client = bootes.Client("toy_4")                     # bits=4 in earnest
>>> server = bootes.Server(client.server_key())         # no secrets here
>>> y = server.evaluate(lambda x: x * x % 16, client.encrypt(np.arange(16)))
>>> client.decrypt(y)
array([0, 1, 4, 9, 0, 9, 4, 1, 0, 1, 4, 9, 0, 9, 4, 1])

"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._arrow import Column, to_arrow
from ._bootes import (
    MAX_WIDTH,
    Choice,
    Client,
    ConversionKey,
    Encrypted,
    Params,
    Plan,
    PublicKey,
    Server,
    ServerKey,
    Symmetric,
    SymmetricKey,
    __version__,
    concatenate,
    plan,
    table_from,
)
from ._errors import (
    AccuracyWarning,
    ArgumentError,
    CancelledError,
    ClosedError,
    DataError,
    DtypeError,
    Error,
    FileError,
    InternalError,
    MismatchError,
    NoiseError,
    OutOfMemoryError,
    PaddingWarning,
    ResourceError,
    UnsupportedError,
)
from ._frames import Frame, Schema
from ._sums import Sums
from ._tables import Field

__all__ = [
    "MAX_WIDTH",
    "AccuracyWarning",
    "ArgumentError",
    "CancelledError",
    "Choice",
    "Client",
    "ClosedError",
    "Column",
    "ConversionKey",
    "DataError",
    "DtypeError",
    "Encrypted",
    "Error",
    "Field",
    "FileError",
    "Frame",
    "InternalError",
    "MismatchError",
    "NoiseError",
    "OutOfMemoryError",
    "PaddingWarning",
    "Params",
    "Plan",
    "PublicKey",
    "ResourceError",
    "Schema",
    "Server",
    "ServerKey",
    "Sums",
    "Symmetric",
    "SymmetricKey",
    "UnsupportedError",
    "__version__",
    "concatenate",
    "plan",
    "table_from",
    "to_arrow",
]


if not _TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Say where a function is that the package has elsewhere."""
        for kind in (Server, Client, Encrypted):
            if not name.startswith("_") and hasattr(kind, name):
                instead = f"{kind.__name__.lower()}.{name}(…), a method of {kind.__name__}"
                raise AttributeError(f"module 'bootes' has no attribute {name!r}: take {instead}")
        raise AttributeError(f"module 'bootes' has no attribute {name!r}")
