"""A server on a cluster of Ray's, which is this machine: the answers of one server, whatever is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import bootes
import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ray = pytest.importorskip("ray", reason="Ray is an extra")


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Start Ray with two processors and a small store."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(
        "local", num_cpus=2, object_store_memory=500 * 10**6, include_dashboard=False, log_to_driver=False
    )
    yield
    ray.shutdown()


class Trio(NamedTuple):
    """A client, its key, and one server with that."""

    client: bootes.Client
    key: bootes.ServerKey
    server: bootes.Server


def trio(name: str) -> Trio:
    """Make them."""
    client = bootes.Client(name)
    key = client.server_key()
    return Trio(client, key, bootes.Server(key, threads=1))  # As a worker has here.


@pytest.fixture(scope="module")
def ckks() -> Trio:
    """Give residues modulo 16, 1024 in a ciphertext."""
    return trio("toy_batch_4bit")


def spread(pair: Trio, **options: Any) -> Any:
    """Make a server of two workers with the same key."""
    import bootes.ray

    return bootes.ray.Server(pair.key, workers=2, **options)


def processes(server: Any) -> list[int]:
    """Give the processes of its workers."""
    with server._workers as workers:
        actors = [worker.actor for worker in workers]
    found: list[int] = ray.get([actor.__ray_call__.remote(lambda _self: os.getpid()) for actor in actors])
    return found


def square(x: Any) -> Any:
    """Give a table that no engine has a short way for."""
    return (x * x + 1) % 16


def test_same_bytes_as_one_server(ckks: Trio) -> None:
    """Pieces are put together as they were, of every shape, and progress is told of all."""
    values = np.arange(6 * 1024).reshape(2, -1) % 16
    x, told = ckks.client.encrypt(values), list[float]()
    with spread(ckks) as server:
        assert server.workers == 2
        assert repr(server).startswith("<bootes.ray.Server of toy_batch_4bit, 2 workers, key ")
        y = server.evaluate(square, x, progress=told.append)
        assert y.to_bytes() == ckks.server.evaluate(square, x).to_bytes()
        assert (ckks.client.decrypt(y) == square(values)).all()
        assert y.shape == values.shape
        assert told == sorted(set(told))
        assert (told[0], told[-1]) == (0, 1)
        fs: list[Any] = [square, np.negative, np.arange(16), dict.fromkeys(range(16), 3)]
        x = ckks.client.encrypt(values.reshape(-1)[:5000])
        expected = [z.to_bytes() for z in ckks.server.evaluate_all(fs, x)]
        assert [z.to_bytes() for z in server.evaluate_all(fs, x)] == expected
        plan, here = server.plan(square, x), ckks.server.plan(square, x)
        assert (plan.engine, plan.algorithms) == (here.engine, here.algorithms)
        assert (str(plan), repr(plan)) == (str(here), repr(here))
        assert 0 < plan.seconds(2048) < plan.seconds(4096)
        assert server.evaluate(plan, x).to_bytes() == expected[0]


def test_other_engines() -> None:
    """Vectors of engine bfv to the bit; values of engine fhew, whose noise is another."""
    fhew, bfv, integers = (trio(name) for name in ("toy_4", "toy_slots_257", "toy_int16"))
    x, y = (bfv.client.encrypt((np.arange(500) * k) % 257) for k in (1, 3))
    with spread(bfv) as server:
        assert server.multiply(x, y).to_bytes() == bfv.server.multiply(x, y).to_bytes()
        short = [x[:128], y[:128]]
        assert server.rotate(short[0], 3).to_bytes() == bfv.server.rotate(short[0], 3).to_bytes()
        text, table = "x*y + T(x)", {"T": lambda v: v % 2}
        expected = bfv.server.run(text, tables=table, x=short[0], y=short[1])
        assert server.run(text, tables=table, x=short[0], y=short[1]).to_bytes() == expected.to_bytes()
        for refusing in (server, bfv.server):
            with pytest.raises(
                bootes.ArgumentError, match="one ciphertext of 128 values, and the vector has 500"
            ):
                refusing.rotate(x, 1)
        with pytest.warns(bootes.PaddingWarning, match="12 of the 128 slots"):
            server.evaluate("sum(x + 1)", bfv.client.encrypt(np.arange(116)))
    values = np.arange(-20, 20)
    x, y = integers.client.encrypt(values, integers=6), integers.client.encrypt(values[::-1], integers=6)
    with spread(integers) as server:
        decrypt = integers.client.decrypt
        assert (decrypt(server.maximum(x, y)) == np.maximum(values, values[::-1])).all()
        assert (decrypt(server.minimum(x, y)) == np.minimum(values, values[::-1])).all()
        assert (decrypt(server.less(x, y)) == (values < values[::-1])).all()
        assert (decrypt(server.equal(x, x)) == 1).all()
        assert (decrypt(server.relu(x)) == np.maximum(values, 0)).all()
        assert (decrypt(server.absolute(x)) == abs(values)).all()
        assert (decrypt(server.sign(x)) == (values < 0)).all()
    fhew = fhew._replace(key=fhew.client.server_key(compression=True))
    x = fhew.client.encrypt(np.arange(100) % 16)
    with spread(fhew) as server:
        assert fhew.client.decrypt(server.evaluate(square, fhew.client.encrypt(7))).shape == ()
        y = server.evaluate(square, x)
        for small in (server.compress(y), server.evaluate(square, x, compress=True)):
            assert small.is_compressed
            assert small.nbytes < y.nbytes / 8
            assert (fhew.client.decrypt(small) == square(np.arange(100) % 16) % 16).all()


def test_frames() -> None:
    """Run, plan and sum them as one server does, with results by name and in steps, and the same refusals."""
    for name, rows in (("toy_int16", 40), ("toy_batch_9bit", 1500)):
        one = trio(name)
        age, income = np.arange(rows) % 90, np.arange(rows) % 50 / 2
        table = {"age": age, "income": income, "town": np.array(["a", "b"])[np.arange(rows) % 2]}
        frame = one.client.encrypt_frame(table, steps={"income": 0.5}, public="town", within={"age": (0, 90)})
        text = "high = age > 40; total = select(high, income, 0); f(age) + f(income)"
        with spread(one) as server:
            found = server.run(text, frame, tables={"f": lambda v: v // 10})
            assert found.names == ["high", "total", "f(age) + f(income)"]
            plain = one.client.decrypt_frame(found)
            np.testing.assert_array_equal(plain["total"], np.where(age > 40, income, 0))
            np.testing.assert_array_equal(plain["f(age) + f(income)"], age // 10 + (2 * income) // 10)
            sums = one.client.decrypt_frame(server.sum(found, ["high", "total"], by="town"))
            expected = one.client.decrypt_frame(one.server.sum(found, ["high", "total"], by="town"))
            for column in ("town", "high", "total"):
                np.testing.assert_array_equal(sums[column], expected[column])
            assert expected["total"].sum() == np.where(age > 40, income, 0).sum()
            tables: Any = {"f": lambda v: v // 10}
            plan, here = server.plan(text, frame, tables=tables), one.server.plan(text, frame, tables=tables)
            assert (plan.log2_p_fail, str(plan)) == (here.log2_p_fail, str(here))
            refusals: list[Any] = [
                lambda of, frame=frame: of.run("age > income", frame),
                lambda of, frame=frame: of.run("age + height", frame),
                lambda of: of.run("age + 1", 3),
                lambda of, frame=frame: of.run("x + 1; x", x=frame["age"]),
                lambda of, frame=frame: of.plan([1], frame),
                lambda of, frame=frame: of.sum(frame, by="x"),
            ]
            for refusal in refusals:
                lines = []
                for of in (server, one.server):
                    with pytest.raises(bootes.Error) as refused:
                        refusal(of)
                    lines.append((type(refused.value), str(refused.value).partition(":")[0]))
                assert lines[0][0] == lines[1][0], lines


def test_expressions_with_tables_of_several() -> None:
    """Send functions of several values, and functions of other operands than the first, as tables."""
    fhew = trio("toy_4")
    bits = np.array([[0, 0, 1, 1], [0, 1, 0, 1]])
    x, y = (fhew.client.encrypt(row, modulus=2) for row in bits)
    tables: Any = {"carry": lambda x, y: x * y}
    with spread(fhew) as server:
        found = server.evaluate_all("x + y; carry(x, y)", x, y, tables=tables)
        np.testing.assert_array_equal(
            [fhew.client.decrypt(bit) for bit in found], [bits.sum(0) % 2, bits.prod(0)]
        )
        one = server.run("x + carry(x, y)", x=x, y=y, tables=tables)
        np.testing.assert_array_equal(fhew.client.decrypt(one), (bits[0] + bits.prod(0)) % 2)
        with pytest.raises(bootes.ArgumentError, match="as many inputs, in this order"):
            server.evaluate_all("x + y; carry(x, y)", x, tables=tables)


@pytest.mark.parametrize("dying", [1, 2])
def test_a_worker_that_is_killed_costs_its_pieces(ckks: Trio, dying: int) -> None:
    """They run again: on the other one, or on those that take the places of both."""
    x = ckks.client.encrypt(np.arange(24 * 1024) % 16)
    with spread(ckks) as server:
        before = processes(server)
        left = before[:dying]

        def kill(done: float) -> None:
            if done > 0.2:
                while left:
                    os.kill(left.pop(), signal.SIGKILL)

        y = server.evaluate(square, x, progress=kill)
        assert y.to_bytes() == ckks.server.evaluate(square, x).to_bytes()
        assert len(set(before) & set(processes(server))) == 2 - dying


def test_workers_that_do_not_start(ckks: Trio, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are an error of one clear line."""
    import bootes._cluster

    class Elsewhere(bootes._cluster._Actor):
        """What is not where workers are."""

    Elsewhere.__qualname__, Elsewhere.__module__ = "Elsewhere", __name__
    monkeypatch.setitem(globals(), "Elsewhere", Elsewhere)
    monkeypatch.setattr(bootes._cluster, "_Actor", Elsewhere)
    with (
        spread(ckks) as server,
        pytest.raises(bootes.ResourceError, match=r"all workers were lost 4 times: .*test_ray"),
    ):
        server.evaluate(square, ckks.client.encrypt([1]))


