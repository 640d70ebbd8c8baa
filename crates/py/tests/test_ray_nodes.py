"""A cluster of two nodes, of which one goes away: both are processes of this machine."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ray = pytest.importorskip("ray", reason="Ray is an extra")


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Start a node of one processor."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    nodes = {"num_cpus": 1, "object_store_memory": 100 * 10**6}
    started = Cluster(initialize_head=True, head_node_args=nodes)
    yield started
    ray.shutdown()
    started.shutdown()


def test_a_node_that_goes_away_costs_its_pieces(cluster: Any) -> None:
    """The other one does them, and a node that comes has a worker again."""
    import bootes.ray

    going = cluster.add_node(num_cpus=1, object_store_memory=100 * 10**6)
    ray.init(address=cluster.address, log_to_driver=False)
    client = bootes.Client("toy_batch_4bit")
    key = client.server_key()
    x, table = client.encrypt(np.arange(30 * 1024) % 16), np.arange(16) ** 2 % 16
    expected = bootes.Server(key).evaluate(table, x).to_bytes()
    with bootes.ray.Server(key) as server:
        assert server.workers == 2
        left = [going]

        def remove(done: float) -> None:
            if done > 0.2 and left:
                cluster.remove_node(left.pop(), allow_graceful=False)

        assert server.evaluate(table, x, progress=remove).to_bytes() == expected
        cluster.add_node(num_cpus=1, object_store_memory=100 * 10**6)
        assert server.evaluate(table, x).to_bytes() == expected
