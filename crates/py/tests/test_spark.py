"""The example for Spark, in a session of this machine."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import bootes
import numpy as np
import pytest

if TYPE_CHECKING:
    from conftest import Pair

pytest.importorskip("pyspark", reason="Spark is for the example alone")
pytest.importorskip("pyarrow", reason="Spark hands columns over by it")
EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.skipif(not shutil.which("java"), reason="Spark takes Java")
def test_a_table_on_a_column(ckks: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows keep what they have beside their ciphertexts."""
    from pyspark.sql import SparkSession

    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setitem(os.environ, "PYSPARK_PYTHON", sys.executable)
    from spark_table import evaluated

    ckks.client.server_key().save(tmp_path / "server.key")
    values = [np.arange(1024) * k % 16 for k in range(5)]
    rows = [(k, ckks.client.encrypt(x).to_bytes()) for k, x in enumerate(values)]
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.host", "localhost").getOrCreate()
    try:
        session.sparkContext.addFile(str(tmp_path / "server.key"))
        session.sparkContext.addPyFile(str(EXAMPLES / "spark_table.py"))
        frame = session.createDataFrame(rows, "k long, x binary").repartition(2)
        table = [x * x % 16 for x in range(16)]
        results = evaluated(frame, "server.key", table, "x").collect()
    finally:
        session.stop()
    assert sorted(row.k for row in results) == list(range(5))
    for row in results:
        y = bootes.Encrypted.from_bytes(row.x)
        assert (ckks.client.decrypt(y) == values[row.k] ** 2 % 16).all()
