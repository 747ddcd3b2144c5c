"""The command as a person meets it."""

import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

import gamecore
from gamecore import cli
from gamecore.papers import experiment, published, store
from tests.reference import geister as reference


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A data folder of one's own, with the practice report in it."""
    folder = tmp_path / "data"
    (folder / "published").mkdir(parents=True)
    source = published.data_folder() / "published" / "rps.csv"
    (folder / "published" / "rps.csv").write_text(source.read_text())
    monkeypatch.setenv("GAMECORE_DATA", str(folder))
    return folder


def test_help_teaches(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    for word in ("examples:", "gamecore run rps/practice", "audit", "scoreboard"):
        assert word in text


def test_list_shows_what_is_stored(data, capsys):
    assert cli.main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["experiment", "games", "one", "core", "stored", "kind"]
    [practice] = [line for line in lines if "rps/practice" in line]
    assert practice.split()[1:] == ["150,000", "?", "no", "paper"]
    assert cli.main(["list", "rps"]) == 0
    described = capsys.readouterr().out
    assert "Wins, draws and losses" in described
    assert "geister" not in described
    assert max(map(len, [*lines, *described.splitlines()])) <= 80


def test_help_comes_at_once():
    """Nothing heavy is imported for it."""
    code = "import sys, gamecore.cli; print({'numba', 'pandas'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"


def test_a_check_says_what_it_computed_and_what_it_read(data, capsys):
    assert cli.main(["run", "rps/theory"]) == 0
    capsys.readouterr()
    assert cli.main(["run", "rps/theory", "--check"]) == 0
    told = "1 row compared, 0 computed now and 1 from finished chunks: all as stored, bit for bit"
    assert told in capsys.readouterr().out
    shutil.rmtree(store.runs_folder())
    assert cli.main(["run", "rps/theory", "--check"]) == 0
    assert "1 row compared, 1 computed now and 0 from finished chunks:" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["audit"], ["audit", "rps"], ["run", "rps", "--check"]])
def test_a_check_without_anything_to_compare_with_fails(data, capsys, arguments):
    assert cli.main([*arguments]) == 1
    text = capsys.readouterr().out
    assert f"rps/theory: no stored results in {data / 'results' / 'rps' / 'theory.csv'}" in text
    assert "0 rows compared, " in text
    assert "bit for bit" not in text


def test_a_check_of_less_than_was_asked_fails(capsys):
    """Also when nobody has complained."""
    assert cli._verdict([], asked=3, compared=2, made=2) == 1
    assert cli._verdict([], asked=0, compared=0, made=0) == 1
    assert cli._verdict([], asked=3, compared=3, made=1, reused=2) == 0
    told = capsys.readouterr().out.splitlines()
    chunks = "from finished chunks"
    assert (
        told[0] == f"2 rows compared, 2 computed now and 0 {chunks}, of 3 asked for: 0 complaints"
    )
    assert told[2] == f"3 rows compared, 1 computed now and 2 {chunks}: all as stored, bit for bit"


@pytest.mark.parametrize("arguments", [["audit", "rps"], ["run", "rps", "--check"]])
def test_a_stored_file_of_no_experiment_fails_every_check(data, capsys, arguments):
    assert cli.main(["run", "rps"]) == 0
    stray = data / "results" / "rps" / "forgotten.csv"
    stray.write_text("a,b\n1,2\n")
    assert cli.main(arguments) == 1
    assert f"{stray} belongs to no experiment" in capsys.readouterr().out


def test_scoreboard_of_one_game_and_verdict_in_eighty_columns(capsys):
    assert cli.main(["scoreboard", "geister"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines[: lines.index("")])) <= 80
    assert cli.main(["scoreboard", "rps", "--verdict", "differs"]) == 0
    assert capsys.readouterr().out.count("differs") == 3


