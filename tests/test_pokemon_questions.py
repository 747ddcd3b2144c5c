"""Every question on section 7 can come out yes, no and cannot tell, on rows made up for it."""

import pandas as pd
import pytest

from gamecore.papers.pokemon import questions
from gamecore.papers.pokemon.experiments import DELTAS, HABITS
from gamecore.papers.pokemon.questions import KNOWABLE
from gamecore.papers.pokemon.reading import BATTLES, FAMILY, FEIGNED, NOISY, OUTSIDE
from gamecore.papers.questions import answered

SERIES, GAMES = 4000, 200_000


def series(rate, known=0.8, opened=0.3, late=None):
    """Return one row of a reader's series: its rate, and in battles 41 to 50 another one."""
    rates = [rate if late is None or battle <= 40 else late for battle in range(1, BATTLES + 1)]
    return {
        "games": SERIES,
        **{f"points{k}": round(2 * SERIES * r) for k, r in enumerate(rates, 1)},
        **{f"known{k}": round(SERIES * known) for k in range(1, BATTLES + 1)},
        **{f"open{k}": round(SERIES * opened) for k in range(1, BATTLES + 1)},
    }


def results(rate):
    return {
        "games": GAMES,
        "win": round(GAMES * rate),
        "draw": 0,
        "loss": round(GAMES * (1 - rate)),
    }


def measured(bare=None, safe=None, best=None, turned=None, nash_outside=0.6, steady=0.6):
    """Return made-up rows: Nash wins 0.55 against every habit; what is given is by opponent."""
    bare, safe, best, turned = ({} if x is None else x for x in (bare, safe, best, turned))
    opponents = (*FAMILY, *OUTSIDE)
    usual = {"rate": 0.62, "late": 0.64}
    read = [
        {"opponent": o, "reader": "bare", **series(**(usual | bare.get(o, {})))} for o in opponents
    ]
    read += [{"opponent": o, "reader": "safe", **series(safe.get(o, 0.6))} for o in opponents]
    read += [{"opponent": o, "reader": "nash", **series(nash_outside)} for o in OUTSIDE]
    steadily = [{"opponent": o, "reader": "steady", **series(steady)} for o in opponents]
    feigned = [
        {"habit": h, "reader": r, "turncoat": t, **series(turned.get(h, 0.55))}
        for h in FEIGNED for r in ("bare", "safe", "steady") for t in ("once", "watching")
    ]  # fmt: skip
    replied = [
        {"player": o, "games": GAMES, "points1": round(2 * GAMES * best.get(o, 0.68))}
        for o in FAMILY
    ]
    table_4 = [{"noise": "none", "delta": 0.0, **results(0.5)}]
    table_4 += [
        {"noise": n, "delta": d, **results(0.45)} for n in ("uniform", "variable") for d in DELTAS
    ]
    biases = [{"player": h, "payoffs": "clipped", **results(0.45)} for h in ("delta-nash", *HABITS)]
    return list(map(pd.DataFrame, (read, steadily, feigned, replied, table_4, biases)))


CASES = {
    "known": (
        {},
        {"bare": {"attack": {"known": 0.4}}},
        {"bare": {"attack": {"known": 0.505}}},
    ),
    "reads": (
        {},
        {"bare": {"attack": {"rate": 0.54, "late": 0.54}}},
        {"bare": {"attack": {"rate": 0.5505, "late": 0.5505}}},
    ),
    "ceiling": (
        {},
        {"bare": {"attack": {"late": 0.6}}},
        {"bare": {"attack": {"late": 0.616}}},
    ),
    "outside": (
        {},
        {"nash_outside": 0.65},
        {"nash_outside": 0.634},
    ),
    "feigned": (
        {"turned": {"attack": 0.48}},
        {},
        {"turned": {"attack": 0.4999}},
    ),
    "feigned-steadily": (
        {"turned": {"attack": 0.48}},
        {},
        {"turned": {"attack": 0.4999}},
    ),
    "safe": (
        {},
        {"safe": dict.fromkeys(KNOWABLE, 0.57)},
        {"safe": dict.fromkeys(KNOWABLE, 0.587)},
    ),
    "enjoyable": (
        {},
        {"best": dict.fromkeys(KNOWABLE, 0.52)},
        {"best": dict.fromkeys(KNOWABLE, 0.5502)},
    ),
    "reads-steadily": ({}, {"steady": 0.54}, {"steady": 0.5505}),
    "biases-cost": (
        {"best": {"delta-nash": 0.6}},
        {"best": {"delta-nash": 0.7}},
        {},
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_answer_is_possible(name, place):
    found = dict(questions.section_7(*measured(**CASES[name][place])))[f"pokemon/{name}"]
    assert found.holds is (True, False, None)[place]


def test_stored_rows_answer_every_question():
    found = answered("pokemon")  # which refuses questions without answers
    assert set(found.id) == {f"pokemon/{name}" for name in CASES}
    assert not found.isna().to_numpy().any()


def test_the_family_is_the_papers_noise_and_biases():
    assert ("nash", *NOISY, "delta-nash", *HABITS) == FAMILY
    assert len(KNOWABLE) == 11
