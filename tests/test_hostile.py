"""Bad input is refused with a sentence, long calls end with Ctrl-C, kernels stay in their arrays.

The sweep itself is `tests.hostile`; here are what it must find, the cases that once did harm, and
runs with numba's checks of array bounds.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from gamecore import (
    bits,
    check,
    daifugo,
    goofspiel,
    matrixgame,
    pokemon,
    rng,
    rps,
    triomineering,
)
from gamecore.contest import wilson
from gamecore.goofspiel import Profile, build, uniform
from gamecore.papers import experiment
from gamecore.papers.stats import Ours, joint_test, verdict
from tests.hostile import Call

ROOT = Path(__file__).parent.parent
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the sweep forks processes")
#: Rooms whose examples are quick, for every run of the tests.
QUICK = ("rps", "matrixgame", "bits", "rng", "svg", "papers.stats")
#: Where NaN, infinity, True or a broken count is accepted, and why that is right.
FINE = {
    "gamecore.svg.text.size": "letters may be 1.5 high",
    "gamecore.goofspiel.Tree": "is made by build, and a profile takes no other",
    "gamecore.triomineering.approximate": "payoffs are scaled before they are summed",
    "gamecore.pokemon.Misjudgements": "holds what was found; nothing is done with it",
}
NAN = {"nan", "inf", "-inf", "np.float32 NaN", "Decimal('NaN')", "array of NaN", "{1: nan}"}
NAN |= {"[[nan, 1], [0, 1]]", "[[inf, 1], [0, 1]]", "[[±1e308]]"}


def swept(folder: Path, *options: str) -> list[Call]:
    """Run the sweep and return its calls."""
    out = folder / "calls.jsonl"
    command = [sys.executable, "-m", "tests.hostile", "--out", str(out), *options]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return [Call(*json.loads(line)) for line in out.read_text(encoding="utf-8").splitlines()]


def harm(calls: list[Call]) -> list[Call]:
    """Return the calls that were neither accepted nor refused with a sentence, nor stopped."""
    good = ("accepted", "refused", "stopped")
    return [call for call in calls if call.outcome not in good]


def nonsense(calls: list[Call]) -> list[Call]:
    """Return accepted calls with NaN or infinity, or True or 1.5 where the type says a number."""
    found = []
    for call in calls:
        is_bool = call.value in ("True", "np.bool_") and "bool" not in call.takes
        is_broken = call.value == "1.5" and "float" not in call.takes
        is_number = re.search(r"\bint\b|float|Array", call.takes)
        wrong = call.value in NAN or is_bool or is_broken
        fine = f"{call.target}.{call.parameter}".startswith(tuple(FINE))
        if call.outcome == "accepted" and wrong and is_number and not fine:
            found.append(call)
    return found


@needs_fork
def test_a_sample_of_hostile_calls_does_no_harm(tmp_path):
    rooms = [f"gamecore.{room}" for room in QUICK]
    calls = swept(tmp_path, "--sample", "900", "--seed", "1", "--only", *rooms)
    assert len(calls) > 600
    assert harm(calls) == []
    assert nonsense(calls) == []


@needs_fork
@pytest.mark.slow
def test_no_hostile_call_does_harm(tmp_path):
    """Every parameter of every public function, some thirty thousand calls."""
    calls = swept(tmp_path)
    assert len(calls) > 20_000
    assert harm(calls) == []
    assert nonsense(calls) == []


def test_the_sweep_sees_every_kind_of_harm(tmp_path):
    """What it reports is what a process did: an exception, a hang, a crash."""
    script = tmp_path / "harmful.py"
    script.write_text(
        "import ctypes, time, types\n"
        "from tests import hostile\n"
        "hostile.PATIENCE = hostile.GRACE = 0.5\n"
        "def harmful(what):\n"
        "    {'crash': lambda: ctypes.string_at(0), 'time-out': hang, 'stopped': sleep,\n"
        "     'other exception': lambda: None.x, 'accepted': int}[what]()\n"
        "def sleep():\n"
        "    time.sleep(60)\n"
        "def hang():\n"
        "    while True:\n"
        "        try:\n"
        "            time.sleep(60)\n"
        "        except KeyboardInterrupt:\n"
        "            pass\n"
        "target = hostile.Target('__main__.harmful', harmful, None)\n"
        "kinds = ['accepted', 'crash', 'other exception', 'time-out', 'stopped', 'accepted']\n"
        "calls = [(hostile.Call('', '', kind), {'what': kind}) for kind in kinds]\n"
        "assert [call.outcome for call in hostile.made(target, calls)] == kinds\n",
        encoding="utf-8",
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, str(script)], check=True, env=environment, timeout=60)


# ------------------------------------------------------------------------- what once did harm

#: None of these is a number of games, iterations or rounds.
ODD = (float("nan"), float("inf"), 2**63, 1.5, True, -1, 0, None, "5", np.float64(3), [3])
COUNTED = {
    "rps.match": lambda n: rps.match("nash", "rocky", n, seed=1),
    "pokemon.match": lambda n: pokemon.match("random", "random", n, seed=1, turns=1),
    "pokemon.misjudge": lambda n: pokemon.misjudge(n, seed=1),
    "pokemon.strategies": lambda n: pokemon.strategies([[0.5]], "nash", n, seed=1),
    "pokemon.average": lambda n: pokemon.player(average=n),
    "goofspiel.train": lambda n: goofspiel.train(3, "C", n, seed=1),
    "goofspiel.match": lambda n: goofspiel.match("uniform", "prize", n, seed=1, cards=3),
    "goofspiel.CFR": lambda n: goofspiel.CFR(3, "C").run(n),
    "daifugo.series": lambda n: daifugo.series(n, seed=1),
    "daifugo.Sontaku": lambda n: daifugo.Sontaku(playouts=n),
    "fictitious_play": lambda n: matrixgame.fictitious_play([[1, 0], [0, 1]], n),
    "regret_matching": lambda n: matrixgame.regret_matching([[1, 0], [0, 1]], n),
}


@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize("odd", ODD, ids=str)
def test_what_is_no_count_is_refused(name, odd):
    with pytest.raises(ValueError, match="must be a whole number from 1 to"):
        COUNTED[name](odd)


def test_no_battle_starts_with_a_fainted_monster():
    """A lead without HP once made the match kernel read beyond its arrays."""
    fainted = {"name": "D", "type": "grass", "hp": 0, "speed": 6, "moves": ["grass"]}
    with pytest.raises(ValueError, match="D's hp must be a whole number from 1"):
        pokemon.Monster(**fainted)
    paper = pokemon.start().battle
    with pytest.raises(ValueError, match="nobody has fainted before the leads are dealt"):
        pokemon.State(paper, None, ((5, 5, 5), (0, 4, 4)), 19)
    waiting = pokemon.State(paper, (0, 0), ((5, 5, 5), (0, 4, 4)), 19)
    assert list(pokemon.ask("nash", waiting, seat=1)) == ["send E", "send F"]


@pytest.mark.parametrize("turn", [4, 2**40, -1, 1.0, True])
def test_a_table_has_four_seats(turn):
    with pytest.raises(ValueError, match="turn must be a whole number from 0 to 3"):
        daifugo.State.of(["D3", "D4", "D5", "D6"], turn=turn)


def test_a_revolution_is_or_is_not():
    with pytest.raises(ValueError, match="revolution must be True or False, not 2"):
        daifugo.legal_plays("D3 D4", revolution=2)


@pytest.mark.parametrize("limit", [-1, 0, 3, 1001, 2**63])
def test_no_game_is_longer_than_its_log(limit):
    with pytest.raises(ValueError, match="pass_limit must be a whole number from 4 to 1,000"):
        daifugo.Rules(pass_limit=limit)


def test_a_play_made_of_anything_is_no_field():
    hands = (("D3",), ("D4",), ("D5",), ("D6",))
    for field in (daifugo.Play((None,)), daifugo.Play(("C4", "JO"), "x"), daifugo.Play("C4"), "C4"):
        with pytest.raises(ValueError, match=r"the field must be a Play or None|unknown card"):
            daifugo.State(hands=hands, field=field, owner=1)


@pytest.mark.parametrize("shift", [1, -1, 2**31])
def test_rows_lie_inside_their_policy(shift):
    known = uniform(3)
    row = known.rows[0].astype(np.int64) + shift
    with pytest.raises(ValueError, match=r"lies outside its policy|sum to 1"):
        Profile(build(3, "markov"), (row, known.rows[1]), known.policies)


def test_a_policy_of_nan_is_no_equilibrium():
    """Its exploitability once was 0."""
    known = uniform(3)
    with pytest.raises(ValueError, match="probabilities must be 0 or more and sum to 1"):
        Profile(known.tree, known.rows, (known.policies[0] * np.nan, known.policies[1]))
    with pytest.raises(ValueError, match="lies between 0 and 1, not nan"):
        Profile.of(3, lambda state, player: dict.fromkeys(state.hand(player), np.nan))


@pytest.mark.parametrize("row", [[0.5, 0.2], [-1.0, 2.0], [np.nan, 1.0], [1.0], "x", [[1.0, 0.0]]])
def test_what_is_no_mixture_has_no_gap(row):
    with pytest.raises(ValueError, match="row must be"):
        matrixgame.duality_gap([[1, 0], [0, 1]], row, [0.5, 0.5])


def test_payoffs_whose_range_overflows_are_refused():
    wide = [[1e308, -1e308], [-1e308, 1e308]]
    for call in (
        lambda: matrixgame.solve(wide),
        lambda: matrixgame.fictitious_play(wide, 10),
        lambda: matrixgame.regret_matching(wide, 10),
        lambda: matrixgame.duality_gap(wide, [0.5, 0.5], [0.5, 0.5]),
    ):
        with pytest.raises(ValueError, match="payoffs must be from -1e\\+290 to 1e\\+290"):
            call()


def test_sets_of_bits_have_64_and_where_one_is_sought_one():
    for odd in (2**64, -(2**63) - 1, 1.5, True, None):
        with pytest.raises(ValueError, match="a set of bits must be a whole number"):
            bits.popcount(odd)
    for seek in (bits.lowest, bits.highest):
        with pytest.raises(ValueError, match="must have one that is set"):
            seek(0)


def test_seeds_are_whole_numbers_or_sequences():
    for odd in (1.5, -1, True, None, "1", [1]):
        with pytest.raises(ValueError, match="seed must be a whole number from 0"):
            rng.state(odd)


def test_statistics_of_nothing_are_refused():
    for call, words in (
        (lambda: wilson(5, 10, level=1.0), "level must be"),
        (lambda: wilson(np.nan, 10), "successes must be"),
        (lambda: wilson(1, 0.5), "a number of games"),
        (lambda: joint_test([1, np.nan], [1, 2]), "finite"),
        (lambda: verdict("exact", np.nan, Ours(1.0)), "published must be"),
        (lambda: verdict("exact", 1.0, Ours(np.nan)), "our value must be"),
        (lambda: verdict("guess", 1.0, Ours(1.0)), "kind must be one of"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


@pytest.mark.parametrize("game", ["rps", "pokemon", "daifugo"])
def test_what_cannot_be_kept_is_refused_before_it_is_begun(game, monkeypatch):
    monkeypatch.setattr(check, "available_memory", lambda: 10**6)
    call = {"rps": COUNTED["rps.match"], "daifugo": COUNTED["daifugo.series"]}.get(game)
    with pytest.raises(ValueError, match=r"needs .* GB, more than the"):
        (call or (lambda n: pokemon.match("nash", "nash", n, 1)))(10**7)


def test_sentences_stay_short_whatever_was_given():
    class Rude:
        def __repr__(self):
            raise RuntimeError("no")

    for value in ("x" * 10**6, Rude(), list(range(10**5))):
        with pytest.raises(ValueError, match="games must be") as raised:
            rps.match("nash", "nash", value, seed=1)
        assert len(str(raised.value)) < 200


# ------------------------------------------------------------------------------- what takes long

#: Calls that would take hours, after a short one that compiles what is needed.
LONG = {
    "pokemon.solve": (
        "from gamecore.pokemon import solve, solution",
        "solve(1); solution._solved.cache_clear()",
        "[(solve(k), solution._solved.cache_clear()) for k in range(19, 10**6)]",
    ),
    "pokemon.match": (
        "from gamecore.pokemon import match",
        "match('monte-carlo', 'nash', 1, 1)",
        "match('monte-carlo', 'nash', 10**6, 1)",
    ),
    "pokemon.misjudge": (
        "from gamecore.pokemon import misjudge", "misjudge(1, 1)", "misjudge(10**8, 1)",
    ),
    "pokemon.average": (
        "from gamecore.pokemon import match, player",
        "who = player(noise='normal', delta=0.1, average=1000); match(who, who, 1, 1)",
        "match(who, who, 10**6, 1)",
    ),
    "goofspiel.train": (
        "from gamecore.goofspiel import train", "train(5, 'CD', 1, 1)", "train(5, 'CD', 10**9, 1)",
    ),
    "goofspiel.CFR": (
        "from gamecore.goofspiel import CFR", "CFR(5, 'CD').run(1)", "CFR(5, 'CD').run(10**9)",
    ),
    "goofspiel.match": (
        "from gamecore.goofspiel import match",
        "match('uniform', 'prize', 1, 1)",
        "match('uniform', 'prize', 10**8, 1)",
    ),
    "daifugo.series": (
        "from gamecore.daifugo import series", "series(1, 1)", "series(10**6, 1)",
    ),
    "daifugo.Sontaku": (
        "from gamecore.daifugo import Sontaku, series",
        "series(1, 1, [Sontaku(playouts=101)] * 4)",
        "series(10**3, 1, [Sontaku(playouts=10**6)] * 4)",
    ),
    "daifugo.rewards": (
        "from gamecore.daifugo import Sontaku, rewards, series",
        "state = series(1, 1).replay(0)[70]; rewards(state, 1)",
        "rewards(state, 1, Sontaku(playouts=10**6))",
    ),
    "rps.match": (
        "from gamecore.rps import match", "match('nash', 'rocky', 1, 1)",
        "[match('nash', 'rocky', 10**6, 1) for _ in range(10**6)]",
    ),
    "matrixgame": (
        "from gamecore.matrixgame import fictitious_play, regret_matching",
        "fictitious_play([[2, 0], [0, 1]], 1); regret_matching([[2, 0], [0, 1]], 1)",
        "fictitious_play([[2, 0], [0, 1]], 10**9); regret_matching([[2, 0], [0, 1]], 10**9)",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_a_long_call_within_two_seconds(name):
    imports, warm, long = LONG[name]
    code = (
        f"import signal, time\n{imports}\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"{warm}\nprint('ready', flush=True)\n"
        f"try:\n    {long}\n"
        "except KeyboardInterrupt:\n    print(time.time(), flush=True)\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.5)
        asked = time.time()
        process.send_signal(signal.SIGINT)
        answer = process.communicate(timeout=60)[0]
    assert answer, "it ended before Ctrl-C, or did not hear it"
    assert float(answer) - asked < 2


def test_stretches_change_no_result(monkeypatch):
    """Every result is the same when kernels return after each game, iteration or round."""

    def results():
        half = [[2, 0], [0, 1]]
        return [
            rps.match("copycat", "nash", 30, 1).results,
            pokemon.match("nash", "random", 30, 1).results,
            *pokemon.strategies([[0.5], [0.4]], pokemon.player(noise="normal", delta=0.2), 20, 1),
            *goofspiel.train(3, "C", 30, 1).policies,
            *goofspiel.CFR(3, "C").run(30).policies,
            goofspiel.match("uniform", "nash", 30, 1, cards=3).results,
            daifugo.series(6, 1, [daifugo.Sontaku(playouts=120), *["random"] * 3]).orders,
            daifugo.series(30, 1, ["random"] * 4).orders,
            matrixgame.fictitious_play(half, 30).row,
            matrixgame.regret_matching(half, 30).row,
        ]

    parts = results()
    monkeypatch.setattr(check, "stretches", lambda total: [(0, total)])
    whole = results()
    monkeypatch.setattr(check, "stretches", lambda total: [(k, k + 1) for k in range(total)])
    for one, other, third in zip(parts, whole, results(), strict=True):
        assert np.array_equal(one, other)
        assert np.array_equal(one, third)


def test_games_played_turn_by_turn_are_those_played_in_one_go(monkeypatch):
    players = [daifugo.Sontaku(playouts=101), daifugo.Sontaku(2, playouts=7), "greedy", "random"]
    by_turns = daifugo.series(4, 3, players)
    for room in ("players", "matches"):
        monkeypatch.setattr(f"gamecore.daifugo.{room}.QUICK", 101)
    in_one_go = daifugo.series(4, 3, players)
    assert (by_turns.orders == in_one_go.orders).all()
    for name in ("turns", "playouts", "drawn"):
        assert (by_turns.counts[name] == in_one_go.counts[name]).all()
    assert by_turns.replay(3) == in_one_go.replay(3)


# ------------------------------------------------------------------------------- array bounds

BOUNDED = {
    "rps": """