def test_few_pieces_are_in_the_store(ckks: Trio, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each worker has two at most: one that it evaluates, and one that waits."""
    import bootes._cluster

    most, feed = 0, bootes._cluster.Work.feed

    def watched(self: Any, worker: Any) -> None:
        nonlocal most
        feed(self, worker)
        most = max(most, sum(call.piece is not None for call in self.calls.values()))

    monkeypatch.setattr(bootes._cluster.Work, "feed", watched)
    with spread(ckks) as server:
        server.evaluate(square, ckks.client.encrypt(np.zeros(16 * 1024, dtype=int)))
    assert 2 <= most <= 4


def test_progress_is_told_within_pieces(ckks: Trio, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are asked, where there is no other news."""
    import bootes._cluster

    monkeypatch.setattr(bootes._cluster, "_PERIOD", 0.004)
    told: list[float] = []
    with spread(ckks) as server:
        server.evaluate(square, ckks.client.encrypt(np.zeros(8 * 1024, dtype=int)), progress=told.append)
    assert told == sorted(set(told))
    assert (told[0], told[-1]) == (0, 1)
    assert any(part % 0.125 for part in told)


def test_who_hears_of_progress_may_stop_it(ckks: Trio) -> None:
    """Within a second, and workers are free afterwards. Others go on meanwhile."""
    x = ckks.client.encrypt(np.arange(40 * 1024) % 16)
    with spread(ckks) as server:

        def stop(done: float) -> None:
            if done > 0:
                raise KeyboardInterrupt

        other = threading.Thread(target=server.evaluate, args=(square, x))
        other.start()
        with pytest.raises(KeyboardInterrupt):
            server.evaluate(square, x, progress=stop)
        other.join()
        start = time.monotonic()
        server.evaluate(square, x[:1024])
        assert time.monotonic() - start < 2


def test_refusals(ckks: Trio) -> None:
    """They are those of one server, with their fields, from whichever process."""
    x = ckks.client.encrypt(np.arange(16))
    with spread(ckks) as server:
        with pytest.raises(bootes.ArgumentError, match="for x = 3, expected residues modulo 16"):
            server.evaluate(lambda x: 99 if x == 3 else 0, x)
        with pytest.raises(bootes.DtypeError, match=r"0.5 \(float\) for x = 0, .* int\(round"):
            server.evaluate(lambda _x: 0.5, x)
        with pytest.raises(ZeroDivisionError):
            server.evaluate(lambda x: 1 // x, x)
        with pytest.raises(bootes.MismatchError, match="another key"):
            server.evaluate(square, bootes.Client("toy_batch_4bit").encrypt([1]))
        with pytest.raises(bootes.DtypeError, match="is of type int, expected an encrypted array"):
            server.relu(3)
        with pytest.raises(bootes.ArgumentError, match="no inputs"):
            server.evaluate(square)
        with pytest.raises(bootes.ArgumentError, match=r"shapes \[16\] and \[1, 16\]"):
            server.evaluate("max", x, x.reshape(1, -1))
        with pytest.raises(bootes.DtypeError, match=r"take plan\(f, x\) of this server"):
            server.evaluate(ckks.server.plan(square, x), x)
        with pytest.raises(bootes.DtypeError, match="cannot be sent to workers"):
            server.evaluate(dict.fromkeys(range(16), threading.Lock()), x)
        with pytest.raises(bootes.ArgumentError, match="progress is no function"):
            server.evaluate(square, x, progress=3)
    for used in (lambda: server.evaluate(square, x), lambda: server.params, server.__enter__):
        with pytest.raises(bootes.ClosedError, match="make another of its key"):
            used()
    assert repr(server) == "<bootes.ray.Server, closed>"
    with spread(ckks, memory=10**6) as server:
        with pytest.raises(bootes.OutOfMemoryError) as refused:
            server.evaluate(square, x)
        assert refused.value.needed is not None
        assert refused.value.available is not None
        assert refused.value.needed > refused.value.available
    with pytest.raises(bootes.ResourceError, match="64 threads, and a node of the cluster has 2 processors"):
        spread(ckks, threads=64)
    with pytest.raises(bootes.ArgumentError, match="threads=0, expected 1 at least"):
        spread(ckks, threads=0)
    with pytest.raises(bootes.DtypeError, match="expected a ServerKey"):
        # What mypy refuses is to be refused when it runs, too.
        bootes.ray.Server(ckks.client)  # type: ignore[arg-type]


def test_places() -> None:
    """Workers are on all nodes first, and share what a node has."""
    from bootes._cluster import places

    def node(name: str, processors: float, *, alive: bool = True) -> dict[str, Any]:
        return {"NodeID": name, "Alive": alive, "Resources": {"CPU": processors, "memory": 12.0}}

    nodes = [node("head", 0), node("a", 4), node("b", 8), node("gone", 64, alive=False)]
    assert places(nodes, None, None, None) == [("b", 8, 12), ("a", 4, 12)]
    assert places(nodes, 4, None, None) == [("b", 4, 6), ("a", 4, 12), ("b", 4, 6)]
    assert places(nodes, 4, None, 2) == [("b", 4, 12), ("a", 4, 12)]
    assert places(nodes, None, 5, 4) == [("b", 4, 5), ("a", 2, 5), ("b", 4, 5), ("a", 2, 5)]


def test_datasets(ckks: Trio) -> None:
    """A column of files gives one of results, with the others as they were."""
    data = pytest.importorskip("ray.data", reason="Ray Data needs pyarrow")
    import bootes.ray

    values = np.arange(5 * 1024) % 16
    pieces = np.split(values, [2048, 3072, 4096])
    rows = [{"n": i, "x": ckks.client.encrypt(piece).to_bytes()} for i, piece in enumerate(pieces)]
    key = ray.put(ckks.key)
    results = data.from_items(rows).map_batches(
        bootes.ray.Evaluate,
        fn_constructor_args=(key, square(np.arange(16))),
        batch_size=2,
        concurrency=1,
        num_cpus=1,
    )
    found = sorted(results.take_all(), key=lambda row: int(row["n"]))
    assert [sorted(row) for row in found] == [["n", "y"]] * 4
    for row, piece in zip(found, pieces, strict=True):
        assert (ckks.client.decrypt(bootes.Encrypted.from_bytes(row["y"])) == square(piece)).all()


def test_models() -> None:
    """Score rows with a model of scikit-learn on the workers."""
    pytest.importorskip("sklearn", reason="scikit-learn is an extra")
    import bootes.sklearn
    from sklearn.datasets import load_iris
    from sklearn.tree import DecisionTreeClassifier

    x, y = load_iris(return_X_y=True)
    fitted = DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y)
    model = bootes.sklearn.compile(fitted, x)
    pair = trio("toy_int16")
    with spread(pair) as server:
        scores = model.evaluate(server, model.codec.encrypt(pair.client, x[:20]))
    found = model.codec.decrypt(pair.client, scores)
    np.testing.assert_array_equal(found, model.plain(x[:20]))
    np.testing.assert_array_equal(model.codec.labels(found), fitted.predict(x[:20]))
