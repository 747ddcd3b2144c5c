"""What the chapter says of the questions beyond the paper: a sentence for each matter."""

import pandas as pd

from gamecore.daifugo.rules import SEATS
from gamecore.papers.daifugo.questions import TRIED, disagreement

#: How each kind of question is answered in words: yes, no, cannot tell.
SAID = {
    "helped": (
        "each of the three can be helped",
        "not all three can be helped",
        "we cannot tell whether all three can be helped",
    ),
    "model": ("better than", "worse than", "not certainly better or worse than"),
    "order": (
        "the nearer is helped more",
        "it is not so that the nearer is helped more",
        "we cannot tell whether the nearer is helped more",
    ),
    "because": ("because", "not because", "perhaps because"),
}
KINDS = {"greedy": "greedy opponents", "thinkers": "self-interested Monte-Carlo opponents"}


def sentences(answered: pd.DataFrame, tried: pd.Series, watched: pd.DataFrame) -> list[str]:
    """Return what was found on each of the three matters, in Markdown.

    Parameters
    ----------
    answered : pandas.DataFrame
        What `gamecore.papers.questions.answered` returns.
    tried : pandas.Series
        Points that CPUC has more, by what was tried.
    watched : pandas.DataFrame
        Rows of ``daifugo/watched``.
    """
    found = answered.assign(id=answered.id.str.removeprefix("daifugo/")).set_index("id")
    thinking = "; ".join(_opponents(found, kind) for kind in KINDS)
    return [
        f"**Opponents that think.** {thinking[0].upper()}{thinking[1:]}.",
        f"**The player in front.** {_front(found, tried)}",
        f"**Is it noticed?** {_noticed(found, watched)}",
    ]


def _said(found: pd.DataFrame, name: str, kind: str) -> str:
    return dict(zip(("yes", "no", "cannot tell"), SAID[kind], strict=True))[found.answer[name]]


def _opponents(found: pd.DataFrame, kind: str) -> str:
    """Say how help fares among opponents of a kind."""
    helped, greedy, mixed, order = (
        _said(found, f"{kind}/{end}", end.split("-")[0])
        for end in ("helped", "model-greedy", "model-mixed", "order")
    )
    return (
        f"among {KINDS[kind]} {helped} by the paper's random playouts, greedy playouts help "
        f"{greedy} these and mixed ones {mixed} these, and {order}"
    )


def _front(found: pd.DataFrame, tried: pd.Series) -> str:
    """Say why CPUC is hard to help, and what helps."""
    return (
        f"CPUC is hard to help {_said(found, 'front/leak', 'because')} a smaller part of what the "
        f"helper gives up arrives at it than at CPUA, and "
        f"{_said(found, 'front/stake', 'because')} less is at stake for it in the helper's "
        f"decisions; of what was tried these help, in points of CPUC: "
        f"{_listed(found, tried, 'yes')}; these do not: {_listed(found, tried, 'no')}; of these we "
        f"cannot tell: {_listed(found, tried, 'cannot tell')}."
    )


def _listed(found: pd.DataFrame, tried: pd.Series, word: str) -> str:
    """Name what was tried for CPUC and has this answer, the most helpful first."""
    chosen = [name for name, end in TRIED.items() if found.answer[f"front/{end}"] == word]
    chosen.sort(key=lambda name: -tried[name])
    listed = ", ".join(f"{name} ({tried[name]:+.2f})" for name in chosen)
    return listed.replace("(-", "(−") or "nothing"


def _noticed(found: pd.DataFrame, watched: pd.DataFrame) -> str:
    """Say how often the helper's plays differ, and who is found out."""
    shares = 100 * disagreement(watched).groupby("helped")[["otherwise", "apart"]].mean()
    otherwise, apart = (
        f"{each.min():.0f} to {each.max():.0f} %"
        for each in (shares.loc[list(SEATS[1:]), name] for name in ("otherwise", "apart"))
    )
    one, five, early_one, early_five = (
        found.detail[f"noticed/{end}"].removesuffix(".")
        for end in ("one-game", "five-games", "early-one-game", "early-five-games")
    )
    return (
        f"A self-interested player of the same strength would decide otherwise in {otherwise} of "
        f"a helper's decisions, where two such players differ from each other in {apart}; an "
        f"observer who knows the method names the one played for, of four, after one game in {one} "
        f"and after five in {five}; from plays before anybody is out, in {early_one} and in "
        f"{early_five}."
    )
