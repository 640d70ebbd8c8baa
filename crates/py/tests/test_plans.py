"""Plans, before there are keys and of a server."""

from __future__ import annotations

import re

import bootes
import pytest


def test_jobs_are_planned_without_keys() -> None:
    """Choose the engine by the number of values, and tell why."""
    few, many = (bootes.plan(bits=8, count=count, threads=1) for count in (1, 65536))
    assert (few.engine, many.engine) == ("fhew", "ckks")
    for choice in (few, many):
        assert choice.job_seconds > choice.evaluation_seconds > 0
        assert choice.key_bytes > 1e6
        assert choice.memory > 1e6
        assert choice.log2_p_fail <= -128
        lines = repr(choice).splitlines()
        assert len(lines) == 5
        assert lines[2].startswith(choice.engine)
        html = choice._repr_html_()
        assert html.count("<tr>") == 4
        assert choice.params.name in html
    # With the client that it is for, which another number of values may not choose.
    choice = bootes.plan("x*y", integers=8, count=5000, threads=1)
    written = re.search(r'with Client\("(\w+)", integers=(\d+)\), engine ckks:', repr(choice))
    assert written is not None
    assert bootes.Params(written[1], integers=int(written[2])).name == choice.params.name
    # For another machine, with more threads than this one has.
    seconds = [bootes.plan(bits=8, count=10**6, threads=threads).evaluation_seconds for threads in (1, 4, 64)]
    assert seconds[0] > 2 * seconds[1] > 4 * seconds[2]
    assert bootes.plan(lambda x: x % 3, modulus=6).params.engine == "fhew"
    assert bootes.plan("max", integers=16, count=2).engine == "fhew"
    assert bootes.plan("x*y", slots=257).engine == "bfv"
    for kwargs in [{}, {"bits": 21}, {"integers": 65}, {"modulus": 1}, {"bits": 4, "modulus": 3}]:
        with pytest.raises(bootes.ArgumentError):
            bootes.plan(**kwargs)
    with pytest.raises(bootes.OutOfMemoryError):
        bootes.plan(bits=8, memory=1000)


def test_tables_of_long_results_are_planned_in_limbs() -> None:
    """Plan results that one ciphertext has no room for with engine fhew, of few values."""
    assert bootes.plan(lambda x: 300 * x, integers=8, threads=1).engine == "fhew"


def test_products_of_residues_are_planned_as_integers() -> None:
    """Tell what is faster, with the client that it is for."""
    choice = bootes.plan("x*y - y", modulus=100, threads=1)
    line = str(choice).splitlines()[-1]
    said = r'integers: "(.+)" of Client\("(\w+)", integers=(\d+)\)\.encrypt\(x, within=\(0, 99\)\), .+'
    found = re.search(said, line)
    assert found is not None, line
    assert line.split('"')[-1] in choice._repr_html_()
    client = bootes.Client(found[2], integers=int(found[3]))
    x, y = (client.encrypt(x, within=(0, 99)) for x in ([99, 16], [99, 17]))
    server = bootes.Server(client.server_key())
    assert client.decrypt(server.run(found[1], x=x, y=y)).tolist() == [2, 55]


def test_products_modulo_powers_of_two_are_planned() -> None:
    """Choose a value a ciphertext, which is faster than integers, and take what is chosen."""
    for kwargs in ({"slots": 2**32}, {"modulus": 256}, {"bits": 8}):
        choice = bootes.plan("x*y + 3*x", threads=1, **kwargs)
        assert choice.engine == "bfv"
        assert choice.params.depth == 1
        assert "integers:" not in str(choice)
        client = bootes.Client(choice.params)
        server = bootes.Server(client.server_key())
        x, y = client.encrypt([-1, 7]), client.encrypt([-2, 9])
        assert client.decrypt(server.run("x*y", x=x, y=y)).tolist() == [2, 63]
    assert "faster" not in str(bootes.plan("x*y", modulus=257, threads=1))


@pytest.mark.parametrize("name", ["toy_batch_4bit", "toy_slots_17", "toy_4"])
def test_plans_tell_time_and_memory(name: str) -> None:
    """Print what an evaluation takes with every engine."""
    client = bootes.Client(name)
    plan = bootes.Server(client.server_key()).plan("3*x + 1", client.encrypt([1]))
    words = str(plan)
    assert "predicted: " in words or "no rotation" in words
    assert ("of memory" in words and "s for up to " in words) == (plan.engine != "fhew")
    html = plan._repr_html_()
    assert html.startswith("<table><caption>3*x + 1")
    assert html.count("<tr>") == len(words.splitlines()) - 1
