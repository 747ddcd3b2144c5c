"""The ``gamecore`` command: list, run, compile, audit and judge the experiments.

What an action needs is imported when it runs: help comes at once, and Ctrl-C is heeded early.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import nullcontext

from gamecore import interrupt

TYPE_CHECKING = False  # to import it from typing would take longer than all of this
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from concurrent.futures import Executor
    from typing import Any

    import pandas as pd

    from gamecore.papers.experiment import Experiment


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code (2: bad input, 1: a difference was found).

    Parameters
    ----------
    arguments : sequence of str, optional
        What a terminal would pass; its own command line by default.

    Examples
    --------
    >>> main(["audit", "rps/theory", "--chunks", "1"])
    rps/theory: recomputing fingerprints and 1 chunk
    1 row compared, 1 computed now and 0 from finished chunks: all as stored, bit for bit
    0
    """
    interrupt.HAPPENED.clear()
    try:
        if arguments is None:  # nothing else is in this process
            interrupt.heed()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # no locale is too poor to be written to
                stream.reconfigure(errors="replace")
        from gamecore.arguments import parser

        options = parser().parse_args(arguments)
        return ACTIONS[options.action](options)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of a pipe has left: nothing more to say
        return 0
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) or "told" in interrupt.HAPPENED:
            interrupt.say()
            sys.stdout.flush()
            return 130
        kernel: Any = sys.modules.get("gamecore.kernel")
        sentence = kernel and kernel.cache_trouble(error)
        if not sentence and not isinstance(error, ValueError | OSError):
            raise
        print(f"gamecore: {sentence or error}", file=sys.stderr)
        return 2


def _chosen(name: str, extra: bool = True) -> list[Experiment]:
    """Return the experiments meant by a name: one, all of a game, or all; studies come last."""
    from gamecore.papers import experiment

    if name == "all" or name in experiment.games():
        every = sorted(map(experiment.find, experiment.names()), key=lambda e: e.extra)
        return [
            e for e in every if (extra or not e.extra) and name in ("all", e.name.split("/")[0])
        ]
    return [experiment.find(name)]


def _known(game: str | None) -> str | None:
    """Return a game's name, or None for all, or raise a ValueError."""
    from gamecore.papers import experiment

    if game is not None and game not in experiment.games():
        raise ValueError(f"no game {game!r}: choose from {', '.join(experiment.games())}")
    return game


def _list(options: argparse.Namespace) -> int:
    from textwrap import fill

    from gamecore.papers import experiment, store
    from gamecore.papers.published import data_folder

    known = (data_folder() / "reproduction.csv").exists()
    columns = "experiment", "cpu_seconds"
    took = dict(store.measured("reproduction", *columns)[[*columns]].values) if known else {}
    print(f"{'experiment':34}{'games':>11}{'one core':>11}  {'stored':8}kind")
    for name in experiment.names(_known(options.game)):
        e = experiment.find(name)
        games = f"{len(e.cells) * e.paper * e.games:,}"
        time = _duration(took[name]) if name in took else "?"
        stored = "yes" if store.has_stored(name) else "no"
        print(f"{name:34}{games:>11}{time:>11}  {stored:8}{'study' if e.extra else 'paper'}")
        if options.game:
            about, *_ = (e.play.__doc__ or "").strip().splitlines()
            print(fill(about, 80, initial_indent="    ", subsequent_indent="    "))
    return 0


