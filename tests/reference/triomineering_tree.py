"""A slow, plain search tree for simultaneous moves: the reference of ``triomineering.tree``.

Written from the papers: growth by a threshold (MSUCB, section 7), decoupled UCT, Exp3 and regret
matching (Lanctot, Lisý and Winands 2014; Tak, Lanctot and Winands 2014). Nodes are dictionaries,
positions sets of filled cells. All chance comes from `dice`, which has ``uniform()`` and
``below(n)``, and is asked in the order: V's move, H's move, and so on through the playout.
"""

from math import exp, log, sqrt

from tests.reference import triomineering as plain

Mixture = list[float]


def grow(
    rows: int, columns: int, filled: plain.Cells, rule: str, playouts: int, threshold: int,
    c: float, gamma: float, every: int, dice,
) -> tuple[Mixture, Mixture, int]:  # fmt: skip
    """Return both mixtures at the root and the number of nodes."""
    nodes: dict[tuple, dict] = {}

    def new(at: plain.Cells) -> dict:
        moves = [plain.legal_moves(rows, columns, at, player) for player in "VH"]
        return {
            "filled": at, "moves": moves, "t": 0, "visits": {}, "sum": {},
            "mixed": None, "arms": [[_arm() for _ in each] for each in moves],
        }  # fmt: skip

    nodes[()] = root = new(filled)
    for _ in range(playouts):
        path, name, node = [], (), root
        while True:
            i, j = _pick(node, rule, c, gamma, every, dice)
            path.append((node, i, j))
            at = plain.play(node["filled"], node["moves"][0][i], node["moves"][1][j])
            name = (*name, i, j)
            tried = node["visits"].get((i, j), 0) >= threshold
            if name not in nodes and tried and plain.result(rows, columns, at) is None:
                nodes[name] = new(at)
            if name not in nodes:
                break
            node = nodes[name]
        value = float(_play_out(rows, columns, at, dice))
        for node, i, j in path:
            _learn(node, rule, i, j, value, gamma)
    v, h = _mixtures(root, rule, gamma)
    return v, h, len(nodes)


def _arm() -> dict:
    return {"n": 0, "total": 0.0, "regret": 0.0, "reward": 0.0, "now": 0.0, "sum": 0.0}


def _play_out(rows, columns, at, dice):
    while (end := plain.result(rows, columns, at)) is None:
        v, h = (plain.playout_moves(rows, columns, at, player) for player in "VH")
        at = plain.play(at, v[dice.below(len(v))], h[dice.below(len(h))])
    return end


def _mean(node, i, j, unknown=0.5):
    n = node["visits"].get((i, j), 0)
    return node["sum"][i, j] / n if n else unknown


def _pick(node, rule, c, gamma, every, dice):
    t, (m, n) = node["t"], map(len, node["moves"])
    if rule == "MSUCT":
        if t < m * n:
            return divmod(t, n)
        if (t - m * n) % every == 0:
            bonus = [
                [c * sqrt(2 * log(t) / node["visits"][i, j]) for j in range(n)] for i in range(m)
            ]
            own = [[_mean(node, i, j) + bonus[i][j] for j in range(n)] for i in range(m)]
            other = [[1 - _mean(node, i, j) + bonus[i][j] for j in range(n)] for i in range(m)]
            node["mixed"] = _fictitious_play(own, other, 100)
        return tuple(_draw(weights, dice.uniform()) for weights in node["mixed"])
    if rule.startswith("DUCT"):
        return tuple(_best_bound(arms, t, c) for arms in node["arms"])
    for arms in node["arms"]:
        if rule == "Exp3":
            top = max(arm["reward"] for arm in arms)
            now = [exp(gamma / len(arms) * (arm["reward"] - top)) for arm in arms]
        else:
            now = [max(arm["regret"], 0.0) for arm in arms]
            now = now if sum(now) > 0 else [1.0] * len(arms)
        for arm, share in zip(arms, now, strict=True):
            arm["now"] = share / sum(now)
            arm["sum"] += arm["now"]
    return tuple(
        dice.below(len(arms)) if dice.uniform() < gamma
        else _draw([arm["now"] for arm in arms], dice.uniform())
        for arms in node["arms"]
    )  # fmt: skip


def _fictitious_play(own, other, rounds):
    """As `plain.fictitious_play`, in whole numbers, so that equal sums are equal."""
    payoffs = [[[round(x * 2**40) for x in row] for row in own],
               [[round(x * 2**40) for x in row] for row in zip(*other, strict=True)]]  # fmt: skip
    counts = [[0] * len(payoff) for payoff in payoffs]
    for _ in range(rounds):
        for me in (0, 1):
            theirs = counts[1 - me]
            answered = [1 + k * len(theirs) for k in theirs]  # the uniform start weighs one round
            counts[me][plain.arg_max(plain.coefficients(payoffs[me], answered))] += 1
    return [k / rounds for k in counts[0]], [k / rounds for k in counts[1]]


def _draw(weights, number):
    left = number * sum(weights)
    for k, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return k
    raise AssertionError("weights must be positive somewhere")


def _best_bound(arms, t, c):
    if t < len(arms):
        return t
    bounds = [arm["total"] / arm["n"] + c * sqrt(2 * log(t) / arm["n"]) for arm in arms]
    return bounds.index(max(bounds))


def _learn(node, rule, i, j, value, gamma):
    node["t"] += 1
    node["visits"][i, j] = node["visits"].get((i, j), 0) + 1
    node["sum"][i, j] = node["sum"].get((i, j), 0.0) + value
    own, other = node["arms"]
    for arms, k, gained in ((own, i, value), (other, j, 1 - value)):
        chance = (1 - gamma) * arms[k]["now"] + gamma / len(arms)
        arms[k]["n"] += 1
        arms[k]["total"] += gained
        arms[k]["reward"] += gained / chance if rule == "Exp3" else 0.0
    for k, arm in enumerate(own):
        arm["regret"] += _mean(node, k, j) - value if k != i else 0.0
    for k, arm in enumerate(other):
        arm["regret"] += value - _mean(node, i, k) if k != j else 0.0


def _mixtures(node, rule, gamma):
    m, n = map(len, node["moves"])
    if rule == "MSUCT":
        table = [[_mean(node, i, j) for j in range(n)] for i in range(m)]
        return _fictitious_play(table, plain.opposite(table), 2000)
    return tuple(_one_mixture(arms, node["t"], rule, gamma) for arms in node["arms"])


def _one_mixture(arms, t, rule, gamma):
    if rule == "DUCT(max)":
        most = max(range(len(arms)), key=lambda k: (arms[k]["n"], -k))
        return [float(k == most) for k in range(len(arms))]
    if rule == "regret matching":
        return [arm["sum"] / t for arm in arms]
    less = gamma / len(arms) if rule == "Exp3" else 0.0
    shares = [max(arm["n"] / t - less, 0.0) for arm in arms]
    return [share / sum(shares) for share in shares]
