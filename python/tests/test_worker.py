"""Tests of the process that serves fits: python3 -m unittest test_worker, with OCTGEN naming the program."""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score

from octgen import NotProvedWarning, OctgenError, OptimalTreeClassifier, _worker

HERE = os.path.dirname(os.path.abspath(__file__))


def noise():
    """What no fit proves at depth 4 in seconds."""
    r = np.random.RandomState(0)
    return r.normal(size=(3000, 40)), r.randint(0, 2, 3000)


def errors(_=None):
    X, y = load_iris(return_X_y=True)
    return int((OptimalTreeClassifier(max_depth=2).fit(X, y).predict(X) != y).sum())


class TestWorker(unittest.TestCase):
    def test_one_process(self):
        self.assertEqual(errors(), 6)
        first = _worker._current._process.pid
        with ThreadPoolExecutor(8) as pool:
            self.assertEqual(set(pool.map(errors, range(50))), {6})
        self.assertEqual(_worker._current._process.pid, first)

    def test_processes(self):
        X, y = load_iris(return_X_y=True)
        self.assertEqual(len(cross_val_score(OptimalTreeClassifier(max_depth=2), X, y, n_jobs=2)), 5)
        errors()
        for kind in ("fork", "spawn") if hasattr(os, "fork") else ("spawn",):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of forks while threads run
                with multiprocessing.get_context(kind).Pool(2) as pool:
                    self.assertEqual(pool.map(errors, range(4)), [6] * 4)
        self.assertEqual(errors(), 6)

    def test_crash(self):
        X, y = noise()
        errors()
        end = threading.Timer(0.5, lambda: os.kill(_worker._current._process.pid, signal.SIGKILL))
        end.start()
        with self.assertRaisesRegex(OctgenError, "the octgen worker ended: exit code -9"):
            OptimalTreeClassifier(max_depth=4).fit(X, y)
        self.assertEqual(errors(), 6)

    def test_limit_and_interrupt(self):
        X, y = noise()
        with self.assertWarnsRegex(NotProvedWarning, "limit 'time'"):
            model = OptimalTreeClassifier(max_depth=4, time_limit=1).fit(X, y)
        self.assertEqual((model.status_, model.certificate_["limit"]), ("feasible", "time"))
        self.assertLess(model.certificate_["bound"], model.certificate_["objective"])
        threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertWarnsRegex(NotProvedWarning, "limit 'interrupt'"):
            model = OptimalTreeClassifier(max_depth=4).fit(X, y)
        self.assertEqual(len(model.predict(X)), len(y))
        self.assertEqual(errors(), 6)

    def test_ends_with_its_parent(self):
        """Whether the parent ends or is killed, no worker and no file is left."""
        before = set(os.listdir(tempfile.gettempdir()))
        for end in ("", "os.kill(os.getpid(), 9)"):
            script = f"import os, test_worker, octgen._worker as w; test_worker.errors(); print(w._current._process.pid, flush=True); {end}"
            pid = int(subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=HERE, stdout=subprocess.PIPE, check=not end).stdout)
            for _ in range(100):
                if not running(pid):
                    break
                time.sleep(0.1)
            self.assertFalse(running(pid))
        self.assertEqual({name for name in set(os.listdir(tempfile.gettempdir())) - before if name.startswith("octgen")}, set())

    def test_no_octgen(self):
        before = os.environ["OCTGEN"]
        try:
            os.environ["OCTGEN"] = sys.executable
            with self.assertRaisesRegex(OctgenError, "no octgen that has workers"):
                errors()
        finally:
            os.environ["OCTGEN"] = before
        self.assertEqual(errors(), 6)


def running(pid):
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
