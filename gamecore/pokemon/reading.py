"""Reading an opponent (相手モデリング): which habit fits what it did, and how to punish that.

A reader keeps, over a family of habits, the posterior given every action that it has seen, turn by
turn and battle by battle. While it still believes in Nash it plays Nash. Then the *bare* reader
plays the best reply to the posterior: the action with the highest score, each habit's score (of its
own best reply) weighted by its posterior; the *steady* reader does so where the likeliest habit has
a row, and elsewhere plays Nash instead of a best reply to Nash. The *safe* reader takes the
likeliest habit as a battle begins and plays a reply to it, all battle long, from which nobody can
take more than it allows.

References
----------
Konishi, Ikeda and Hsueh, section 7.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gamecore import check, rng
from gamecore.kernel import kernel
from gamecore.matrixgame import equilibrium
from gamecore.pokemon import rules
from gamecore.pokemon.marginals import Marginal, openings
from gamecore.pokemon.players import Player, bring_in, decide, known
from gamecore.pokemon.replies import Reply, row_of
from gamecore.pokemon.solution import Solution, payoffs

READERS = ("nash", "bare", "safe", "oracle", "steady")
TURNCOATS = ("never", "once", "watching")
_NASH, _BARE, _SAFE, _ORACLE, _STEADY = range(len(READERS))
_NEVER, _ONCE, _WATCHING = range(len(TURNCOATS))
#: The posterior of Nash below which a reader plays replies, and that of a habit that is known.
GATE, KNOWN = 0.1, 0.9
#: What a habit may always do against its table, so that no single action rules it out.
FLOOR = 0.02
#: How likely the opponent is thought to change its habit between two battles.
CHANGE = 0.02


class Family(NamedTuple):
    """Habits with their replies, as kernels take them; made by `family`. Habit 0 is Nash.

    Attributes
    ----------
    begins : numpy.ndarray
        By habit, its party and turns left, where its rows begin.
    states : numpy.ndarray
        The state of every row.
    mix : numpy.ndarray
        What the habit does there.
    scores : numpy.ndarray
        What every action is worth to its best reply.
    policy : numpy.ndarray
        The strategies of the best and of the safe reply, by row.
    value : numpy.ndarray
        What the two believe the row is worth.
    worst : numpy.ndarray
        What they win there against the worst opponent …
    counter : numpy.ndarray
        … and that opponent's action.

    Examples
    --------
    >>> empty = family([])
    >>> empty.begins.shape, len(empty.states)
    ((1, 2, 21), 0)
    """

    begins: np.ndarray
    states: np.ndarray
    mix: np.ndarray
    scores: np.ndarray
    policy: np.ndarray
    value: np.ndarray
    worst: np.ndarray
    counter: np.ndarray


Habit = tuple[Marginal, Reply, Reply]


def family(habits: Sequence[tuple[Habit, Habit]], turns: int = rules.TURNS) -> Family:
    """Put habits together, each as both parties: its table, the best and a safe reply to it.

    Parameters
    ----------
    habits : sequence of pairs
        For each habit, as party 1 and as party 2, its table and two replies.
    turns : int
        Action turns of a game.

    Examples
    --------
    >>> from gamecore.pokemon.marginals import marginal
    >>> from gamecore.pokemon.replies import reply
    >>> tables = [marginal("random", party) for party in (0, 1)]
    >>> one, two = ((table, reply(table), reply(table, 0.5)) for table in tables)
    >>> family([(one, two)]).begins.shape
    (2, 2, 21)
    """
    begins, rows = np.zeros((1 + len(habits), 2, turns + 2), np.int64), 0
    parts = [part for pair in check.listed(habits, "habits") for part in pair]
    for k, (table, *_) in enumerate(parts):
        begins[1 + k // 2, k % 2] = rows + table.begins
        rows += len(table.states)
    actions = parts[0][0].mix.shape[1] if parts else 1

    def joined(arrays: list[np.ndarray], kind: type, *shape: int) -> np.ndarray:
        return np.concatenate([np.empty((0, *shape), kind), *arrays])

    def both(name: str, kind: type, *shape: int) -> np.ndarray:
        return np.stack([
            joined([getattr(part[1 + which], name) for part in parts], kind, *shape)
            for which in (0, 1)
        ])  # fmt: skip

    return Family(
        begins,
        joined([part[0].states for part in parts], np.int32),
        joined([part[0].mix for part in parts], np.float64, actions),
        joined([part[1].scores for part in parts], np.float64, actions),
        both("mix", np.float64, actions),
        both("value", np.float64), both("worst", np.float64), both("counter", np.int8),
    )  # fmt: skip


class Readings(NamedTuple):
    """What happened in many series, by battle; made by `read`.

    Attributes
    ----------
    points : numpy.ndarray
        The reader's: 2 for a win, 1 for a draw, summed over series.
    known : numpy.ndarray
        In how many series the true habit's posterior was `KNOWN` or more after the battle.
    open : numpy.ndarray
        In how many that of Nash was below `GATE`.

    Examples
    --------
    >>> Readings(np.array([3]), np.array([1]), np.array([2])).points.tolist()
    [3]
    """

    points: np.ndarray
    known: np.ndarray
    open: np.ndarray


class _Plan(NamedTuple):
    """A reader and its opponent as numbers, for kernels."""

    reader: int
    truth: int  # the opponent's habit in the family, −1 if it has none there
    stubborn: float
    turncoat: int
    turning: int
    turns: int


def read(
    opponent: str | Player, habits: Family, series: int, battles: int, seed: check.Seed,
    solution: Solution, reader: str = "bare", truth: int = -1, *, stubborn: float = 0.0,
    turncoat: str = "never", turning: int = 0,
) -> Readings:  # fmt: skip
    """Let a reader play series of battles, parties and leads dealt at random in each.

    Parameters
    ----------
    opponent : str or Player
        Who really plays.
    habits : Family
        What the reader thinks possible; Nash counts as half, the others share the rest.
    series, battles : int
        How many series, of how many battles.
    seed : int or numpy.random.SeedSequence
        Decides everything that is random; fewer series are the first of more.
    solution : Solution
        The solved battle.
    reader : {"nash", "bare", "safe", "oracle", "steady"}
        Nash watches only; the oracle plays the best reply to the true habit from the beginning.
    truth : int
        The opponent's place in the family; −1 if it has none.
    stubborn : float
        With this probability the opponent repeats its last move if its monster is still in front.
    turncoat : {"never", "once", "watching"}
        From battle `turning` on, counted from 0, the opponent plays what is worst for the reply to
        its feigned habit: always, or (it sees the reader's mind) only while that reply is played.
    turning : int
        See above.

    Examples
    --------
    >>> from gamecore.pokemon import solve
    >>> found = read("random", family([]), 20, 2, 1, solve(20), "nash")
    >>> bool((found.points > 30).all()), found.open.tolist()
    (True, [0, 0])
    """
    check.instance(habits, "habits", Family)
    series, battles = check.whole(series, "series", 1), check.whole(battles, "battles", 1)
    count, turns = len(habits.begins), habits.begins.shape[2] - 2
    truth = check.whole(truth, "truth", -1, count - 1)
    check.one_of(reader, "reader", READERS)
    check.one_of(turncoat, "turncoat", TURNCOATS)
    if truth < 1 and (reader == "oracle" or turncoat != "never"):
        raise ValueError("an oracle and a turncoat need a true habit of the family")
    plan = _Plan(
        READERS.index(reader), truth, check.real(stubborn, "stubborn", 0, 1),
        TURNCOATS.index(turncoat), check.whole(turning, "turning"), turns,
    )  # fmt: skip
    prior = np.full(count, 0.5 / max(count - 1, 1))
    prior[0] = 0.5 if count > 1 else 1.0
    found = Readings(*np.zeros((3, battles), np.int64))
    who, s = known(opponent).settings, rng.state(check.seed(seed))
    starts = openings(check.instance(solution, "solution", Solution))
    for begin, end in check.stretches(series):
        _read(end - begin, plan, who, prior, habits, starts, solution.lookup, s, found)
    return found


@kernel
def _read(series, plan, who, prior, habits, starts, lookup, s, found):
    for _ in range(series):
        w = prior.copy()
        for battle in range(len(found.points)):
            side, state = rng.below(s, 2), starts[rng.below(s, len(starts))]
            result = _battle(side, state, battle, plan, who, w, habits, lookup, s)
            found.points[battle] += int(2.0 * result)
            found.known[battle] += plan.truth >= 0 and w[plan.truth] >= KNOWN
            found.open[battle] += w[0] < GATE
            for h in range(len(w)):
                w[h] = (1.0 - CHANGE) * w[h] + CHANGE * prior[h]


@kernel
def _likeliest(w):
    """Return the habit, other than Nash, with the highest posterior; 0 if there is none."""
    best = min(1, len(w) - 1)
    for h in range(2, len(w)):
        if w[h] > w[best]:
            best = h
    return best


@kernel
def _row(habits, habit, party, left, state):
    return row_of(habits.begins[habit, party], habits.states, left, state)


@kernel
def _battle(side, state, battle, plan, who, w, habits, lookup, s):
    """Play one battle, update the posterior `w` in place, and return the reader's result."""
    table, actions, party, left = lookup.table, lookup.actions, 1 - side, plan.turns
    own, other = np.empty(actions, np.int64), np.empty(actions, np.int64)
    rows = np.empty(len(w), np.int64)
    # what a reply of one habit answers to all battle long, and which of the two replies it is
    habit, which = 0, 0
    if plan.reader == _ORACLE:
        habit = plan.truth
    elif plan.reader == _SAFE:
        habit, which = (_likeliest(w) if w[0] < GATE else 0), 1
    is_mixing = plan.reader == _BARE or plan.reader == _STEADY
    is_lost = is_counter_lost = False
    last, front = np.int64(-1), np.int64(-1)
    while left > 0 and rules.can_act(table, state):
        A = payoffs(lookup.values[left - 1], table, state, actions)
        _, first, second = equilibrium(A)
        mine, theirs = (first, second) if side == 0 else (second, first)
        m = rules.legal_actions(table, state, side, actions, own)
        n = rules.legal_actions(table, state, party, actions, other)
        for h in range(len(w)):
            rows[h] = _row(habits, h, party, left, state)
        if is_mixing:
            habit = _likeliest(w) if w[0] < GATE else 0
        is_turned = battle >= plan.turning and (
            plan.turncoat == _ONCE or (plan.turncoat == _WATCHING and habit == plan.truth)
        )
        # the reader's action
        is_lost = is_lost or rows[habit] < 0
        if habit > 0 and is_mixing and (plan.reader == _BARE or rows[habit] >= 0):
            action = _best_action(A, side, theirs, own, m, rows, w, habits)
        elif habit > 0 and not is_mixing and not is_lost:
            action = np.int64(rng.choice(s, habits.policy[which, rows[habit]]))
        else:
            action = own[rng.choice(s, mine)]
        # the opponent's
        if is_turned:
            row = rows[plan.truth]
            is_counter_lost = is_counter_lost or row < 0
            if is_counter_lost:
                answer = other[rng.choice(s, theirs)]
            else:
                answer = np.int64(habits.counter[which, row])
        else:
            answer = decide(state, party, left, who, lookup, s)
            lead = rules.leads(state, lookup.stride, lookup.sizes[1])[party]
            if plan.stubborn > 0.0:
                if last >= 0 and lead == front and rng.uniform(s) < plan.stubborn:
                    answer = last
                front = lead
                last = answer if rules.action_class(
                    state, party, answer, lookup.classes, lookup.stride, lookup.sizes[1]
                ) < 3 else np.int64(-1)  # fmt: skip
        place = 0
        while other[place] != answer:
            place += 1
        _update(w, rows, habits, answer, theirs[place], n)
        pair = actions * action + answer if side == 0 else actions * answer + action
        state = np.int64(table[state, pair])
        left -= 1
        fainted = rules.to_replace(table, state)
        if fainted == party and is_turned and not is_counter_lost:
            state = _send(state, left, party, plan.truth, which, w, True, habits, lookup)
        elif fainted == party:
            state = bring_in(state, party, left, who, lookup, s)
        elif fainted == side and habit > 0 and is_mixing:
            state = _send(state, left, party, -1, 0, w, False, habits, lookup)
        elif fainted == side:
            kept = habit if not is_lost else 0
            state = _send(state, left, party, kept, which, w, False, habits, lookup)
    p = lookup.values[0, state]
    return p if side == 0 else 1.0 - p


@kernel
def _best_action(A, side, theirs, own, m, rows, w, habits):
    """Return the action with the highest score, habits weighted by their posterior."""
    best, chosen = -1.0, own[0]
    for i in range(m):
        plain = 0.0  # what it is worth against Nash
        for j in range(len(theirs)):
            plain += theirs[j] * (A[i, j] if side == 0 else 1.0 - A[j, i])
        total = 0.0
        for h in range(len(w)):
            total += w[h] * (habits.scores[rows[h], own[i]] if rows[h] >= 0 else plain)
        if total > best:
            best, chosen = total, own[i]
    return chosen


@kernel
def _update(w, rows, habits, action, plain, count):
    """Multiply by the likelihood of an action, and norm; outside its rows a habit is Nash."""
    total = 0.0
    for h in range(len(w)):
        p = habits.mix[rows[h], action] if rows[h] >= 0 else plain
        w[h] *= (1.0 - FLOOR) * p + FLOOR / count
        total += w[h]
    for h in range(len(w)):
        w[h] /= total


@kernel
def _send(state, left, party, habit, which, w, is_worst, habits, lookup):
    """Return the state after the best replacement.

    It is best for the reply to one habit (0 is Nash) or, −1, to all of them by their posterior; or,
    `is_worst`, for the opponent that knows the reply.
    """
    table, fainted = lookup.table, rules.to_replace(lookup.table, state)
    best, chosen = -1.0, np.int64(-1)
    for member in range(lookup.sizes[fainted]):
        after = rules.replaced(table, state, member)
        if after < 0:
            continue
        p = lookup.values[left, after]
        plain = 1.0 - p if party == 0 else p  # the reader's
        score = 0.0
        for h in range(len(w)):
            if habit >= 0 and h != habit:
                continue
            row = _row(habits, h, party, left, after) if left > 0 else np.int64(-1)
            known_as = plain
            if row >= 0:
                known_as = habits.worst[which, row] if is_worst else habits.value[which, row]
            score += known_as if habit >= 0 else w[h] * known_as
        if is_worst:
            score = 1.0 - score
        if chosen < 0 or score > best:
            best, chosen = score, after
    return chosen
