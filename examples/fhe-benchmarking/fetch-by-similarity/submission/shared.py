"""What client and server agree on: parameters, how vectors lie in slots, and where files lie."""

from __future__ import annotations

import atexit
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import bootes

# What each program takes in all, Python and all, is said at its end.
atexit.register(
    lambda: print(f"         [{Path(sys.argv[0]).name}] {time.process_time():.3f} s of processors")
)

# Parameters for tests, which hide nothing.
TOY = os.environ.get("BOOTES_TOY") == "1"

# p - 1 = 3·2^18, and 2^17 of it make as many slots as the ring of N = 2^16 has coefficients.
MODULUS = 65537 if TOY else 786433

# Products in a row: a dot product, a polynomial of degree 2·LIMIT, and one with payloads.
DEPTH = 13

# Unit vectors are integers of which no norm² is above LIMIT, so that no product is beyond ±LIMIT.
LIMIT = 1023

# Records whose dot product with the query is above are similar.
THRESHOLD = 0.8

# A payload is 7 numbers below 2^9. With a bit that says that there is one, these are 4 words of 16 bits.
PAYLOAD, PAYLOAD_BITS, WORDS = 7, 9, 4


@dataclass(frozen=True)
class Instance:
    """An instance of the harness."""

    name: str
    dim: int
    records: int
    count_only: bool

    @staticmethod
    def of_arguments() -> Instance:
        """Read what the harness asks for: its size, perhaps --count_only, and seeds."""
        size = int(sys.argv[1])
        name = ["toy", "small", "medium", "large"][size]
        dim, records = [(128, 1000), (128, 50000), (256, 1000000), (512, 20000000)][size]
        # Tests have smaller ones.
        dim, records = int(os.environ.get("BOOTES_DIM", dim)), int(os.environ.get("BOOTES_RECORDS", records))
        return Instance(name, dim, records, "--count_only" in sys.argv)

    @property
    def data(self) -> Path:
        """Where the harness has its data."""
        return Path("datasets") / self.name

    @property
    def io(self) -> Path:
        """Where client and server exchange files."""
        return Path("io") / self.name

    @property
    def upload(self) -> Path:
        """What the client sends."""
        return self.io / "ciphertexts_upload"

    @property
    def results(self) -> Path:
        """What the server answers."""
        return self.io / "ciphertexts_download" / "results.bin"

    @property
    def steps(self) -> tuple[int, int]:
        """Baby steps b and giant ones, dim/b: rotations of the query below b, of sums by multiples of b."""
        baby = 1 << (self.dim.bit_length() // 2)
        return baby, self.dim // baby

    def blocks(self, slots: int) -> int:
        """Ciphertexts of so many slots that a number of each record takes."""
        return -(-self.records // slots)


def scale(dim: int) -> float:
    """Tell what unit vectors are multiplied by before rounding, which adds dim/12 to a norm², in the mean."""
    return float((LIMIT - dim / 6) ** 0.5)


def params() -> bootes.Params:
    """Choose the parameters."""
    return bootes.Params(f"{'toy_' if TOY else ''}slots_{MODULUS}_depth_{DEPTH}")


def pack(arrays: list[bootes.Encrypted]) -> bytes:
    """Several arrays as one file: each after its length."""
    parts = [array.to_bytes() for array in arrays]
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)


def unpack(data: bytes) -> list[bootes.Encrypted]:
    """Read the arrays of a file."""
    arrays = []
    while data:
        end = 8 + int.from_bytes(data[:8], "little")
        arrays.append(bootes.Encrypted.from_bytes(data[8:end]))
        data = data[end:]
    return arrays
