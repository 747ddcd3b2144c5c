"""What the ``gamecore`` command can be told."""

import argparse
from pathlib import Path

import gamecore

ABOUT = "The gamecore command: list, run, compile, audit and judge the experiments, play, solve."
EXAMPLES = """
examples:
  gamecore list                                  what can be run, and how long it takes
  gamecore list geister                          the same of one game, in more words
  gamecore run rps/practice --scale quick        a taste, compared with the stored rows
  gamecore run rps/practice                      the whole experiment; Ctrl-C and run again resumes
  gamecore run all --check                       recompute every table, change nothing, compare
  gamecore run all --dask tcp://host:8786        every table, on the workers of a cluster
  gamecore compile                               all kernels now, so that nothing waits later
  gamecore audit --chunks 5                      recompute random chunks of everything stored
  gamecore play geister --against cfr-a          a game in the terminal
  gamecore scoreboard geister --verdict differs  published numbers beside ours
  gamecore scoreboard --format csv > board.csv   all of them, for programs
  gamecore solve geister 4 4 2 2                 every position of a board, counted by depth
"""
SOLVING = """
examples:
  gamecore solve geister 4 4 2 2      4×4, up to two blues and two reds a side: seconds
  gamecore solve geister 5 5 2 2      4,141,255,800 positions: half a minute, and 1.7 GB
  gamecore solve triomineering 6 6    rows and columns

The file ends in the sha256 of all lines before it:
  head -n -1 geister-4x4-2+2.csv | sha256sum
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser; ``action`` of what it reads is the name of what to do.

    Examples
    --------
    >>> parser().parse_args(["run", "rps", "--check"]).action
    'run'
    """
    found = argparse.ArgumentParser(
        prog="gamecore", description=ABOUT, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    found.add_argument("--version", action="version", version=f"gamecore {gamecore.__version__}")
    actions = found.add_subparsers(
        required=True, metavar="list | run | compile | audit | scoreboard | play | solve"
    )

    listing = actions.add_parser("list", help="show every experiment, its size and duration")
    listing.add_argument("game", nargs="?", help="only this game's, with what each measures")
    listing.set_defaults(action="list")

    running = actions.add_parser("run", help="run an experiment, resuming what is finished")
    option = running.add_argument
    option("name", help="an experiment as shown by 'gamecore list', a game, or all")
    option("--scale", choices=("quick", "paper"), default="paper",
           help="quick: the first chunks only; paper (default): all, and store")  # fmt: skip
    option("--workers", type=int, metavar="N", help="threads (default: all cores)")
    option("--dask", metavar="ADDRESS",
           help="play on the workers of this Dask scheduler, such as tcp://host:8786")  # fmt: skip
    option("--seed", type=int, metavar="S",
           help="another root seed; its results are shown, not stored")  # fmt: skip
    option("--check", action="store_true", help="store nothing; exit 1 if a stored row differs")
    option("--extra", action="store_true", help="with a game or all: sensitivity studies too")
    option("--report", type=Path, metavar="FILE",
           help="write rows, times and differences of each experiment to FILE, as CSV")  # fmt: skip
    running.set_defaults(action="run")

    compiling = actions.add_parser("compile", help="compile every kernel now, on all cores")
    option = compiling.add_argument
    option("games", nargs="*", metavar="game", help="default: every game, about a minute in all")
    option("--workers", type=int, metavar="N", help="processes (default: as many as cores)")
    option("--fresh", action="store_true", help="throw away what is compiled, and begin again")
    compiling.set_defaults(action="compile")

    auditing = actions.add_parser("audit", help="recompute fingerprints and random chunks")
    auditing.add_argument("name", nargs="?", default="all", help="default: everything stored")
    auditing.add_argument("--chunks", type=int, default=2, metavar="K", help="per experiment")
    auditing.set_defaults(action="audit")

    judging = actions.add_parser("scoreboard", help="every published number beside ours")
    judging.add_argument("game", nargs="?", help="only this game's paper")
    judging.add_argument("--verdict", metavar="V", help="only such rows, as 'differs' or 'fails'")
    judging.add_argument("--format", choices=("text", "csv", "json"), default="text")
    judging.set_defaults(action="scoreboard")

    playing = actions.add_parser("play", help="play against one of the players, here")
    option = playing.add_argument
    games = sorted(file.parent.name for file in Path(__file__).parent.glob("*/rules.py"))
    option("game", help=f"one of {', '.join(games)}")
    option(
        "--against", metavar="PLAYER", help="one of the game's players; without it: who they are"
    )
    option("--seat", type=int, default=0, metavar="N", help="your seat, from 0 (default: 0)")
    option("--seed", type=int, metavar="S", help="decides all that is random (default: a new one)")
    option("--moves", default="", metavar="TEXT", help="your moves so far, with ; between them")
    playing.set_defaults(action="play")

    solving = actions.add_parser(
        "solve", help="solve a board exactly, and write what was found to a file", epilog=SOLVING,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    option = solving.add_argument
    option("game", help="geister or triomineering")
    sizes = "geister: width, height, most blues and reds; triomineering: rows, columns"
    option("sizes", type=int, nargs="*", metavar="size", help=sizes)
    option("--workers", type=int, metavar="N", help="threads (default: all cores)")
    option("--out", type=Path, metavar="FILE",
           help="where to (default: here, in a file named by the board)")  # fmt: skip
    solving.set_defaults(action="solve")
    return found
