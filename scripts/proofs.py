#!/usr/bin/env python3
"""Proof files of real data, as docs/tables/proofs.md: scripts/proofs.py [DATA FOLDER] > docs/tables/proofs.md"""
import json, os, pathlib, subprocess, sys, tempfile, time

root = pathlib.Path(__file__).resolve().parent.parent
octgen, checker = root / "bin" / "octgen", root / "python" / "checkproof.py"
data = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("OCTGEN_DATA", root / ".." / "shared" / "data"))
READ = {  # flags of data, for all who read them
    "hepatitis": "--missing mean", "credit-approval": "--missing category", "house-votes-84": "--missing category --task classification",
    "monks-1": "--categorical onehot", "binary/anneal": "", "balance-scale": "--class-weight B=3", "strongtree/house-votes-84": "",
}
PROBLEMS = [
    ("iris", 2, ""), ("iris", 4, ""), ("banknote", 3, ""), ("banknote", 4, ""), ("pima", 3, ""), ("pima", 4, ""), ("image-segmentation", 3, ""), ("image-segmentation", 4, ""),
    ("contree-segment", 3, ""), ("ionosphere", 3, ""), ("spambase", 3, ""), ("sonar", 3, ""), ("wdbc", 3, ""), ("wdbc", 3, "--alpha 0.02"), ("wdbc", 4, "--max-splits 4"),
    ("wine", 4, ""), ("seeds", 4, ""), ("blood-transfusion", 4, "--min-leaf 10"), ("bupa", 4, ""), ("statlog-german-credit", 3, ""), ("tic-tac-toe", 4, ""), ("compas", 3, ""),
    ("car-evaluation", 4, ""), ("credit-approval", 3, ""), ("house-votes-84", 4, ""), ("balance-scale", 4, ""), ("binary/anneal", 3, ""), ("binary/anneal", 4, ""),
    ("hepatitis", 3, ""), ("hepatitis", "none", "--alpha 0.03125"), ("bupa", "none", "--alpha 0.25"), ("iris", 5, ""), ("banknote", 5, ""),
    ("regression/servo", 4, ""), ("regression/yacht", 4, ""), ("regression/quantbnb-concrete", 3, ""), ("regression/airfoil", 4, ""), ("regression/yacht", 3, "--quantile 0.5"),
]


def run(*command, limit=300):
    """Seconds, and what the command printed; None if it took too long."""
    began = time.time()
    try:
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return limit, None
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return time.time() - began, done.stdout


def seconds(v):
    return f"{v:.3f}" if v < 0.1 else f"{v:.2f}" if v < 10 else f"{v:.0f}"


print("""# Proof files of real data

Each tree was fitted, its [proof file](../proof.md) written, and the file checked by `octgen proof check` and by
`python/checkproof.py`, all with two cores. *Write* is beyond the search, without the check that octgen makes of each file that it
writes. `scripts/proofs.py` makes this table.

| data | depth | other limits | value | search s | write s | bytes | intervals | check s | Python s |
|---|---|---|---|---|---|---|---|---|---|""")
with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "proof")
    for name, depth, limits in PROBLEMS:
        path = data / f"{name}.csv"
        read = READ.get(name, "").split() + (["--task=regression"] if name.startswith("regression") else [])
        reads = read + (limits.split() if "quantile" in limits else [])
        fit = [octgen, "fit", path, "--json", "--quiet", f"--depth={depth}", "--time-limit=none", *read, *limits.split()]
        _, alone = run(*fit)
        if alone is None:
            print(f"| {name} | {depth} | {limits} | | more than 300 | | | | | |", flush=True)
            continue
        alone = json.loads(alone)
        _, out = run(*fit, f"--proof={file}", limit=300)
        if out is None:
            print(f"| {name} | {depth} | {limits} | | {seconds(alone['seconds'])} | more than 300 | | | | |", flush=True)
            continue
        proof = json.loads(out)["proof"]
        check, _ = run(octgen, "proof", "check", file, path, *reads)
        python, held = run(sys.executable, checker, file, path, limit=60)
        value = alone["train"]["objective"] if depth == "none" or "alpha" in limits or name.startswith("regression") else alone["train"]["error_weight"]
        print(f"| {name} | {depth} | {' '.join([*limits.split(), *READ.get(name, '').split()])} | {value:.6g} | {seconds(alone['seconds'])} | {seconds(max(0, proof['seconds'] - check))} | {proof['bytes']} | "
              f"{proof['intervals']} | {seconds(check)} | {'more than 60' if held is None else seconds(python)} |", flush=True)
