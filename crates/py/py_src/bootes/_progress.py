"""Progress, shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable


def bar() -> Callable[[float], None]:
    """Give what shows which part is done, from 0 to 1, until it is all."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        message = "progress=True takes tqdm: pip install tqdm, or give a function that hears a number"
        raise ImportError(message) from error
    shown = tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}", leave=False)

    def tell(done: float) -> None:
        shown.update(done - shown.n)
        if done >= 1:
            shown.close()

    return tell


def listener(progress: bool | Callable[[float], object] | None) -> Callable[[float], object] | None:
    """Give who hears of progress, if somebody does: a bar for True."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return bar()
    if not callable(progress):
        raise ArgumentError("progress is no function: expected True, False, or what hears a number")
    return progress
