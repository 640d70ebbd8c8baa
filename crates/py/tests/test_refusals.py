"""What is refused: the class, the fields, and one line that says what to do."""

from __future__ import annotations

import operator
import os
import pickle
import re
import shutil
import subprocess
from functools import partial
from typing import TYPE_CHECKING, Any

import bootes
import numpy as np
import pytest
from conftest import refused

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Pair


def test_values_that_are_no_integers(each: Pair) -> None:
    """Refuse what would be rounded, or has no number."""
    encrypt = each.client.encrypt
    wrong: list[Any] = [[1.0], [float("nan")], np.array([1.5]), np.array([1j]), ["1"], [None]]
    for values in wrong:
        found = refused(bootes.DtypeError, "of dtype", partial(encrypt, values))
        assert issubclass(type(found), TypeError)
    refused(bootes.DtypeError, ".astype(np.int64)", lambda: encrypt(np.arange(3.0)))
    words = "value number 1 is -300, expected 0 to"
    found = refused(bootes.ArgumentError, words, lambda: encrypt([[0, -300]]))
    assert (found.index, found.value, found.code) == (1, -300, "argument")
    assert issubclass(type(found), ValueError)
    large = np.array([1, 2**64 - 1], np.uint64)
    words = "value number 1 is 18446744073709551615, expected -2^63 to 2^63 - 1"
    beyond = "value number 1 is 18446744073709551615, expected 0 to"
    found = refused(bootes.ArgumentError, beyond, lambda: encrypt(large))
    assert (found.index, found.value) == (1, 2**64 - 1)
    e = encrypt([1, 2])
    refused(bootes.ArgumentError, words, lambda: e + large)
    far = refused(bootes.ArgumentError, "expected -2^63 to 2^64 - 1", lambda: encrypt([1, 2**70]))
    assert (far.index, far.value) == (1, 2**70)
    masked = np.ma.masked_equal([1, 2, 3], 2)
    refused(bootes.ArgumentError, "take .filled(0), or .compressed()", lambda: encrypt(masked))
    np.testing.assert_array_equal(each.client.decrypt(encrypt(masked.filled(0))), [1, 0, 3])
    np.testing.assert_array_equal(each.client.decrypt(encrypt(masked.compressed())), [1, 3])
    np.testing.assert_array_equal(each.client.decrypt(encrypt(masked[:1])), [1])
    refused(ValueError, "", lambda: encrypt([[1, 2], [3]]))


def test_operators_of_the_server(integers: Pair) -> None:
    """Name what does it, of each operator that sums do not have; what is named is run."""
    client, server, _ = integers
    x, y = (
        client.encrypt([13, 6], integers=5, within=(0, 15)),
        client.encrypt([3, 2], integers=5, within=(0, 15)),
    )
    plain = {"x": np.array([13, 6]), "y": np.array([3, 2])}
    operators: list[tuple[str, Callable[[Any, Any], Any]]] = [
        ("/", operator.truediv),
        ("//", operator.floordiv),
        ("%", operator.mod),
        ("&", operator.and_),
        ("|", operator.or_),
        ("^", operator.xor),
        ("<<", operator.lshift),
        (">>", operator.rshift),
    ]
    for sign, act in operators:
        for other in (y, 2, np.array([1, 2])):
            found = refused(bootes.DtypeError, f"x {sign} y of encrypted values", partial(act, x, other))
            refused(bootes.DtypeError, f"x {sign} y of encrypted values", partial(act, other, x))
        of = operator.floordiv if sign == "/" else act
        for text in re.findall(r'Server.run\("(.*?)"', str(found)):
            names = [name for name in "xy" if re.search(rf"\b{name}\b", text)]
            number = re.search(r"\d+", text)
            expected = of(plain["x"], plain["y"] if number is None else int(number[0]))
            inputs = {"x": x, "y": y}
            given: dict[str, Any] = {name: inputs[name] for name in names}
            y_of = server.run(text, **given)
            np.testing.assert_array_equal(client.decrypt(y_of), expected)
    refused(bootes.DtypeError, 'Server.run("x^2", x=x)', lambda: x**2)
    refused(bootes.DtypeError, "Server.evaluate(lambda x: c**x, x)", lambda: 2**x)
    refused(bootes.DtypeError, "is -1 - x", lambda: ~x)
    for call in (lambda: divmod(x, 2), lambda: divmod(2, x)):
        found = refused(bootes.DtypeError, "divmod(x, y)", call)
    for text in re.findall(r'Server.evaluate_all\("(.*?)"', str(found)):
        both_inputs = [x, y] if "y" in text else [x]
        plain_y = plain["y"] if "y" in text else 2
        both = [client.decrypt(one) for one in server.evaluate_all(text, *both_inputs)]
        np.testing.assert_array_equal(both, divmod(plain["x"], plain_y))
    for kind in (int, float):
        refused(bootes.DtypeError, "decrypt them first", partial(kind, x))
    np.testing.assert_array_equal(client.decrypt(+x), plain["x"])
    np.testing.assert_array_equal(client.decrypt(-1 - x), ~plain["x"])
    refused(bootes.DtypeError, "Server.absolute(x)", lambda: abs(x))
    bits = bootes.Client("toy_bits", bits=1)
    b = bits.encrypt([0, 1, 1])
    refused(bootes.DtypeError, "of bits, which are modulo 2, it is x + y", lambda: b ^ b)
    np.testing.assert_array_equal(bits.decrypt(b + bits.encrypt([1, 1, 0])), [1, 0, 1])


