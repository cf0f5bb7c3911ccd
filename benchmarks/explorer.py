"""The explorer over ten million rows of ten columns: what a person waits for, and what the process holds meanwhile.

Each figure is set against the limit that the project set itself, so a ratio below 1 keeps it. The first paint is that
of Chromium, beside a Streamlit script that shows the same: the models' shares, the table of two, the first fifty rows.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from benchmarks.measuring import Result, best

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
MODELS = ("knn", "tree", "forest")


def write_rows(path, n):
    """Ten columns: id, truth, three models, a confidence, a split, an age, a day and sixty characters of text."""
    import duckdb

    truth = "hash(i) % 10"
    columns = ["i AS id", f"'class_' || ({truth}) AS y_true"]
    for k, name in enumerate(MODELS):
        wrong = f"hash(i + {10 * (k + 1)}) % 10"
        columns.append(f"'class_' || (CASE WHEN hash(i + {k + 1}) % 10 < 8 THEN {truth} ELSE {wrong} END) AS {name}")
    columns += [
        "(hash(i + 77) % 1000000) / 1000000.0::DOUBLE AS confidence",
        "['train', 'test', 'val'][1 + (hash(i + 5) % 3)::INT] AS split",
        "(hash(i + 9) % 100)::INT AS age",
        "DATE '2020-01-01' + (hash(i + 3) % 1000)::INT AS day",
        "md5(i::VARCHAR) || ' ' || left(md5((i + 1)::VARCHAR), 27) AS text",
    ]
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT {', '.join(columns)} FROM range({n}) t(i)) TO '{path}' (FORMAT parquet, COMPRESSION zstd)"
        )


STREAMLIT = """
import sys
import duckdb, streamlit as st

path, models = sys.argv[1], sys.argv[2].split(",")

@st.cache_data
def asked(sql):
    return duckdb.sql(sql).df()

right = ", ".join(f"avg((y_true = {m})::INT) AS {m}" for m in models)
st.dataframe(asked(f"SELECT {right} FROM '{path}'"))
a, b = (f"y_true = {m}" for m in models[:2])
st.dataframe(asked(f"SELECT {a} AS a, {b} AS b, count(*) AS n FROM '{path}' GROUP BY ALL"))
st.dataframe(asked(f"SELECT * FROM '{path}' LIMIT 50"))
"""


class Streamlit:
    """The same page as a Streamlit script; its clock starts with its process."""

    shown = "document.querySelectorAll('[data-testid=stDataFrame] canvas').length >= 3"

    def __init__(self, path):
        script = Path(path).parent / "shown.py"
        script.write_text(STREAMLIT, encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.headless", "true"]
        command += ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.fileWatcherType", "none"]
        command += ["--browser.gatherUsageStats", "false", "--", str(path), ",".join(MODELS)]
        self.begun = time.perf_counter()
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{port}/"
        while not self._answers(port):
            time.sleep(0.01)

    def _answers(self, port):
        if self._process.poll() is not None:
            raise RuntimeError("Streamlit did not start")
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", port)) == 0

    def close(self):
        self._process.terminate()
        self._process.wait()


class Running:
    """The command, running; its clock starts with its process."""

    shown = "document.querySelectorAll('tbody tr').length >= 50"

    def __init__(self, path):
        command = [sys.executable, "-m", "tiebreak", "explore", str(path), "--models", ",".join(MODELS), "--no-open"]
        self.begun = time.perf_counter()
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self._process.stdout.readline().strip()

    def get(self, where=""):
        with urllib.request.urlopen(self.address + where) as answer:
            return len(answer.read())

    def seconds(self, addresses):
        """The shortest of several requests, over HTTP and with the whole page written."""
        times = []
        for where in addresses:
            begun = time.perf_counter()
            self.get(where)
            times.append(time.perf_counter() - begun)
        return min(times)

    def peak(self):
        status = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))

    def close(self):
        self._process.terminate()
        self._process.wait()


def painted(browser, running):
    """Open the page and wait until everything it shows has been drawn."""
    page = browser.new_page()
    page.goto(running.address)
    page.wait_for_function(running.shown)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.close()


def beside_streamlit(path, rows):
    """From the command, and once the server has the counts in memory, to a drawn page in the same browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        both, first = [], []
        try:
            painted(browser, Blank)
            for kind in (Running, Streamlit):
                both.append(kind(path))
                painted(browser, both[-1])
                first.append(time.perf_counter() - both[-1].begun)
            yield Result(f"{rows}: from the command to the first paint", *first, "Streamlit and its script", 1)
            again = best(*(lambda running=running: painted(browser, running) for running in both))
            yield Result(f"{rows}: a paint once the counts are known", *again, "Streamlit, its answers cached", 1)
        finally:
            for running in both:
                running.close()
            browser.close()


class Blank:
    """Nothing, drawn: the browser itself is started before anything is measured."""

    address, shown = "about:blank", "true"


def all_results(*, quick):
    n = 10**7 // (20 if quick else 1)
    half = n // 2
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        write_rows(path, n)
        Running(path).close()  # the file, and Python's own files, are read once before anything is measured
        running = Running(path)
        try:
            begun = time.perf_counter()
            running.get()
            first = time.perf_counter() - begun
            started = time.perf_counter() - running.begun
            rows = f"explorer, {n:.0e} rows × 10 columns"
            yield Result(f"{rows}: the first page once it answers", first, 1.0, "1 s", 1)
            yield Result(f"{rows}: from the command to the first page", started, 1.0, "1 s")
            # Each request has another place or another value, so that nothing is answered from memory.
            cell = running.seconds(f"?cell=right_wrong&after={k}00" for k in range(9))
            yield Result(f"{rows}: a cell's first 50 rows", cell, 0.1, "100 ms", 1)
            slices = [(test, value) for test in ("is", "is-not") for value in ("train", "test", "val")]
            counts = running.seconds(f"?column=split&test={test}&value={value}" for test, value in slices)
            yield Result(f"{rows}: counts by label of a slice, with its rows", counts, 0.15, "150 ms", 1)
            both = running.seconds(f"?cell=right_wrong&column=age&test=above&value={k}" for k in range(9))
            yield Result(f"{rows}: a cell in a slice, rows and counts", both, 0.25, "both limits together", 1)
            page = running.seconds(f"?after={half + 1000 * k}" for k in range(9))
            yield Result(f"{rows}: a page in file order after row {half:.0e}", page, 0.1, "100 ms", 1)
            back = running.seconds(f"?cell=wrong_right&before={half + 1000 * k}" for k in range(9))
            yield Result(f"{rows}: the page of a cell before row {half:.0e}", back, 0.1, "100 ms", 1)
            running.get("?text=abcdef")
            running.get("?sort=confidence&order=desc")
            yield Result(f"{rows}: peak memory, searched and sorted too", running.peak(), 500, "500 MB", 1, "MB")
        finally:
            running.close()
        if CHROMIUM:
            yield from beside_streamlit(path, rows)
        else:
            print("no Chromium here: the first paint was not measured beside Streamlit", file=sys.stderr)
