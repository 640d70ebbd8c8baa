"""Strings under encryption: equality, searches, letters, strings put together.

    python strings.py                   # toy parameters, which hide nothing, in a minute
    python strings.py --earnest

A letter is an integer of 8 bits. A column of strings is a vector a place: the letters that all of them have
there. Strings have at most as many letters as there are places, and 0 in the places behind them, so that
nobody sees how long each one is. What the server knows is how many strings there are, and of how many places.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence

import bootes
import numpy as np

#: The letters at each place, of all strings of a column.
Strings = Sequence[bootes.Encrypted]


def encrypt(client: bootes.Client, texts: Sequence[str], places: int) -> list[bootes.Encrypted]:
    """Encrypt strings of Latin letters, none of which is longer than there are places."""
    rows = [text.encode("latin-1") for text in texts]
    for text, row in zip(texts, rows, strict=True):
        if len(row) > places or 0 in row:
            raise ValueError(f"{text!r}: expected at most {places} letters, none of them 0")
    letters = np.array([list(row.ljust(places, b"\0")) for row in rows], dtype=np.uint8)
    return [client.encrypt(column, integers=8, signed=False) for column in letters.T]


def decrypt(client: bootes.Client, strings: Strings) -> list[str]:
    """Decrypt strings."""
    letters = np.array([client.decrypt(column) for column in strings]).T
    return ["".join(map(chr, row)).rstrip("\0") for row in letters]


def length(server: bootes.Server, strings: Strings) -> bootes.Encrypted:
    """Count the letters of each."""
    return _evaluate(server, _sum(f"({name} > 0)" for name in _names("a", strings)), _named("a", strings))


def equal(server: bootes.Server, one: Strings, other: Strings) -> bootes.Encrypted:
    """1 where two strings of as many places are the same, else 0."""
    if len(one) != len(other):
        raise ValueError(f"strings of {len(one)} and of {len(other)} places: expected as many")
    pairs = zip(_names("a", one), _names("b", other), strict=True)
    text = _all(f"({a} == {b})" for a, b in pairs)
    return _evaluate(server, text, _named("a", one) | _named("b", other))


def contains(server: bootes.Server, strings: Strings, pattern: str) -> bootes.Encrypted:
    """1 where the pattern is in the string, else 0."""
    return _evaluate(server, f"{_sum(_matches(strings, pattern))} > 0", _named("a", strings))


def find(server: bootes.Server, strings: Strings, pattern: str) -> bootes.Encrypted:
    """Where the pattern is for the first time, from 0, or -1 where it is not."""
    matches = _matches(strings, pattern)
    # A match behind all others, where there is none.
    first = f"first = argmax({', '.join([*matches, '1'])})"
    text = f"{first}; where = select(first == {len(matches)}, -1, first)"
    return _evaluate(server, text, _named("a", strings))


def upper(server: bootes.Server, strings: Strings) -> list[bootes.Encrypted]:
    """Make all letters capital ones."""
    return [server.run("select((a > 96)*(a < 123) == 1, a - 32, a)", a=column) for column in strings]


def lower(server: bootes.Server, strings: Strings) -> list[bootes.Encrypted]:
    """Make all letters small ones."""
    return [server.run("select((a > 64)*(a < 91) == 1, a + 32, a)", a=column) for column in strings]


def concat(server: bootes.Server, one: Strings, other: Strings) -> list[bootes.Encrypted]:
    """Put strings together, the other behind the letters of the one, wherever these end."""
    ends = [f"(length == {place})" for place in range(len(one) + 1)]
    vectors = _named("a", one) | _named("b", other) | {"length": length(server, one)}
    results = []
    for place in range(len(one) + len(other)):
        terms = [f"a{place}"] if place < len(one) else []
        # The letter of the other that comes here, if the one ends so far before.
        terms += [f"{ends[place - i]}*b{i}" for i in range(len(other)) if 0 <= place - i <= len(one)]
        text = f"min({' + '.join(terms)}, 255)"
        results.append(_evaluate(server, text, vectors))
    return results


def _names(prefix: str, strings: Strings) -> list[str]:
    return [f"{prefix}{place}" for place in range(len(strings))]


def _named(prefix: str, strings: Strings) -> dict[str, bootes.Encrypted]:
    return dict(zip(_names(prefix, strings), strings, strict=True))


def _evaluate(server: bootes.Server, text: str, vectors: Mapping[str, bootes.Encrypted]) -> bootes.Encrypted:
    """Evaluate the last expression, of vectors in the order in which their names come first."""
    names = dict.fromkeys(name for name in re.findall(r"[a-z]\w*", text) if name in vectors)
    return server.evaluate_all(text, *(vectors[name] for name in names))[-1]


def _sum(terms: Iterable[str]) -> str:
    return " + ".join(terms)


def _all(conditions: Iterable[str]) -> str:
    conditions = list(conditions)
    return f"{_sum(conditions)} == {len(conditions)}"


def _matches(strings: Strings, pattern: str) -> list[str]:
    """Of each place whether the pattern begins there."""
    letters = pattern.encode("latin-1")
    if not 0 < len(letters) <= len(strings):
        raise ValueError(f"{pattern!r}: expected 1 to {len(strings)} letters")
    starts = range(len(strings) - len(letters) + 1)
    return [
        f"({_all(f'(a{start + i} == {letter})' for i, letter in enumerate(letters))})" for start in starts
    ]


def main() -> None:
    """Try all of them."""
    client = bootes.Client(integers=8) if "--earnest" in sys.argv[1:] else bootes.Client("toy_int16")
    server = bootes.Server(client.server_key())
    names = encrypt(client, ["Ada", "Grace", "ada"], places=5)
    print(client.decrypt(length(server, names)))
    print(client.decrypt(equal(server, names, encrypt(client, ["Ada", "Hedy", "Ada"], places=5))))
    print(client.decrypt(contains(server, names, "ac")), client.decrypt(find(server, names, "da")))
    print(decrypt(client, upper(server, names)), decrypt(client, lower(server, names)))
    print(decrypt(client, concat(server, names, encrypt(client, ["!", "", " L"], places=2))))


if __name__ == "__main__":
    main()
