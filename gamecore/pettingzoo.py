"""The door to PettingZoo: any state of ours as an environment there, for its learners.

PettingZoo is an extra: ``pip install pettingzoo``. Players that move at once are asked one after
the other, and none sees what the others have chosen; where that is so in every turn,
``pettingzoo.utils.conversions.aec_to_parallel`` gives the parallel interface.

References
----------
J. K. Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS 2021.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from gamecore.game import CHANCE, State

Observation = dict[str, np.ndarray]


class Environment(AECEnv):
    """The game that begins with a state; its agents are the seats.

    An action is a place in ``start.all_moves()``. An observation is the text of the player's view
    as bytes, filled up with zeros, and the mask of legal actions; rewards come at the end.

    Parameters
    ----------
    start : State
        Where every game begins, of any of our games.
    width : int
        Room for the text of a view.

    Examples
    --------
    >>> from gamecore import rps
    >>> environment = Environment(rps.start())
    >>> environment.reset(seed=1)
    >>> for action in (0, 1):
    ...     environment.step(action)
    >>> environment.rewards
    {'first': -1.0, 'second': 1.0}
    """

    agent_selection: str

    def __init__(self, start: State, width: int = 4096):
        super().__init__()
        self.start, self.width, self.moves = start, width, start.all_moves()
        self._number = {move: i for i, move in enumerate(self.moves)}
        self.possible_agents = list(start.seats)
        self.render_mode = "ansi"
        self.metadata = {
            "name": type(start).__module__, "render_modes": ["ansi"], "is_parallelizable": True
        }  # fmt: skip
        seen = spaces.Box(0, 255, (width,), np.uint8)
        legal = spaces.Box(0, 1, (len(self.moves),), np.int8)
        space = spaces.Dict({"observation": seen, "action_mask": legal})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        actions = spaces.Discrete(len(self.moves))
        self.action_spaces = dict.fromkeys(self.possible_agents, actions)

    def observation_space(self, agent: str) -> spaces.Space:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin a game; `seed` decides what is left to chance."""
        if seed is not None or not hasattr(self, "_generator"):
            self._generator = np.random.default_rng(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        self._chosen: list[str] = []
        self._arrive(self.start)

    def step(self, action: Any) -> None:
        """Let the selected agent act; the state changes when all who move have chosen."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen.append(self.moves[int(action)])
        if len(self._chosen) == len(self.state_now.movers):
            moves, self._chosen = self._chosen, []
            self._arrive(self.state_now.play(*moves))
        else:
            self.agent_selection = self.start.seats[self.state_now.movers[len(self._chosen)]]
        self._accumulate_rewards()

    def _arrive(self, state: State) -> None:
        """Come to a state, after whatever chance does there, and select who is to act."""
        while state.movers == (CHANCE,):
            state = state.play(str(self._generator.choice(state.legal(CHANCE))))
        self.state_now = state
        if state.movers:
            self.agent_selection = self.start.seats[state.movers[0]]
            return
        self.rewards = dict(zip(self.agents, state.returns(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, and which actions it has."""
        player = self.start.seats.index(agent)
        view = self.state_now.view(player)
        text = np.frombuffer(str(view).encode()[: self.width], np.uint8)
        seen, mask = np.zeros(self.width, np.uint8), np.zeros(len(self.moves), np.int8)
        seen[: len(text)] = text
        mask[[self._number[move] for move in view.legal()]] = 1
        return {"observation": seen, "action_mask": mask}

    def render(self) -> str:
        """Return the state as text."""
        return str(self.state_now)

    def close(self) -> None:
        """Nothing is open."""
