"""Tsume-Geister (詰めガイスター): problems with one winning first move, found in solved boards.

``python -m gamecore.papers.geister.tsume`` draws positions by a seed, keeps those that make a
problem, and writes them into data/tsume.csv and, for the page, into
book/_static/live/play/geister-tsume.json. A problem is a position of which the solved board knows

* that exactly one move wins, however long the others might be tried;
* in how many plies (`depth`); the page's search judges it within `limit` plies, looking at no more
  than `WORK` positions a question, and it is right in every position that a reader can come to: the
  solved board was asked about each;
* how many `tries` it has, as composers of chess problems say: moves that fail to one reply only.

Boards are 4×4 and 5×5 with open colours and up to two blues and two reds a side, and 6×6 with one
of each against two pieces of unknown colour (the general problem, thesis section 4.2).
"""

import argparse
import csv
import io
import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from gamecore.geister.forced import (
    BLUE,
    GOES_ON,
    RED,
    THEIR_BLUE,
    TURN,
    WON,
    Lookahead,
    text_of,
)
from gamecore.geister.hidden import pair_index, retrograde_hidden
from gamecore.geister.rules import Position, cells_of
from gamecore.geister.solution import retrograde
from gamecore.kernel import PACKAGE
from gamecore.papers.files import write_file
from gamecore.papers.published import data_folder

PAGE = PACKAGE.parent / "book" / "_static" / "live" / "play" / "geister-tsume.json"
SEED = 2021
#: The most positions that the page's search may need for an answer, and that a reader can come to
#: without giving the win away.
WORK, REACHED = 2_000_000, 40
GROWTH = 8  # two plies more are up to so many times the work
#: Grades, by the most points: one for each reply of the defence, and for each of up to three tries.
GRADES = {"easy": 2, "medium": 4, "hard": 6, "very hard": 99}


class Problem(NamedTuple):
    """A row of data/tsume.csv."""

    board: str
    kind: str
    position: str
    depth: int
    limit: int
    solution: str
    tries: int
    grade: str


class Part(NamedTuple):
    """Problems of one board: how many of each depth, and how often to draw."""

    board: str
    kind: str
    wanted: dict[int, int]
    draws: int

    @property
    def sides(self) -> tuple[int, int]:
        """Width and height."""
        width, height = map(int, self.board.split("x"))
        return width, height


PARTS = [
    Part("4x4", "open", {3: 4, 5: 5, 7: 5, 9: 5, 11: 5, 13: 4, 15: 2}, 40),
    Part("5x5", "open", {3: 4, 5: 5, 7: 5, 9: 5, 11: 4, 13: 2}, 100),
    Part("6x6", "hidden", {3: 3, 5: 3, 7: 3, 9: 4, 11: 4, 13: 4, 15: 3, 17: 2, 19: 1}, 1),
]


class Open:
    """A solved board with open colours; of a large one only who wins is kept, to save memory."""

    def __init__(self, width: int, height: int):
        self.solved = retrograde(width, height, 2, 2, depths=width * height <= 16)

    def lost(self, board: np.ndarray) -> int:
        """Return in how many plies the defence, to move, has lost; 0 if not, −1 if unknown."""
        blue, red, their_blue, their_red, _, width, height, _ = board.tolist()
        seen = Position(blue, red, their_blue, their_red, width, height).turned()
        outcome, depth = self.solved.result(seen)
        return (depth or -1) if outcome == "loss" else 0

    def draw(self, generator: np.random.Generator, depths: set[int]) -> Iterator[np.ndarray]:
        """Yield some random boards; where depths are known, only won ones of these depths."""
        solved = self.solved
        has_depths, size = len(solved.planes) > 0, len(solved.placements.masks)
        for pair in generator.integers(size, size=(100_000 if has_depths else 1_000, 2)).tolist():
            position = solved.position(*pair)
            if position is not None and (not has_depths or solved.result(position).depth in depths):
                yield np.array([*position.masks, 0, position.width, position.height, 0], np.int64)