def test_run_stores_checks_and_audits(data, capsys):
    assert cli.main(["run", "rps/practice", "--workers", "2"]) == 0
    assert "150 rows computed now, 0 from finished chunks, new" in capsys.readouterr().out
    assert cli.main(["run", "rps/practice", "--scale", "quick"]) == 0
    assert "0 rows computed now, 15 from finished chunks, 0 differ" in capsys.readouterr().out
    assert cli.main(["run", "rps", "--check"]) == 1  # rps/theory is not stored yet
    assert "rps/theory: no stored results in" in capsys.readouterr().out
    assert cli.main(["run", "rps"]) == 0
    assert cli.main(["audit", "rps", "--chunks", "1"]) == 0
    assert "bit for bit" in capsys.readouterr().out
    file = store.file_of(experiment.find("rps/practice"))
    file.write_text(file.read_text() + "rocky,paper,0,1000,1,2,997\n")  # of a cell that is gone
    for check in (["--check"], ["--check", "--scale", "quick"]):
        assert cli.main(["run", "rps/practice", *check]) == 1
        assert f"damaged file {file} (its sha256" in capsys.readouterr().out
    assert cli.main(["scoreboard", "rps"]) == 2  # it would move the scoreboard
    assert f"damaged file {file} (its sha256" in capsys.readouterr().err
    assert cli.main(["run", "rps/practice"]) == 0
    assert "paper" not in file.read_text()
    capsys.readouterr()
    file.write_text(file.read_text().replace(",1000,", ",1001,"))
    assert cli.main(["audit", "rps/practice", "--chunks", "1"]) == 1
    assert "not stored" in capsys.readouterr().out


def test_another_seed_is_shown_and_not_stored(data, capsys):
    assert cli.main(["run", "rps/practice", "--scale", "quick", "--seed", "5"]) == 0
    assert "copycat" in capsys.readouterr().out
    assert not (data / "results").exists()


def test_scoreboard_in_three_formats(data, capsys):
    assert cli.main(["scoreboard"]) == 0
    assert "not attempted" in capsys.readouterr().out
    assert cli.main(["run", "rps"]) == 0
    capsys.readouterr()
    assert cli.main(["scoreboard"]) == 0
    assert "exact" in capsys.readouterr().out
    assert cli.main(["scoreboard", "--format", "csv"]) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert cli.main(["scoreboard", "--format", "json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert len(table) == len(records) == len(published.load("rps"))
    assert {"id", "value", "ours", "verdict", "z"} <= set(table.columns)
    assert (table.verdict != "not attempted").all()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["run", "rps/practise"], "did you mean rps/practice"),
        (["run", "rps/practice", "--workers", "0"], "--workers must be a whole number from 1"),
        (["run", "rps/practice", "--seed", "-3"], "--seed must be a whole number from 0"),
        (["run", "rps/practice", "--report", "/dev/null"], "/dev/null: it is there already"),
        (["run", "rps/practice", "--report", "/dev/null/x"], "cannot write /dev/null/x"),
        (["run", "rps/practice", "--check", "--seed", "5"], "a seed of their own"),
        (["audit", "rps", "--chunks", "0"], "--chunks must be a whole number from 1"),
        (["list", "chess"], "no game 'chess'"),
        (["scoreboard", "chess"], "no game 'chess'"),
        (["scoreboard", "--verdict", "nice"], "no verdict 'nice'"),
        (["audit", "chess"], "no experiment is called 'chess'"),
        (["compile", "chess"], "no game 'chess': choose from"),
        (["compile", "rps", "--workers", "0"], "--workers must be a whole number from 1"),
        (["solve", "chess", "8", "8"], "no board of 'chess' to solve: choose from geister"),
        (["solve", "geister", "4", "4"], "geister needs WIDTH HEIGHT BLUES REDS, as in"),
        (["solve", "geister", "3", "3", "1", "1", "--workers", "0"], "--workers must be a whole"),
        (["solve", "geister", "3", "3", "1", "1", "--out", "/dev/null/x"], "cannot write"),
    ],
)
def test_bad_input_is_one_clear_line_and_code_2(data, capsys, arguments, complaint):
    assert cli.main(arguments) == 2
    text = capsys.readouterr().err
    assert complaint in text
    assert text.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["run"], ["dance"], ["run", "x", "--scale", "big"]])
def test_bad_usage_is_code_2(arguments):
    with pytest.raises(SystemExit) as stop:
        cli.main(arguments)
    assert stop.value.code == 2


