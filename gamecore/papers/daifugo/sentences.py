"""What the chapter says of the questions beyond the paper: sentences made of their answers."""

import pandas as pd

from gamecore.daifugo.rules import SEATS
from gamecore.papers.daifugo.questions import NOT_RUN, TRIED, Answer, disagreement, questions

#: How each kind of question is answered in words.
SAID = {
    "helped": {
        "yes": "each of the three can be helped",
        "no": "not all three can be helped",
        "cannot tell": "we cannot tell whether all three can be helped",
    },
    "model": {
        "yes": "better than",
        "no": "worse than",
        "cannot tell": "not certainly better or worse than",
    },
    "order": {
        "yes": "the nearer is helped more",
        "no": "it is not so that the nearer is helped more",
        "cannot tell": "we cannot tell whether the nearer is helped more",
    },
    "meant": {
        "yes": "each seat has more when it is meant than when another is",
        "no": "not every seat has more when it is meant than when another is",
        "cannot tell": "we cannot tell whether each seat has more when it is meant",
    },
    "because": {"yes": "because", "no": "not because", "cannot tell": "perhaps because"},
}
KINDS = {"greedy": "greedy opponents", "thinkers": "self-interested Monte-Carlo opponents"}


def sentences(found: dict[str, Answer], watched: pd.DataFrame) -> list[str]:
    """Return a paragraph for each of the three matters, then what is no, open or not run.

    Parameters
    ----------
    found : dict
        What `gamecore.papers.daifugo.questions.answers` returns.
    watched : pandas.DataFrame
        Rows of ``daifugo/watched``.
    """
    thinking = " ".join(_opponents(found, kind) for kind in KINDS)
    paragraphs = [
        f"**Opponents that think.** {thinking}",
        f"**The player in front.** {_front(found)}",
        f"**Is it noticed?** {_noticed(found, watched)}",
    ]
    asked = questions().set_index("id").question
    for word, head in (("no", "Where the answer is no"), ("cannot tell", "Where we cannot tell"),
                       (NOT_RUN, "Not run yet")):  # fmt: skip
        names = [f"*{asked[name]}*" for name, answer in found.items() if answer.word == word]
        if names:
            paragraphs.append(f"**{head}:** {' '.join(names)}")
    return paragraphs


def _said(found: dict[str, Answer], name: str, kind: str) -> str:
    return SAID[kind].get(found[name].word, f"({NOT_RUN})")


def _opponents(found: dict[str, Answer], kind: str) -> str:
    """Say in one sentence how help fares among opponents of a kind."""
    if found[f"{kind}/helped"].word == NOT_RUN:
        return f"{KINDS[kind].capitalize()}: {NOT_RUN}."
    helped, greedy, mixed, order, meant = (
        (_said(found, f"{kind}/{end}", end.split("-")[0]), found[f"{kind}/{end}"].detail)
        for end in ("helped", "model-greedy", "model-mixed", "order", "meant")
    )
    return (
        f"Among {KINDS[kind]} {helped[0]} by the paper's random playouts (gains in points: "
        f"{helped[1]}); greedy playouts help {greedy[0]} random ones ({greedy[1]}), mixed ones "
        f"{mixed[0]} random ones ({mixed[1]}); {order[0]} ({order[1]}); {meant[0]} ({meant[1]})."
    )


def _front(found: dict[str, Answer]) -> str:
    """Say in one sentence why CPUC is hard to help, and what helps."""
    leak, stake = found["front/leak"], found["front/stake"]
    return (
        f"CPUC is hard to help {_said(found, 'front/leak', 'because')} a smaller part of what the "
        f"helper gives up arrives at it than at CPUA ({leak.detail}), and "
        f"{_said(found, 'front/stake', 'because')} less is at stake for it in the helper's "
        f"decisions (points a decision: {stake.detail}); of what was tried these help, in points "
        f"of CPUC: {_listed(found, 'yes')}; these do not: {_listed(found, 'no')}; of these we "
        f"cannot tell: {_listed(found, 'cannot tell')}."
    )


def _listed(found: dict[str, Answer], word: str) -> str:
    """Name what was tried for CPUC and has this answer, the most helpful first."""
    tried = {change: found[f"front/{end}"] for change, end in TRIED.items()}
    chosen = [change for change, answer in tried.items() if answer.word == word]
    chosen.sort(key=lambda change: -tried[change].found.value)
    return ", ".join(f"{each} ({tried[each].found.value:+.2f})" for each in chosen) or "nothing"


def _noticed(found: dict[str, Answer], watched: pd.DataFrame) -> str:
    """Say in one sentence how often the helper's plays differ, and who is found out."""
    shares = 100 * disagreement(watched).groupby("helped")[["otherwise", "apart"]].mean()
    otherwise, apart = (
        f"{each.min():.0f} to {each.max():.0f} %"
        for each in (shares.loc[list(SEATS[1:]), name] for name in ("otherwise", "apart"))
    )
    one, five, early_one, early_five = (
        found[f"noticed/{end}"].detail
        for end in ("one-game", "five-games", "early-one-game", "early-five-games")
    )
    return (
        f"A self-interested player of the same strength would decide otherwise in {otherwise} of "
        f"a helper's decisions, where two such players differ from each other in {apart}; an "
        f"observer who knows the method names the one played for, of four, after one game in {one} "
        f"and after five in {five}; from plays before anybody is out: {early_one}; {early_five}."
    )
