#!/usr/bin/env python3
"""Optimal sparse trees (errors / rows + lambda * leaves, any depth) by octgen, FastSmallTree (imodels)
and GOSDT on the same problems, as a page of docs/tables.

    scripts/peers-sparse.py [DATA FOLDER] > docs/tables/sparse.md

The packages are installed into bench-out/peers-sparse. One thread, 30 s for each problem; times are
those of the search and of the whole fit (octgen: the process, with reading the file), the least of
three runs if the first takes less than a second.
"""
import json, math, os, pathlib, subprocess, sys, time

root = pathlib.Path(__file__).resolve().parent.parent
LIMIT, FLOOR = 30, 0.001
WIDEST = 64  # binary features of GOSDT: on compas-processed it takes more than 24 GB
PRICES = 0.1, 0.05, 0.02, 0.01, 0.005


def environment():
    """Goes on in the virtual environment with the packages."""
    home = root / "bench-out" / "peers-sparse"
    python = home / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "imodels==3.0.4", "gosdt==1.0.4", "six", "numba", "pandas"], check=True, stdout=sys.stderr)
    if pathlib.Path(sys.prefix) != home:
        os.execv(python, [python, *sys.argv])


def least(run):
    """The result of a run and its times, the least of three if they are short."""
    result, times = None, []
    while len(times) < 3:
        began = time.perf_counter()
        result, search = run()
        times.append((search, time.perf_counter() - began))
        if times[0][1] > 1:
            break
    return result, min(t[0] for t in times), min(t[1] for t in times)


def octgen(path, price, rows):
    def run():
        out = subprocess.run([root / "bin" / "octgen", "fit", path, "--depth", "none", "--leaf-penalty", str(price), "--threads", "1",
                              "--time-limit", str(LIMIT), "--json", "--quiet"], capture_output=True, text=True, check=True)
        r = json.loads(out.stdout)
        t = r["tree"]
        leaves = sum("split" not in n for n in t["nodes"])
        wrong = r["train"]["errors"]
        return (r["status"] == "optimal", wrong / rows + price * leaves), r["solver"]["seconds"]
    return least(run)


def fast(frame, labels, price):
    import warnings
    from imodels import FastSmallTreeClassifier
    warnings.simplefilter("ignore")

    def run():
        m = FastSmallTreeClassifier(regularization=price, time_limit=LIMIT).fit(frame, labels)
        return (m.optimal_, m.objective_), m.time_
    return least(run)


def gosdt(binary, labels, price):
    from gosdt import GOSDTClassifier

    def run():
        m = GOSDTClassifier(regularization=price, time_limit=LIMIT).fit(binary, labels)
        r = m.result_
        return ("CONVERGED" in str(r.status), r.upperbound), r.time
    return least(run)


def main():
    environment()
    page = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # GOSDT prints warnings
    import numpy as np, pandas as pd
    data = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root.parent / "shared" / "data") / "sparse"
    names = ["octgen", "FastSmallTree", "GOSDT"]
    proved, logs, lines = dict.fromkeys(names, 0), {n: ([], []) for n in names}, []
    for path in sorted(data.glob("*.csv")):
        frame = pd.read_csv(path, skip_blank_lines=True).dropna()
        labels = frame.iloc[:, -1].astype(str).to_numpy()
        frame = pd.get_dummies(frame.iloc[:, :-1]).astype(float)
        cuts = {f"{c}<{v}": (frame[c] < v).astype(int) for c in frame for v in np.unique(frame[c])[1:]}
        binary = pd.DataFrame(cuts)
        fast(frame, labels, 0.5)  # compiles
        for price in PRICES:
            runs = {"octgen": octgen(path, price, len(labels)), "FastSmallTree": fast(frame, labels, price)}
            if binary.shape[1] <= WIDEST and price >= 1 / len(labels):
                runs["GOSDT"] = gosdt(binary, labels, price)
            line = f"| {path.stem} | {price} "
            best = min(r[0][1] for r in runs.values() if r[0][0]) if any(r[0][0] for r in runs.values()) else math.nan
            for n in names:
                if n not in runs:
                    line += "| - "
                    continue
                (done, value), search, fit = runs[n]
                proved[n] += done
                if done and abs(value - best) > 1e-6:
                    line += f"| **{value:.4f}** "
                elif done:
                    line += f"| {search:.4f} / {fit:.4f} "
                else:
                    line += f"| open, {value:.4f} "
                logs[n][0].append(math.log(max(search, FLOOR)))
                logs[n][1].append(math.log(max(fit, FLOOR)))
            lines.append(line + "|")
            print(lines[-1], file=sys.stderr)
    print("# Optimal sparse trees\n", file=page)
    print("Made by `scripts/peers-sparse.py`: seconds of the search / of the whole fit to the proof of the least errors / rows +", file=page)
    print(f"lambda x leaves, any depth, one thread; open after {LIMIT} s with the objective of the tree found. FastSmallTree is that of", file=page)
    print(f"imodels 3.0.4, compiled before it is timed, GOSDT 1.0.4 on all cuts as binary\nfeatures, where there are at most {WIDEST}. A fit of octgen is a process that reads the file.\n", file=page)
    for n in names:
        if logs[n][0]:
            mean = [math.exp(sum(v) / len(v)) for v in logs[n]]
            print(f"- {n}: {proved[n]} of {len(lines)} proved; geometric mean {mean[0]:.4f} s of the search, {mean[1]:.4f} s of the fit (floor {FLOOR} s)", file=page)
    print("\n| data | lambda | " + " | ".join(names) + " |\n|---|--:|" + "--:|" * len(names), file=page)
    print("\n".join(lines), file=page)
    page.close()


main()