def test_compile_fills_the_cache_and_makes_it_anew(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert cli.main(["compile", "rps"]) == 0
    assert "rps: ready after" in capfd.readouterr().out
    kept = [file.name for file in tmp_path.rglob("*.nbc")]
    assert any("_match" in name for name in kept)
    for outdated in tmp_path.rglob("*.nbc"):
        outdated.write_bytes(b"damaged")
    assert cli.main(["compile", "rps", "--fresh"]) == 0
    assert all(file.stat().st_size > 1000 for file in tmp_path.rglob("*.nbc"))


#: A shell shows 130 for both: Python ends by the signal itself if an import was executing a string
#: (a dataclass) when it came, even though the interruption was caught and said.
INTERRUPTED = {130, -signal.SIGINT}


def test_solve_writes_what_brute_force_finds_and_seals_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["solve", "geister", "3", "3", "2", "1", "--workers", "2"]) == 0
    assert "s of processor time; written to geister-3x3-2+1.csv" in capsys.readouterr().out
    slow = reference.brute_force_retrograde(3, 3, 2, 1)
    wins, losses = slow.histogram(reference.WIN), slow.histogram(reference.LOSS)
    text = (tmp_path / "geister-3x3-2+1.csv").read_text()
    table = pd.read_csv(io.StringIO(text), comment="#").set_index("depth")
    assert {d: n for d, n in table.wins.items() if n} == wins
    assert {d: n for d, n in table.losses.items() if n} == losses
    *lines, seal = text.splitlines(keepends=True)
    assert seal == f"# sha256 {hashlib.sha256(''.join(lines).encode()).hexdigest()}\n"


def test_solve_triomineering_where_one_says(tmp_path, capsys):
    file = tmp_path / "board.csv"
    assert cli.main(["solve", "triomineering", "8", "4", "--out", str(file)]) == 0
    assert "8×4 board of triomineering: outcome VD, worth 0.75 to V" in capsys.readouterr().out
    assert file.read_text().splitlines()[:2] == ["rows,columns,value,outcome", "8,4,0.75,VD"]


def test_a_board_too_big_for_memory_is_refused_and_nothing_is_written(tmp_path, capsys):
    file = tmp_path / "board.csv"
    assert cli.main(["solve", "geister", "6", "6", "4", "4", "--out", str(file)]) == 2
    assert "GB, more than the" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_control_c_ends_a_solution_with_a_sentence(tmp_path):
    """Of a board that takes many seconds; nothing is left behind."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gamecore", "solve", "geister", "5", "5", "2", "2"], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, start_new_session=True,
    )  # fmt: skip
    time.sleep(4)
    interrupted(process, 1)
    assert process.returncode in INTERRUPTED
    assert not list(tmp_path.iterdir())


def test_control_c_stops_compiling_at_once(tmp_path):
    process = subprocess.Popen([sys.executable, "-m", "gamecore", "compile", "geister"],
                               env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
                               stderr=subprocess.PIPE, text=True)  # fmt: skip
    deadline = time.time() + 60
    while not list(tmp_path.rglob("*.nbc")) and time.time() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    text = process.communicate(timeout=8)[1]  # the rest of the game takes far longer
    assert process.returncode in INTERRUPTED
    assert "run it again to go on" in text
    assert "Traceback" not in text


def command(*arguments, **environment):
    """Start the command as a terminal does, in a group of its own, all of which hears Ctrl-C."""
    return subprocess.Popen([sys.executable, "-m", "gamecore", *arguments], text=True,
                            env={**os.environ, **environment}, start_new_session=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def interrupted(process, times=1):
    """Press Ctrl-C; return the seconds until the process and its children have ended."""
    for _ in range(times):
        os.killpg(process.pid, signal.SIGINT)
        start = time.monotonic()
        time.sleep(0.2)
    text = process.communicate(timeout=30)[1]
    assert text.count("run it again to go on") == 1, text
    assert "Traceback" not in text
    assert "Error" not in text
    return time.monotonic() - start


@pytest.mark.parametrize("pause", [0.3, 0.6, 1.0, 2.0])
def test_control_c_while_the_command_starts(pause):
    """During imports, and in a kernel, an audit ends in a sentence within two seconds."""
    process = command("audit", "triomineering", "--chunks", "9")
    time.sleep(pause)
    assert interrupted(process) < 2.5  # half a second for a machine with other work
    assert process.returncode in INTERRUPTED


WITHIN = """
import sys, time
from gamecore import cli
from gamecore.kernel import kernel

@kernel
def busy(n):
    x = 1
    for i in range(n):
        x = (x * 25214903917 + i) % 281474976710597
    return x

