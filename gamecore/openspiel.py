"""The door to OpenSpiel: any state of ours as a game there, for its solvers and learners.

OpenSpiel is an extra: ``pip install open_spiel``. What it knows of a game here are the legal moves,
the results and what players see; it needs no rules of its own.

References
----------
M. Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games", 2019.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import pyspiel

from gamecore.game import CHANCE, Open, State

#: Games that OpenSpiel knows by now, by name: it copies states by loading their game again.
_LOADED: dict[str, pyspiel.Game] = {}


def load(start: State) -> pyspiel.Game:
    """Return the game that begins with a state, for OpenSpiel.

    An action is a place in ``start.all_moves()``; a chance node's actions are places in its own
    list. A player's information state is all that it has seen when it moved, and where nothing is
    hidden the state itself.

    Parameters
    ----------
    start : State
        Where the game begins, of any of our games.

    Examples
    --------
    >>> from gamecore import rps
    >>> game = load(rps.start())
    >>> state = game.new_initial_state()
    >>> state.apply_actions([0, 1])
    >>> state.returns()
    [-1.0, 1.0]
    """
    name = f"gamecore_{sha256(repr(start).encode()).hexdigest()[:16]}"
    if name in _LOADED:
        return _LOADED[name]
    moves, players = _Moves(start.all_moves()), len(start.seats)
    low, high = start.worth
    total = players * (low + high) / 2
    at_once, chance = _kinds(start)
    kind = pyspiel.GameType(
        short_name=name,
        long_name=f"{type(start).__module__} by gamecore",
        dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS if at_once
        else pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC if chance
        else pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION
        if isinstance(start.view(0), Open) and not at_once
        else pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM if total
        else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
        default_loadable=True,
    )  # fmt: skip
    about = pyspiel.GameInfo(
        num_distinct_actions=len(moves),
        max_chance_outcomes=max(len(start.legal(CHANCE)), len(moves)) if chance else 0,
        num_players=players,
        min_utility=low,
        max_utility=high,
        utility_sum=total,
        max_game_length=start.longest(),
    )

    class Loaded(_Game):
        def __init__(self, params: Any = None):
            super().__init__(start, moves, kind, about)

    pyspiel.register_game(kind, Loaded)
    return _LOADED.setdefault(name, pyspiel.load_game(name))


def _kinds(start: State) -> tuple[bool, bool]:
    """Say whether players ever move at once, and whether chance moves, along some first moves."""
    at_once = chance = False
    state = start
    while state.movers and not at_once:
        at_once |= len(state.movers) > 1
        chance |= CHANCE in state.movers
        state = state.play(*(state.legal(player)[0] for player in state.movers))
    return at_once, chance


class _Moves(list):
    """Moves by number and numbers by move; shared by all states of a game, also by copies."""

    def __init__(self, moves: Iterable[str]):
        super().__init__(moves)
        self.number = {move: i for i, move in enumerate(self)}

    def __deepcopy__(self, memo: dict) -> "_Moves":
        return self


class _Game(pyspiel.Game):
    def __init__(self, start: State, moves: _Moves, kind: Any, about: Any):
        super().__init__(kind, about, {})
        self._start, self._moves = start, moves

    def new_initial_state(self) -> "_State":
        return _State(self, self._start, self._moves)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "_Observer":
        return _Observer()


class _State(pyspiel.State):
    def __init__(self, game: _Game, start: State, moves: _Moves):
        super().__init__(game)
        self.now, self._moves = start, moves
        self._seen: tuple[tuple[str, ...], ...] = ((),) * len(start.seats)
        self._look()

    def current_player(self) -> int:
        movers = self.now.movers
        if not movers:
            return pyspiel.PlayerId.TERMINAL
        if movers == (CHANCE,):
            return pyspiel.PlayerId.CHANCE
        return movers[0] if len(movers) == 1 else pyspiel.PlayerId.SIMULTANEOUS

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._moves.number[move] for move in self.now.legal(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self.now.legal(CHANCE)
        return [(i, 1 / len(outcomes)) for i in range(len(outcomes))]

    def _apply_action(self, action: int) -> None:
        chance = self.now.movers == (CHANCE,)
        self._go([self.now.legal(CHANCE)[action] if chance else self._moves[action]])

    def _apply_actions(self, actions: list[int]) -> None:
        self._go(self._moves[action] for action in actions)

    def _go(self, moves: Iterable[str]) -> None:
        self.now = self.now.play(*moves)
        self._look()

    def _look(self) -> None:
        """Remember what those to move see; where nothing is hidden there is nothing to remember."""
        self._seen = tuple(
            (*seen, str(self.now.view(player)))
            if player in self.now.movers and not isinstance(self.now.view(player), Open)
            else seen
            for player, seen in enumerate(self._seen)
        )

    def _action_to_string(self, player: int, action: int) -> str:
        return self.now.legal(CHANCE)[action] if player == CHANCE else self._moves[action]

    def information_state_string(self, player: int | None = None) -> str:
        player = self.current_player() if player is None else player
        return "\n\n".join(self._seen[player]) or repr(self.now)

    def observation_string(self, player: int | None = None) -> str:
        player = self.current_player() if player is None else player
        return str(self.now.view(player))

    def is_terminal(self) -> bool:
        return not self.now.movers

    def returns(self) -> list[float]:
        return list(self.now.returns()) if self.is_terminal() else [0.0] * len(self.now.seats)

    def __str__(self) -> str:
        return str(self.now)


class _Observer:
    """What OpenSpiel asks for a view; there are texts, no tensors."""

    tensor: None = None
    dict: dict = {}  # noqa: RUF012 (stays empty)

    def set_from(self, state: _State, player: int) -> None:
        """Nothing is kept."""

    def string_from(self, state: _State, player: int) -> str:
        """Return what a player sees."""
        return state.observation_string(player)
