#!/usr/bin/env python3
"""Hyperplane trees of all data sets with at most 1,500 rows, two fits at a time; runs that FILE has are kept.

scripts/planes.py FILE [--octgen BINARY] [--limit SECONDS] [--depths 1,2] [NAME ...]
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


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("file", type=pathlib.Path)
    args.add_argument("names", nargs="*")
    args.add_argument("--octgen", default=root / "bin" / "octgen")
    args.add_argument("--limit", type=int, default=60)
    args.add_argument("--depths", default="1,2")
    o = args.parse_args()
    data = pathlib.Path(os.environ.get("OCTGEN_DATA", root / ".." / "shared" / "data"))
    have = set()
    if o.file.exists():
        have = {(r["set"], r["depth"], r["limit"]) for r in map(json.loads, o.file.read_text().splitlines())}
    wanted = [(name, depth, o.limit) for depth in map(int, o.depths.split(",")) for name in o.names or names(data)]
    lock = threading.Lock()

    def one(run):
        record = fit(o.octgen, data, *run)
        with lock, o.file.open("a") as f:
            f.write(json.dumps(record) + "\n")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(one, [run for run in wanted if run not in have]))


main()