def test_functions_of_another_number_of_arguments(fhew: Pair, integers: Pair) -> None:
    """Refuse them before they are called, wherever tables are taken."""
    client, server, _ = fhew
    e, i = client.encrypt([1, 2]), integers.client.encrypt([1, 2], integers=4)

    def three(x: int, y: int, z: int) -> int:
        return x + y + z

    several: list[Any] = [three, lambda x, y: x + y, np.add]
    for f in several:
        count = 3 if f is three else 2
        words = f"a function of {count} arguments where one of 1 argument is expected"
        for call in (
            partial(server.evaluate, f, e),
            partial(server.plan, f, e),
            partial(server.evaluate_all, [abs, f], e),
            partial(integers.server.run, "f(x) + 1", tables={"f": f}, x=i),
            partial(bootes.table_from, f, bits=3),
            partial(bootes.plan, f, bits=3),
        ):
            refused(bootes.DtypeError, words, call)
    one: Any = abs
    refused(
        bootes.DtypeError, "of 1 argument where one of 2 arguments is", lambda: server.evaluate(one, e, e)
    )
    small = client.encrypt([1, 2], bits=2)
    y = server.evaluate(lambda x, y: (x + y) % 4, small, small)
    np.testing.assert_array_equal(client.decrypt(y), [2, 0])
    # What has more arguments that need not be given is taken.
    np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda x, y=1: (x + y) % 16, e)), [2, 3])
    np.testing.assert_array_equal(client.decrypt(server.evaluate(lambda *x: x[0], e)), [1, 2])


