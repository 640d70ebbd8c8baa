"""The bill of materials of a release."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]


def bill() -> str:
    """Write it."""
    command = [sys.executable, str(ROOT / ".ci/sbom")]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo tells what there is")
def test_the_bill_of_materials() -> None:
    """Look for what CycloneDX asks of it, and for all that a wheel is built of."""
    text = bill()
    assert text == bill()
    found: dict[str, Any] = json.loads(text)
    assert (found["bomFormat"], found["specVersion"], found["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", found["serialNumber"])
    whole = found["metadata"]["component"]
    components = {one["bom-ref"]: one for one in found["components"]}
    assert len(components) == len(found["components"]) > 50
    for ref, one in components.items():
        assert one["type"] == "library"
        assert one["purl"] == ref == f"pkg:cargo/{one['name']}@{one['version']}"
        assert all(re.search("[A-Za-z]", licence["expression"]) for licence in one["licenses"])
        assert "/" not in one["licenses"][0]["expression"]
        if not one["name"].startswith("bootes"):
            assert re.fullmatch("[0-9a-f]{64}", one["hashes"][0]["content"])
    # What depends on what: each of them once, and all of them reached.
    depends = {one["ref"]: one["dependsOn"] for one in found["dependencies"]}
    assert len(depends) == len(found["dependencies"])
    assert depends.keys() == {whole["bom-ref"], *components}
    reached, ahead = set(), [whole["bom-ref"]]
    while ahead:
        ref = ahead.pop()
        if ref not in reached:
            reached.add(ref)
            ahead += depends[ref]
    assert reached == depends.keys()
    names = {one["name"] for one in components.values()}
    assert {"bootes-ring", "bootes-cli", "rand_chacha", "pyo3"} <= names
    assert not names & {"criterion", "proptest", "libfuzzer-sys", "bootes-fuzz"}
    # What maturin writes into the wheel is part of it.
    inside = [path for path in files("bootes") or [] if path.match("*/sboms/*.json")]
    for path in inside:
        wheel: dict[str, Any] = json.loads(path.read_text())
        assert {one["name"] for one in wheel["components"]} <= names
    assert inside
