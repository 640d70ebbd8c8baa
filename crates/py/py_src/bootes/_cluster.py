"""Work that is spread over the workers of a Ray cluster."""

from __future__ import annotations

import os
import re
import warnings
from collections import Counter, deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from pickle import PicklingError
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from ._bootes import Encrypted, Plan, Server, ServerKey, concatenate
from ._errors import (
    ArgumentError,
    CancelledError,
    ClosedError,
    DtypeError,
    Error,
    PaddingWarning,
    ResourceError,
)
from ._frames import Frame, Schema
from ._tables import Field

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Where values are evaluated one by one: the seconds that a piece takes, which are far more than it takes to
# send it, and its values at most, of which each is a result of some 8 kB.
_SECONDS: Final = 2.0
_VALUES: Final = 2048
# How often a piece is lost with its worker, or a worker before it has done anything, until that is an error.
_LOSSES: Final = 4
# Seconds without news, until workers are asked how far they are.
_PERIOD: Final = 1.0
# Entries of the largest table.
_ENTRIES: Final = 1 << 20


@dataclass(frozen=True)
class Job:
    """What is done with each piece: a function is evaluated, or none; results are compressed, or not."""

    f: Any = None
    out_bits: int | None = None
    out_modulus: int | None = None
    gives_all: bool = False
    # Of an expression, with all its results where it gives all.
    names: tuple[str, ...] | None = None
    tables: Mapping[str, Any] | None = None
    compress: bool = False

    def check(self, size: int, capacity: int) -> None:
        """Refuse to cut what goes beyond a ciphertext, as a server does."""
        if size > capacity and isinstance(self.f, str) and re.search(r"\b(rot|swap|sum|dot)\s*\(", self.f):
            of = f"those of one ciphertext of {capacity} values, and the vector has {size}"
            raise ArgumentError(f"rotations, swaps and sums are {of}: cut it in pieces of {capacity}")

    def planned(self, server: Server, sample: Sequence[Encrypted]) -> Plan:
        """Prepare it for inputs like these."""
        if self.names is not None:
            return server.plan(self.f, self._frame(sample), tables=self.tables)
        return server.plan(self.f, *sample, out_bits=self.out_bits, out_modulus=self.out_modulus)

    def prepared(self, server: Server, sample: Sequence[Encrypted]) -> Plan | None:
        """Prepare it, unless it is one of several tables or an expression, or no function."""
        if self.f is None or self.names is not None or (isinstance(self.f, list) and self.gives_all):
            return None
        return self.planned(server, sample)

    def done(self, server: Server, plan: Plan | None, pieces: Sequence[Encrypted]) -> list[Encrypted]:
        """Give all results for a piece."""
        results = self.evaluated(server, plan, pieces)
        return [server.compress(y) for y in results] if self.compress else results

    def evaluated(self, server: Server, plan: Plan | None, pieces: Sequence[Encrypted]) -> list[Encrypted]:
        """Give them as they are evaluated."""
        if self.f is None:
            return list(pieces)
        if self.names is not None:
            found: Frame = server.run(self.f, self._frame(pieces), tables=self.tables)
            return list(found.columns.values())
        if plan is not None:
            return server.evaluate_all(plan, *pieces) if self.gives_all else [server.evaluate(plan, *pieces)]
        return server.evaluate_all(self.f, *pieces, out_bits=self.out_bits, out_modulus=self.out_modulus)

    def _frame(self, pieces: Sequence[Encrypted]) -> Frame:
        """Give pieces by their names. What their steps are was looked at before they were sent."""
        columns = dict(zip(self.names or (), pieces, strict=True))
        fields = {name: Field("image", *x.range) for name, x in columns.items()}
        return Frame(Schema(fields, (), 0), columns, {})


class Facts(NamedTuple):
    """What a plan tells."""

    engine: str
    algorithms: list[str]
    log2_p_fail: float
    seconds: float
    text: str
    short: str


