"""How a page recomputes the Goofspiel experiments."""

from typing import Any

import numpy as np

from gamecore.goofspiel import tree
from gamecore.goofspiel.tree import build, policy_size
from gamecore.live.entries.goofspiel import (
    CURVES,
    NO_FEATURES,
    PLAYED,
    facts,
    grow,
    grow_past,
    induce,
    minimise,
    number,
    pack,
    train,
)
from gamecore.live.plan import Plan, Room, Step
from gamecore.papers.experiment import Cell
from gamecore.papers.goofspiel import experiments as e

_KINDS = list(tree.MOST_CARDS)


def _tree(cards: int, kind: str, before: str = "") -> dict[str, Any]:
    """Return room for a tree of a known size."""
    made = build(cards, kind)
    blocks = max((made.level(n).stop - made.level(n).start) // n for n in range(2, cards + 1))
    return {
        f"{before}kind": _KINDS.index(kind), f"{before}blocks": Room(np.int64, (blocks,)),
        f"{before}states": Room(np.int64, made.states.shape),
        f"{before}starts": Room(np.int64, made.starts.shape),
        f"{before}links": Room(np.int64, made.links.shape),
        f"{before}kids": Room(np.int32, made.kids.shape),
    }  # fmt: skip


def _plan(
    columns: list[str], step: Step, cards: int, kind: str, features: str | None,
    opponent: str | None = None, recalls: bool = False, **values: Any,
) -> tuple[Plan, int, int]:  # fmt: skip
    """Return a plan for a tree with the rows of both players, and the lengths of their policies."""
    made = build(cards, kind)
    recalls = recalls and features is not None
    row0 = tree.recalled_rows(made, features or "") if recalls else tree.rows(made, features)
    length0, length1 = policy_size(made, row0), policy_size(made, tree.rows(made, opponent))
    nodes = len(made.states)
    known = _tree(cards, kind) | {
        "cards": cards, "sizes": Room(np.int64, (3,)), "recalls": int(recalls),
        "seen0": NO_FEATURES if features is None else tree._seen(features),
        "seen1": NO_FEATURES if opponent is None else tree._seen(opponent),
        "rows0": Room(np.int32, (nodes,)), "rows1": Room(np.int32, (nodes,)),
        "lengths0": Room(np.int8, (length0,)), "lengths1": Room(np.int8, (length1,)),
        "policy0": Room(np.float64, (length0,)), "policy1": Room(np.float64, (length1,)),
        "values": Room(np.float64, (nodes + 3,)), "means": Room(np.float64, (nodes + 3,)),
    }  # fmt: skip
    prepare = [Step(grow, cards - 1, 1, "levels"), Step(number, 1, 1, "information sets")]
    return Plan(columns, [step], known | values, prepare), length0, length1


def _training(
    player: str, checkpoints: tuple[int, ...], names: tuple[str, ...], opponent: str | None = None
) -> Plan:
    columns = [f"{name}@{t}" for t in checkpoints for name in names]
    found, length0, length1 = _plan(
        columns, Step(train, stretch=5, says="thousand iterations"), e.CARDS, "history",
        e.features_of(player), opponent,
    )  # fmt: skip
    made = build(e.CARDS, "history")
    records = sum(
        (2 + n * n if n > 2 else 3) * (made.level(n).stop - made.level(n).start)
        for n in range(2, e.CARDS + 1)
    )
    found.values.update(
        graph=Room(np.uint32, (records,)), checkpoints=np.array(checkpoints),
        reading=CURVES if names == e.NUMBERS else PLAYED,
        table=Room(np.float64, (2 * (length0 + length1),)),
    )  # fmt: skip
    return found._replace(prepare=[*found.prepare, Step(pack, 1, 1, "records")])


_LIMIT = ["eps", "b0", "b1", "return", "half_b1", "half_return"]


def _cfr(
    player: str, cards: int = e.CARDS, kind: str = "markov", plus: bool = True,
    recalls: bool = False, reading: int = CURVES,
) -> Plan:  # fmt: skip
    found, *lengths = _plan(
        _LIMIT if reading == CURVES else list(e.PLAYED),
        Step(minimise, stretch=10 if kind == "markov" and cards < 6 else 1, says="iterations"),
        cards, kind, e.features_of(player), recalls=recalls, plus=int(plus), reading=reading,
    )  # fmt: skip
    for k, length in enumerate(lengths):
        for name in ("regrets", "current", "sums"):
            found.values[f"{name}{k}"] = Room(np.float64, (length,))
    return found


def _exact(cell: Cell) -> Plan:
    columns = [
        "value", "eps", "b1_history", "asymmetry", "feature_keys", "information_sets", "exceptions"
    ]  # fmt: skip
    cards = cell["cards"]
    found, length, _ = _plan(columns, Step(facts, 1, 1, "facts"), cards, "markov", None)
    past = _tree(cards, "history", "past_")
    nodes = past["past_states"].shape[0]
    found.values.update(
        past,
        policies=Room(np.float64, (2, length)),
        past_rows=Room(np.int32, (nodes,)),
        past_values=Room(np.float64, (2, nodes + 3)),
    )
    steps = [
        Step(induce, cards - 1, 1, "levels"), Step(grow_past, cards - 1, 1, "levels"), *found.steps
    ]  # fmt: skip
    return found._replace(steps=steps)


PLANS = {
    "goofspiel/curves": lambda cell: _training(cell["features"], e.SHORT, e.NUMBERS),
    "goofspiel/long": lambda cell: _training(cell["features"], e.LONG, e.NUMBERS),
    "goofspiel/cards": lambda cell: _training(cell["features"], e.SHORT, e.PLAYED),
    "goofspiel/opponent": lambda cell: _training(cell["features"], e.SHORT, e.NUMBERS, "CODP"),
    "goofspiel/limits": lambda cell: _cfr(cell["features"]),
    "goofspiel/bids": lambda cell: _cfr(cell["features"], reading=PLAYED),
    "goofspiel/recall": lambda cell: _cfr(cell["features"], kind="full", recalls=True),
    "goofspiel/six-cards": lambda cell: _cfr(cell["features"], 6),
    "goofspiel/histories": lambda cell: _cfr(
        cell["features"], kind="history", plus=cell["method"] == "CFR+"
    ),
    "goofspiel/exact": _exact,
}
