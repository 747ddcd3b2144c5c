"""Boards solved on request, with a file of the result that others can compare with theirs."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from gamecore import check
from gamecore.papers import files

#: Random positions that are checked against their successors by the plain rules.
SAMPLES = 1000


def solve(
    game: str, sizes: list[int], out: Path | None = None, workers: int | None = None
) -> tuple[Path, str]:
    """Solve a board and write the result; return the file, and what there is to say.

    The file's last line is the sha256 of all lines before it. It is tried before anything is
    computed, and written whole or not at all.

    Parameters
    ----------
    game : str
        ``geister`` (sizes: width, height, most blues and most reds of a side) or ``triomineering``
        (rows and columns).
    sizes : list of int
        The board.
    out : Path, optional
        Where to write; a file in the current folder, named by the board, by default.
    workers : int, optional
        Threads; all cores by default. The result does not depend on it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file, told = solve("geister", [3, 3, 1, 1], Path(folder) / "board.csv")
    ...     for line in [told, *file.read_text().splitlines()[:3]]:
    ...         print(line)
    Retrograde: 3×3, up to 1 blue and 1 red a side; 3,024 positions: 2,440 wins, 584 losses, 0 draws
    1,000 random positions follow from their successors
    depth,wins,losses
    1,2064,0
    2,0,334
    """
    if check.text(game, "game") not in _SOLVERS:
        raise ValueError(f"no board of {game!r} to solve: choose from {', '.join(_SOLVERS)}")
    names, example, solver = _SOLVERS[game]
    sizes = [check.whole(size, "a size", 1) for size in check.listed(sizes, "sizes")]
    if len(sizes) != len(names.split()):
        raise ValueError(f"{game} needs {names}, as in 'gamecore solve {game} {example}'")
    if workers is not None:
        check.whole(workers, "--workers", 1, 1024)
    board, pieces = "x".join(map(str, sizes[:2])), "+".join(map(str, sizes[2:]))
    name = "-".join(filter(None, (game, board, pieces))) + ".csv"
    file = Path(name) if out is None else check.instance(out, "out", Path)
    files.try_file(file)
    table, told = solver(sizes, workers)
    text = "".join(",".join(map(str, row)) + "\n" for row in table)
    seal = hashlib.sha256(text.encode()).hexdigest()
    files.write_file(file, f"{text}# sha256 {seal}\n")
    return file, told


def _geister(sizes: list[int], workers: int | None) -> tuple[list[tuple], str]:
    from gamecore.geister import retrograde

    solved = retrograde(*sizes, depths=False, workers=workers)
    depths = sorted(solved.win_histogram | solved.loss_histogram)
    wins, losses = solved.win_histogram, solved.loss_histogram
    checked = solved.verify(SAMPLES)
    told = f"{solved!r}\n{checked:,} random positions follow from their successors"
    rows = [(depth, wins.get(depth, 0), losses.get(depth, 0)) for depth in depths]
    return [("depth", "wins", "losses"), *rows], told


def _triomineering(sizes: list[int], workers: int | None) -> tuple[list[tuple], str]:
    from gamecore.triomineering import solve

    solved = solve(*sizes)
    board = f"{sizes[0]}×{sizes[1]} board of triomineering"
    told = f"{board}: outcome {solved.outcome}, worth {solved.value} to V"
    return [("rows", "columns", "value", "outcome"), (*sizes, solved.value, solved.outcome)], told


_SOLVERS: dict[str, tuple[str, str, Callable[[list[int], int | None], tuple[list[tuple], str]]]] = {
    "geister": ("WIDTH HEIGHT BLUES REDS", "4 4 2 2", _geister),
    "triomineering": ("ROWS COLUMNS", "6 6", _triomineering),
}
