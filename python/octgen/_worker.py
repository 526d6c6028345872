"""The octgen program at work: one process for all fits of this one."""

import atexit
import importlib.util
import io
import itertools
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections import deque

_PROTOCOL = 1
_AT_ONCE = 1 << 20  # bytes that are put together before they are sent
_IN_PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "octgen.exe" if os.name == "nt" else "octgen")


class OctgenError(RuntimeError):
    """octgen failed."""


class OctgenNotFoundError(OctgenError):
    """There is no octgen program."""


def program():
    """The path of octgen: the one that the environment variable OCTGEN names, that of this package, or the one on PATH."""
    named = os.environ.get("OCTGEN")
    if not named and os.access(_IN_PACKAGE, os.X_OK):
        return _IN_PACKAGE
    found = shutil.which(named or "octgen")
    if found is None:
        where = f"$OCTGEN is {named!r}, which is no program" if named else "this package was installed without it, none is on PATH, and $OCTGEN is not set"
        raise OctgenNotFoundError(f"octgen was not found: {where}. Install a wheel, or build it (make build) and set OCTGEN to bin/octgen.")
    return found


class _Worker:
    """A process `octgen worker`, as docs/worker.md has it. Threads may ask at the same time."""

    def __init__(self, path):
        self.path, self.pid = path, os.getpid()
        away = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if os.name == "nt" else {"start_new_session": True}
        self._process = subprocess.Popen([path, "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, **away)
        self._out = io.BufferedReader(self._process.stdout, 1 << 20)
        self._said, self._waiting = deque(maxlen=20), {}
        self._ids, self._sending, self._changing, self.dead = itertools.count(1), threading.Lock(), threading.Lock(), False
        self._listener = threading.Thread(target=self._listen_to_errors, daemon=True)
        self._listener.start()
        greeting = self._out.readline()
        if not greeting:
            raise OctgenError(f"{path} is no octgen that has workers: {self._last_words()}")
        if json.loads(greeting)["protocol"] != _PROTOCOL:
            self.close()
            raise OctgenError(f"{path} speaks version {json.loads(greeting)['protocol']} of the worker's protocol, expected {_PROTOCOL}")
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        """Hands answers to those who wait for them, until there are no more."""
        try:
            for line in iter(self._out.readline, b""):
                answer = json.loads(line)
                if "progress" in answer:
                    self._tell(answer["id"], answer)
                else:
                    self._tell(answer["id"], (answer["code"], self._out.read(answer["stdout"]), answer["stderr"]))
        except (OSError, ValueError):
            pass
        with self._changing:
            self.dead = True
            self._out.close()
            left, self._waiting = list(self._waiting.values()), {}
        for waiting in left:
            waiting.put(None)

    def _tell(self, number, what):
        with self._changing:
            waiting = self._waiting.get(number)
        if waiting is not None:
            waiting.put(what)

    def _listen_to_errors(self):
        for line in iter(self._process.stderr.readline, b""):
            self._said.append(line.decode("utf-8", "replace").rstrip())
        self._process.stderr.close()

    def _last_words(self):
        try:
            code = self._process.wait(2)
        except subprocess.TimeoutExpired:
            code = None
        self._listener.join(2)
        return "; ".join([*self._said] or [f"exit code {code}"])

    def _send(self, request, buffers=()):
        with self._sending:
            parts = [json.dumps(request).encode() + b"\n", *buffers]
            if sum(memoryview(part).nbytes for part in parts) < _AT_ONCE:
                parts = [b"".join(parts)]
            for part in parts:
                rest = memoryview(part).cast("B")
                while rest:
                    rest = rest[self._process.stdin.write(rest):]

    def ask(self, args, files, table, progress):
        """Exit code, standard output and standard error of a command. table has name, rows, columns and buffers."""
        number, waiting = next(self._ids), queue.Queue()
        request = {"id": number, "args": args, "files": [{"name": name, "bytes": len(b)} for name, b in files.items()]}
        buffers = list(files.values())
        if table is not None:
            request["table"] = {key: table[key] for key in ("name", "rows", "columns")}
            buffers += table["buffers"]
        with self._changing:
            self._waiting[number] = waiting
        interrupted = False
        try:
            try:
                self._send(request, buffers)
            except OSError:  # it has ended, which the listener tells
                pass
            while True:
                try:
                    answer = self._wait(waiting)
                except KeyboardInterrupt:
                    if interrupted:
                        raise
                    interrupted = True
                    self._send({"stop": number})
                    continue
                if answer is None:
                    raise OctgenError(f"the octgen worker ended: {self._last_words()}")
                if isinstance(answer, tuple):
                    return answer
                if progress is not None:
                    progress(answer["progress"])
        finally:
            with self._changing:
                self._waiting.pop(number, None)

    def _wait(self, waiting):
        while True:
            try:
                return waiting.get(timeout=1)  # without, Ctrl-C is not heard everywhere
            except queue.Empty:
                if self.dead and waiting.empty():
                    return None

    def close(self):
        """Ends the process."""
        try:
            self._process.stdin.close()
            self._process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()


_current, _starting = None, threading.Lock()
_inherited = []  # workers of the process that this one was forked from; they are left alone


def _worker():
    global _current
    path = program()
    with _starting:
        if _current is not None and (_current.dead or _current.path != path):
            _current.close()
            _current = None
        if _current is None:
            _current = _Worker(path)
        return _current


def _after_fork():
    global _current, _starting
    if _current is not None:
        _inherited.append(_current)
        _current._process.stdin.close()  # which is unbuffered: its worker ends with the process that started it
    _current, _starting = None, threading.Lock()


def _at_exit():
    if _current is not None and _current.pid == os.getpid():
        _current.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)


def run(args, files=None, table=None, progress=None):
    """What an octgen command prints, as bytes.

    Raises
    ------
    ValueError
        For what octgen takes for a mistake in the data or parameters (exit code 2).
    OctgenError
        For all else that goes wrong.
    KeyboardInterrupt
        If Ctrl-C ended the command before it had a result.
    """
    code, stdout, stderr = _worker().ask(args, files or {}, table, progress)
    if code == 0 or code == 130 and stdout:
        return stdout
    if code == 130:
        raise KeyboardInterrupt
    message = (stderr.strip().splitlines() or [f"exit code {code}"])[-1].replace("octgen: ", "", 1)
    raise (ValueError if code == 2 else OctgenError)(message)


def bar(limit):
    """A function that shows the progress of a fit from the third second on, by tqdm where it is there, and one that ends that."""
    shown = []

    def show(news):
        if news["seconds"] < 2:
            return
        if not shown:
            shown.append(_tqdm(total=limit, leave=False, bar_format="octgen {n:.0f} of {total:.0f} s{postfix}"))
        if shown[0] is not None:
            shown[0].n = min(news["seconds"], limit)
            shown[0].set_postfix_str(", ".join(f"{key} {news[key]:.6g}" for key in ("objective", "bound", "gap") if news[key] is not None))

    def end():
        for bar in shown:
            if bar is not None:
                bar.close()

    return show, end


def _tqdm(**settings):
    try:
        import tqdm
    except ImportError:
        return None
    if importlib.util.find_spec("ipywidgets"):  # without, tqdm's bars for notebooks warn
        from tqdm.auto import tqdm as kind
    else:
        kind = tqdm.tqdm
    return kind(**settings)


def watched():
    """Whether somebody looks: standard error is a terminal, or this is a notebook."""
    return sys.stderr is not None and sys.stderr.isatty() or "ipykernel" in sys.modules
