"""Questions beyond the papers: asked before the games were played, answered from stored rows.

``data/questions/<game>.csv`` has every question with what counts as yes and how many games that
takes. Its column `asked` says "before", or why a question was added when rows had been seen.
The rules are judges in a paper's rooms ``*questions``.
"""

from collections.abc import Sequence

import pandas as pd

from gamecore import check
from gamecore.kernel import PACKAGE
from gamecore.papers import experiment, published, scoreboard
from gamecore.papers.stats import Ours

_COLUMNS = ("id", "question", "yes_if", "size", "asked")
_WORDS = {True: "yes", False: "no", None: "cannot tell"}


def asked(game: str) -> pd.DataFrame:
    """Return the questions of a game's chapter, each with its rule, size and when it was asked.

    Examples
    --------
    >>> asked("rps").empty  # the practice report asks nothing
    True
    """
    check.one_of(game, "game", experiment.games())
    file = published.data_folder() / "questions" / f"{game}.csv"
    return pd.read_csv(file, dtype=str) if file.exists() else pd.DataFrame(columns=_COLUMNS)


def answered(game: str, scale: str = "stored", rooms: Sequence[str] | None = None) -> pd.DataFrame:
    """Return the questions with their answers: yes, no or cannot tell, and the numbers behind.

    Parameters
    ----------
    game : str
        The chapter's game.
    scale : {"stored", "quick", "paper"}
        Answer from the stored results, or run every experiment that a rule needs now.
    rooms : sequence of str, optional
        Only questions whose rules are in these rooms of the paper.

    Raises
    ------
    ValueError
        If a question has no answer, or an answer no question.

    Examples
    --------
    >>> answered("rps").columns.tolist()[-2:]
    ['answer', 'detail']
    """
    every = sorted(file.stem for file in (PACKAGE / "papers" / game).glob("*questions.py"))
    table = asked(game)
    found = scoreboard.measured(scoreboard.judges(game, every if rooms is None else rooms), scale)
    if rooms is not None:
        table = table[table.id.isin(list(found))]
    if different := found.keys() ^ set(table.id):
        raise ValueError(f"asked or answered, but not both: {', '.join(sorted(different))}")
    answers: list[Ours] = [found[identity][0] for identity in table.id]
    return table.assign(
        answer=[_WORDS[one.holds] for one in answers], detail=[one.detail for one in answers]
    )


def times(game: str) -> pd.DataFrame:
    """Return how many seconds of one core each study of a game's questions took when it was stored.

    Examples
    --------
    >>> times("rps").columns.tolist()
    ['experiment', 'seconds']
    """
    check.one_of(game, "game", experiment.games())
    table = pd.read_csv(published.data_folder() / "questions" / "times.csv")
    return table[table.experiment.str.startswith(f"{game}/")].reset_index(drop=True)
