#!/usr/bin/env python3
"""Hyperplane trees of all data sets with at most 1,500 rows, two fits at a time, as rows of docs/tables/oct-h-proved.md.

scripts/planes.py RUNS.jsonl [NAME ...] [--octgen BINARY] [--limit SECONDS] [--depths 1,2] [--before RUNS.jsonl]

Runs that the file has are kept. With --before nothing is run: the table is printed, with the runs of another version beside.
"""
import argparse, concurrent.futures, json, os, pathlib, subprocess, threading

root = pathlib.Path(__file__).resolve().parent.parent
READ = {  # how data with gaps and codes are read
    "hepatitis": ["--missing=mean"], "credit-approval": ["--missing=category"], "house-votes-84": ["--missing=category", "--task=classification"],
    "cylinder-bands": ["--missing=category"],
}
MOST_ROWS = 1500


def names(data):
    for folder in (".", "strongtree", "binary", "accel-oct"):
        for path in sorted((data / folder).glob("*.csv")):
            if len(path.read_text().splitlines()) - 1 <= MOST_ROWS:
                yield str(path.relative_to(data).with_suffix(""))


def fit(octgen, data, name, depth, limit):
    command = [octgen, "fit", data / f"{name}.csv", "--method=oct-h", f"--depth={depth}", f"--time-limit={limit}", "--json", "--quiet", *READ.get(name, ["--missing=drop"])]
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    record = {"set": name, "depth": depth, "limit": limit}
    if done.returncode:
        return record | {"error": done.stderr.strip()}
    return json.loads(done.stdout) | record


def load(file):
    if not file or not file.exists():
        return {}
    return {(r["set"], r["depth"], r["limit"]): r for r in map(json.loads, file.read_text().splitlines())}


def seconds(v):
    return f"{v:.2f}" if v < 1 else f"{v:.0f}"


def cells(r):
    """Errors, bound (empty where it is the errors), prover and seconds of a run."""
    if r is None or "error" in r:
        return ["", "", "", ""]
    errors, scale = r["train"]["error_weight"], 1
    if r["objective"]:
        scale = errors / r["objective"]
    if r["status"] == "optimal":
        return [f"**{errors:g}**", "", r["prover"], seconds(r["seconds"])]
    return [f"{errors:g}", f"{max(0, r['bound'] * scale):.0f}", "", ""]


def table(before, after):
    """Runs of a minute with those before, then longer ones alone."""
    longer = sorted({k[2] for k in after})[1:]
    print("| data | rows x features x classes | depth | before: errors | bound | prover | s | after: errors | bound | prover | s |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for key, r in ordered(after):
        old = before.get(key)
        if key[2] not in longer and (r["train"]["errors"] > 0 or old is not None and old["train"]["errors"] > 0):
            line(key, r, *cells(old), *cells(r))
    for depth in sorted({k[1] for k in after}):
        perfect = sorted({k[0] for k, r in ordered(after) if r["train"]["errors"] == 0 and k[1] == depth})
        print(f"\nWithout errors at depth {depth}, before and after unless the table has them: {', '.join(perfect)}.")
    for limit in longer:
        print(f"\nAfter {limit} s:\n\n| data | rows x features x classes | depth | errors | bound | prover | s |\n|---|---|---|---|---|---|---|")
        for key, r in ordered(after):
            if key[2] == limit:
                line(key, r, *cells(r))


def ordered(runs):
    return [(k, runs[k]) for k in sorted(runs, key=lambda k: (k[2], k[1], "/" in k[0], k[0])) if "error" not in runs[k]]


def line(key, r, *cells):
    d = r["data"]
    print("|", " | ".join([key[0], f"{d['rows']}x{d['features']}x{d['classes']}", str(key[1]), *cells]), "|")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("file", type=pathlib.Path)
    args.add_argument("names", nargs="*")
    args.add_argument("--octgen", default=root / "bin" / "octgen")
    args.add_argument("--limit", type=int, default=60)
    args.add_argument("--depths", default="1,2")
    args.add_argument("--before", type=pathlib.Path)
    o = args.parse_args()
    if o.before:
        return table(load(o.before), load(o.file))
    data = pathlib.Path(os.environ.get("OCTGEN_DATA", root / ".." / "shared" / "data"))
    have = load(o.file)
    lock = threading.Lock()

    def one(run):
        record = fit(o.octgen, data, *run)
        with lock, o.file.open("a") as f:
            f.write(json.dumps(record) + "\n")

    wanted = [(name, depth, o.limit) for depth in map(int, o.depths.split(",")) for name in o.names or names(data)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(one, [run for run in wanted if run not in have]))


main()