class Purple:
    """A solved board with one blue and one red against two purple pieces."""

    def __init__(self, width: int, height: int):
        self.sides, self.cells = (width, height), width * height
        self.solved = retrograde_hidden(width, height)

    def lost(self, board: np.ndarray) -> int:
        """Return in how many plies the defence, to move, has lost; 0 if it has not."""
        p, q = cells_of(int(board[THEIR_BLUE]))
        pair = pair_index(p, q, self.cells)
        blue, red = (int(board[k]).bit_length() - 1 for k in (BLUE, RED))
        return max(0, -int(self.solved.purple[blue, red, pair]))

    def draw(self, generator: np.random.Generator, depths: set[int]) -> Iterator[np.ndarray]:
        """Yield all boards of some depths in random order."""
        pairs = list(combinations(range(self.cells), 2))
        found = np.argwhere(np.isin(self.solved.knowing, list(depths)))
        for blue, red, pair in generator.permutation(found).tolist():
            if self.solved.knowing[blue, red, pair] in depths:  # still wanted
                purple = sum(1 << cell for cell in pairs[pair])
                yield np.array([1 << blue, 1 << red, purple, 0, 0, *self.sides, 1], np.int64)


class Judged:
    """One position, asked of the solved board and of the page's search."""

    def __init__(self, board: np.ndarray, ahead: Lookahead, solved: Open | Purple):
        self.board, self.ahead, self.lost = board, ahead, solved.lost

    def outcomes(self, board: np.ndarray) -> list[tuple[int, np.ndarray, int]]:
        """Return how each move of the attacker ends, the board after it, and its plies to a win.

        By the solved board: 0 if it does not win, −1 if it does in a number that is not known.
        """
        found = []
        for move in self.ahead.moves(board):
            ends, after = self.ahead.play(board, move)
            rest = self.lost(after) if ends == GOES_ON else 0
            found.append((ends, after, 1 + rest if rest > 0 else rest or int(ends == WON)))
        return found

    def wins(self, board: np.ndarray) -> list[int]:
        """Return the plies of all moves of the attacker that win."""
        return [plies for _, _, plies in self.outcomes(board) if plies]

    def tries(self) -> int:
        """Count the first moves that fail to one reply only."""
        found = 0
        for ends, after, plies in self.outcomes(self.board):
            if ends == GOES_ON and plies == 0:
                replies = [self.ahead.play(after, reply) for reply in self.ahead.moves(after)]
                holding = [
                    ends == WON or (ends == GOES_ON and not self.wins(reached))
                    for ends, reached in replies
                ]
                found += sum(holding) == 1
        return found

    def limit(self, most: int) -> int:
        """Return how far the page must look to be right wherever a reader can come; 0 if too far.

        A reader plays any winning moves, the page's search the defence.
        """
        waiting, seen, failing, deepest = [self.board], set(), [], 0
        while waiting:
            board = waiting.pop()
            if board.tobytes() in seen:
                continue
            seen.add(board.tobytes())
            outcomes = [one for one in self.outcomes(board) if one[0] == GOES_ON]
            if len(seen) > REACHED or any(plies > most for _, _, plies in outcomes):
                return 0
            failing += [after for _, after, plies in outcomes if plies == 0]
            for after in (after for _, after, plies in outcomes if plies):
                if not (found := self.plies(after, most)):
                    return 0
                deepest = max(deepest, found)
                waiting.append(self.ahead.play(after, self.ahead.best(after, found))[1])
        is_judged = all(self.plies(after, deepest) == 0 for after in failing)
        return deepest if is_judged else 0

    def plies(self, board: np.ndarray, limit: int) -> int | None:
        """Return in how many plies the attacker wins, 0 if not in so many; None if it is slow."""
        before = self.ahead.met
        for plies in range(1 + int(board[TURN]), limit + 1, 2):
            if self.ahead.plies(board, plies):
                return plies if self.ahead.met - before <= WORK else None
            if self.ahead.met - before > WORK // GROWTH and plies + 2 <= limit:
                return None
        return 0


