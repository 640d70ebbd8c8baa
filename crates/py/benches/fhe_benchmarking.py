"""The workloads of the FHE benchmarking suite by its own harness: prints lines of JSON.

    python benches/fhe_benchmarking.py ZN-MULTIPLICATION FETCH-BY-SIMILARITY ML-INFERENCE --sizes 0,1

The arguments are clones of the harness's repositories, named as these are. Each is copied, with the programs
of examples/fhe-benchmarking in place of its submission, and run on one core. `cpu_ms` is the server's
computation for a value, in time of processors, as the program says it, and `cpu_s` what each program took in
all; `seconds` are the harness's.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[3] / "examples" / "fhe-benchmarking"

# How many values an instance has, by its size.
VALUES = {
    "Zn-multiplication": [1, 1000, 100000, 10000000],
    "fetch-by-similarity": [1000, 50000, 1000000, 20000000],
    "ml-inference": [1, 15, 1000, 10000],
}


def measured(clone: Path, size: int, options: list[str], core: int) -> dict[str, Any]:
    """Run a harness, and say what came."""
    workload = clone.name
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(clone / "harness", root / "harness")
        shutil.copytree(EXAMPLES / workload, root, dirs_exist_ok=True)
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        command = ["taskset", "-c", str(core), "python3", "harness/run_submission.py", str(size), *options]
        ran = subprocess.run(
            command, cwd=root, env={**os.environ, "PATH": path}, check=True, capture_output=True, text=True
        )
        # Of the instance's steps the harness has a file.
        told = json.loads(next((root / "measurements").glob("*/results-1.json")).read_text(encoding="utf-8"))
    print(ran.stdout, file=sys.stderr)
    steps = re.findall(r"\[server\] (.*): ([\d.]+) s, ([\d.]+) s of processors", ran.stdout)
    spent: dict[str, float] = {}
    for name, _, seconds in steps:
        spent[name] = spent.get(name, 0) + float(seconds)
    programs = {
        name: float(took) for name, took in re.findall(r"\[(\w+)\] ([\d.]+) s of processors", ran.stdout)
    }
    stages = told.get("Timing") or told["per_stage"]
    return {
        "values": VALUES[workload][size],
        "cpu_ms": 1e3 * sum(list(spent.values())[1:]) / VALUES[workload][size],
        "server_cpu_s": spent,
        "cpu_s": programs,
        "seconds": stages,
        "bytes": told.get("Bandwidth") or told["bandwidth"],
        "quality": told.get("mnist_model_quality"),
        "correct": "FAIL" not in ran.stdout,
    }


def main() -> None:
    """Measure."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("clones", nargs="+", type=Path)
    arguments.add_argument("--sizes", default="0,1")
    arguments.add_argument("--options", default="", help="of the harness: --count_only, --seed=3")
    arguments.add_argument("--core", type=int, default=0)
    given = arguments.parse_args()
    for clone in given.clones:
        for size in map(int, given.sizes.split(",")):
            found = measured(clone.resolve(), size, given.options.split(), given.core)
            row = " ".join([clone.name, str(size), *given.options.split()])
            print(json.dumps({"bench": "py-fhe_benchmarking", "row": row, **found}), flush=True)


if __name__ == "__main__":
    main()