def _duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 1:
        return "< 1 s"
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _some(number: int, word: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _run(options: argparse.Namespace) -> int:
    from gamecore.check import whole
    from gamecore.papers import cluster, files

    if options.workers is not None:
        whole(options.workers, "--workers", 1)
    if options.seed is not None:
        whole(options.seed, "--seed", 0, 2**63 - 1)
    if options.dask is not None and options.workers is not None:
        raise ValueError("--workers counts threads here; with --dask, start 'dask worker' oftener")
    if options.check and options.seed is not None:
        raise ValueError("--check compares with stored rows, which have a seed of their own")
    chosen = _chosen(options.name, options.extra)
    if options.report is not None:
        files.try_file(options.report)  # now, not after hours
    with nullcontext() if options.dask is None else cluster.connect(options.dask) as executor:
        return _run_all(options, chosen, executor)


def _run_all(
    options: argparse.Namespace, chosen: list[Experiment], executor: Executor | None
) -> int:
    import pandas as pd

    from gamecore.papers import experiment, files, runner, store

    complaints: list[str] = []
    report: list[dict] = []
    asked = compared = made = reused = 0
    root = experiment.ROOT if options.seed is None else options.seed
    for number, e in enumerate(chosen, 1):
        start = time.perf_counter()
        rows = runner.run(e, options.scale, root=root, workers=options.workers, executor=executor)
        wall, cpu, before = time.perf_counter() - start, rows.attrs["seconds"], rows.attrs["reused"]
        count = f"{number} of {len(chosen)}, " if len(chosen) > 1 else ""
        origin = f"{_some(len(rows) - before, 'row')} computed now, {before:,} from finished chunks"
        if root != experiment.ROOT:
            print(f"{e.name}: {count}{origin}; seed {root}, not stored")
            print(rows.to_string(index=False))
            continue
        found, there = store.differences(e, rows), store.has_stored(e.name)
        state = f"{len(found)} differ from stored" if there else "new"
        print(f"{e.name}: {count}{origin}, {state}, {cpu:.1f} s of one core", flush=True)
        complaints += found
        asked, compared = asked + len(e.pairs(options.scale)), compared + len(rows) * there
        made, reused = made + len(rows) - before, reused + before
        report.append({"experiment": e.name, "extra": e.extra, "rows": len(rows),
                       "games": rows["games"].sum(), "cpu_seconds": round(cpu, 1),
                       "wall_seconds": round(wall, 1), "differ": len(found)})  # fmt: skip
        if options.report:
            table = pd.DataFrame(report).assign(machine=store.machine())
            files.write_file(options.report, table.to_csv(index=False))
        if options.scale == "paper" and found and not options.check:
            store.store(e, rows)
            print(f"  stored in {store.file_of(e)}")
    if options.check:
        return _verdict(complaints + _strays(options.name), asked, compared, made, reused)
    if len(chosen) == 1 and root == experiment.ROOT:
        _summary(chosen[0], rows)
    elif root == experiment.ROOT:
        print("what they say on the papers: gamecore scoreboard")
    return 0


def _summary(e: Experiment, rows: pd.DataFrame) -> None:
    """Print what a run has measured: the means of each cell, and verdicts that rest on them."""
    from gamecore.papers import scoreboard, store
    from gamecore.papers.published import data_folder

    keys = list(e.cells[0])
    means = rows.drop(columns=["chunk", "games"]).groupby(keys, sort=False).mean(numeric_only=True)
    shown = means.head(12).to_string(max_cols=6, line_width=80, float_format="{:.4g}".format)
    print(f"means over chunks ({min(len(means), 12)} of {_some(len(means), 'cell')}):\n{shown}")
    game = e.name.split("/")[0]
    if store.has_stored(e.name) and (data_folder() / "published" / f"{game}.csv").exists():
        board = scoreboard.board(game)
        _print_rows(board[board.source == e.name].head(20))


def _print_rows(board: pd.DataFrame) -> None:
    """Print rows of a scoreboard in at most 80 columns."""
    print(f"{'published row':38}{'paper':>10}{'ours':>10}  verdict")
    for row in board.itertuples():
        numbers = (row.value, row.ours)  # what is rounding alone is shown as 0
        paper, ours = ("" if x != x or x is None else f"{round(x, 9):.6g}" for x in numbers)
        mark = f" ({row.apart})" if row.apart else ""
        print(_short(f"{_short(row.id, 37):38}{paper:>10}{ours:>10}  {row.verdict}{mark}", 80))


def _compile(options: argparse.Namespace) -> int:
    """Compile games in processes of their own, since numba uses one core of each."""
    import shutil
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import active_children, get_context

    from tqdm import tqdm

    from gamecore.check import whole
    from gamecore.kernel import PACKAGE, cache_folder
    from gamecore.papers import experiment

    chosen = [str(_known(game)) for game in options.games] or experiment.games()
    if options.workers is not None:
        whole(options.workers, "--workers", 1)
    folder = cache_folder()
    if folder is None:
        raise ValueError("compiled kernels cannot be kept here: set NUMBA_CACHE_DIR to a folder")
    if options.fresh:
        for outdated in folder.glob("gamecore.*"):
            shutil.rmtree(outdated, ignore_errors=True)
    workers = min(options.workers or os.cpu_count() or 1, len(chosen))
    start = time.perf_counter()
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        # The games with most code first: one of them, begun last, would keep one core busy alone.
        chosen.sort(key=lambda game: -sum(f.stat().st_size for f in (PACKAGE / game).glob("*.py")))
        with interrupt.deaf():
            begun = [pool.submit(experiment.rehearse, game) for game in chosen]
        try:
            for done in tqdm(as_completed(begun), "compile", len(begun), unit="game", leave=False):
                tqdm.write(f"{done.result()}: ready after {time.perf_counter() - start:.0f} s")
        except KeyboardInterrupt:  # do not wait for games that are begun: their kernels are kept
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.kill()
            raise
    print(f"compiled kernels are in {folder}")
    return 0


def _audit(options: argparse.Namespace) -> int:
    from gamecore.check import whole
    from gamecore.papers import store

    whole(options.chunks, "--chunks", 1)
    complaints: list[str] = []
    asked = made = 0
    for e in _chosen(options.name):
        wanted = min(options.chunks, len(e.pairs("paper")))
        print(f"{e.name}: recomputing fingerprints and {_some(wanted, 'chunk')}", flush=True)
        count, found = store.audit(e, options.chunks)
        complaints += found
        asked, made = asked + wanted, made + count
    return _verdict(complaints + _strays(options.name), asked, made, made)


def _strays(name: str) -> list[str]:
    """Return complaints on stored files that nobody could have compared."""
    from gamecore.papers import experiment, store

    if name == "all":
        return store.strays()
    return store.strays(name) if name in experiment.games() else []


def _verdict(complaints: list[str], asked: int, compared: int, made: int, reused: int = 0) -> int:
    """Say what was checked and what is wrong with it; a check of less than was asked is wrong."""
    print(*complaints, sep="\n", end="\n" if complaints else "")
    origin = f"{made:,} computed now and {reused:,} from finished chunks"
    said = f"{_some(compared, 'row')} compared, {origin}"
    if complaints or compared != asked or not asked:
        print(f"{said}, of {asked:,} asked for: {_some(len(complaints), 'complaint')}")
        return 1
    print(f"{said}: all as stored, bit for bit")
    return 0


def _play(options: argparse.Namespace) -> int:
    import importlib
    import secrets

    from gamecore import terminal

    game, seed = str(_known(options.game)), options.seed
    if options.against is None:
        names = ", ".join(importlib.import_module(f"gamecore.{game}").PLAYERS)
        raise ValueError(f"against whom? --against {names}")
    moves = [move.strip() for move in options.moves.split(";") if move.strip()]
    seed = secrets.randbelow(10**6) if seed is None else seed  # told when one leaves
    terminal.play(game, options.against, options.seat, seed, moves)
    return 0


def _solve(options: argparse.Namespace) -> int:
    from gamecore.papers import solving

    start = time.process_time()
    file, told = solving.solve(options.game, options.sizes, options.out, options.workers)
    print(f"{told}\n{time.process_time() - start:.1f} s of processor time; written to {file}")
    return 0


def _scoreboard(options: argparse.Namespace) -> int:
    from gamecore.papers import scoreboard, stats

    table = scoreboard.board(_known(options.game))
    if options.verdict is not None:
        if options.verdict not in stats.VERDICTS:
            known = ", ".join(stats.VERDICTS)
            raise ValueError(f"no verdict {options.verdict!r}: choose from {known}")
        table = table[table.verdict == options.verdict]
    if options.format != "text" and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # programs read it, in any locale
    if options.format == "csv":
        print(table.to_csv(index=False), end="")
    elif options.format == "json":
        print(table.to_json(orient="records", indent=1, force_ascii=False))
    else:
        _print_rows(table)
        if options.verdict is None and options.game != scoreboard.PRACTICE:
            counts = scoreboard.tally(table).T
            print("\n" + counts.to_string() + "\n")
            print(*scoreboard.headline(table), sep="\n")
    return 0


ACTIONS = {
    "list": _list, "run": _run, "compile": _compile, "audit": _audit, "scoreboard": _scoreboard,
    "play": _play, "solve": _solve,
}  # fmt: skip
