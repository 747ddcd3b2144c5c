"""Made-up rows for the judges of Daifugo.

A seat is written as its first places and its points in the 1000 games of a block: one number, or a
list with one for each block. Ten blocks that `swing` by d about their mean m have a 95 % interval
of m ± 0.754 d: the standard error is d / 3, Student's t with 9 degrees 2.262. Where the blocks of
AllRandom swing as widely, Welch's is m ± 0.990 d.
"""

import numpy as np
import pandas as pd

from tests.judging import Case

OPEN = "undecided"
ENOUGH = 10  # blocks
SEATS = ("Sontaku", "CPUA", "CPUB", "CPUC")
EVEN = dict.fromkeys(SEATS, (250, 1500))
# First places and points by seat. AllRandom is not as in table 1: neither is taken for the other.
PLAYED = {
    "AllRandom": ((250, 1600), (250, 1600), (250, 1600), (250, 1600)),
    "SontakuA": ((0, 900), (500, 1900), (250, 1600), (250, 1600)),
    "SontakuB": ((0, 900), (300, 1650), (450, 1850), (250, 1600)),
    "SontakuC": ((0, 900), (300, 1600), (300, 1700), (400, 1800)),
}
GAMES = {game: dict(zip(SEATS, seats, strict=True)) for game, seats in PLAYED.items()}
HELPED = {"SontakuA": "CPUA", "SontakuB": "CPUB", "SontakuC": "CPUC"}