from gamecore.rps import PLAYERS, match
for first in PLAYERS:
    for second in PLAYERS:
        match(first, second, 50, seed=1).replay(49)
""",
    "pokemon": """
from gamecore.pokemon import Battle, Monster, PLAYERS, match, misjudge, player, solve
from gamecore.pokemon.perception import BIASES, NOISES
duel = [Monster("A", "fire", 3, 1, ["fire"])], [Monster("B", "water", 2, 2, ["water", "fire"])]
six = [Monster(f"M{k}", "grass", 1, k, ["grass", "fire", "water", "electric"]) for k in range(6)]
ways = [player(kind) for kind in PLAYERS]
ways += [player(noise=noise, delta=0.2) for noise in NOISES]
ways += [player(bias=bias, alpha=0.1) for bias in BIASES]
ways += [player(noise="normal", delta=0.1, **{name: value}) for name, value in (
    ("average", 3), ("clip", False), ("reverse", True), ("blur_replacement", True))]
ways += [player("monte-carlo", playout_replacement=False)]
for parties in (duel, (six, [Monster("Z", "fire", 2, 9.5, ["fire"])])):
    solved = solve(4, parties)
    for way in ways:
        match(way, "random", 20, 1, solved, turns=4).replay(19)
        match("nash", way, 20, 1, solved, turns=4)
