"""CFR+ from random first mixtures: where players forget, an end may depend on the beginning."""

import numpy as np

from gamecore import check, rng
from gamecore.goofspiel import sweep
from gamecore.goofspiel.solution import CFR
from gamecore.kernel import kernel


class Started(CFR):
    """Full-width CFR+ on Markov states, begun with random mixtures of both players.

    Convergence is proven for players who remember what they saw. A player with few features does
    not, so where training ends might depend on where it began.

    Parameters
    ----------
    cards : int
        Cards each.
    features : str or None
        As in `gamecore.goofspiel.train`.
    seed : int or numpy.random.SeedSequence
        Decides the first mixtures; regrets begin at zero.

    Examples
    --------
    It does: seeing only the prize, four cards each,

    >>> [round(Started(4, "C", seed).run(200).best_response_value(1), 2) for seed in (1, 2)]
    [0.37, 0.4]
    """

    def __init__(
        self, cards: int, features: str | None, seed: int | np.random.SeedSequence
    ) -> None:
        super().__init__(cards, features)
        stream = rng.state(check.seed(seed))
        for sizes, policy in zip(self._sizes, self._policies, strict=True):
            _draw(stream, policy)
            sweep.normalise(sizes, policy)


@kernel
def _draw(s, weights):
    """Fill with uniform numbers."""
    for x in range(len(weights)):
        weights[x] = rng.uniform(s)