busy(1)
cli.ACTIONS["list"] = lambda options: busy(20_000_000_000)
sys.argv = ["gamecore", "list"]
print("ready", flush=True)
sys.exit(cli.main())
"""


@pytest.mark.parametrize("times", [1, 2])
def test_control_c_ends_a_command_inside_a_kernel_and_the_second_at_once(tmp_path, times):
    script = tmp_path / "within.py"
    script.write_text(WITHIN)
    process = subprocess.Popen([sys.executable, str(script)], text=True, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    took = interrupted(process, times)
    assert took < 2.5 if times == 1 else took < 1
    assert process.returncode in INTERRUPTED


@pytest.mark.parametrize(
    "arguments",
    [["list", "geister"], ["scoreboard"], ["scoreboard", "--format", "json"], ["--help"],
     ["run", "rps/theory", "--check"], ["run", "geister/nothing"]],
)  # fmt: skip
def test_output_in_the_poorest_locale(arguments, tmp_path):
    poor = {"LC_ALL": "C", "PYTHONUTF8": "0", "GAMECORE_RUNS": str(tmp_path)}
    told = subprocess.run([sys.executable, "-m", "gamecore", *arguments], capture_output=True,
                          env={**os.environ, **poor})  # fmt: skip
    assert told.returncode == (2 if arguments[-1] == "geister/nothing" else 0), told.stderr
    assert b"codec" not in told.stderr
    if "json" in arguments:
        assert len(json.loads(told.stdout)) > 600


def test_a_report_is_tried_before_anything_is_computed(data, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("gamecore.papers.runner.run", lambda *a, **k: pytest.fail("computed"))
    os.mkfifo(tmp_path / "pipe")
    assert cli.main(["run", "rps/theory", "--report", str(tmp_path / "pipe")]) == 2
    assert f"cannot write {tmp_path / 'pipe'}: it is there already" in capsys.readouterr().err
    assert (tmp_path / "pipe").is_fifo()


def test_damaged_tables_of_times_are_named(data, capsys):
    (data / "reproduction.csv").write_bytes(b"\xff\x00,")
    assert cli.main(["list"]) == 2
    assert f"damaged file {data / 'reproduction.csv'}" in capsys.readouterr().err


def test_without_data_there_is_no_scoreboard_but_the_rest_works(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("GAMECORE_DATA", str(tmp_path / "gone"))
    assert cli.main(["scoreboard"]) == 2
    assert "no data folder" in capsys.readouterr().err
    assert cli.main(["list"]) == 0
    assert "  no " in capsys.readouterr().out
    assert cli.main(["run", "rps/practice", "--scale", "quick"]) == 0
    assert "15 rows computed now, 0 from finished chunks, new" in capsys.readouterr().out


def test_results_that_came_installed_are_not_overwritten(monkeypatch, capsys, tmp_path):
    installed = tmp_path / "site" / "data"
    installed.mkdir(parents=True)
    for module in (published, store):
        monkeypatch.setattr(module, "INSTALLED", installed)
    monkeypatch.delenv("GAMECORE_DATA", raising=False)
    monkeypatch.setenv("GAMECORE_RUNS", str(tmp_path / "runs"))
    assert cli.main(["run", "rps/theory"]) == 2
    assert "set GAMECORE_DATA to a folder of your own" in capsys.readouterr().err
    assert not list(installed.iterdir())
    monkeypatch.delenv("GAMECORE_RUNS")
    assert not store.runs_folder().is_relative_to(tmp_path)


def test_version_three_ways(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    told = subprocess.run([sys.executable, "-m", "gamecore", "--version"], capture_output=True,
                          text=True, check=True).stdout  # fmt: skip
    assert capsys.readouterr().out == told == f"gamecore {gamecore.__version__}\n"


def test_control_c_in_the_terminal(data):
    code = (
        "import time, sys; from gamecore import cli; from gamecore.papers import experiment\n"
        "@experiment.experiment('rps/slow', cells=[{'a': 1}], games=1, quick=1, paper=400)\n"
        "def slow(*a):\n"
        "    'Slow.'\n"
        "    time.sleep(0.05); return {'x': 1}\n"
        "sys.exit(cli.main(['run', 'rps/slow', '--workers', '2']))"
    )
    process = subprocess.Popen([sys.executable, "-c", code], env=os.environ.copy(),
                               stderr=subprocess.PIPE, text=True)  # fmt: skip
    deadline = time.time() + 60
    while not list(data.parent.rglob(".runs/rps/slow/*.json")) and time.time() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    text = process.communicate(timeout=60)[1]
    assert process.returncode in INTERRUPTED
    assert "run it again to go on" in text
    assert "Traceback" not in text


def test_report_of_times_and_differences(data, tmp_path):
    report = tmp_path / "times.csv"
    assert cli.main(["run", "rps/theory", "--check", "--report", str(report)]) == 1
    assert cli.main(["run", "rps/theory"]) == 0
    assert cli.main(["run", "rps/theory", "--check", "--report", str(report)]) == 0
    row = pd.read_csv(report).iloc[0]
    assert (row.experiment, row.rows, row.games, row.differ) == ("rps/theory", 1, 1, 0)
    assert "cores" in row.machine
    assert row.cpu_seconds >= 0