misjudge(5, 1, solve(19, duel))
""",
    "goofspiel": """
from gamecore.goofspiel import CFR, PLAYERS, Trainer, match, solve, subsets, train
for cards in (2, 3, 4):
    for first in PLAYERS:
        match(first, "nash", 20, 1, cards=cards).replay(19)
    for features in (None, *subsets()):
        train(cards, features, 20, seed=1).measures()
        Trainer(cards, features, 1, opponent="CODP").run(5)
        for plus in (True, False):
            for recall, histories in ((False, False), (True, False), (False, True)):
                CFR(cards, features, plus, recall, histories).run(3).measures()
""",
    "daifugo": """
from itertools import product
from gamecore.daifugo import INFORMATION, MODELS, PLAYERS, Rules, STARTS, Sontaku, TIES, series
flags = (True, False)
for joker_each, joker_beyond, passing, self_follow in product(flags, repeat=4):
    for pass_limit, start in product((4, 1000), range(len(STARTS))):
        rules = Rules(joker_each, joker_beyond, passing, self_follow, pass_limit, start)
        series(3, 1, ["random", "greedy", Sontaku(playouts=2), Sontaku(3, 2)], rules).replay(2)
for passes in product(flags, repeat=3):
    for ties in range(len(TIES)):
        series(3, 1, [Sontaku(1, 5, *passes, ties), Sontaku(1, 101), "random", "random"])