def search(part: Part, seed: int = SEED, longest: int = 99) -> list[Problem]:
    """Return a board's problems of up to so many plies, from short to long.

    Of each depth twice as many as wanted are found, if the draws suffice; in the order of their
    tries every second one is kept.
    """
    width, height = part.sides
    solved = (Purple if part.kind == "hidden" else Open)(width, height)
    ahead, generator = Lookahead(width, height), np.random.default_rng([seed, width, height])
    most, wanted = max(part.wanted) + 1, {d: n for d, n in part.wanted.items() if d <= longest}
    pools: dict[int, list[Problem]] = {depth: [] for depth in wanted}
    missing, seen = set(wanted), set()
    with tqdm(total=2 * sum(wanted.values()), desc=part.board, unit="", delay=1) as bar:
        for _ in range(part.draws):
            for board in solved.draw(generator, missing):
                judged, text = Judged(board, ahead, solved), text_of(board)
                wins = judged.wins(board)
                if len(wins) != 1 or text in seen:
                    continue
                ahead.forget()
                depth = wins[0] if wins[0] > 0 else judged.plies(board, most)
                if depth not in missing or not (limit := judged.limit(most)):
                    continue
                seen |= {text, mirrored(text)}
                line, tries = ", ".join(ahead.line(board, depth)), judged.tries()
                told = depth, limit, line, tries, grade(depth, tries)
                pools[depth].append(Problem(part.board, part.kind, text, *told))
                bar.update()
                if len(pools[depth]) == 2 * wanted[depth]:
                    missing.remove(depth)
            if not missing:
                break
    found = []
    for pool in pools.values():
        found += sorted(pool, key=lambda one: (one.tries, one.position))[::2]
    return found


def mirrored(text: str) -> str:
    """Return a printed board with left and right exchanged."""
    return " / ".join(row[::-1] for row in text.split(" / "))


def grade(depth: int, tries: int) -> str:
    """Return how hard a problem is.

    Examples
    --------
    >>> grade(3, 0), grade(5, 1), grade(13, 0), grade(13, 1)
    ('easy', 'medium', 'hard', 'very hard')
    """
    points = depth // 2 + min(tries, 3)
    return next(name for name, most in GRADES.items() if points <= most)


def load(file: Path | None = None) -> list[Problem]:
    """Return the problems of data/tsume.csv."""
    with (file or data_folder() / "tsume.csv").open(encoding="utf-8", newline="") as stream:
        return [
            Problem(*(kind(row[name]) for name, kind in Problem.__annotations__.items()))
            for row in csv.DictReader(stream)
        ]


def page(problems: Sequence[Problem]) -> str:
    """Return what the page reads: a list of problems, one a line."""
    rows = [json.dumps(one._asdict(), separators=(",", ":")) for one in problems]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def main() -> None:
    """Search, and write both files."""
    about = "find Tsume-Geister problems, write data/tsume.csv and the page's copy"
    parser = argparse.ArgumentParser("python -m gamecore.papers.geister.tsume", description=about)
    names = [part.board for part in PARTS]
    parser.add_argument(
        "boards", nargs="*", metavar="board",
        help=f"which to search anew, of {', '.join(names)}; all unless told, 5x5 taking about "
        "4.4 GB; what data/tsume.csv has of the others stays",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=SEED, help=f"{SEED} unless told")
    parser.add_argument("--page", action="store_true", help="only write the page's copy")
    asked = parser.parse_args()
    if unknown := set(asked.boards) - set(names):
        parser.error(f"no board {min(unknown)}: choose from {', '.join(names)}")
    chosen = [] if asked.page else asked.boards or names
    file = data_folder() / "tsume.csv"
    stored = load(file) if file.exists() else []
    found: list[Problem] = []
    for part in PARTS:
        if part.board in chosen:
            found += search(part, asked.seed)
        else:
            found += [one for one in stored if one.board == part.board]
    rows = io.StringIO()
    csv.writer(rows, lineterminator="\n").writerows([Problem._fields, *found])
    write_file(file, rows.getvalue())
    write_file(PAGE, page(found))
    print(f"{len(found)} problems in {file} and {PAGE}")


if __name__ == "__main__":
    main()
