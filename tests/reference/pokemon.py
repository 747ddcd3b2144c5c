"""Slow, plain reference rules of the simplified Pokémon battle (簡易版ポケモンバトル).

Paper: Konishi, Ikeda, Hsueh,
"不完全情報同時手番ゲームにおいて人間のような読み合いを演出するAIプレイヤ":
rules in section 3.1 with tables 1 and 2, backward induction (後退解析) in section 5.2.
What the paper leaves open is read as in specs/pokemon.md; such places are marked "spec".

It exists to be compared with the fast kernels, so it favours reading over speed and shares no code
with them. Players are 1 and 2 as in the paper; values are party 1's win probability.
"""

from typing import NamedTuple

from scipy.optimize import linprog

# ほのお, くさ, でんき, みず, in the order of table 1
FIRE, GRASS, ELECTRIC, WATER = "fire", "grass", "electric", "water"

# Table 1: CHART[type of the attacking move][type of the defender] = multiplier (spec: rows attack).
CHART = {
    FIRE: {FIRE: 0.5, GRASS: 1.5, ELECTRIC: 1.0, WATER: 0.5},
    GRASS: {FIRE: 0.5, GRASS: 0.5, ELECTRIC: 1.5, WATER: 1.0},
    ELECTRIC: {FIRE: 1.0, GRASS: 0.5, ELECTRIC: 0.5, WATER: 1.5},
    WATER: {FIRE: 1.5, GRASS: 1.0, ELECTRIC: 0.5, WATER: 0.5},
}
BASE_DAMAGE = 2


class Monster(NamedTuple):
    name: str
    type: str
    hp: int  # at the start of the game
    speed: int  # all six differ (footnote 1), so the order of the two attacks is never a tie
    moves: tuple[str, str, str]  # a move is known by its type; all have the same base damage


# Table 2.
PARTY_1 = (
    Monster("A", GRASS, 5, 5, (GRASS, FIRE, ELECTRIC)),
    Monster("B", WATER, 5, 4, (WATER, FIRE, ELECTRIC)),
    Monster("C", ELECTRIC, 5, 10, (ELECTRIC, GRASS, WATER)),
)
PARTY_2 = (
    Monster("D", GRASS, 5, 6, (GRASS, FIRE, ELECTRIC)),
    Monster("E", FIRE, 4, 7, (FIRE, WATER, GRASS)),
    Monster("F", ELECTRIC, 4, 8, (ELECTRIC, GRASS, WATER)),
)
PARTIES = {1: PARTY_1, 2: PARTY_2}

HP_1 = (5, 5, 5)
HP_2 = (5, 4, 4)  # table 2, used in all match play
HP_2_SECTION_5_4 = (5, 5, 5)  # footnote 3: matrix (1) and table 3 give E and F five HP

MOVES = (0, 1, 2)  # actions 0-2: the active's moves in table 2's order
SWITCHES = (3, 4)  # actions 3-4: switch to the other two members, in party order
TURNS = 19  # spec: action turns of a game that is judged on reaching turn 20


class State(NamedTuple):
    """One position. The turn is not part of it: the number of turns left is passed beside it."""

    lead1: int  # index 0-2 of the active monster of party 1
    lead2: int
    hp1: tuple[int, int, int]  # HP of party 1's members in party order, 0 = fainted
    hp2: tuple[int, int, int]


def initial_state(lead1, lead2, hp2=HP_2):
    """One of the nine initial positions; pass hp2=HP_2_SECTION_5_4 for those of section 5.4."""
    return State(lead1, lead2, HP_1, hp2)


def lead_of(state, player):
    return state[0] if player == 1 else state[1]


def hp_of(state, player):
    return state[2] if player == 1 else state[3]


def active_fainted(state, player):
    return hp_of(state, player)[lead_of(state, player)] == 0


def multiplier(attacker_type, move_type, defender_type):
    """Table 1, except that 1.5 becomes 2.0 when the attacker has its move's type (rule 3a)."""
    factor = CHART[move_type][defender_type]
    if factor == 1.5 and attacker_type == move_type:
        return 2.0
    return factor


def damage(attacker_type, move_type, defender_type):
    """Always 1, 2, 3 or 4 HP."""
    return int(BASE_DAMAGE * multiplier(attacker_type, move_type, defender_type))


def switch_target(lead, action):
    """Party index brought in by action 3 or 4: the members other than the lead, in party order."""
    return [member for member in (0, 1, 2) if member != lead][action - 3]


def legal_actions(state, player):
    """Commands of rule 4c, without switches to fainted members; none while an active is fainted."""
    if active_fainted(state, 1) or active_fainted(state, 2):
        return []
    lead, hp = lead_of(state, player), hp_of(state, player)
    return [*MOVES, *(action for action in SWITCHES if hp[switch_target(lead, action)] > 0)]