for model, information in product(range(len(MODELS)), range(len(INFORMATION))):
    for reward in (3210, 0, 9999):
        way = {"model": model, "information": information, "reward": reward}
        series(2, 1, [Sontaku(2, 5, **way), Sontaku(1, 5, **way), "random", "greedy"])
""",
    "geister": """
from itertools import permutations
from gamecore.geister import PLAYERS, Position, match, mixture, retrograde, retrograde_hidden
from gamecore.geister import settings
ways = [settings(" ".join(o), 2, 5) for o in permutations("up right down left".split())]
ways += [settings(depth=3, iterations=3, colours=c, escape=e) for c in ("decision", "chance")
         for e in (True, False)]
ways += [settings(depth=3, iterations=2, scan=s, horizon=h, weights=(10, 0, 3))
         for s in ("rows", "backwards", "board", "reds", "blues") for h in ("moves", "positions")]
for way in ways:
    for player in PLAYERS:
        match(player, "purple", 1, 1, settings=way).replay(0)
    match("cfr-a", "anti", 1, 2, settings=way)
for size in ((2, 3, 1, 1), (3, 3, 1, 1), (3, 4, 1, 2), (5, 3, 2, 1)):
    for depths in (True, False):
        retrograde(*size, depths=depths)
retrograde_hidden(3, 4)
position = Position.parse(". r . . / b . . B / . R b . / B . . R")
for plies in (1, 2, 3):
    for leaves in ("draw", "perfect"):
        for colours in ("decision", "chance"):
            mixture(position, plies=plies, iterations=3, leaves=leaves, colours=colours)