def test_tables_that_are_none(fhew: Pair) -> None:
    """Say for which x."""
    client, server, _ = fhew
    e = client.encrypt([1, 2])

    def evaluate(f: Any, **kwargs: Any) -> Callable[[], object]:
        return lambda: server.evaluate(f, e, **kwargs)

    refused(bootes.DtypeError, "gives 0.5 (float) for x = 1", evaluate(lambda x: x and x / 2))
    refused(bootes.DtypeError, "gives None (NoneType) for x = 0", evaluate(lambda _: None))
    refused(
        bootes.ArgumentError, "gives 16 for x = 4, expected residues modulo 16", evaluate(lambda x: x * x)
    )
    refused(bootes.ArgumentError, "no entry for x = 1", evaluate({0: 1}))
    refused(bootes.DtypeError, "'a' (str) for x = 0", evaluate(dict.fromkeys(range(16), "a")))
    refused(bootes.ArgumentError, "a table of 8 entries: expected 16", evaluate([1] * 8))
    refused(bootes.ArgumentError, "expected one axis", evaluate(np.zeros((4, 4), int)))
    refused(bootes.DtypeError, "1.4142135623730951 (float) for x = 2, expected an integer", evaluate(np.sqrt))
    refused(bootes.DtypeError, "has nan (float) for x = 3", evaluate([0.0, 1.0, 2.0, np.nan] * 4))
    refused(bootes.DtypeError, "take np.rint(…).astype(int)", evaluate(np.zeros(16)))
    refused(bootes.ArgumentError, "no function is called", evaluate("maximum"))
    refused(ZeroDivisionError, "", evaluate(lambda x: 3 // x))
    refused(bootes.ArgumentError, "are for tables", evaluate("relu", out_bits=3))
    refused(bootes.ArgumentError, "takes 2 operands, and 1", evaluate("max"))
    refused(bootes.ArgumentError, "no inputs", lambda: server.evaluate("relu"))
    refused(bootes.ArgumentError, "shapes", lambda: server.maximum(e, e[:1]))


def test_entries_that_are_none() -> None:
    """Say for which x, without keys."""
    cases: list[tuple[type[bootes.Error], str, Any]] = [
        (bootes.DtypeError, "gives 0.5 (float) for x = 1", lambda x: x and x / 2),
        (bootes.DtypeError, "gives nan (float) for x = 0", lambda _: float("nan")),
        (bootes.ArgumentError, "gives 4 for x = 2, expected residues modulo 4: take % 4", lambda x: x * x),
        (bootes.ArgumentError, "gives 9 for x = 3", {0: 0, 1: 0, 2: 0, 3: 9}.__getitem__),
        (bootes.ArgumentError, "no entry for x = 2", {0: 0, 1: 0}),
        (bootes.ArgumentError, "a table of 3 entries: expected 4, one for each of 0 to 3", [1, 2, 3]),
        (bootes.ArgumentError, "expected one axis", [[1, 2, 3, 0]]),
        (bootes.ArgumentError, "expected one axis", np.frexp),
        (bootes.DtypeError, "has 1.5 (float) for x = 1", [1.0, 1.5, 2.0, 3.0]),
    ]
    for kind, words, f in cases:
        refused(kind, words, partial(bootes.table_from, f, bits=2))
    refused(bootes.ArgumentError, "expected one of bits=", lambda: bootes.table_from([0, 1]))
    refused(bootes.ArgumentError, "expected 2 to 2^32", lambda: bootes.table_from([0], bits=1, out_modulus=1))


def test_operations_that_are_none(fhew: Pair) -> None:
    """Refuse what is not meant."""
    client, server, _ = fhew
    e = client.encrypt([[1, 2], [3, 4]])
    refused(bootes.ArgumentError, "do not broadcast", lambda: e + e[0])
    refused(bootes.ArgumentError, "one for each value", lambda: e + np.arange(3))
    refused(bootes.DtypeError, "constants are of dtype float64", lambda: e + 0.5)
    refused(bootes.ArgumentError, "one for each value", lambda: e * np.array([1, 2, 3]))
    # What mypy refuses is to be refused when it runs, too.
    refused(bootes.DtypeError, "factors are", lambda: e * 0.5)  # type: ignore[operator]
    refused(bootes.DtypeError, "Server.multiply", lambda: e * e)  # type: ignore[operator]
    refused(bootes.ArgumentError, "expected as many", lambda: e @ [1, 2, 3])
    refused(bootes.DtypeError, "decrypt them first", lambda: bool(e))
    refused(TypeError, "unsized", lambda: len(e[0, 0]))

    def grow() -> None:
        sums = e
        for _ in range(64):
            sums = sums + sums

    found = refused(bootes.NoiseError, "fail with probability", grow)
    assert found.predicted > found.promised == -64
    assert issubclass(type(found), ArithmeticError)
    found = refused(bootes.UnsupportedError, "take parameter set", lambda: server.multiply(e, e))
    assert found.code == "unsupported"


def test_comparisons_take_a_key(fhew: Pair) -> None:
    """Refuse them all, rather than compare objects."""
    e, f = fhew.client.encrypt([1, 2]), fhew.client.encrypt([1, 2])
    cases: list[tuple[str, Callable[[], object]]] = [
        ("Server.equal(x, y), or with a constant Server.evaluate(lambda x: x == c, x)", lambda: e == f),
        ("x == y of", lambda: e == 1),
        ("x == y of", lambda: np.array([1, 2]) == e),
        ("1 - Server.equal(x, y)", lambda: e != e),
        ("x < y of encrypted values takes the server's key: Server.less(x, y)", lambda: e < f),
        ("1 - Server.less(y, x)", lambda: e <= f),
        ("Server.evaluate(lambda x: x > c, x)", lambda: e > 1),
        ("Server.evaluate(lambda x: x >= c, x)", lambda: e >= 1),
        ("decrypt them first", lambda: 1 in e),
        ("decrypt them first", lambda: 1 in e[0]),
    ]
    for words, act in cases:
        refused(bootes.DtypeError, words, act)
    refused(TypeError, "unhashable", lambda: hash(e))


def test_arguments_that_are_not_encrypted(fhew: Pair, bfv: Pair) -> None:
    """Say what to do instead, whatever takes them."""
    client, server, _ = fhew
    e: Any = client.encrypt([1, 2], integers=3)
    wrong: Any = [1, 2]
    path: Any = "server.key"
    constants: list[Callable[[], object]] = [
        lambda: server.maximum(e, wrong),
        lambda: server.evaluate("max", e, wrong),
    ]
    for act in constants:
        refused(bootes.DtypeError, "take Server.sign(x - c), which is 1 where x < c", act)
    added = 'or add it before, as Server.run("max(x, 3)", x=x + [1, 2])'
    refused(bootes.DtypeError, added, lambda: bfv.server.run("x*y", x=e, y=wrong))
    np.testing.assert_array_equal(client.decrypt(server.run("max(x, 3)", x=e + np.array([1, 2]))), [3, 4])
    three: Any = np.int64(3)
    numbers: list[Callable[[], object]] = [
        lambda: server.less(e, wrong[0]),
        lambda: server.evaluate("add", e, wrong[0]),
        lambda: server.run("x + y", x=e, y=wrong[0]),
        lambda: bfv.server.run("x*y", x=e, y=three),
    ]
    for act in numbers:
        words = 'write a number in an expression, as Server.run("max(x, 3) - 1", x=x)'
        refused(bootes.DtypeError, words, act)
    refused(bootes.DtypeError, "y= is of type int", numbers[2])
    np.testing.assert_array_equal(client.decrypt(server.run("max(x, 3) - 1", x=e)), [2, 2])
    arrays: Any = [e, e]
    refused(bootes.DtypeError, "of type list, expected an encrypted", lambda: client.decrypt(arrays))
    refused(bootes.DtypeError, "or bootes.concatenate([x, y])", lambda: server.relu(arrays))
    refused(bootes.DtypeError, "of type str, expected a ServerKey: ", lambda: bootes.Server(path))


def test_what_was_not_made_together(fhew: Pair, ckks: Pair) -> None:
    """Tell keys and parameters apart."""
    e = fhew.client.encrypt([1])
    other = bootes.Client("toy_4")
    found = refused(bootes.MismatchError, "another key", lambda: other.decrypt(e))
    assert found.code == "mismatch"
    refused(bootes.MismatchError, "engine", lambda: ckks.client.decrypt(e))
    refused(bootes.MismatchError, "another key", lambda: e + other.encrypt([1]))


def test_bytes_files_and_means(fhew: Pair, tmp_path: Path) -> None:
    """Refuse damaged bytes, files that are not there, and too little memory."""
    refused(bootes.DataError, "not a Bootes", lambda: bootes.Encrypted.from_bytes(b"nothing"))
    found = refused(bootes.FileError, "nowhere", lambda: bootes.Client.load(tmp_path / "nowhere"))
    assert (found.errno, found.filename) == (2, str(tmp_path / "nowhere"))
    assert issubclass(type(found), OSError)
    found = refused(bootes.OutOfMemoryError, "of memory", lambda: fhew.client.server_key(memory=1))
    assert found.needed > found.available == 1
    assert issubclass(type(found), MemoryError)
    refused(bootes.ArgumentError, "0 threads", lambda: fhew.client.server_key(threads=0))
    again = pickle.loads(pickle.dumps(found))
    assert (str(again), again.needed) == (str(found), found.needed)


def test_parameters_that_are_none() -> None:
    """Say which there are."""
    cases: list[tuple[dict[str, Any], str]] = [
        ({}, "expected one of bits="),
        ({"bits": 4, "modulus": 5}, "more than one of"),
        ({"bits": 4, "slots": 257}, "expected one alone"),
        ({"bits": 4, "depth": 1}, "depth= without slots="),
        ({"slots": 65537, "depth": 59}, "have 1 to"),
        ({"bits": 99}, "bits=99, expected 1 to 20"),
        ({"bits": 0}, "bits=0, expected 1 to 20"),
        ({"bits": 4, "failure": -10}, "expected -128 or -64"),
        ({"params": "toy_5000"}, "toy_5000"),
        ({"slots": 256}, "odd prime"),
        ({"modulus": 1}, "modulus=1"),
    ]
    for kwargs, words in cases:
        refused(bootes.ArgumentError, words, partial(bootes.Client, **kwargs))
    client = bootes.Client("toy_4")
    refused(bootes.ArgumentError, "within= is for integers=", lambda: client.encrypt([1], within=(0, 1)))
    refused(
        bootes.ArgumentError,
        "expected (least, largest)",
        lambda: client.encrypt([1], integers=2, within=(1, 0)),
    )


COMMAND = os.environ.get("BOOTES_COMMAND") or shutil.which("bootes")


@pytest.mark.skipif(COMMAND is None, reason="no command: BOOTES_COMMAND says where it is")
def test_files_are_those_of_the_command_line(tmp_path: Path) -> None:
    """Let the command make what Python takes, and the other way round."""

    def run(*arguments: str) -> None:
        subprocess.run([str(COMMAND), *arguments], cwd=tmp_path, check=True, capture_output=True)

    run("keygen", "--params", "toy_4", "--client", "client", "--server", "server")
    client = bootes.Client.load(tmp_path / "client", bits=4)
    server = bootes.Server(bootes.ServerKey.load(tmp_path / "server"))
    x = np.arange(16)
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "table").write_text(" ".join(str(3 * i % 16) for i in range(16)))
    run("encrypt", "--key", "client", "--input", "x.npy", "--output", "x")
    server.evaluate(lambda x: 3 * x % 16, bootes.Encrypted.load(tmp_path / "x")).save(tmp_path / "y")
    run("decrypt", "--key", "client", "--input", "y", "--output", "y.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), 3 * x % 16)
    client.encrypt(x).save(tmp_path / "z")
    run("eval", "--key", "server", "--table", "table", "--input", "z", "--output", "w")
    np.testing.assert_array_equal(client.decrypt(bootes.Encrypted.load(tmp_path / "w")), 3 * x % 16)


def test_whole_numbers_out_of_range(fhew: Pair, bfv: Pair, tmp_path: Path) -> None:
    """Refuse numbers that are negative or too long by their names, whichever argument they are."""
    client, server, key = fhew.client, fhew.server, fhew.client.server_key()
    public = client.public_key()
    x, path = client.encrypt([1, 2]), tmp_path / "client.key"
    client.save(path)
    plan = server.plan(lambda v: v, x)
    acts: dict[str, list[Callable[[int], object]]] = {
        "bits": [
            lambda n: bootes.Client(bits=n),
            lambda n: bootes.Params(bits=n),
            lambda n: bootes.plan(bits=n),
            lambda n: client.encrypt([1], bits=n),
            lambda n: public.encrypt([1], bits=n),
            lambda n: client.encrypt_symmetric([1], bits=n),
            lambda n: bootes.Client.load(path, bits=n),
            lambda n: bootes.Client.from_bytes(client.export_secret_bytes(), bits=n),
            lambda n: bootes.PublicKey.from_bytes(public.to_bytes(), bits=n),
            lambda n: bootes.table_from(lambda v: v, bits=n),
        ],
        "modulus": [
            lambda n: bootes.Client(modulus=n),
            lambda n: bootes.plan(modulus=n),
            lambda n: client.encrypt([1], modulus=n),
            lambda n: bootes.table_from(lambda v: v, modulus=n),
        ],
        "integers": [
            lambda n: bootes.Client(integers=n),
            lambda n: bootes.plan(integers=n),
            lambda n: client.encrypt([1], integers=n),
        ],
        "slots": [lambda n: bootes.Client(slots=n), lambda n: bootes.plan("x*y", slots=n)],
        "depth": [lambda n: bootes.Params(slots=17, depth=n)],
        "many": [lambda n: bootes.Params(bits=4, many=n)],
        "failure": [lambda n: bootes.Params(bits=4, failure=n), lambda n: bootes.plan(bits=4, failure=n)],
        "threads": [
            lambda n: bootes.Server(key, threads=n),
            lambda n: client.server_key(threads=n),
            lambda n: bootes.plan(bits=4, threads=n),
        ],
        "memory": [
            lambda n: bootes.Server(key, memory=n),
            lambda n: client.server_key(memory=n),
            lambda n: bootes.plan(bits=4, memory=n),
        ],
        "count": [lambda n: bootes.plan(bits=4, count=n)],
        "values": [plan.seconds, plan.memory],
        "out_bits": [
            lambda n: server.evaluate(lambda v: v, x, out_bits=n),
            lambda n: server.evaluate_all([lambda v: v], x, out_bits=n),
            lambda n: server.plan(lambda v: v, x, out_bits=n),
        ],
        "out_modulus": [
            lambda n: server.evaluate(lambda v: v, x, out_modulus=n),
            lambda n: bootes.table_from(lambda v: v, bits=2, out_modulus=n),
        ],
        "shape": [lambda n: bootes.Encrypted.from_bytes(x.to_bytes(), (n,))],
    }
    for name, all_of_name in acts.items():
        for act in all_of_name:
            for number in (-1, -(2**70), 2**70, 2**200, -(2**200)):
                refused(bootes.ArgumentError, f"{name}=", partial(act, number))
    # Of numbers of values, more than there are predictions for.
    for name in ("count", "values", "many"):
        for act in acts[name]:
            act(10**12)
            for number in (10**12 + 1, 10**17, 2**64 - 1):
                refused(bootes.ArgumentError, f"{name}={number}, expected", partial(act, number))
    far = 2**70
    for name, far_act in [
        ("by", lambda: bfv.server.rotate(bfv.client.encrypt([1]), far)),
        ("axis", lambda: x.sum(axis=far)),
    ]:
        refused(bootes.ArgumentError, f"{name}=", far_act)
    refused(
        bootes.ArgumentError,
        f"from {-far} to {far}",
        lambda: client.encrypt([1], integers=3, within=(-far, far)),
    )
    refused(bootes.ArgumentError, f"from {-far} to 1", lambda: x.as_integers(-far, 1))
    refused(bootes.ArgumentError, f"from 0 to {far}", lambda: x.as_integers(0, far))
    wrong: Any = 1.5
    with pytest.raises(TypeError):
        bootes.Params(bits=wrong)
    of_numpy: Any = np.int8(4)
    assert bootes.Params(bits=of_numpy) == bootes.Params(bits=4)


def test_named_sets_keep_what_is_said_besides() -> None:
    """Refuse what a set does not hold, or does not promise, and take what it does."""
    refused(bootes.ArgumentError, "toy_4 holds", lambda: bootes.Params("toy_4", bits=9))
    refused(bootes.NoiseError, "toy_4 promise", lambda: bootes.Params("toy_4", failure=-128))
    refused(bootes.NoiseError, "toy_4 promise", lambda: bootes.Client("toy_4", failure=-128))
    refused(bootes.ArgumentError, "expected -128 or -64", lambda: bootes.Params("toy_4", failure=-65))
    assert bootes.Params("toy_4", bits=4, failure=-64).name == "toy_4"
    assert bootes.Params(bits=4).log2_p_fail <= -128
    assert bootes.Params(bits=4, failure=-64).log2_p_fail <= -64