def _answer(method: Callable[..., Any]) -> Callable[..., Any]:
    """Give what a method refuses as its result: Ray would report each that nobody asks for."""

    @wraps(method)
    def answer(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except Error as refused:
            return refused

    return answer


class _Actor:
    """The process of a worker: its server, and the jobs that are not over."""

    def __init__(self, key: ServerKey, threads: int, memory: int | None) -> None:
        self.threads = threads
        self.jobs: dict[str, tuple[Job, Plan | None]] = {}
        # Of which it evaluates a piece, how large that is, and how far it is with it.
        self.current: str | None = None
        self.values, self.reached = 0, 0.0
        # An actor that is refused would be made again.
        self.server: Server | Error
        try:
            self.server = Server(key, threads=threads, memory=memory, progress=self.look)
        except Error as refused:
            self.server = refused

    @_answer
    def begin(self, name: str, job: Job, ciphertexts: int, *sample: Encrypted) -> int:
        """Prepare a job, and say how many values a piece has, at most so many ciphertexts."""
        server = self.open()
        plan = job.prepared(server, sample)
        self.jobs[name] = job, plan
        capacity = server.params.capacity
        if capacity > 1:
            most = max(1, min(self.threads, ciphertexts))
            return capacity * (1 if plan is None else _together(plan, capacity, most))
        if job.f is None:
            return _VALUES
        values = 16 * self.threads if plan is None else int(256 * _SECONDS / plan.seconds(256))
        return max(1, min(values, ciphertexts, _VALUES))

    @_answer
    def work(self, name: str, *pieces: Encrypted) -> tuple[list[Encrypted], list[str]]:
        """Give the results of a piece, and what the server warns of."""
        server = self.open()
        self.current, self.values = name, pieces[0].size
        self.look(0.0)
        job, plan = self.jobs[name]
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", PaddingWarning)
            results = job.done(server, plan, pieces)
        self.current = None
        return results, [str(one.message) for one in warned if one.category is PaddingWarning]

    @_answer
    def facts(self, job: Job, values: int, *sample: Encrypted) -> Facts:
        """Plan a job."""
        plan = job.planned(self.open(), sample)
        failure, seconds = plan.log2_p_fail, plan.seconds(values)
        return Facts(plan.engine, plan.algorithms, failure, seconds, str(plan), repr(plan))

    def end(self, name: str) -> None:
        """Forget a job: what goes on of it ends within a second."""
        self.jobs.pop(name, None)

    def look(self, part: float) -> None:
        """Keep how far it is, and end work that nobody waits for."""
        self.reached = part
        if self.current not in self.jobs:
            raise CancelledError("it was cancelled")

    def part(self, name: str) -> float:
        """Give how many values of a job are done in the piece at work."""
        return self.reached * self.values if self.current == name else 0.0

    def open(self) -> Server:
        """Give the server, or raise why there is none."""
        if isinstance(self.server, Error):
            raise self.server
        return self.server


def _together(plan: Plan, capacity: int, most: int) -> int:
    """Give the fewest ciphertexts side by side that take hardly longer, each, than as many as are best."""
    seconds = [plan.seconds(count * capacity) / count for count in range(1, most + 1)]
    return next(count for count, each in enumerate(seconds, 1) if each <= 1.05 * min(seconds))


class Place(NamedTuple):
    """Where a worker is, and what it has."""

    node: str
    threads: int
    memory: int | None


def places(
    nodes: Sequence[Mapping[str, Any]], threads: int | None, memory: int | None, workers: int | None
) -> list[Place]:
    for name, number in (("threads", threads), ("memory", memory), ("workers", workers)):
        if number is not None and number < 1:
            raise ArgumentError(f"{name}={number}, expected 1 at least")
    processors = {node["NodeID"]: int(node["Resources"].get("CPU", 0)) for node in nodes if node["Alive"]}
    processors = {node: here for node, here in processors.items() if here > 0}
    most = max(processors.values(), default=0)
    if most < (threads or 1):
        what = f"workers of {threads or 1} threads, and a node of the cluster has {most} processors at most"
        raise ResourceError(f"{what}: give fewer threads=, or ray.init(num_cpus=…) more")
    # As many on each node as are asked for, the first on all nodes first.
    each = -(-(workers or 1) // len(processors))
    rounds = []
    for node, here in sorted(processors.items(), key=lambda one: -one[1]):
        of_one = threads or max(1, here // each)
        rounds += [(turn, node, of_one) for turn in range(here // of_one)]
    chosen = sorted(rounds, key=lambda one: one[0])[:workers]
    sharing = Counter(node for _, node, _ in chosen)
    total = {node["NodeID"]: node["Resources"].get("memory") for node in nodes}

    def share(node: str) -> int | None:
        return memory or (int(total[node]) // sharing[node] if total[node] else None)

    return [Place(node, of_one, share(node)) for _, node, of_one in chosen]


class Worker:
    """A place of the cluster, and the actor that is there now."""

    def __init__(self, key: Any, place: Place) -> None:
        self.key, self.place, self.lock = key, place, Lock()
        self.actor = self.started()

    def started(self) -> Any:
        node, threads, memory = self.place
        # Without its node it goes to another one that has room, or waits until there is one.
        strategy = NodeAffinitySchedulingStrategy(node, soft=True)
        options = {"num_cpus": threads, "scheduling_strategy": strategy, "concurrency_groups": {"control": 1}}
        return ray.remote(**options)(_Actor).remote(self.key, threads, memory)

    def replace(self, lost: Any) -> None:
        """Start another one, unless somebody has done it."""
        with self.lock:
            if self.actor is lost:
                ray.kill(lost)
                self.actor = self.started()


class Workers:
    """All of them, until they are closed and nobody uses them."""

    def __init__(self, key: Any, places: Sequence[Place]) -> None:
        self.all = [Worker(key, place) for place in places]
        self.lock, self.users, self.closed = Lock(), 0, False

    def __enter__(self) -> list[Worker]:
        """Give them."""
        with self.lock:
            if self.closed:
                raise ClosedError("the server is closed: make another of its key")
            self.users += 1
            return self.all

    def __exit__(self, *raised: object) -> None:
        """End their use."""
        with self.lock:
            self.users -= 1
            self.end()

    def close(self) -> None:
        """Let nobody else use them."""
        with self.lock:
            self.closed = True
            self.end()

    def end(self) -> None:
        if self.closed and not self.users:
            for worker in self.all:
                ray.kill(worker.actor)
            self.all = []


def first(workers: Sequence[Worker], job: Any, values: int, *sample: Encrypted) -> Facts:
    """Give what the first worker that answers knows of a job."""
    asked: dict[Any, tuple[Worker, Any]] = {}
    losses: Counter[Worker] = Counter()

    def ask(worker: Worker) -> None:
        actor = worker.actor
        asked[actor.facts.remote(job, values, *sample)] = worker, actor

    for worker in workers:
        ask(worker)
    while True:
        answered = ray.wait(list(asked))[0][0]
        worker, actor = asked.pop(answered)
        try:
            facts: Facts = unwrapped(answered)
        except RayError as error:
            worker.replace(actor)
            losses[worker] += 1
            if losses[worker] < _LOSSES:
                ask(worker)
            elif not asked:
                raise ResourceError(f"no worker answers: {_line(error)}") from error
        else:
            return facts


class _Call(NamedTuple):
    """What a worker was asked for: to begin, or the results of these values."""

    worker: Worker
    actor: Any
    piece: tuple[int, int] | None


class Work:
    """A job that is spread over workers."""

    def __init__(
        self,
        workers: Sequence[Worker],
        job: Job,
        inputs: Sequence[Encrypted],
        capacity: int,
        tell: Callable[[float], object] | None,
    ) -> None:
        self.workers, self.inputs, self.size = workers, inputs, inputs[0].size
        job.check(self.size, capacity)
        self.name, self.job = os.urandom(16).hex(), sent(job)
        self.sample = [x[:capacity] for x in inputs]
        # Ciphertexts for each worker, so that all have something to do.
        self.share = -(-self.size // (capacity * len(workers)))
        self.tell, self.told = tell, -1.0
        self.todo = deque([(0, self.size)])
        self.done: dict[int, list[Encrypted]] = {}
        self.values = 0
        self.calls: dict[Any, _Call] = {}
        # The actors that know the job, and how many values a piece has for those that are ready.
        self.begun: dict[Worker, Any] = {}
        self.units: dict[Worker, int] = {}
        self.losses: Counter[Worker | int] = Counter()
        self.warned: set[str] = set()

    def run(self) -> list[list[Encrypted]]:
        """Give the results of all pieces in order."""
        try:
            self.say(0)
            for worker in self.workers:
                self.begin(worker)
            while self.todo or any(call.piece for call in self.calls.values()):
                heard, _ = ray.wait(list(self.calls), timeout=_PERIOD if self.tell else None)
                if heard:
                    self.hear(heard[0])
                else:
                    self.look()
        finally:
            for actor in self.begun.values():
                # What is at work hears of it now, what waits when it is its turn.
                for group in ("control", None):
                    actor.end.options(concurrency_group=group).remote(self.name)
        return [self.done[start] for start in sorted(self.done)]

    def begin(self, worker: Worker) -> None:
        """Let a worker prepare itself."""
        actor = self.begun[worker] = worker.actor
        answer = actor.begin.remote(self.name, self.job, self.share, *self.sample)
        self.calls[answer] = _Call(worker, actor, None)

    def hear(self, answered: Any) -> None:
        """Take an answer, and give the worker something to do."""
        call = self.calls.pop(answered)
        try:
            answer = unwrapped(answered)
        except RayError as error:
            self.lost(call, error)
            return
        self.losses[call.worker] = 0
        if call.piece is None:
            self.units[call.worker] = answer
        else:
            start, end = call.piece
            self.done[start], warned = answer
            for message in set(warned) - self.warned:
                warnings.warn(message, PaddingWarning, stacklevel=5)
            self.warned |= set(warned)
            self.values += end - start
            self.say(self.values)
        self.feed(call.worker)

    def look(self) -> None:
        """Tell how far it is, with what is at work."""
        actors = [self.begun[worker] for worker in self.units]
        asked = [actor.part.options(concurrency_group="control").remote(self.name) for actor in actors]
        at_work = 0.0
        for answer in ray.wait(asked, num_returns=len(asked), timeout=_PERIOD)[0] if asked else ():
            with suppress(RayError):
                at_work += ray.get(answer)
        # All is done when all results are here.
        self.say(min(self.values + at_work, 0.999 * self.size))

    def say(self, values: float) -> None:
        """Tell that so many values are done, if somebody hears of it and it is news."""
        part = min(values / self.size, 1.0) if self.size else 1.0
        if self.tell and part > self.told:
            self.told = part
            self.tell(part)

    def feed(self, worker: Worker) -> None:
        """Let a worker have a piece, and one that waits, as long as there are pieces for all."""
        if worker not in self.units:
            return
        unit, actor = self.units[worker], self.begun[worker]
        has = sum(call.worker is worker and call.piece is not None for call in self.calls.values())
        while self.todo and (has == 0 or (has == 1 and self.left() >= unit * len(self.workers))):
            start, end = self.todo.popleft()
            if end - start > unit:
                self.todo.appendleft((start + unit, end))
                end = start + unit
            pieces = [x[start:end] for x in self.inputs]
            self.calls[actor.work.remote(self.name, *pieces)] = _Call(worker, actor, (start, end))
            has += 1

    def left(self) -> int:
        """Give how many values nobody has."""
        return sum(end - start for start, end in self.todo)

    def lost(self, call: _Call, error: RayError) -> None:
        """Let others do what a worker had, and another one take its place."""
        worker = call.worker
        if call.piece is not None:
            start, end = call.piece
            self.todo.appendleft(call.piece)
            self.losses[start] += 1
            if self.losses[start] == _LOSSES:
                what = f"values {start} to {end - 1} were lost {_LOSSES} times with the worker that had them"
                raise ResourceError(f"{what}: {_line(error)}") from error
        if self.begun[worker] is call.actor:
            self.units.pop(worker, None)
            worker.replace(call.actor)
            self.losses[worker] += 1
            if self.losses[worker] < _LOSSES:
                self.begin(worker)
        for other in list(self.units):
            self.feed(other)
        if not self.calls:
            raise ResourceError(f"all workers were lost {_LOSSES} times: {_line(error)}") from error


def flat(inputs: Sequence[Encrypted]) -> tuple[tuple[int, ...], list[Encrypted]]:
    """Give the shape of all inputs, and these without it."""
    if not inputs:
        raise ArgumentError("no inputs: give one at least")
    for x in inputs:
        if not isinstance(x, Encrypted):
            concatenate([x])  # It refuses that.
    shape = inputs[0].shape
    for x in inputs:
        if x.shape != shape:
            shapes = f"{list(shape)} and {list(x.shape)}"
            raise ArgumentError(f"shapes {shapes}: expected the same of all inputs")
    return shape, [x if x.ndim == 1 else x.reshape(-1) for x in inputs]


def table(f: Any, x: Encrypted) -> Any:
    """Give the images of a function of values like these, so that it need not be where workers are."""
    if not callable(f) or isinstance(f, Mapping | Plan):
        return f
    low, high = x.range
    if high - low >= _ENTRIES:
        return {}  # It is refused for that.
    domain = range(low, high + 1)
    if isinstance(f, np.ufunc):
        return dict(zip(domain, f(np.arange(low, high + 1)), strict=True))
    images = {}
    for value in domain:
        try:
            images[value] = f(value)
        except Exception as error:
            if hasattr(error, "add_note"):
                error.add_note(f"as a table: for x = {value}")
            raise
    return images


def sent(job: Job) -> Any:
    """Put a job into the object store."""
    if isinstance(job.f, Plan):
        raise DtypeError("a plan of a bootes.Server stays in its process: take plan(f, x) of this server")
    try:
        return ray.put(job)
    except (AttributeError, PicklingError, TypeError) as error:
        cure = "give an array, bootes.table_from(f, …)"
        raise DtypeError(f"the table cannot be sent to workers ({_line(error)}): {cure}") from error


def unwrapped(answered: Any) -> Any:
    """Give what a worker answers, or raise what it raised."""
    try:
        answer = ray.get(answered)
    except RayTaskError as error:
        raise ResourceError(f"a worker failed: {_line(error)}") from error
    if isinstance(answer, Error):
        raise answer
    return answer


def _line(error: Exception) -> str:
    """Give the last line of an error, which tells most."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1].strip()
