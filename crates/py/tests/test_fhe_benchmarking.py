"""The programs of examples/fhe-benchmarking on small instances of the harnesses' files, with toy sets."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import bootes
import bootes.sklearn
import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

EXAMPLES = Path(__file__).parents[3] / "examples" / "fhe-benchmarking"


class Harness:
    """What a harness does: it builds, writes files, and runs programs in its root."""

    def __init__(self, root: Path, workload: str, programs: str, **environment: str) -> None:
        """Copy the workload's folders; `programs` is where it looks for them."""
        shutil.copytree(EXAMPLES / workload, root, dirs_exist_ok=True)
        self.root, self.programs = root, root / programs
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        self.environment = {**os.environ, "PATH": path, "BOOTES_TOY": "1", **environment}

    def build(self, *arguments: str) -> None:
        """Run the script that builds."""
        script = self.root / "scripts" / "build_task.sh"
        subprocess.run([script, *arguments], cwd=self.root, env=self.environment, check=True)

    def run(self, *arguments: str, names: str) -> None:
        """Run programs."""
        for name in names.split():
            subprocess.run(
                [self.programs / name, *arguments], cwd=self.root, env=self.environment, check=True
            )


@pytest.mark.parametrize("whole", ["0", "1"])
def test_words_of_64_bits_are_multiplied(tmp_path: Path, whole: str) -> None:
    """By limbs, and whole."""
    harness = Harness(tmp_path, "Zn-multiplication", "submission/target/release", BOOTES_WHOLE=whole)
    harness.build()
    data, io = tmp_path / "datasets" / "single", tmp_path / "io" / "single"
    data.mkdir(parents=True)
    io.mkdir(parents=True)
    # A product of whole ones takes seconds.
    sides = WORDS[:, :1] if whole == "1" else WORDS
    for name, side in zip(("lhs", "rhs"), sides, strict=True):
        np.savetxt(data / f"{name}.txt", side, fmt="%u")
    harness.run(str(len(sides[0])), names="client_preprocess_input")
    harness.run("single", names="client_key_generation client_encode_encrypt_input")
    harness.run("single", "1", names="server_encrypted_compute client_decrypt_decode client_postprocess")
    found = [int(word) for word in (io / "cleartext_output" / "out.txt").read_text().split()]
    assert found == [int(x) * int(y) % 2**64 for x, y in zip(*sides, strict=True)]


# More than the slots of one ciphertext of the toy set, with the largest ones.
WORDS = np.random.default_rng(0).integers(0, 2**64 - 1, (2, 300), np.uint64, endpoint=True)
WORDS[:, 0] = 2**64 - 1


@pytest.mark.parametrize("count_only", [False, True])
def test_similar_records_are_found(tmp_path: Path, count_only: bool) -> None:
    """In two blocks: how many, or their payloads."""
    dim, records = 16, 300
    sizes = {"BOOTES_DIM": str(dim), "BOOTES_RECORDS": str(records)}
    harness = Harness(tmp_path, "fetch-by-similarity", "submission/build", **sizes)
    harness.build("./submission")
    rng = np.random.default_rng(2)
    data, io = tmp_path / "datasets" / "toy", tmp_path / "io" / "toy"
    data.mkdir(parents=True)
    io.mkdir(parents=True)

    def near(center: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
        noise = rng.standard_normal((count, dim))
        found = center + 0.2 * noise / np.linalg.norm(noise, axis=1, keepdims=True)
        unit: np.ndarray[Any, Any] = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit

    center = near(np.zeros(dim), 1)
    query = near(center, 1)[0].astype(np.float32)
    db = near(np.zeros(dim), records).astype(np.float32)
    # Those that rounding may take to the other side have another place.
    db[np.abs(db @ query - 0.8) < 0.2] = -query
    db[[3, 128, 299]] = near(center, 3)
    payloads = rng.integers(0, 512, (records, 7), np.int16)
    payloads[3] = 0
    payloads[299] = 511
    for name, array in {"db": db, "query": query, "payloads": payloads}.items():
        array.tofile(data / f"{name}.bin")
    similar = db @ query > 0.8
    assert similar.sum() == 3

    names = "client_key_generation client_encode_encrypt_db server_preprocess_dataset"
    names += " client_encode_encrypt_query server_encrypted_compute client_decrypt_decode"
    harness.run("0", *(["--count_only"] if count_only else []), "--seed", "1", names=names)
    if count_only:
        assert np.fromfile(io / "results.bin", np.int_).tolist() == [3]
    else:
        expected = payloads[similar]
        expected = expected[np.lexsort(expected.T[::-1])]
        assert np.fromfile(io / "results.bin", np.int16).reshape(-1, 7).tolist() == expected.tolist()


def test_images_are_classified(tmp_path: Path) -> None:
    """As by the model in plain."""
    harness = Harness(tmp_path, "ml-inference", "submission/build")
    spec = importlib.util.spec_from_file_location("shared", tmp_path / "submission" / "shared.py")
    assert spec is not None
    assert spec.loader is not None
    shared = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shared)
    # The digits of scikit-learn in the place of MNIST.
    small, digits = load_digits(return_X_y=True)
    images = np.zeros((len(small), 28, 28))
    images[:, 2:26, 2:26] = np.kron(small.reshape(-1, 8, 8), np.ones((3, 3))) / 16
    pixels = images.reshape(-1, 784)
    fitted = MLPClassifier((4,), max_iter=20, random_state=0).fit(shared.columns(pixels[15:]), digits[15:])
    model = bootes.sklearn.compile(fitted, shared.columns(pixels[15:]), bits=3, sums=16)
    shared.save(tmp_path / "submission" / "server.model", model)
    shared.save(tmp_path / "submission" / "client.codec", {"codec": model.codec})

    harness.build("./submission")
    data, io = tmp_path / "datasets" / "small" / "intermediate", tmp_path / "io" / "small"
    data.mkdir(parents=True)
    io.mkdir(parents=True)
    np.savetxt(data / "test_pixels.txt", pixels[:15], fmt="%.6f")
    harness.run("1", names="client_key_generation")
    harness.run(names="server_preprocess_model")
    names = "client_preprocess_input client_encode_encrypt_input server_encrypted_compute"
    harness.run("1", names=f"{names} client_decrypt_decode client_postprocess")
    found = np.loadtxt(io / "encrypted_model_predictions.txt", int)
    assert found.tolist() == model.codec.labels(model.plain(shared.columns(pixels[:15]))).tolist()
