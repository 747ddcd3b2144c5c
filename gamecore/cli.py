"""The ``gamecore`` command: list, run, compile, audit and judge the experiments."""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from multiprocessing import active_children, get_context
from pathlib import Path

import pandas as pd
from tqdm import tqdm

import gamecore
from gamecore.kernel import PACKAGE, cache_folder
from gamecore.papers import cluster, experiment, runner, scoreboard, store

EXAMPLES = """
examples:
  gamecore list                                  what can be run, and what is stored
  gamecore run rps/practice --scale quick        a taste, compared with the stored rows
  gamecore run rps/practice                      the whole experiment; Ctrl-C and run again resumes
  gamecore run all --check                       recompute every table, change nothing, compare
  gamecore run all --dask tcp://host:8786        every table, on the workers of a cluster
  gamecore compile                               all kernels now, so that nothing waits later
  gamecore audit --chunks 5                      recompute random chunks of everything stored
  gamecore scoreboard --format csv > board.csv   every published number beside ours
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code (2: bad input, 1: a difference was found).

    Parameters
    ----------
    arguments : sequence of str, optional
        What a terminal would pass; its own command line by default.

    Examples
    --------
    >>> main(["audit", "rps/theory", "--chunks", "1"])
    rps/theory: recomputing fingerprints and 1 chunks
    everything recomputed equals what is stored, bit for bit
    0
    """
    options = _parser().parse_args(arguments)
    try:
        return options.action(options)
    except KeyboardInterrupt:
        print("interrupted: what is finished is kept, run it again to go on", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # the reader of a pipe has left: nothing more to say
        return 0
    except (ValueError, OSError) as error:
        print(f"gamecore: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gamecore", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"gamecore {gamecore.__version__}")
    actions = parser.add_subparsers(
        required=True, metavar="list | run | compile | audit | scoreboard"
    )

    listing = actions.add_parser("list", help="show every experiment, its size, what is stored")
    listing.set_defaults(action=_list)

    running = actions.add_parser("run", help="run an experiment, resuming what is finished")
    option = running.add_argument
    option("name", help="an experiment as shown by 'gamecore list', a game, or all")
    option("--scale", choices=("quick", "paper"), default="paper",
           help="quick: the first chunks only; paper (default): all, and store")  # fmt: skip
    option("--workers", type=int, metavar="N", help="threads (default: all cores)")
    option("--dask", metavar="ADDRESS",
           help="play on the workers of this Dask scheduler, such as tcp://host:8786")  # fmt: skip
    option("--seed", type=int, default=experiment.ROOT, metavar="S",
           help="another root seed; its results are shown, not stored")  # fmt: skip
    option("--check", action="store_true", help="store nothing; exit 1 if a stored row differs")
    option("--extra", action="store_true", help="with a game or all: sensitivity studies too")
    option("--report", type=Path, metavar="FILE",
           help="write rows, times and differences of each experiment to FILE, as CSV")  # fmt: skip
    running.set_defaults(action=_run)

    compiling = actions.add_parser("compile", help="compile every kernel now, on all cores")
    option = compiling.add_argument
    option("games", nargs="*", metavar="game", help="default: every game, about a minute in all")
    option("--workers", type=int, metavar="N", help="processes (default: as many as cores)")
    option("--fresh", action="store_true", help="throw away what is compiled, and begin again")
    compiling.set_defaults(action=_compile)

    auditing = actions.add_parser("audit", help="recompute fingerprints and random chunks")
    auditing.add_argument("name", nargs="?", default="all", help="default: everything stored")
    auditing.add_argument("--chunks", type=int, default=2, metavar="K", help="per experiment")
    auditing.set_defaults(action=_audit)

    judging = actions.add_parser("scoreboard", help="every published number beside ours")
    judging.add_argument("--format", choices=("text", "csv", "json"), default="text")
    judging.set_defaults(action=_scoreboard)
    return parser


def _chosen(name: str, extra: bool = True) -> list[experiment.Experiment]:
    """Return the experiments meant by a name: one, all of a game, or all; studies come last."""
    if name == "all" or name in experiment.games():
        every = sorted(map(experiment.find, experiment.names()), key=lambda e: e.extra)
        return [
            e for e in every if (extra or not e.extra) and name in ("all", e.name.split("/")[0])
        ]
    return [experiment.find(name)]


def _list(options: argparse.Namespace) -> int:
    for name in experiment.names():
        e = experiment.find(name)
        size = f"{len(e.cells)} cells × {e.paper} chunks × {e.games} games"
        marks = ("stored" if store.has_stored(e.name) else "not run") + (
            ", extra" if e.extra else ""
        )
        about = (e.play.__doc__ or "").strip().partition("\n")[0]
        print(f"{name:32} {size:38} {marks:14} {about}")
    return 0


def _run(options: argparse.Namespace) -> int:
    if options.dask is not None and options.workers is not None:
        raise ValueError("--workers counts threads here; with --dask, start 'dask worker' oftener")
    chosen = _chosen(options.name, options.extra)
    with nullcontext() if options.dask is None else cluster.connect(options.dask) as executor:
        return _run_all(options, chosen, executor)


def _run_all(
    options: argparse.Namespace, chosen: list[experiment.Experiment], executor: Executor | None
) -> int:
    complaints: list[str] = []
    report: list[dict] = []
    for number, e in enumerate(chosen, 1):
        start = time.perf_counter()
        rows = runner.run(
            e, options.scale, root=options.seed, workers=options.workers, executor=executor
        )
        wall, cpu = time.perf_counter() - start, rows.attrs["seconds"]
        if options.seed != experiment.ROOT:
            print(rows.to_string(index=False))
            continue
        found = store.differences(e, rows, whole=options.scale == "paper")
        state = f"{len(found)} differ from stored" if store.has_stored(e.name) else "new"
        count = f"{number} of {len(chosen)}, " if len(chosen) > 1 else ""
        print(f"{e.name}: {count}{len(rows)} rows, {state}, {cpu:.1f} s of one core", flush=True)
        complaints += found
        report.append({"experiment": e.name, "extra": e.extra, "rows": len(rows),
                       "games": rows["games"].sum(), "cpu_seconds": round(cpu, 1),
                       "wall_seconds": round(wall, 1), "differ": len(found)})  # fmt: skip
        if options.report:
            table = pd.DataFrame(report).assign(machine=store.machine())
            store.write_file(options.report, table.to_csv(index=False))
        if options.scale == "paper" and found and not options.check:
            store.store(e, rows)
            print(f"  stored in {store.file_of(e)}")
    return _verdict(complaints) if options.check else 0


def _compile(options: argparse.Namespace) -> int:
    """Compile games in processes of their own, since numba uses one core of each."""
    chosen = options.games or experiment.games()
    if unknown := set(chosen) - set(experiment.games()):
        raise ValueError(f"no game {min(unknown)!r}: choose from {', '.join(experiment.games())}")
    if options.workers is not None and options.workers < 1:
        raise ValueError(f"--workers must be at least 1, not {options.workers}")
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
    complaints = []
    for e in _chosen(options.name):
        if options.name != "all" or store.has_stored(e.name):
            print(f"{e.name}: recomputing fingerprints and {options.chunks} chunks", flush=True)
            complaints += store.audit(e, options.chunks)
    return _verdict(complaints)


def _verdict(complaints: list[str]) -> int:
    print(*(complaints or ["everything recomputed equals what is stored, bit for bit"]), sep="\n")
    return 1 if complaints else 0


def _scoreboard(options: argparse.Namespace) -> int:
    table = scoreboard.board()
    if options.format == "csv":
        print(table.to_csv(index=False), end="")
    elif options.format == "json":
        print(table.to_json(orient="records", indent=1, force_ascii=False))
    else:
        shown = table[["id", "value", "ours", "low", "high", "z", "verdict", "explained_by"]]
        print(shown.to_string(index=False, na_rep="", float_format="{:.4g}".format))
        print("\n" + scoreboard.tally(table).to_string())
    return 0
