"""The same server, on a Ray cluster: from a clone ``pip install './crates/py[ray]'``.

Examples
--------
>>> import bootes.ray                                      # doctest: +SKIP
>>> client = bootes.Client(bits=8, many=1_000_000)         # doctest: +SKIP
>>> server = bootes.ray.Server(client.server_key())        # doctest: +SKIP
>>> y = server.relu(client.encrypt(x))                     # doctest: +SKIP

"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

try:
    import ray
except ImportError as error:
    raise ImportError("bootes.ray takes Ray: from a clone pip install './crates/py[ray]'") from error
import numpy as np

from . import _frames, _sums
from ._bootes import Encrypted, Params, ServerKey, _expression, concatenate
from ._bootes import Plan as _LocalPlan
from ._bootes import Server as _LocalServer
from ._cluster import Facts, Job, Work, Workers, first, flat, places, sent, table
from ._errors import ArgumentError
from ._frames import Frame
from ._progress import listener

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt

    from ._sums import Sums

__all__ = ["Evaluate", "Plan", "Server"]


class Server:
    """Evaluates functions of encrypted arrays on all nodes of a Ray cluster.

    It has the methods of :class:`bootes.Server`, of arrays and of frames.

    The key is put into the object store once, goes to each node once, and is expanded by each worker, which
    is an actor. Inputs are cut into pieces of whole ciphertexts, as many as a worker evaluates best side by
    side. Each worker has a piece at work and one that waits, so that the store holds a few at a time. What a
    worker or a node had when it died runs again, and a new worker takes its place.

    Results are those of one server to the bit with engines ckks and bfv. With engine fhew they have other
    noise, and a sum over an array's values is bounded as one over arrays put together.

    Ray is connected to as ``ray.init()`` does it, unless it is already.

    Parameters
    ----------
    key : ServerKey
        The client's.
    threads : int, optional
        Threads of a worker, and the processors that it takes of the cluster: all of its node, or an equal
        part of them where `workers` are more than the nodes.
    memory : int, optional
        Bytes of memory of a worker at most: an equal part of what Ray has on its node.
    progress : bool or callable, optional
        Hears which part of each evaluation is done, from 0 to 1, by all workers; True shows a bar of tqdm.
    workers : int, optional
        How many workers there are at most: one on each node, or with `threads` as many as there are
        processors for.

    """

    def __init__(
        self,
        key: ServerKey,
        *,
        threads: int | None = None,
        memory: int | None = None,
        progress: bool | Callable[[float], object] | None = None,
        workers: int | None = None,
    ) -> None:
        if not isinstance(key, ServerKey):
            _LocalServer(key)  # It refuses that.
        if not ray.is_initialized():
            ray.init()
        chosen = places(ray.nodes(), threads, memory, workers)
        self._params, self._key_id, self._progress = key.params, key.key_id, progress
        self._workers = Workers(ray.put(key), chosen)

    @property
    def params(self) -> Params:
        """The parameters."""
        with self._workers:
            return self._params

    @property
    def key_id(self) -> str:
        """The public identifier of the keys."""
        with self._workers:
            return self._key_id

    @property
    def workers(self) -> int:
        """How many workers there are."""
        with self._workers as workers:
            return len(workers)

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self._workers.closed

    def close(self) -> None:
        """Give the cluster's memory back, when evaluations that go on are over.

        None is begun afterwards: :class:`bootes.ClosedError`.
        """
        self._workers.close()

    def __enter__(self) -> Server:
        """Give itself."""
        with self._workers:
            return self

    def __exit__(self, *raised: object) -> None:
        """Close it."""
        self.close()

    def __repr__(self) -> str:
        """Tell set and key."""
        if self.closed:
            return "<bootes.ray.Server, closed>"
        return f"<bootes.ray.Server of {self._params.name}, {self.workers} workers, key {self._key_id}>"

    def evaluate(
        self,
        f: Any,
        /,
        *inputs: Encrypted,
        out_bits: int | None = None,
        out_modulus: int | None = None,
        progress: bool | Callable[[float], object] | None = None,
        compress: bool = False,
    ) -> Encrypted:
        """Evaluate a function of one result, value by value: as :meth:`bootes.Server.evaluate`.

        With `compress`, workers compress results before they send them.
        """
        if isinstance(f, Plan):
            _refuse_results(out_bits, out_modulus)
        job = f._job if isinstance(f, Plan) else self._job(f, inputs, out_bits, out_modulus)
        return self._spread(replace(job, compress=compress), inputs, progress)[0]

    def evaluate_all(
        self,
        fs: Any,
        /,
        *inputs: Encrypted,
        tables: Mapping[str, Any] | None = None,
        out_bits: int | None = None,
        out_modulus: int | None = None,
        progress: bool | Callable[[float], object] | None = None,
    ) -> list[Encrypted]:
        """Evaluate several tables of the same values: as :meth:`bootes.Server.evaluate_all`."""
        if tables is not None or isinstance(fs, Plan):
            _refuse_results(out_bits, out_modulus)
        if tables is not None:
            if not isinstance(fs, str):
                raise ArgumentError("tables= are those of an expression: expected it as a string")
            job, found, *_ = self._expression(fs, None, tables, inputs)
            return self._spread(job, found, progress)
        job = fs._job if isinstance(fs, Plan) else self._job(fs, inputs, out_bits, out_modulus, several=True)
        return self._spread(replace(job, gives_all=True), inputs, progress)

    def run(
        self,
        text: str,
        frame: Frame | None = None,
        /,
        *,
        tables: Mapping[str, Any] | None = None,
        progress: bool | Callable[[float], object] | None = None,
        **inputs: Encrypted,
    ) -> Any:
        """Evaluate an expression of arrays by name, or of a frame: as :meth:`bootes.Server.run`."""
        job, arrays, names, steps = self._expression(text, frame, tables, inputs)
        found = self._spread(job, arrays, progress)
        if frame is not None:
            return _frames.results(frame, zip(names, found, strict=True), steps)
        if len(found) > 1:
            raise ArgumentError("the expression has several results: take Server.evaluate_all, or a frame")
        return _frames.told(found[0], steps[0])

    def sum(
        self,
        frame: Frame,
        columns: str | Iterable[str] | None = None,
        *,
        by: str | npt.ArrayLike | None = None,
        progress: bool | Callable[[float], object] | None = None,
    ) -> Sums:
        """Add up the columns of a frame: as :meth:`bootes.Server.sum`.

        Sums themselves are made here; workers evaluate the tables that make room for them.
        """
        here: Any = self
        return _sums.sums(here, frame, columns, by, progress)

    def plan(
        self,
        f: Any,
        /,
        *inputs: Encrypted | Frame,
        out_bits: int | None = None,
        out_modulus: int | None = None,
        tables: Mapping[str, Any] | None = None,
        **named: Encrypted,
    ) -> Plan:
        """Tell what an evaluation takes and promises: as :meth:`bootes.Server.plan`."""
        frames = [x for x in inputs if isinstance(x, Frame)]
        if not frames and not named and tables is None:
            arrays = [x for x in inputs if not isinstance(x, Frame)]
            return Plan(self, self._job(f, arrays, out_bits, out_modulus), arrays)
        others = len(inputs) > len(frames[:1]) or out_bits is not None or out_modulus is not None
        if not isinstance(f, str) or others:
            raise ArgumentError(
                "a frame, tables= or inputs by name, beside other arguments: expected an expression with all "
                "by name"
            )
        job, found, *_ = self._expression(f, frames[0] if frames else None, tables, named)
        return Plan(self, job, found)

    def sign(self, x: Encrypted) -> Encrypted:
        """Give 1 where x < 0, else 0."""
        return self.evaluate("sign", x)

    def relu(self, x: Encrypted) -> Encrypted:
        """Give max(x, 0)."""
        return self.evaluate("relu", x)

    def absolute(self, x: Encrypted) -> Encrypted:
        """Give |x|."""
        return self.evaluate("abs", x)

    def maximum(self, x: Encrypted, y: Encrypted) -> Encrypted:
        """Give the larger of both, value by value."""
        return self.evaluate("max", x, y)

    def minimum(self, x: Encrypted, y: Encrypted) -> Encrypted:
        """Give the smaller of both, value by value."""
        return self.evaluate("min", x, y)

    def less(self, x: Encrypted, y: Encrypted) -> Encrypted:
        """Give 1 where x < y, else 0."""
        return self.evaluate("less", x, y)

    def equal(self, x: Encrypted, y: Encrypted) -> Encrypted:
        """Give 1 where x = y, else 0."""
        return self.evaluate("equal", x, y)

    def compress(
        self, x: Encrypted, *, progress: bool | Callable[[float], object] | None = None
    ) -> Encrypted:
        """Give the same values in fewer bytes: as :meth:`bootes.Server.compress`."""
        return self._spread(Job(compress=True), (x,), progress)[0]

    def multiply(self, x: Encrypted, y: Encrypted) -> Encrypted:
        """Multiply vectors, value by value, with engine bfv."""
        found: Encrypted = self.run("x*y", x=x, y=y)
        return found

    def rotate(self, x: Encrypted, by: int) -> Encrypted:
        """Move the rows of slots of vectors to the left, with engine bfv."""
        found: Encrypted = self.run(f"rot(x, {by})", x=x)
        return found

    def _expression(
        self,
        text: str,
        frame: Frame | None,
        tables: Mapping[str, Any] | None,
        inputs: Mapping[str, Encrypted] | Sequence[Encrypted],
    ) -> tuple[Job, list[Encrypted], list[str], list[_frames.Step]]:
        """Give an expression as it is sent, its inputs, and what its results are called and in steps of."""
        ordered, names, steps, images = _expression(text, frame, dict(tables or {}), inputs)
        made = {
            name: np.reshape(found[1], found[0]) if isinstance(found, tuple) else found
            for name, found in images.items()
        }
        job = Job(text, names=tuple(name for name, _ in ordered), tables=made, gives_all=True)
        return job, [x for _, x in ordered], names, steps

    def _job(
        self,
        f: Any,
        inputs: Sequence[Encrypted],
        out_bits: int | None,
        out_modulus: int | None,
        *,
        several: bool = False,
    ) -> Job:
        """Give a function, or several, as it is sent."""
        flat(inputs)
        if several and not isinstance(f, str | _LocalPlan):
            return Job([table(one, inputs[0]) for one in f], out_bits, out_modulus)
        return Job(table(f, inputs[0]), out_bits, out_modulus)

    def _spread(
        self,
        job: Job,
        inputs: Sequence[Encrypted],
        progress: bool | Callable[[float], object] | None,
    ) -> list[Encrypted]:
        """Give all results of a job, of the shape of its inputs."""
        shape, vectors = flat(inputs)
        tell = listener(self._progress if progress is None else progress)
        with self._workers as workers:
            parts = Work(workers, job, vectors, self._params.capacity, tell).run()
        results = [concatenate(one) for one in zip(*parts, strict=True)]
        return results if len(shape) == 1 else [one.reshape(shape) for one in results]


def _refuse_results(out_bits: int | None, out_modulus: int | None) -> None:
    """Refuse them beside what is no table: an expression, a plan."""
    if out_bits is not None or out_modulus is not None:
        raise ArgumentError("out_bits= and out_modulus= are for tables")


class Plan:
    """What a server knows of an evaluation before it is done: printed, it tells all.

    It is a function for :meth:`Server.evaluate`, for inputs like those that it was made for. Its attributes
    `engine`, `algorithms` and `log2_p_fail` are those of :class:`bootes.Plan`.
    """

    def __init__(self, server: Server, job: Job, inputs: Sequence[Encrypted]) -> None:
        self._server, self._job = server, job
        self._sample = [x[: server.params.capacity] for x in flat(inputs)[1]]
        self._facts = self._asked(1)
        self.engine, self.algorithms = self._facts.engine, self._facts.algorithms
        self.log2_p_fail = self._facts.log2_p_fail

    def _asked(self, values: int) -> Facts:
        """Give what the first worker that answers says."""
        with self._server._workers as workers:
            return first(workers, sent(self._job), values, *self._sample)

    def seconds(self, values: int) -> float:
        """Predicted seconds for so many values, on all workers."""
        capacity = self._server.params.capacity
        ciphertexts = -(-values // capacity)
        return self._asked(min(values, -(-ciphertexts // self._server.workers) * capacity)).seconds

    def __str__(self) -> str:
        """Tell all."""
        return self._facts.text

    def __repr__(self) -> str:
        """Tell the engine and the promise."""
        return self._facts.short


class Evaluate:
    """Evaluates a function of columns of Ray Data: a callable class for ``Dataset.map_batches``.

    Rows of the columns are bytes as :meth:`bootes.Encrypted.to_bytes` gives them, and files hold. Results
    come instead of them, and other columns stay. An actor has as many threads as Ray gives it processors
    (``num_cpus=``).

    Parameters
    ----------
    key : ServerKey or ObjectRef
        The client's, or what ``ray.put`` gives for it, which goes to each node once.
    f : callable, ufunc, array_like, mapping or str
        As :meth:`bootes.Server.evaluate` takes it.
    columns : str or sequence of str, default "x"
        Of the inputs.
    out : str, default "y"
        Of the results.
    memory : int, optional
        Bytes of memory of an actor at most.
    out_bits, out_modulus : int, optional
        As for :meth:`bootes.Server.evaluate`.
    compress : bool, default False
        Whether results are compressed, as :meth:`bootes.Server.compress` does it.

    Examples
    --------
    >>> rows = ray.data.read_binary_files("ciphertexts")                # doctest: +SKIP
    >>> rows.map_batches(bootes.ray.Evaluate, batch_size=4, num_cpus=4, # doctest: +SKIP
    ...                  fn_constructor_args=(ray.put(key), table, "bytes"))

    """

    def __init__(
        self,
        key: ServerKey | ray.ObjectRef[ServerKey],
        f: Any,
        columns: str | Sequence[str] = "x",
        out: str = "y",
        *,
        memory: int | None = None,
        out_bits: int | None = None,
        out_modulus: int | None = None,
        compress: bool = False,
    ) -> None:
        threads = int(ray.get_runtime_context().get_assigned_resources().get("CPU", 1)) or 1
        self._server = _LocalServer(
            key if isinstance(key, ServerKey) else ray.get(key), threads=threads, memory=memory
        )
        self._f, self._out = f, out
        self._columns = [columns] if isinstance(columns, str) else list(columns)
        self._results, self._compress = (out_bits, out_modulus), compress

    def __call__(self, batch: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
        """Evaluate the rows of a batch together, where their ciphertexts are full."""
        inputs = [[Encrypted.from_bytes(row) for row in batch[name]] for name in self._columns]
        capacity = self._server.params.capacity
        sizes = [x.size for x in inputs[0]]
        if len(sizes) > 1 and all(size % capacity == 0 for size in sizes[:-1]):
            result = self._evaluated([concatenate(column) for column in inputs])
            ends = np.cumsum(sizes)
            results = [result[end - size : end] for size, end in zip(sizes, ends, strict=True)]
        else:
            results = [self._evaluated(row) for row in zip(*inputs, strict=True)]
        written = np.empty(len(results), dtype=object)
        written[:] = [result.to_bytes() for result in results]
        return {name: batch[name] for name in batch if name not in self._columns} | {self._out: written}

    def _evaluated(self, inputs: Sequence[Encrypted]) -> Encrypted:
        out_bits, out_modulus = self._results
        y = self._server.evaluate(self._f, *inputs, out_bits=out_bits, out_modulus=out_modulus)
        return self._server.compress(y) if self._compress else y
