"""Table 2 under readings of the paper other than ours, and a question that `beyond` raised."""

from typing import Any

from gamecore.daifugo.matches import series
from gamecore.daifugo.observer import decisions
from gamecore.daifugo.players import Sontaku
from gamecore.daifugo.rules import STARTS, Rules
from gamecore.daifugo.thinking import TIES
from gamecore.papers.daifugo.beyond import HELPER, TIMES, WATCHED, told
from gamecore.papers.daifugo.experiments import BENEFICIARY, BLOCK, play_block
from gamecore.papers.experiment import experiment

#: What each changes in `play_block`: the rules, the sontaku player, whether ranks carry over.
VARIANTS: dict[str, dict[str, Any]] = {
    "playouts without pass": {
        "sontaku": Sontaku(playout_passes=False, playout_passes_leading=False)
    },
    "playouts pass only when following": {"sontaku": Sontaku(playout_passes_leading=False)},
    "no pass when leading": {"rules": Rules(pass_when_leading=False)},
    "no carry-over": {"carry_over": False},
    "no self-follow": {"rules": Rules(self_follow=False)},
    "random seat starts": {"rules": Rules(start=STARTS.index("random"))},
    "poorest starts": {"rules": Rules(start=STARTS.index("poorest"))},
    "ties: pass last": {"sontaku": Sontaku(ties=TIES.index("pass last"))},
    "ties: random": {"sontaku": Sontaku(ties=TIES.index("random"))},
    "server's joker": {"rules": Rules(joker_each=True, joker_beyond=True)},
}


@experiment(
    "daifugo/variants",
    cells=[{"variant": variant, "game": game} for variant in VARIANTS for game in BENEFICIARY],
    games=100, quick=1, paper=12, fingerprint=1, extra=True,
)  # fmt: skip
def variants(cell, seed, games, tables):
    """Table 2 under other readings of the paper, one at a time, by blocks of 100 games."""
    return play_block(cell["game"], games, seed, **VARIANTS[cell["variant"]])


@experiment(
    "daifugo/literal", cells=[{"game": game} for game in BENEFICIARY],
    games=BLOCK, quick=1, paper=10, fingerprint=1, extra=True,
)  # fmt: skip
def literal(cell, seed, games, tables):
    """Table 2 as the text has it: in playouts, as at the table, who can play does not pass."""
    return play_block(cell["game"], games, seed, **VARIANTS["playouts without pass"])


@experiment(
    "daifugo/watched-early",
    cells=[{"helped": helped} for helped, seat in WATCHED.items() if seat is not None],
    games=1, quick=4, paper=100, fingerprint=1, extra=True,
)  # fmt: skip
def watched_early(cell, seed, games, tables):
    """As daifugo/watched, but the observer sees only plays before anybody is out."""
    playing, thinking = seed.spawn(2)
    players = [Sontaku(WATCHED[cell["helped"]]), *["random"] * 3]
    played, made = series(games, playing, players, carry_over=False), []
    for game in range(games):
        states = played.replay(game)
        early = sum(not state.out for state in states)
        made += decisions(states[: early + 1], HELPER, Sontaku(), TIMES, thinking)
    return told(made)
