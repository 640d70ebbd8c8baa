"""OpenFHE's functional bootstrapping in CKKS: a random table of p entries on N values, checked value by value.

Prints one JSON line for each run; with --ours, alternates with another command that prints such a line, and compares.
"""

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before the library starts its threads

import argparse
import json
import math
import random
import resource
import shlex
import statistics
import subprocess
import sys
import time

import openfhe as fhe

# p -> log2 of the ciphertext modulus, divisor of the coefficients, log2 of the ring degree. The first two are those of the
# library's own example (functional-bootstrapping-ckks); the degree is the least that its security check accepts.
SHAPES = {1: (33, 1, 15), 4: (40, 32, 16), 8: (47, 32, 16)}
LEVEL_BUDGET = [3, 3]
LARGE_DIGITS = 3
LOG2_FRESH_MODULUS = 60


def evaluate(log2_p: int, log2_degree: int | None, secure: bool, seed: int) -> dict:
    """One bootstrapping of N encrypted values; the times are those of the evaluation alone."""
    log2_q, divisor, least = SHAPES[log2_p]
    degree, p, q = 1 << (log2_degree or least), 1 << log2_p, 1 << log2_q
    slots = degree // 2
    generator = random.Random(seed)
    table = [generator.randrange(p) for _ in range(p)]
    values = [generator.randrange(p) for _ in range(degree)]
    if log2_p == 1:
        table = [1, 0]  # a table that is not constant
        coefficients = [table[1], table[0] - table[1]]
    else:
        coefficients = fhe.GetHermiteTrigCoefficients(lambda x: table[x % p], p, 1, divisor)

    keys_of = fhe.SecretKeyDist.SPARSE_ENCAPSULATED
    depth = fhe.CryptoContext.GetFBTDepth(LEVEL_BUDGET, coefficients, p, 1, keys_of)
    parameters = fhe.CCParamsCKKSRNS()
    parameters.SetSecretKeyDist(keys_of)
    level = fhe.SecurityLevel.HEStd_128_classic if secure else fhe.SecurityLevel.HEStd_NotSet
    parameters.SetSecurityLevel(level)  # the library refuses a degree that is too small
    parameters.SetScalingModSize(log2_q)
    parameters.SetFirstModSize(log2_q)
    parameters.SetScalingTechnique(fhe.ScalingTechnique.FLEXIBLEAUTO)
    parameters.SetNumLargeDigits(LARGE_DIGITS)
    parameters.SetBatchSize(slots)
    parameters.SetRingDim(degree)
    parameters.SetMultiplicativeDepth(depth)
    context = fhe.GenCryptoContext(parameters)
    for feature in ("PKE", "KEYSWITCH", "LEVELEDSHE", "ADVANCEDSHE", "FHE"):
        context.Enable(getattr(fhe.PKESchemeFeature, feature))
    keys = context.KeyGen()
    context.EvalFBTSetup(coefficients, slots, p, p, q, keys.publicKey, [0, 0], LEVEL_BUDGET, 0, 0, 1)
    context.EvalBootstrapKeyGen(keys.secretKey, slots)
    context.EvalMultKeyGen(keys.secretKey)

    scheme = fhe.SchemeletRLWEMP
    ring = scheme.GetElementParams(keys.secretKey, depth)
    fresh = scheme.EncryptCoeff(values, 1 << LOG2_FRESH_MODULUS, p, keys.secretKey, ring)
    scheme.ModSwitch(fresh, q, 1 << LOG2_FRESH_MODULUS)

    cpu, wall = time.process_time(), time.perf_counter()
    raised = scheme.ConvertRLWEToCKKS(context, fresh, keys.publicKey, q, slots, depth)
    result = context.EvalFBT(raised, coefficients, log2_p, ring.GetModulus(), divisor, 0, 1)
    result = scheme.ConvertCKKSToRLWE(result, q)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall

    found = scheme.DecryptCoeff(result, q, p, keys.secretKey, ring, slots, degree)
    wrong = sum((x - table[value]) % p != 0 for x, value in zip(found, values, strict=True))
    log2_modulus = (depth + 1) * log2_q
    return {
        "name": "openfhe",
        "p": p,
        "degree": degree,
        "values": degree,
        "wrong": wrong,
        "cpu_s": cpu,
        "wall_s": wall,
        "peak_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "depth": depth,
        "log2_q_modulus": log2_modulus,
        # The wheel does not tell P: its special primes, of 60 bits here, cover the largest of the digits.
        "log2_qp_estimate": log2_modulus + 60 * math.ceil(math.ceil((depth + 1) / LARGE_DIGITS) * log2_q / 60),
        "security": "HEStd_128_classic, sparse encapsulated key" if secure else "not checked",
    }


def last_json_line(command: list[str]) -> dict:
    """The last line of a command's output that is a JSON object."""
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [line for line in output.splitlines() if line.startswith("{")]
    if not lines:
        raise SystemExit(f"{shlex.join(command)} printed no JSON line")
    return json.loads(lines[-1])


def compare(arguments: argparse.Namespace) -> None:
    """Alternates the two, each in a process of its own, and prints medians of theirs over ours."""
    own = [sys.executable, __file__, *(a for a in ("--insecure",) if arguments.insecure)]
    own += ["--log2-p", str(arguments.log2_p), "--seed", str(arguments.seed)]
    own += ["--log2-degree", str(arguments.log2_degree)] if arguments.log2_degree else []
    runs = []
    for _ in range(arguments.runs):
        runs.append((last_json_line(own), last_json_line(shlex.split(arguments.ours))))
        for run in runs[-1]:
            print(json.dumps(run), flush=True)
    theirs, ours = runs[-1]
    if theirs["p"] != ours["p"]:
        raise SystemExit(f"p = {theirs['p']} against p = {ours['p']}; give the command the same --log2-p")
    fields = ("cpu_s", "wall_s", "peak_rss_bytes")
    ratio = {f: statistics.median(t[f] for t, _ in runs) / statistics.median(o[f] for _, o in runs) for f in fields}
    print(json.dumps({"name": "openfhe / ours", "p": theirs["p"], "runs": len(runs), **ratio}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log2-p", type=int, choices=sorted(SHAPES), default=1, help="bits of a value")
    parser.add_argument("--log2-degree", type=int, help="log2 of N, if not the least secure one")
    parser.add_argument("--insecure", action="store_true", help="do not have the library check the degree")
    parser.add_argument("--seed", type=int, default=1, help="of the table and the values")
    parser.add_argument("--ours", metavar="COMMAND", help="a command that prints p, cpu_s, wall_s, peak_rss_bytes as JSON")
    parser.add_argument("--runs", type=int, default=3, help="of each, with --ours")
    arguments = parser.parse_args()
    if arguments.ours:
        compare(arguments)
        return
    result = evaluate(arguments.log2_p, arguments.log2_degree, not arguments.insecure, arguments.seed)
    print(json.dumps(result))
    if result["wrong"]:
        raise SystemExit(f"{result['wrong']} of {result['values']} values are wrong")


if __name__ == "__main__":
    main()
