"""Pickles with a version, of what travels between processes."""

from __future__ import annotations

from typing import Any

from ._errors import DataError

VERSION = 2


class Versioned:
    """A dataclass that is pickled with a version, and refused with another. What is computed is left out."""

    def _names(self) -> list[str]:
        return list(getattr(type(self), "__dataclass_fields__", ()))

    def __getstate__(self) -> dict[str, Any]:
        """Give what a pickle has."""
        return {"version": VERSION, **{name: self.__dict__[name] for name in self._names()}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what this version has written."""
        version = state.get("version")
        if version != VERSION or any(name not in state for name in self._names()):
            raise DataError(
                f"a pickle of {type(self).__name__} in version {version}, and this package reads {VERSION}: "
                "write and read it with one version of bootes"
            )
        self.__dict__.update({name: state[name] for name in self._names()})
