"""The rules of the questions beyond the paper: each can come out yes, no and cannot tell."""

import numpy as np
import pandas as pd
import pytest

from gamecore.daifugo import SEATS
from gamecore.papers import questions
from gamecore.papers.daifugo import questions as q
from gamecore.papers.daifugo.beyond import MODEL_GAMES, WATCHED
from gamecore.papers.daifugo.experiments import BENEFICIARY, PLACES
from gamecore.papers.daifugo.sentences import sentences

YES, NO, OPEN = True, False, None
WAVE = np.tile([1.0, -1.0], 6)  # 12 blocks: a swing of d has a standard error of 0.315 d


def blocks(scores, firsts=0.3, swing=0.1, n=12, **cell):
    """Make rows of blocks of 1000 games; only scores and first places are as they should be."""
    rows = pd.DataFrame({**cell, "chunk": range(n), "games": 1000})
    for seat in SEATS:
        wave = np.resize(WAVE, n) * swing
        points, first = 1000 * (scores.get(seat, 1.5) + wave), 1000 * (firsts + wave)
        counts = dict(zip(PLACES, (first, 0 * first, points - 3 * first, 0 * first), strict=True))
        rows = rows.assign(**{f"{seat} {place}": count for place, count in counts.items()})
    return rows


def opponents(scores=(2.0, 1.9, 1.8), greedy=0.0, mixed=0.0, **options):
    """Make rows of table 2 under three models: scores of the beneficiaries, and what models add."""
    more = {"random": 0.0, "greedy": greedy, "mixed": mixed}
    own = dict(zip(BENEFICIARY, scores, strict=True))
    return pd.concat([
        blocks({SEATS[BENEFICIARY[c["game"]]]: own[c["game"]] + more[c["model"]]}, **c, **options)
        for c in MODEL_GAMES
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("made", "end", "word"),
    [
        ({}, "helped", YES),
        ({"scores": (2.0, 1.9, 1.45)}, "helped", NO),
        ({"scores": (2.0, 1.9, 1.62)}, "helped", OPEN),
        ({"greedy": 0.2}, "model-greedy", YES),
        ({"greedy": -0.2}, "model-greedy", NO),
        ({"greedy": 0.05}, "model-greedy", OPEN),
        ({"mixed": 0.2}, "model-mixed", YES),
        ({"mixed": -0.2}, "model-mixed", NO),
        ({}, "model-mixed", OPEN),
        ({"scores": (2.4, 2.1, 1.8)}, "order", YES),
        ({"scores": (2.4, 1.8, 2.1)}, "order", NO),
        ({"scores": (2.4, 2.1, 2.05)}, "order", OPEN),
        ({"n": 2, "swing": 0.0}, "helped", OPEN),  # too few blocks for any answer
    ],
)
def test_opponents_that_think(made, end, word):
    for name in ("greedy", "thinkers"):
        assert dict(q.among(name, opponents(**made)))[f"daifugo/{name}/{end}"].holds is word


@pytest.mark.parametrize(
    ("scores", "elsewhere", "word"),
    [((2.0, 1.9, 1.8), 1.5, YES), ((2.0, 1.9, 1.4), 1.5, NO), ((2.0, 1.9, 1.52), 1.5, OPEN)],
)
def test_whether_help_is_aimed(scores, elsewhere, word):
    own = dict(zip(BENEFICIARY, scores, strict=True))
    rows = pd.concat([
        blocks(dict.fromkeys(SEATS, elsewhere) | {SEATS[seat]: own[game]}, game=game)
        for game, seat in BENEFICIARY.items()
    ])  # fmt: skip
    for frame in (rows, pd.concat([rows.assign(model="random"), rows.assign(model="greedy")])):
        assert dict(q.aimed("greedy", frame))["daifugo/greedy/meant"].holds is word


def table_2(near=(2.2, 0.8), far=(1.8, 0.5), swing=0.05):
    """Make table 2; SontakuA and SontakuC have scores of beneficiary and helper."""
    scores = {
        "SontakuA": {"CPUA": near[0], "Sontaku": near[1]}, "SontakuB": {},
        "SontakuC": {"CPUC": far[0], "Sontaku": far[1]},
    }  # fmt: skip
    return pd.concat([blocks(each, game=game, swing=swing) for game, each in scores.items()])


def games(helped, n=20, right=1.0, otherwise=0.5, apart=0.4, stakes=(0, 0.2, 0, 0.1), noise=0.02):
    """Make games of a watched player; in a share `right` of them its truth is the likeliest."""
    rows = pd.DataFrame({"helped": helped, "chunk": range(n), "games": 1, "decisions": 10})
    wave = np.resize(WAVE, n) * noise
    rows = rows.assign(votes=200, pairs=3800, open=5, apart=3800 * apart)
    rows["against"] = 200 * (otherwise + wave)
    for k, name in enumerate(q.TRUTHS):
        wrong = q.TRUTHS[(q.TRUTHS.index(helped) + 1) % 4] if helped in q.TRUTHS else "itself"
        likely = np.where(np.arange(n) < right * n, name == helped, name == wrong)
        rows[f"likelihood {name}"] = np.where(likely, 1e-3, 1e-6)
        rows[f"stake {name}"] = 5 * (stakes[k] + wave * (k == 1))
    return rows


def watched(n=20, **made):
    """Make games of everybody who is watched, changed by name."""
    return pd.concat([games(helped, n, **made.get(helped, {})) for helped in WATCHED])


def everybody(right):
    """Say for `watched` that everybody is recognised in this share of games."""
    return {name: {"right": right} for name in q.TRUTHS}


@pytest.mark.parametrize(
    ("stakes", "noise", "word"),
    [((0, 0.2, 0, 0.1), 0.02, YES), ((0, 0.1, 0, 0.2), 0.02, NO), ((0, 0.11, 0, 0.1), 0.1, OPEN)],
)
def test_stakes(stakes, noise, word):
    made = watched(nobody={"stakes": stakes, "noise": noise})
    assert dict(q.why(table_2(), made))["daifugo/front/stake"].holds is word


@pytest.mark.parametrize(
    ("made", "word"),
    [
        ({}, YES),  # 0.3 of 1.0 against 0.7 of 0.7
        ({"near": (1.8, 0.5), "far": (2.2, 0.8)}, NO),
        ({"far": (2.5, 0.5), "swing": 0.2}, OPEN),
    ],
)
def test_what_arrives(made, word):
    assert dict(q.why(table_2(**made), watched()))["daifugo/front/leak"].holds is word


@pytest.mark.parametrize(
    ("best", "swing", "word"), [(2.5, 0.1, YES), (2.0, 0.1, NO), (2.05, 0.9, OPEN)]
)
def test_seats(best, swing, word):
    rows = [
        blocks({SEATS[(h + d) % 4]: best if h == 2 else 2.0}, swing=swing, helper=h,
               helped=(h + d) % 4)
        for h in range(4) for d in (1, 2, 3)
    ]  # fmt: skip
    assert dict(q.seats(pd.concat(rows)))["daifugo/front/seats"].holds is word
    few = pd.concat([each[:2] for each in rows])
    assert dict(q.seats(few))["daifugo/front/seats"].holds is OPEN


def changed(only=None, score=1.8, firsts=0.3, **options):
    """Make the blocks of every change; `only` one of them has another score."""
    return {
        name: blocks({"CPUC": score if name == only else 1.8}, firsts, **options)
        for name in q.TRIED
    }


@pytest.mark.parametrize("only", q.TRIED)
@pytest.mark.parametrize(
    ("score", "swing", "word"), [(2.0, 0.1, YES), (1.8, 0.05, NO), (1.9, 0.5, OPEN)]
)
def test_every_change(only, score, swing, word):
    found = dict(q.helped(changed(only, score, swing=swing), table_2()))
    assert found[f"daifugo/front/{q.TRIED[only]}"].holds is word
    assert all(
        found[f"daifugo/front/{q.TRIED[other]}"].holds is not YES
        for other in q.TRIED
        if other != only
    )


@pytest.mark.parametrize(
    ("firsts", "swing", "word"), [(0.4, 0.05, YES), (0.3, 0.02, NO), (0.32, 0.1, OPEN)]
)
def test_first_places(firsts, swing, word):
    found = dict(q.helped(changed(firsts=firsts, swing=swing), table_2(swing=0.02)))
    assert found["daifugo/front/firsts"].holds is word


@pytest.mark.parametrize(
    ("score", "swing", "word"), [(2.5, 0.05, YES), (2.0, 0.05, NO), (2.2, 0.05, OPEN)]
)
def test_as_near(score, swing, word):
    found = dict(q.helped(changed("CPUA helps too", score, swing=swing), table_2()))
    assert found["daifugo/front/as-near"].holds is word
    assert "CPUA helps too" in found["daifugo/front/as-near"].detail


@pytest.mark.parametrize(
    ("made", "end", "word"),
    [
        ({}, "differs", YES),
        ({"CPUB": {"otherwise": 0.4}}, "differs", NO),
        ({"CPUB": {"otherwise": 0.43, "noise": 0.2}}, "differs", OPEN),
        ({}, "one-game", YES),
        (everybody(0.05), "one-game", NO),
        (everybody(0.25), "one-game", OPEN),
        ({"n": 100}, "five-games", YES),
        (everybody(0.5), "five-games", NO),
        ({}, "five-games", OPEN),  # 16 of 16 groups are too few
        ({"itself": {"right": 0.5}}, "innocent", YES),
        ({"n": 100}, "innocent", NO),
        ({"itself": {"right": 0.9}}, "innocent", OPEN),
    ],
)
def test_whether_it_is_noticed(made, end, word):
    assert dict(q.noticed(watched(**made)))[f"daifugo/noticed/{end}"].holds is word
    if end.endswith(("game", "games")):
        assert dict(q.noticed_early(watched(**made)))[f"daifugo/noticed/early-{end}"].holds is word


def test_equal_likelihoods_name_nobody():
    rows = watched()
    for name in q.TRUTHS:
        rows[f"likelihood {name}"] = 0.5
    assert set(q.verdicts(rows).named) == {""}
    assert dict(q.noticed(rows))["daifugo/noticed/innocent"].holds is OPEN  # 0 of 20


def test_likelihoods_multiply_over_games():
    rows = games("CPUA", 5, right=0.8)  # wrong in one game of five
    assert q.verdicts(rows).named.tolist() == ["CPUA"] * 4 + ["CPUB"]
    assert q.verdicts(rows, 5).named.tolist() == ["CPUA"]
    assert q.verdicts(rows, 2).named.tolist() == ["CPUA"] * 2  # the fifth is left over


def test_stored_rows_answer_every_question():
    found = questions.answered("daifugo")  # which refuses questions without answers
    assert found.id.is_unique
    assert not found.isna().to_numpy().any()
    assert found.detail.str.endswith(".").all()


@pytest.mark.parametrize("word", ["yes", "no", "cannot tell"])
def test_sentences_say_every_answer(word):
    asked = questions.asked("daifugo")
    made = asked.assign(answer=word, detail=[f"<{name}>." for name in asked.id])
    told = sentences(made, pd.Series(0.1, index=list(q.TRIED)), watched())
    assert "50 to 50 %" in told[2]
    assert "<daifugo/noticed/one-game>" in told[2]
    assert told[1].count("(+0.10)") == len(q.TRIED)
    other = sentences(made.assign(answer="no" if word == "yes" else "yes"),
                      pd.Series(0.1, index=list(q.TRIED)), watched())  # fmt: skip
    assert other[0] != told[0]
    assert other[1] != told[1]
