"""A table on a column of ciphertexts, in Spark.

    spark-submit --py-files spark_table.py --files server.key job.py

A row of the column is a ciphertext as a file has it (`Encrypted.to_bytes`). Each Python process of Spark's
expands the key once: with `spark.task.cpus`, as many threads have it together.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import bootes
import pyarrow as pa
from pyspark import SparkFiles, TaskContext

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyspark.sql import DataFrame


def evaluated(frame: DataFrame, key: str, table: Sequence[int], column: str) -> DataFrame:
    """Give a frame with the results of a table instead of a column's ciphertexts.

    `key` is the name of a file of the server's key that each machine has (`--files`, `SparkContext.addFile`).
    """
    return frame.mapInArrow(partial(_evaluated, key, table, column), frame.schema)


def _evaluated(key: str, table: Sequence[int], column: str, batches: Iterable[Any]) -> Iterator[Any]:
    server = _server(SparkFiles.get(key))
    for batch in batches:
        at = batch.schema.get_field_index(column)
        inputs = (bootes.Encrypted.from_bytes(row.as_py()) for row in batch.column(at))
        results = [server.evaluate(table, x).to_bytes() for x in inputs]
        yield batch.set_column(at, batch.schema.field(at), pa.array(results, pa.binary()))


@cache
def _server(path: str) -> bootes.Server:
    """Expand the key, once a process: Spark uses its processes again."""
    context = TaskContext.get()
    return bootes.Server(bootes.ServerKey.load(path), threads=context.cpus() if context else None)
