"""Made-up rows for the judges of rock-paper-scissors."""

import pandas as pd

from gamecore.contest import wilson
from tests.judging import Case


def practice(win, loss, games=1000):
    rows = [
        ("rocky", "nash", 300, 400),
        ("copycat", "nash", 350, 320),
        ("copycat", "rocky", win, loss),
    ]
    return lambda: (
        pd.DataFrame(
            {"first": a, "second": b, "games": games, "win": w, "draw": games - w - x, "loss": x}
            for a, b, w, x in rows
        ),
    )


CLAIM = "claim/copycat-beats-rocky"
CASES = [
    Case("practice", practice(400, 300), {CLAIM: True}, {"report/copycat-rocky/win": 0.4,
         "report/copycat-rocky/draw": 0.3, "report/rocky-nash/loss": 0.4}),
    Case("practice", practice(337, 284), {CLAIM: True}),
    Case("practice", practice(334, 287), {CLAIM: False}),
    Case("practice", practice(400, 300), {CLAIM: False},
         limits={CLAIM: {"least": wilson(400, 700)[0]}}),  # on the threshold is not above it
    Case("theory", lambda: (pd.DataFrame({"value": [0.0], "equilibrium": [1 / 3],
         "rocky_worst": [-0.25]}),), {}, {"theory/value": 0.0, "theory/equilibrium": 1 / 3}),
]  # fmt: skip
