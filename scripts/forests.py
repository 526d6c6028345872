#!/usr/bin/env python3
"""Random forests beside CART on the UCI sets of experiments/paper/oct-uci.yaml, as a page of
docs/tables: Bertsimas & Dunn (2017, p. 1043) compare with both. Needs scikit-learn, pandas.

    scripts/forests.py [DATA FOLDER] > docs/tables/forests.md

Half of the rows train, a quarter is left to those who choose a parameter, a quarter tests, five
times, classes in proportion, seeds 1 to 5: the sizes of that spec, other divisions.
"""
import pathlib, re, sys
import numpy as np, pandas as pd, sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

root = pathlib.Path(__file__).resolve().parent.parent
data = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root.parent / "shared" / "data")
names = re.findall(r"\{file: ([\w-]+)\.csv", (root / "experiments/paper/oct-uci.yaml").read_text())


def table(name):
    """Features as numbers, categories one-hot, and labels."""
    frame = pd.read_csv(data / f"{name}.csv", keep_default_na=False)
    y = frame.iloc[:, -1].astype(str)
    return pd.get_dummies(frame.iloc[:, :-1]).to_numpy(float), y.to_numpy()


def errors(x, y):
    """Test errors in percent of CART at depth 4 and of a forest, for each division."""
    rows = []
    for seed in range(1, 6):
        rest, test = train_test_split(np.arange(len(y)), test_size=0.25, random_state=seed, stratify=y)
        train, _ = train_test_split(rest, test_size=1 / 3, random_state=seed, stratify=y[rest])
        models = DecisionTreeClassifier(max_depth=4, random_state=seed), RandomForestClassifier(n_estimators=500, random_state=seed, n_jobs=2)
        rows.append([100 * np.mean(m.fit(x[train], y[train]).predict(x[test]) != y[test]) for m in models])
    return np.array(rows)


def main():
    print("# Random forests on 52 UCI data sets\n")
    print(f"Made by `scripts/forests.py`, scikit-learn {sklearn.__version__}: 500 trees, all else by default, beside its CART of")
    print("depth 4. Test error in percent, mean ± standard error over five divisions of the sizes of")
    print("[uci-oct.md](uci-oct.md), not the same ones.\n")
    print("| data | CART-4 | random forest |\n|---|---:|---:|")
    means = []
    for name in names:
        e = errors(*table(name))
        means.append(e.mean(0))
        cells = [f"{m:.1f} ± {s:.1f}" for m, s in zip(e.mean(0), e.std(0, ddof=1) / 5**0.5)]
        print(f"| {name} | {cells[0]} | {cells[1]} |", flush=True)
    d = np.array(means)
    diff = d[:, 1] - d[:, 0]
    half = 2.0 * diff.std(ddof=1) / len(diff) ** 0.5
    print(f"| mean | {d[:, 0].mean():.1f} | {d[:, 1].mean():.1f} |")
    print(f"\nThe forest less CART: {diff.mean():+.2f} ± {half:.2f} points (two standard errors over the sets).")


main()
