"""OpenFHE's BFV: a product with relinearisation and a rotation, on one thread.

Prints a JSON line; with --ours, alternates with `bootes bench bfv-kernels --rows N=2^15 --json` and compares.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before the library starts its threads

import argparse
import json
import math
import shlex
import statistics
import subprocess
import sys
import time

import openfhe as fhe

MODULUS = 65537  # N slots at every degree here
RUNS = 15


def evaluate(log2_degree: int, depth: int) -> dict:
    """Medians of the CPU seconds of a product and of a rotation, their results checked."""
    parameters = fhe.CCParamsBFVRNS()
    parameters.SetPlaintextModulus(MODULUS)
    parameters.SetMultiplicativeDepth(depth)
    parameters.SetRingDim(1 << log2_degree)
    parameters.SetSecurityLevel(fhe.SecurityLevel.HEStd_NotSet)
    context = fhe.GenCryptoContext(parameters)
    for feature in ("PKE", "KEYSWITCH", "LEVELEDSHE"):
        context.Enable(getattr(fhe.PKESchemeFeature, feature))
    keys = context.KeyGen()
    context.EvalMultKeyGen(keys.secretKey)
    context.EvalRotateKeyGen(keys.secretKey, [1])
    encrypt = lambda values: context.Encrypt(keys.publicKey, context.MakePackedPlaintext(values))
    left, right = list(range(100)), [3 * i + 1 for i in range(100)]
    x, y = encrypt(left), encrypt(right)
    works = {
        "product": (lambda: context.EvalMult(x, y), [a * b % MODULUS for a, b in zip(left, right)]),
        "rotation": (lambda: context.EvalRotate(x, 1), left[1:] + [0]),
    }
    row = {"name": "openfhe", "log2_degree": log2_degree, "log2_q": math.log2(context.GetModulus())}
    for name, (work, expected) in works.items():
        result, times = work(), []
        for _ in range(RUNS):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
        found = context.Decrypt(result, keys.secretKey)
        found.SetLength(len(expected))
        if [value % MODULUS for value in found.GetPackedValue()] != expected:
            raise SystemExit(f"the {name} is wrong")
        row[f"{name}_cpu_ms"] = 1e3 * statistics.median(times)
    return row


def ours(command: str) -> dict:
    """The same of the rows that our command prints."""
    output = subprocess.run(shlex.split(command), check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    named = {"product": "BFV product", "rotation": "BFV rotation"}
    found = {name: next(r for r in rows if r["row"].startswith(words)) for name, words in named.items()}
    return {"name": "ours"} | {f"{name}_cpu_ms": row["cpu_ms"] for name, row in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log2-degree", type=int, default=15, help="log2 of N")
    parser.add_argument("--depth", type=int, default=15, help="products in a row, which make log2 Q: 15 for 600 bits")
    parser.add_argument("--ours", metavar="COMMAND", help="a command that prints the rows of bfv-kernels as JSON")
    parser.add_argument("--runs", type=int, default=3, help="of each, with --ours")
    arguments = parser.parse_args()
    if not arguments.ours:
        print(json.dumps(evaluate(arguments.log2_degree, arguments.depth)))
        return
    own = [sys.executable, __file__, "--log2-degree", str(arguments.log2_degree), "--depth", str(arguments.depth)]
    runs = []
    for _ in range(arguments.runs):
        output = subprocess.run(own, check=True, stdout=subprocess.PIPE, text=True).stdout
        runs.append((json.loads(output.splitlines()[-1]), ours(arguments.ours)))
        for run in runs[-1]:
            print(json.dumps(run), flush=True)
    fields = ("product_cpu_ms", "rotation_cpu_ms")
    ratio = {f: statistics.median(t[f] for t, _ in runs) / statistics.median(o[f] for _, o in runs) for f in fields}
    print(json.dumps({"name": "openfhe / ours", "runs": len(runs), **ratio}))


if __name__ == "__main__":
    main()
