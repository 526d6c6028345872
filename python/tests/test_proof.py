"""The checker of proofs in Python and that of octgen agree: python3 -m unittest test_proof, with OCTGEN naming the program."""

import contextlib
import io
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), "..")))
import checkproof  # noqa: E402

from octgen import OctgenError, _worker  # noqa: E402

CASES = int(os.environ.get("OCTGEN_CASES", "60"))


def problem(r, folder, number):
    """A random file with flags of a fit: classes, weights, costs, rewards, categories and gaps."""
    n, kind = r.randint(4, 14), r.choice(["plain", "weight", "cost", "reward", "number", "quantile"])
    header = ["a", "b c", "d"] + {"plain": ["class"], "weight": ["w", "class"], "cost": ["class"], "reward": ["p", "q"], "number": ["w", "y"], "quantile": ["y"]}[kind]
    rows = []
    for i in range(n):
        row = [r.choice([0.5, -1, 2.25, 3]), r.choice(["x", 'y "z"', "naïve", ""]) if r.random() < 0.9 else "x", r.choice([1, 2, 3, ""])]
        if kind in ("weight", "number"):
            row.append(r.choice([0.25, 1, 1.5]))
        if kind in ("number", "quantile"):
            row.append(r.choice([r.randint(-5, 20), r.randint(0, 1000) / 8]))
        else:
            row += [r.choice([0, 0.5, 1.25]), r.choice([0, 0.5, 1.25])] if kind == "reward" else ["yes" if i == 0 else r.choice(["yes", "no"])]
        rows.append(row)
    rows[0][1:3], rows[1][1:3] = ["x", 1], ['y "z"', 2]
    if kind in ("plain", "weight", "cost"):
        rows[1][-1] = "no"
    path = os.path.join(folder, f"data{number}.csv")
    with open(path, "w", encoding="utf-8", newline="") as f:
        import csv

        out = csv.writer(f, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)
    data = [f"--missing={r.choice(['drop', 'mean', 'category'])}", "--categorical-columns=b c", f"--categorical={r.choice(['onehot', 'ordinal'])}", "--header"]
    data += {"plain": [], "weight": ["--weight=w"], "cost": ["--cost-matrix=yes:no=2.5"], "reward": ["--rewards=p,q"],
             "number": ["--weight=w"], "quantile": ["--quantile=0.25"]}[kind]
    fit = [f"--depth={r.randint(1, 4)}"] + r.choice([[], ["--min-leaf=2"], ["--max-splits=3"], ["--alpha=0.125"]])
    return path, data + ({"reward": [], "number": ["--task=regression"], "quantile": ["--task=regression"]}.get(kind, ["--task=classification"])), fit + (["--method=policy"] if kind == "reward" else [])


class TestProof(unittest.TestCase):
    def agree(self, file, data, flags):
        """Whether both checkers believe the file; they have to agree."""
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
            ours = checkproof.main([file, data]) == 0
        try:
            _worker.run(["proof", "check", file, data, *flags])
            theirs = True
        except (OctgenError, ValueError) as e:
            theirs, reason = False, str(e)
        if ours != theirs:
            with open(file, encoding="utf-8") as f:
                self.fail(f"Python {ours} ({said.getvalue().strip()}), octgen {theirs} ({'' if theirs else reason}):\n{f.read()}")
        return ours

    def test_agreement(self):
        r, believed, changed = random.Random(46), 0, 0
        with tempfile.TemporaryDirectory() as folder:
            for number in range(CASES):
                data, flags, fit = problem(r, folder, number)
                file = os.path.join(folder, "proof.txt")
                try:
                    _worker.run(["fit", data, *flags, *fit, f"--proof={file}", "--json", "--quiet"])
                except (ValueError, OctgenError) as e:
                    self.assertRegex(str(e), "no tree|minimum|missing value|one class|constant|no feature|infeasible|every field")
                    continue
                self.assertTrue(self.agree(file, data, flags))
                with open(file, encoding="utf-8") as f:
                    text = f.read()
                body = text.index("\nscale")
                for _ in range(5):
                    places = list(re.finditer(r"\b[0-9]+\b|=", text[body:]))
                    at = r.choice(places)
                    to = r.choice([str(r.randint(0, 12)), "=", "", "-1", "01", "9" * 30, "x"])
                    if r.random() < 0.2 and at.group().isdigit():  # a little more or less
                        to = str(max(0, int(at.group()) + r.choice([-1, 1])))
                    with open(file, "w", encoding="utf-8") as f:
                        f.write(text[: body + at.start()] + to + text[body + at.end():])
                    changed += 1
                    believed += self.agree(file, data, flags)
        self.assertGreater(changed, 2 * CASES)
        self.assertLess(believed, changed / 2)

    def test_hostile(self):
        """What is no proof is refused, by both."""
        with tempfile.TemporaryDirectory() as folder:
            data, file = os.path.join(folder, "d.csv"), os.path.join(folder, "p.txt")
            with open(data, "w") as f:
                f.write("a,b,class\n1,2,p\n2,1,q\n3,3,p\n1,4,q\n")
            subprocess.run([os.environ["OCTGEN"], "fit", data, "--depth", "2", "--proof", file, "--quiet"], check=True, stdout=subprocess.DEVNULL)
            with open(file) as f:
                good = f.read()
            self.assertTrue(self.agree(file, data, []))
            deep = good.replace("tree ", "tree " + "0 1 " * 3000, 1)
            for bad in ("", "octproof", "octproof 2\n", good[:-5], good + "end", deep, good.replace("rows 4", "rows 99999999"), good.replace("answers 2", "answers 1048575"),
                        good.replace("depth 2", "depth 9999999"), good.replace("scale 1 1", "scale 0 1"), good.replace('"p"', '"p'), good.replace("bound ", "bound 9")):
                self.assertNotEqual(bad, good)
                with open(file, "w") as f:
                    f.write(bad)
                self.assertFalse(self.agree(file, data, []))


if __name__ == "__main__":
    unittest.main()
