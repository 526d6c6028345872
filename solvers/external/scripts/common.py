"""What the scripts of all solver packages share: the task and what is reported.

octgen runs SCRIPT.py in a folder with task.json, the model and, if there is one, the
start. A script prints the solver's own log, writes the solution, and reports on lines
"octgen: KEY VALUE" how the solve ended.
"""

import ctypes
import json
import signal
import sys
import threading
import time


class Task:
    """The solve: model, start ("" for none) and solution are file names, settings are
    pairs of an option's name and its value as text, and discrete and nonconvex say what
    the model contains."""

    def __init__(self):
        with open("task.json", encoding="utf-8") as f:
            self.__dict__.update(json.load(f))


class Refused(Exception):
    """An option that the solver does not accept."""

    def __init__(self, name, reason):
        super().__init__(reason)
        self.name = name


class NoLicence(Exception):
    """The licence is missing or too small, in the solver's words."""


def value(text):
    """The number that the text is, or else the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def say(key, text):
    """Reports one line."""
    print("octgen:", key, " ".join(str(text).split()), flush=True)


def settle(task, set_option):
    """Passes all settings to set_option(name, value); the time limit is what is left."""
    for i, (name, text) in enumerate(task.settings):
        if name == task.clock:
            text = task.settings[i][1] = "%.3f" % max(task.deadline - time.time(), 0.001)
        try:
            set_option(name, value(text))
        except Exception as e:
            raise Refused(name, e) from e


def attend(solve, stop):
    """Runs solve in a thread and calls stop at an interrupt: for solvers that do not
    heed signals themselves."""
    failures, asked = [], threading.Event()

    def work():
        try:
            solve()
        except BaseException as e:  # is raised again below
            failures.append(e)

    for s in (signal.SIGINT, signal.SIGTERM):
        signal.signal(s, lambda *_: asked.set())
    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(0.05)
        if asked.is_set():
            asked.clear()
            stop()
    if failures:
        raise failures[0]


def write_values(path, pairs):
    """Writes a solution as lines of a column's name and its value."""
    with open(path, "w", encoding="utf-8") as f:
        for name, v in pairs:
            f.write("%s %r\n" % (name, float(v)))


def buffer_lines():
    """Has logs written line by line, also those of the solver's own C code."""
    sys.stdout.reconfigure(line_buffering=True)
    for name in ("stdout", "__stdoutp"):  # of glibc and musl, of macOS
        try:
            libc = ctypes.CDLL(None)
            libc.setvbuf(ctypes.c_void_p.in_dll(libc, name), None, 1, 0)
            return
        except (ValueError, OSError, AttributeError, TypeError):
            continue


def main(solve):
    """Runs solve(task), and reports what it raises."""
    buffer_lines()
    try:
        solve(Task())
    except Refused as e:
        say("refused", "%s %s" % (e.name, e))
    except NoLicence as e:
        say("licence", e)
    except Exception as e:
        say("failed", "%s: %s" % (type(e).__name__, e))
        sys.exit(1)