def swing(mean, by):
    return [mean + by, mean - by] * (ENOUGH // 2)


def blocks(game, seats, n=ENOUGH):
    """Make the rows of `n` blocks; a quarter of everybody's games end in the fourth place."""
    rows = pd.DataFrame({"game": game, "chunk": range(n), "games": 1000})
    for seat, (first, points) in seats.items():
        first, points = (np.broadcast_to(x, n) for x in (first, points))
        places = first, points - 750 - 2 * first, first + 1500 - points, np.full(n, 250)
        for place, counts in zip(("1st", "2nd", "3rd", "4th"), places, strict=True):
            assert (counts >= 0).all(), (game, seat)
            rows[f"{seat} {place}"] = counts
    return rows


def table_1(n=ENOUGH, **seats):
    return blocks("AllRandom", EVEN | seats, n)


def table_2(n=ENOUGH, **games):
    made = [blocks(game, seats | games.get(game, {}), n) for game, seats in GAMES.items()]
    return pd.concat(made, ignore_index=True)


def alone(n=ENOUGH, **games):
    return lambda: (table_2(n, **games),)


def both(n=ENOUGH, random=EVEN, **games):
    """Make the rows of both tables; `random` are seats of table 1."""
    return lambda: (table_2(n, **games), table_1(**random))


#: Families of claims that are parts of one sentence, which is judged with them.
SENTENCES = ("feasible", "highest", "before")


def claims(family, holds, games="abc"):
    parts = {f"claim/{family}-{letter}": holds for letter in games}
    return parts | ({f"claim/{family}": holds} if family in SENTENCES else {})


#: A mean and a swing of ten blocks, and whether their interval lies above 0.
ABOVE_0 = ((0, 0, OPEN), (1, 0, True), (-1, 0, False), (30, 40, OPEN), (31, 40, True),
           (-30, 40, OPEN), (-31, 40, False))  # fmt: skip


def gains(family, judge, number):
    """Yield cases of the beneficiaries' gains; `number` makes a seat that has so much more."""

    def case(gain, by, holds, random):
        games = {game: {seat: number(gain, by)} for game, seat in HELPED.items()}
        return Case(judge, both(random=random, **games), claims(family, holds))

    for gain, by, holds in ABOVE_0:
        yield case(gain, by, holds, EVEN)
    for gain, holds in ((39, OPEN), (40, True), (-40, False)):  # AllRandom swings too: Welch
        yield case(gain, 40, holds, {seat: number(0, 40) for seat in SEATS})


def sentences():
    """Yield cases in which SontakuC differs from the others, and the sentence goes with it."""
    for by, holds in ((0, False), (40, OPEN)):
        feasible = {"claim/feasible-a": True, "claim/feasible-b": True, "claim/feasible-c": holds}
        frames = both(SontakuC={"CPUC": (250, swing(1490, by))})
        yield Case("beneficiary_scores_more", frames, feasible | {"claim/feasible": holds})
        highest = {"claim/highest-a": True, "claim/highest-b": True, "claim/highest-c": holds}
        frames = alone(SontakuC={"CPUB": (300, 1700), "CPUC": (300, swing(1690, by))})
        yield Case("beneficiary_scores_highest", frames, highest | {"claim/highest": holds})
        before = {"claim/before-b": True, "claim/before-c": holds, "claim/before": holds}
        frames = both(SontakuB={"CPUA": (250, 1600)}, SontakuC={"CPUB": (250, swing(1490, by))})
        yield Case("neighbour_scores_a_little_more", frames, before)


def highest():
    """Yield cases of the beneficiaries, each with one other player of its game, by turns."""

    def case(holds, seats):
        """Give seats to the beneficiary and to the one who sits so many places behind it."""
        for behind in (1, 2, 3):
            games = {}
            for game, seat in HELPED.items():
                other = SEATS[(SEATS.index(seat) + behind) % 4]
                games[game] = dict(zip((seat, other), seats, strict=True))
            yield Case("beneficiary_scores_highest", alone(**games), claims("highest", holds))

    for lead, by, holds in ABOVE_0:
        yield from case(holds, [(500, swing(1900, by)), (500, 1900 - lead)])
    yield from case(True, [(500, swing(1850, 50)), (500, swing(1849, 50))])  # ahead in every block


def neighbour():
    """Yield cases of the player before the beneficiary: whether it gains, and less."""

    def case(holds, before, helped=(450, 1850), random=EVEN):
        b, c = {"CPUA": before, "CPUB": helped}, {"CPUB": before, "CPUC": helped}
        frames = both(random=random, SontakuB=b, SontakuC=c)
        return Case("neighbour_scores_a_little_more", frames, claims("before", holds, "bc"))

    for gain, by, holds in ABOVE_0:
        yield case(holds, (250, swing(1500 + gain, by)))
    # the beneficiary gains 350, and half of it is 175
    for gain, by, holds in ((174, 0, True), (176, 0, False), (175, 40, OPEN)):
        yield case(holds, (300, swing(1500 + gain, by)))
    # they swing together, and half of one less the other does not swing at all
    for gain, holds in ((174, True), (176, False)):
        yield case(holds, (300, swing(1500 + gain, 20)), helped=(400, swing(1850, 40)))
    # gains are counted from each seat's own score in AllRandom
    yield case(True, (300, 1675), random={"CPUA": (250, 1502), "CPUB": (250, 1502)})


def never_first():
    """Yield cases of the sontaku player's first places, block by block."""
    for firsts, holds in (
        ([0] * 10, True),
        ([1, 1, 1, 1, 0, 0, 0, 0, 0, 0], True),
        ([1, 1, 1, 1, 1, 0, 0, 0, 0, 0], False),  # half of the blocks: the median is 0.5
        ([9, 8, 7, 6, 0, 0, 0, 0, 0, 0], True),  # 0.003 of all games
        ([9, 8, 7, 7, 0, 0, 0, 0, 0, 0], False),
    ):
        frames = alone(**{game: {"Sontaku": (firsts, 900)} for game in HELPED})
        yield Case("helper_never_comes_first", frames, claims("never-first", holds))


ORDER = "claim/order-of-rise"


def order(a, b, c, holds, random=EVEN, **limits):
    frames = both(random=random, SontakuA={"CPUA": a}, SontakuB={"CPUB": b}, SontakuC={"CPUC": c})
    return Case("nearer_beneficiary_rises_more", frames, {ORDER: holds}, limits={ORDER: limits})


A, B, C = (GAMES[game][seat] for game, seat in HELPED.items())
# Table 1 with another score of CPUA or CPUC, so that ours and the published baseline differ.
HIGH_A, LOW_A, HIGH_C = {"CPUA": (300, 1600)}, {"CPUA": (250, 1400)}, {"CPUC": (300, 1600)}
ORDERS = [
    order(A, B, C, True),
    # A - B alone: 1875 of 1500 is a rise of 25 %, as is 2000 of 1600
    *(order((600, swing(points, 20)), (450, 1875), C, holds, HIGH_A)
      for points, holds in ((2015, OPEN), (2016, True), (1985, OPEN), (1984, False))),
    # B - C alone
    *(order(A, (450, swing(points, 20)), C, holds)
      for points, holds in ((1815, OPEN), (1816, True), (1784, False))),
    # 50, 25 and 0 percent, each step on its threshold
    order((750, 2250), (450, 1875), (250, 1500), OPEN, a_b=25),
    order((750, 2250), (450, 1875), (250, 1500), OPEN, b_c=25),
    order((750, 2250), (450, 1875), (250, 1500), True, a_b=24.99, b_c=24.99),
    # the published baselines, 1.478, 1.462 and 1.461, against which the order is another
    order((250, 1478), (250, 1462), (250, 1400), False, LOW_A),
    order((250, 1479), (250, 1462), (250, 1400), True, LOW_A),
    order(A, (250, 1462), (250, 1461), False, HIGH_C),
    order(A, (250, 1463), (250, 1461), True, HIGH_C),
]  # fmt: skip


def too_few():
    """Yield cases of nine blocks in a game, or in table 1: no claim is judged."""
    judged = {
        "beneficiary_scores_more": ("feasible", 2), "beneficiary_scores_highest": ("highest", 1),
        "beneficiary_comes_first_more": ("first-places", 2),
        "neighbour_scores_a_little_more": ("before", 2),
        "helper_never_comes_first": ("never-first", 1),
    }  # fmt: skip

    def frames(number, game):
        whole = table_2()
        fewer = whole[(whole.game != game) | (whole.chunk < 9)]
        return (fewer, table_1(9 if game == "table 1" else ENOUGH))[:number]

    for game in ("AllRandom", "SontakuA", "table 1"):
        for judge, (family, number) in judged.items():
            nothing = claims(family, None, "bc" if family == "before" else "abc")
            if number > 1 or game != "table 1":
                yield Case(judge, lambda number=number, game=game: frames(number, game), nothing)
        order = {"claim/order-of-rise": None}
        yield Case("nearer_beneficiary_rises_more", lambda game=game: frames(2, game), order)


def seat_values(table, **rows):
    """Return published ids and numbers, from rows by place or by seat."""
    return {f"{table}/{row}/{name}": x for row, found in rows.items() for name, x in found.items()}


VALUES = [
    Case(
        "places_at_random",
        lambda: (table_1(Sontaku=(280, 1600), CPUA=(swing(260, 20), 1500),
                         CPUB=(240, swing(1450, 30)), CPUC=(220, [1450] * 5 + [1460] * 5)),),
        values=seat_values(
            "table-1",
            sontaku={"1st": 280, "2nd": 290, "3rd": 180, "4th": 250, "score": 1.6},
            cpua={"1st": 260, "2nd": 230, "3rd": 260, "4th": 250, "score": 1.5},
            cpub={"1st": 240, "2nd": 220, "3rd": 290, "4th": 250, "score": 1.45},
            cpuc={"1st": 220, "2nd": 265, "3rd": 265, "4th": 250, "score": 1.455},
        ),
    ),
    Case(
        "first_places_and_scores",
        alone(SontakuB={"CPUA": (swing(310, 40), 1650), "CPUC": (250, swing(1610, 50))}),
        values=seat_values(
            "table-2",
            sontakua={"sontaku": 0, "cpua": 500, "cpub": 250, "cpuc": 250},
            sontakub={"sontaku": 0, "cpua": 310, "cpub": 450, "cpuc": 250},
            sontakuc={"sontaku": 0, "cpua": 300, "cpub": 300, "cpuc": 400},
        ) | seat_values(
            "figure-1",
            allrandom={"sontaku": 1.6, "cpua": 1.6, "cpub": 1.6, "cpuc": 1.6},
            sontakua={"sontaku": 0.9, "cpua": 1.9, "cpub": 1.6, "cpuc": 1.6},
            sontakub={"sontaku": 0.9, "cpua": 1.65, "cpub": 1.85, "cpuc": 1.61},
            sontakuc={"sontaku": 0.9, "cpua": 1.6, "cpub": 1.7, "cpuc": 1.8},
        ),
    ),
    # against table 1's 1.5, and block by block against the 1.6 of AllRandom in table 2
    Case("rise_of_the_beneficiary", both(), {}, {"figure-2/rise/cpua": 80 / 3,
         "figure-2/rise/cpub": 70 / 3, "figure-2/rise/cpuc": 20,
         "section-4.3/rise-difference/cpua-cpuc": 6.25}),
    Case("rise_of_the_beneficiary", both(n=9), {}, {"figure-2/rise/cpua": 18.75,
         "figure-2/rise/cpub": 15.625, "figure-2/rise/cpuc": 12.5,
         "section-4.3/rise-difference/cpua-cpuc": 6.25}),
    Case("rise_of_the_beneficiary", both(n=1), {}, {"figure-2/rise/cpub": 15.625,
         "section-4.3/rise-difference/cpua-cpuc": 6.25}),
    # 2.0 / 1.6 and 1.8 / 1.4: rises of 25 and 200 / 7 percent, less 12.5
    Case("rise_of_the_beneficiary", both(AllRandom={"CPUA": (250, swing(1500, 100))},
         SontakuA={"CPUA": (500, swing(1900, 100))}), {},
         {"section-4.3/rise-difference/cpua-cpuc": 100 / 7}),
]  # fmt: skip

CASES = [
    *too_few(),
    *VALUES,
    *gains("feasible", "beneficiary_scores_more", lambda gain, by: (250, swing(1500 + gain, by))),
    *highest(),
    *sentences(),
    *gains("first-places", "beneficiary_comes_first_more",
          lambda gain, by: (swing(250 + gain, by), 1500)),
    *neighbour(),
    *never_first(),
    *ORDERS,
]  # fmt: skip
