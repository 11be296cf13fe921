"""The OCR server and its reward beside their peers: `.venv-openenv/bin/python -m benchmarks.ocr`."""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pyarrow as pa
from pyarrow import parquet
from rapidfuzz.distance import Levenshtein
from rich.console import Console

from lattice_env.adapters.latex_ocr.light import LightClient
from lattice_env.families.latex_ocr.grammar import make_formula
from lattice_env.families.latex_ocr.settings import Settings
from lattice_env.families.latex_ocr.source import open_source
from lattice_env.keys import Choices
from lattice_env.verifier import transcription
from lattice_env.verifier.distance import edit_distance
from lattice_env.verifier.transcription import score

from .figures import Figure, Measure
from .table import table_of

NAME, PLAIN = "ocr", "plain OpenEnv server"
RATE = Measure(NAME, "episodes per second", PLAIN, "/s", 3.0, at_least=True)
WORK = Measure(NAME, "server's processor time an episode", PLAIN, "ms", 1 / 3)
DISTANCE = Measure(NAME, "edit distance", "rapidfuzz's", "us", 3.0)
SCORE = Measure(NAME, "score of an answer", "the same with rapidfuzz's distance", "us", 3.0)
WHOLE = Measure(NAME, "score of an answer", "rapidfuzz's distance alone", "us", 3.0, informative=True)
MEMORY = Measure(NAME, "memory with 100,000 rows", "their bytes in the file", "MB", 2.0)
ERRORS, SIGNS = (0.01, 0.05, 0.10), r"abcxyz0123+-=^_{}"
"""The share of characters that are left out, replaced or followed by another; what they are replaced by."""
SESSIONS, EPISODES, ROWS = (1, 16), 400, 100_000
ANSWER = r"\frac{a + b}{c} = \sum_{i = 1}^{n} x_{i}^{2} \le \sqrt{\alpha}"
READY_SECONDS = 300


def main() -> int:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ocr", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    options = parser.parse_args()
    figures = [*score_figures(), *server_figures(), memory_figure()]
    Console(highlight=False, width=180).print(table_of(figures))
    if options.json:
        options.json.write_text(json.dumps([figure.to_json() for figure in figures], indent=1) + "\n", "utf-8")
    return 0


# --- scores ----------------------------------------------------------------------------------------


def score_figures() -> Iterator[Figure]:
    """Distance and score of answers of 100, 500 and 5,000 characters, nearly right or of another formula."""
    text = " + ".join(make_formula(0, index) for index in range(600))
    for length in (100, 500, 5000):
        target = text[:length]
        answers = {f"{share:.0%} errors": mistaken(target, share) for share in ERRORS}
        answers["unrelated"] = text[7000 : 7000 + length]
        for name, answer in answers.items():
            yield from _score_figures(f"{length} characters, {name}", answer, target)


def mistaken(target: str, share: float) -> str:
    """`target` with scattered errors, always the same; one in the middle at least."""
    choices = Choices("benchmarks.ocr", str(len(target)), str(share))
    signs = list(target)
    for place in range(len(signs)):
        if choices.below(1000) < 1000 * share or place == len(signs) // 2:
            other = SIGNS[choices.below(len(SIGNS))]
            signs[place] = ("", other, signs[place] + other)[choices.below(3)]
    return "".join(signs)


def _score_figures(subject: str, answer: str, target: str) -> Iterator[Figure]:
    ours = best_seconds(lambda: edit_distance(answer, target)) * 1e6
    theirs = best_seconds(lambda: Levenshtein.distance(answer, target)) * 1e6
    whole = best_seconds(lambda: score(answer, target)) * 1e6
    with patch.object(transcription, "edit_distance", Levenshtein.distance):
        swapped = best_seconds(lambda: score(answer, target)) * 1e6
    yield Figure(DISTANCE, subject, ours, theirs)
    yield Figure(SCORE, subject, whole, swapped)
    yield Figure(WHOLE, subject, whole, theirs)


def best_seconds(call: Callable[[], object]) -> float:
    """Processor seconds of one call: the best of ten rounds of ten."""
    rounds = []
    for _ in range(10):
        started = time.thread_time()
        for _ in range(10):
            call()
        rounds.append((time.thread_time() - started) / 10)
    return min(rounds)


# --- servers ---------------------------------------------------------------------------------------


def server_figures() -> Iterator[Figure]:
    """Both servers at 1 and at 16 sessions, one after the other."""
    with serving("plain") as plain, serving("ours") as ours:
        for server in (plain, ours):
            play(server, max(SESSIONS))  # once without measuring: a server that trains serves its rows again and again
        for sessions in SESSIONS:
            theirs, mine = play(plain, sessions), play(ours, sessions)
            subject = f"{sessions} sessions"
            yield Figure(RATE, subject, mine[0], theirs[0])
            yield Figure(WORK, subject, mine[1], theirs[1])


@contextmanager
def serving(which: str) -> Iterator[tuple[str, int]]:
    """The address and the process of a server."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "benchmarks.plain_ocr", str(port), which]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        url, deadline = f"http://127.0.0.1:{port}", time.monotonic() + READY_SECONDS
        while not answers(f"{url}/health"):
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"the {which} server does not start")
            time.sleep(0.2)
        yield url, process.pid
        process.terminate()


def answers(url: str) -> bool:
    """Whether something answers there."""
    try:
        with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - our own server
            return True
    except (urllib.error.URLError, OSError):
        return False


def play(server: tuple[str, int], sessions: int) -> tuple[float, float]:
    """Episodes a second, and milliseconds of the server's processor time an episode."""
    url, pid = server

    def session(first: int) -> None:
        with LightClient(url) as client:
            for number in range(first, EPISODES, sessions):
                client.reset(index=number % 300)
                client.step(ANSWER)

    before, started = cpu_seconds(pid), time.perf_counter()
    with ThreadPoolExecutor(sessions) as pool:
        list(pool.map(session, range(sessions)))
    elapsed = time.perf_counter() - started
    return EPISODES / elapsed, (cpu_seconds(pid) - before) / EPISODES * 1000


def cpu_seconds(pid: int) -> float:
    """The processor time of a process, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- memory ----------------------------------------------------------------------------------------


def memory_figure() -> Figure:
    """What a process grows by that serves 100,000 rows of a Parquet file, over the bytes of their pictures."""
    train = open_source(Settings(dataset="builtin")).splits["train"]
    rows = [train.row(index) for index in range(train.size)]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "rows.parquet"
        whole = [rows[index % len(rows)] for index in range(ROWS)]
        table = pa.table({"image": [row.picture for row in whole], "text": [row.latex for row in whole]})
        parquet.write_table(table, path, use_dictionary=False)
        size = sum(len(row.picture) + len(row.latex) for row in whole)
        done = subprocess.run([sys.executable, "-c", _GROWN, str(path)], capture_output=True, text=True, check=True)
    return Figure(MEMORY, "Parquet, materialize", int(done.stdout) / 1e6, size / 1e6)


_GROWN = """
import resource, sys
from lattice_env.families.latex_ocr.settings import Settings
from lattice_env.families.latex_ocr.source import open_source
import pyarrow.parquet
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
before = resident()
split = open_source(Settings(dataset=sys.argv[1])).splits["train"]
assert split.size == 100_000 and split.row(99_999).picture
print(resident() - before)
"""

if __name__ == "__main__":
    sys.exit(main())