def step(state, action1, action2):
    """One turn (rule 4c), before any forced replacement: a fainted active stays the lead, HP 0."""
    actions = {1: action1, 2: action2}
    for player in (1, 2):
        if actions[player] not in legal_actions(state, player):
            raise ValueError(f"action {actions[player]} of player {player} is illegal in {state}")

    lead = {1: state.lead1, 2: state.lead2}
    hp = {1: list(state.hp1), 2: list(state.hp2)}

    # Switches come first, so an attack of the same turn hits the monster that came in.
    for player in (1, 2):
        if actions[player] in SWITCHES:
            lead[player] = switch_target(lead[player], actions[player])

    # Then the moves, the faster monster's first. Who switched does nothing more this turn.
    attackers = [player for player in (1, 2) if actions[player] in MOVES]
    attackers.sort(key=lambda player: PARTIES[player][lead[player]].speed, reverse=True)
    for player in attackers:
        if hp[player][lead[player]] == 0:
            continue  # knocked out before acting: the command is cancelled
        opponent = 3 - player
        attacker = PARTIES[player][lead[player]]
        defender = PARTIES[opponent][lead[opponent]]
        loss = damage(attacker.type, attacker.moves[actions[player]], defender.type)
        hp[opponent][lead[opponent]] = max(0, hp[opponent][lead[opponent]] - loss)

    return State(lead[1], lead[2], tuple(hp[1]), tuple(hp[2]))


def replacements(state):
    """(player, possible new leads) when a fainted active must be replaced, else None."""
    if active_fainted(state, 1) and active_fainted(state, 2):  # the first to faint cannot attack
        raise ValueError(f"two fainted actives cannot arise: {state}")
    for player in (1, 2):
        bench = [member for member in (0, 1, 2) if hp_of(state, player)[member] > 0]
        if active_fainted(state, player) and bench:
            return player, bench
    return None


def replace(state, player, lead):
    """Bring in a live bench monster for the fainted active; this takes no turn."""
    if not active_fainted(state, player) or hp_of(state, player)[lead] == 0:
        raise ValueError(f"player {player} cannot bring in {lead} in {state}")
    return state._replace(lead1=lead) if player == 1 else state._replace(lead2=lead)


def judge(state):
    """Rule 4d on reaching turn 20: more live monsters, then the larger HP sum, else a draw."""

    def rank(hp):
        return sum(h > 0 for h in hp), sum(hp)

    rank1, rank2 = rank(state.hp1), rank(state.hp2)
    return 1.0 if rank1 > rank2 else 0.0 if rank1 < rank2 else 0.5


def is_over(state):
    """True when all monsters of a party have fainted."""
    return not any(state.hp1) or not any(state.hp2)


def winner(state):
    """1 or 2 when the game is over by knock-out, else None (see `judge` for the horizon)."""
    if not is_over(state):
        return None
    return 1 if any(state.hp1) else 2


def matrix_value(matrix):
    """Value of the zero-sum matrix game; rows maximise. matrix is a list of rows."""
    lower = max(min(row) for row in matrix)
    upper = min(max(column) for column in zip(*matrix, strict=True))
    if lower == upper:  # a pure saddle point: the value is known exactly, without the LP
        return lower
    # Variables: the row probabilities x_i, then v. Maximise v with sum_i x_i m_ij >= v for all j.
    rows = len(matrix)
    result = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=[[-entry for entry in column] + [1.0] for column in zip(*matrix, strict=True)],
        b_ub=[0.0] * len(matrix[0]),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * rows + [(None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if not result.success:
        raise RuntimeError(result.message)
    # Rounding must not leave the bounds that hold for every matrix game (so also not [0, 1]).
    return min(max(-result.fun, lower), upper)


def payoff_matrix(state, turns_left, memo):
    """Section 5.2 step 3: rows are party 1's legal actions, columns party 2's, both in order."""
    return [
        [value(step(state, a, b), turns_left - 1, memo) for b in legal_actions(state, 2)]
        for a in legal_actions(state, 1)
    ]


def value(state, turns_left, memo):
    """Party 1's win probability with turns_left action turns to play and both playing Nash.

    memo is a dict kept by the caller, {} at first; it may be shared between calls.
    """
    if turns_left == 0 or is_over(state):
        return judge(state)  # a party without live monsters has the lower count
    key = (state, turns_left)
    if key not in memo:
        forced = replacements(state)
        if forced:  # spec: the owner chooses at once, seeing everything, and no turn passes
            player, leads = forced
            choose = max if player == 1 else min
            memo[key] = choose(value(replace(state, player, m), turns_left, memo) for m in leads)
        else:
            memo[key] = matrix_value(payoff_matrix(state, turns_left, memo))
    return memo[key]
