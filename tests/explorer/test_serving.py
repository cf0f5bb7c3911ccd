"""The command: one line with the address, the loopback only, and an end that leaves nothing behind."""

import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from explorer.running import RUN, running

OPTIONS = ("--truth", "label", "--models", "knn,tree,forest")


def get(address, **headers):
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 our own address
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_answers_at_the_printed_address_and_ends_without_a_trace(rows_file, tmp_path, sign):
    csv = tmp_path / "rows.csv"
    import duckdb

    duckdb.sql(f"COPY (FROM read_parquet('{rows_file}')) TO '{csv}' (FORMAT csv, HEADER)")
    temp = tmp_path / "temp"
    temp.mkdir()
    with running(str(csv), *OPTIONS, temp=temp) as explorer:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", explorer.address)
        assert list(temp.iterdir())
        status, page = get(explorer.address + "?cell=right_wrong")
        assert status == 200
        assert "knn" in page
        server = get(explorer.address.rsplit("/", 2)[0] + "/")
        assert server[0] == 403
        port = int(explorer.address.split(":")[2].split("/")[0])
        assert get(explorer.address, Host=f"evil.example:{port}")[0] == 400
        assert get(explorer.address, Host="127.0.0.1:1")[0] == 400
        assert get(explorer.address, Host=f"localhost:{port}")[0] == 200
        code, rest, errors = explorer.end(sign)
    assert code == 130
    assert rest == ""
    assert errors.splitlines() == [
        "tiebreak: rows.csv is no single Parquet file: 430 rows were written to a temporary one",
        "tiebreak: exploring; stop with Ctrl-C",
    ]
    assert list(temp.iterdir()) == []
    with pytest.raises(OSError):  # noqa: PT011 refused, or reset, as the system likes
        get(explorer.address)


def test_nobody_else_on_the_network_is_served(rows_file):
    with running(rows_file, *OPTIONS, "--quiet") as explorer:
        port = int(explorer.address.split(":")[2].split("/")[0])
        names = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        for address in names - {"127.0.0.1"}:
            with socket.socket() as other:
                other.settimeout(2)
                assert other.connect_ex((address, port)) != 0
        assert explorer.end() == (130, "", "")


def test_an_interrupt_stops_a_question_that_runs(rows_file, tmp_path):
    import threading

    with running(rows_file, *OPTIONS, temp=tmp_path) as explorer:
        asked = threading.Thread(target=lambda: _quietly(explorer.address + "export.parquet"))
        asked.start()
        assert explorer.end()[0] == 130
        asked.join(10)
    assert list(tmp_path.iterdir()) == []


def _quietly(address):
    try:
        get(address)
    except OSError:
        return


def call(*arguments):
    return subprocess.run(
        [sys.executable, "-c", RUN, "explore", *arguments], capture_output=True, text=True, timeout=60
    )


def test_a_port_in_use_is_one_line_and_a_second_explorer_takes_another(rows_file):
    with running(rows_file, *OPTIONS) as first, running(rows_file, *OPTIONS) as second:
        port = first.address.split(":")[2].split("/")[0]
        done = call(rows_file, *OPTIONS, "--no-open", "--port", port)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr == (
            f"tiebreak: port {port} is in use: choose another with --port, or leave it out for any free one\n"
        )
        assert get(first.address)[0] == get(second.address)[0] == 200
        assert get(first.address.rsplit("/", 2)[0] + "/" + second.address.rsplit("/", 2)[1] + "/")[0] == 403


def test_a_chosen_port_is_used(rows_file):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with running(rows_file, *OPTIONS, "--port", str(port)) as explorer:
        assert explorer.address.startswith(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.parquet",), "'nowhere.parquet' does not exist"),
        (("FILE", "--truth", "nothing"), "truth names 'nothing'"),
        (("FILE", "--port", "70000"), "70000 is not in the range"),
        (("FILE", *OPTIONS, "--memory-limit", "lots"), "memory_limit is 'lots'"),
    ],
)
def test_a_wrong_call_is_one_line(rows_file, tmp_path, arguments, said):
    done = call(*(rows_file if argument == "FILE" else argument for argument in arguments), "--no-open")
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_the_extra_it_says_what_to_install(rows_file):
    code = "import sys; sys.modules['starlette'] = None; from tiebreak.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "explore", rows_file], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert "pip install 'tiebreak[explore]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch):
    from tiebreak.explorer import serving

    opened = []
    monkeypatch.setattr(serving.webbrowser, "open", opened.append)
    monkeypatch.setattr(serving.sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    serving._open("http://127.0.0.1:1/token/")
    assert opened == []
    monkeypatch.setenv("DISPLAY", ":0")
    serving._open("http://127.0.0.1:1/token/")
    assert opened == ["http://127.0.0.1:1/token/"]