""",
    "triomineering": """
from itertools import product
from gamecore.triomineering import PLAYERS, SYMMETRIES, Player, match, outcome_table, start, think
from gamecore.triomineering.nash import READINGS
ways = [Player(m, 600, symmetry=s, filtering=f) for m, s, f in product(
    PLAYERS, SYMMETRIES, ("none", "hindering", "literal"))]
ways += [Player("MSUCB1", 600, nash=r, step=0.3, rounds=k, final_rounds=20, every=e)
         for r, k, e in product(READINGS, (None, 1, 50), (1, 8))]
ways += [Player(m, 600, c=0.0, draw=0.0, other_draw=1.0) for m in PLAYERS]
for rows, columns in ((3, 3), (6, 6), (8, 4)):
    for way in ways:
        match(way, way, 1, 1, rows, columns).replay(0)
        think(start(rows, columns), way, 1, "H")
outcome_table(9)
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("game", experiment.games())
def test_no_option_leads_out_of_an_array(game, tmp_path):
    """Every option, and every example of the game, with numba's own checks of bounds."""
    environment = {
        **os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
    }  # fmt: skip
    commands = [["-m", "pytest", "-q", "-p", "no:cacheprovider", f"gamecore/{game}"]]
    commands += [["-c", BOUNDED[game]]] if game in BOUNDED else []
    for command in commands:
        ran = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True
        )
        assert ran.returncode == 0, (ran.stdout + ran.stderr)[-3000:]


def test_every_option_is_in_the_run_with_bounds():
    """A new option of these players and rules must be added above."""
    known = {
        pokemon.Player: "kind noise delta bias alpha average clip reverse blur_replacement "
        "playout_replacement",
        daifugo.Rules: "joker_each joker_beyond pass_when_leading self_follow pass_limit start",
        triomineering.Player: "method playouts c draw other_draw nash step rounds final_rounds "
        "every symmetry filtering",
        daifugo.Sontaku: "beneficiary playouts passes_leading playout_passes "
        "playout_passes_leading ties model reward information",
    }
    for settings, names in known.items():
        assert [field.name for field in fields(settings)] == names.split()
