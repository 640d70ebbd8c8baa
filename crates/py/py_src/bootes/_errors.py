"""Errors, a class for each kind."""

from __future__ import annotations

# Characters of a message: what is longer says less.
MOST = 1200


def _one_line(message: str) -> str:
    """Give a message on one line, whatever names of files and columns are in it, and none too long."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
    return shown if len(shown) <= MOST else f"{shown[: MOST - 400]} … {shown[-380:]}"


class Error(Exception):
    """What bootes refuses. `code` names the kind, and stays from version to version."""

    code = "error"

    def __init__(self, message: str = "", **fields: object) -> None:
        super().__init__(_one_line(message))
        for name, value in fields.items():
            setattr(self, name, value)

    def __str__(self) -> str:
        """Give the line alone, as all errors of bootes have it."""
        return str(self.args[0]) if self.args else ""

    def __reduce__(self) -> tuple[object, ...]:
        """Give fields to other processes, too, where an exception of the system has them elsewhere."""
        fields = {name: getattr(self, name) for name in ("filename", "errno") if hasattr(self, name)}
        return type(self), self.args, fields | self.__dict__


class ArgumentError(Error, ValueError):
    """Values, tables, widths or names that are out of range, or do not fit each other.

    `index` and `value` are those of a value to encrypt that is refused.
    """

    code = "argument"
    index: int | None = None
    value: int | None = None


class DtypeError(Error, TypeError):
    """Values that are no integers, and other arguments of types that are not taken."""

    code = "argument"


class PaddingWarning(UserWarning):
    """Sums and moves of slots that no value is in, and that constants or tables have filled."""


class AccuracyWarning(UserWarning):
    """Models that may predict worse in integers than they were fitted, and the `bits` that lose less."""


class UnsupportedError(Error, NotImplementedError):
    """What this engine or these parameters have not, and others may have."""

    code = "unsupported"


class NoiseError(Error, ArithmeticError):
    """Results would be wrong more often than promised.

    `predicted` and `promised` are log2 of the probability that a value is wrong.
    """

    code = "noise"
    predicted: float | None = None
    promised: float | None = None


class OutOfMemoryError(Error, MemoryError):
    """Less memory than the work needs, or than a limit allows, in bytes."""

    code = "memory"
    needed: int | None = None
    available: int | None = None


class MismatchError(Error, ValueError):
    """Keys, arrays and parameters that were not made together."""

    code = "mismatch"


class DataError(Error, ValueError):
    """Bytes that are damaged, or no such object."""

    code = "data"
    filename: str | None = None


class FileError(Error, OSError):
    """A file that cannot be read or written."""

    code = "io"


class ClosedError(Error, ValueError):
    """The use of a client or a server that is closed."""

    code = "closed"


class CancelledError(Error):
    """It was cancelled."""

    code = "cancelled"


class ResourceError(Error, RuntimeError):
    """The system gives no randomness or no threads, or the process is a fork of one that has worked."""

    code = "system"


class InternalError(Error, RuntimeError):
    """An error of bootes itself."""

    code = "internal"
