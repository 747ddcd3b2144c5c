"""Slow, plain rules of Geister (ガイスター): the reference of the fast kernels.

Written only from Kawakami's thesis (shared/papers/kawakami-geister-cfr.txt) and its spec
(shared/specs/geister.md): rules in section 3.1, the general problem (一般問題, the opponent's
colours hidden) in 4.2, the tree searched by CFR in 5.2 and 5.3, retrograde analysis (後退解析)
in 6.1, players in 6.2.1, approaches and endings in 6.2.2.

Cells are numbered row by row from the top left of the side to move, which plays up; its goals
are the two top corners.  Nothing here is clever: sets of cells, dictionaries, recursion.
"""

from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

DIRECTIONS = ("up", "right", "down", "left")
ESCAPE = "escape"  # leaving the board from a goal: a move of its own, one turn after arriving
WIN, LOSS, DRAW = "win", "loss", "draw"  # always said of the side to move
Cells = frozenset[int]
Move = tuple[int, str]  # the cell of the piece, and a direction or ESCAPE


class Position(NamedTuple):
    blue: Cells  # all in the view of the side to move
    red: Cells
    their_blue: Cells
    their_red: Cells


class Board(NamedTuple):
    width: int
    height: int

    def step(self, cell: int, direction: str) -> int | None:
        """The cell one step away; None off the board, and for ESCAPE."""
        row, column = divmod(cell, self.width)
        row += (direction == "down") - (direction == "up")
        column += (direction == "right") - (direction == "left")
        inside = 0 <= row < self.height and 0 <= column < self.width and direction != ESCAPE
        return row * self.width + column if inside else None

    def distance(self, cell: int) -> int:
        """Manhattan distance to the nearer goal of the side that plays up; 0 on a goal."""
        row, column = divmod(cell, self.width)
        return row + min(column, self.width - 1 - column)

    def adjacent(self, cell: int, others: Cells) -> bool:
        return any(self.step(cell, direction) in others for direction in DIRECTIONS)

    def turned(self, cells) -> Cells:
        """The same cells after turning the board by 180 degrees."""
        return frozenset(self.width * self.height - 1 - cell for cell in cells)

    def rotate(self, position: Position) -> Position:
        """The same position in the view of the other side."""
        blue, red, their_blue, their_red = map(self.turned, position)
        return Position(their_blue, their_red, blue, red)

    def moves(self, position: Position) -> list[Move]:
        """Row by row, then up, right, down, left: the order settles ties of searching players."""
        pieces, found = position.blue | position.red, []
        for cell in sorted(pieces):
            if cell in position.blue and self.distance(cell) == 0:
                found.append((cell, ESCAPE))
            targets = [(self.step(cell, direction), direction) for direction in DIRECTIONS]
            found += [(cell, way) for to, way in targets if to is not None and to not in pieces]
        return found

    def play(self, position: Position, move: Move) -> Position | str:
        """The next position in the view of the new side to move, or WIN or LOSS for the mover."""
        cell, direction = move
        if direction == ESCAPE:
            return WIN
        target = frozenset([self.step(cell, direction)])
        blue, red, their_blue, their_red = position
        if target == their_blue:
            return WIN  # the opponent's last blue is taken
        if target == their_red:
            return LOSS  # the opponent's last red is taken
        blue, red = (moved(pieces, cell, target) for pieces in (blue, red))
        return self.rotate(Position(blue, red, their_blue - target, their_red - target))

    def outcomes(self, position: Position) -> list[tuple[Move, Position | str]]:
        return [(move, self.play(position, move)) for move in self.moves(position)]


def moved(pieces: Cells, cell: int, target: Cells) -> Cells:
    return pieces - {cell} | target if cell in pieces else pieces


def purple_outcomes(board: Board, state: tuple) -> list[tuple[Move, tuple | str]]:
    """One side's pieces are purple (紫駒): red when taken, blue when escaping.

    A state is (position in the mover's view, reds left of the purple side, purple to move?).
    Purple pieces stand as blue in the position; only taking them needs a rule of its own: the
    other side loses when it has taken as many as there were reds.
    """
    position, reds_left, purple_to_move = state
    found = []
    for move, after in board.outcomes(position):
        takes_purple = not purple_to_move and board.step(*move) in position.their_blue
        left = reds_left - takes_purple
        if left == 0:
            found.append((move, LOSS))
        else:
            over = isinstance(after, str)
            found.append((move, after if over else (after, left, not purple_to_move)))
    return found


# ---- retrograde analysis (section 6.1) ----


class Solution(dict):
    """position -> (result, depth in plies); the depth of a draw is None."""

    total = property(len)
    wins = property(lambda self: self.histogram(WIN).total())
    losses = property(lambda self: self.histogram(LOSS).total())
    draws = property(lambda self: self.histogram(DRAW).total())
    others = property(lambda self: self.total - self.wins)

    def histogram(self, result: str) -> Counter:
        """depth -> number of positions with this result; its max is the longest."""
        return Counter(depth for found, depth in self.values() if found == result)


def induction(states: list, outcomes) -> Solution:
    """Solve layer by layer, depth 1, 2, 3 and so on; what is never solved is a draw.

    The winner hurries and the loser delays: a win is one ply longer than the quickest lost reply,
    a loss one ply longer than the slowest won reply.  A move that ends the game reaches depth 0,
    so an escape wins in 1.  A capture leads to a state of fewer pieces in the same dictionary.
    """
    number = {state: index for index, state in enumerate(states)}
    over = {WIN: len(states), LOSS: len(states) + 1}  # said of the mover: the replier's is opposite
    known = [None] * len(states) + [(LOSS, 0), (WIN, 0)]
    after = [[number[o] if o in number else over[o] for _, o in outcomes(s)] for s in states]
    unsolved, depth, layer = range(len(states)), 0, {0: None}
    while layer:
        depth, layer = depth + 1, {}
        for index in unsolved:
            replies = [known[reply] for reply in after[index]]
            if any(reply and reply[0] == LOSS for reply in replies):
                layer[index] = (WIN, depth)
            elif all(replies):
                layer[index] = (LOSS, depth)
        for index, result in layer.items():  # only now: a layer must not use itself
            known[index] = result
        unsolved = [index for index in unsolved if index not in layer]
    return Solution((state, known[index] or (DRAW, None)) for state, index in number.items())


def placements(cells, *sizes: int):
    """All ways to put disjoint sets of the given sizes on the cells."""
    for chosen in map(frozenset, combinations(sorted(cells), sizes[0])):
        for rest in placements(set(cells) - chosen, *sizes[1:]) if sizes[1:] else [()]:
            yield (chosen, *rest)


def brute_force_retrograde(width: int, height: int, max_blue: int, max_red: int) -> Solution:
    """Every placement with 1..max_blue blues and 1..max_red reds a side, blues on goals too."""
    blues, reds = range(1, max_blue + 1), range(1, max_red + 1)
    sizes = [(b, r, tb, tr) for b in blues for r in reds for tb in blues for tr in reds]
    every = [Position(*sets) for size in sizes for sets in placements(range(width * height), *size)]
    return induction(every, Board(width, height).outcomes)


def brute_force_hidden(width: int, height: int) -> Solution:
    """The general problem: a blue and a red to move against two purple pieces, one of them red.

    (blue, red, purple) -> (result, depth); the thesis counts .wins, .others and the longest win.
    """
    board, none = Board(width, height), frozenset()
    knowing = [Position(*sets, none) for sets in placements(range(width * height), 1, 1, 2)]
    states = [(position, 1, False) for position in knowing]
    solved = induction(
        states + [(board.rotate(position), 1, True) for position in knowing],
        lambda state: purple_outcomes(board, state),
    )
    return Solution((state[0][:3], solved[state]) for state in states)


# ---- what is counted in games (tables 6.5 to 6.11) ----


def approaches(board: Board, position: Position, move: Move) -> bool:
    """隣接させる: a move without capture that ends adjacent to an opponent's piece."""
    theirs, target = position.their_blue | position.their_red, board.step(*move)
    return target is not None and target not in theirs and board.adjacent(target, theirs)


def chases(board: Board, position: Position, move: Move) -> bool:
    """突っ込む: an approach by a piece that was not adjacent before."""
    theirs = position.their_blue | position.their_red
    return approaches(board, position, move) and not board.adjacent(move[0], theirs)


def takes_approacher(board: Board, approach: Move, answer: Move) -> bool:
    """Table 6.9: the piece that has just approached is taken in the very next move."""
    return board.step(*answer) in board.turned([board.step(*approach)])


def taken(position: Position, target: int | None) -> str | None:
    """The colour of the opponent's piece on the cell a move goes to; public from then on."""
    held = {"blue": position.their_blue, "red": position.their_red}
    return next((colour for colour, cells in held.items() if target in cells), None)


def ending(board: Board, position: Position, move: Move) -> tuple[str, str] | None:
    """How the move ends the game, as the mover and as the other side name it, or None."""
    if not isinstance(board.play(position, move), str):
        return None
    return {
        None: ("escape win", "escape loss"),  # 脱出勝ち, 脱出負け
        "blue": ("blue-taking win", "blue-taken loss"),  # 青取り勝ち, 青取られ負け
        "red": ("red-taking loss", "red-giving win"),  # 赤取り負け, 赤取らせ勝ち
    }[taken(position, board.step(*move))]


# ---- players (section 6.2.1): (board, position, game so far, random source) -> move ----
# They get the true position, but use of the opponent only what is public: where its pieces are
# and how many reds it has left.  A game is a list of (position, move), each in its mover's view.


def escape(board: Board, position: Position) -> Move | None:
    return next((move for move in board.moves(position) if move[1] == ESCAPE), None)


def random_player(board: Board, position: Position, game: list, rng) -> Move:
    return escape(board, position) or rng.choice(board.moves(position))


def charge_player(board: Board, position: Position, game: list, rng) -> Move:
    """猪突猛進: the blue nearest to its goal (topmost, then leftmost) goes as near as it can."""
    moves = board.moves(position)
    for blue in sorted(position.blue, key=lambda cell: (board.distance(cell), cell)):
        if (blue, ESCAPE) in moves:
            return blue, ESCAPE
        ways = [way for way in ("left", "right", "up", "down") if (blue, way) in moves]
        if ways:  # min keeps the first of equals
            return blue, min(ways, key=lambda way: board.distance(board.step(blue, way)))
    return moves[0]  # all blues shut in by own pieces: does not happen in the thesis's games


class Search(NamedTuple):
    """What the thesis leaves open of the searching players; the defaults are the chapter's."""

    depth: int = 5
    order: tuple[str, ...] = DIRECTIONS
    scan: str = "rows"  # or "backwards", "reds", "blues"
    horizon: str = "moves"  # or "positions": who could escape after the last ply has won
    weights: tuple[int, int, int] = (1000, 1, 1)  # own blues, own distances, theirs


USUAL = Search()


def minimax(state, outcomes, value_of, depth: int, beyond=False, low=-9e9, high=9e9):
    """Value for the side to move, and the first move that has it (alpha-beta, exact at the root).

    A win, of either side, weighs more the sooner it comes. With `beyond` standing on a goal at the
    own turn is as good as having escaped: it counts a ply sooner, and after the last ply too.
    """
    best, chosen = -9e9, None
    for move, after in outcomes(state):
        if isinstance(after, str):
            sooner = beyond and move[1] == ESCAPE
            value = (1e6 + depth + sooner) * (1 if after == WIN else -1)
        elif depth == 1 and beyond and any(way == ESCAPE for (_, way), _ in outcomes(after)):
            value = -1e6 - 1
        elif depth == 1:
            value = -value_of(after)
        else:
            window = -high, -max(low, best)
            value = -minimax(after, outcomes, value_of, depth - 1, beyond, *window)[0]
        if value > best:
            best, chosen = value, move
        if best >= high:
            break  # the opponent would not let it come here
    return best, chosen


def searched(state, position_of, outcomes, value_of, how: Search) -> Move:
    """The first of the best moves, in the order in which pieces and directions are looked at."""

    def rank(at, move: Move) -> tuple:
        cell, way = move
        blue = cell in position_of(at).blue
        colour = {"reds": blue, "blues": not blue}.get(how.scan, False)
        return colour, -cell if how.scan == "backwards" else cell, [*how.order, ESCAPE].index(way)

    def ranked(at) -> list:
        return sorted(outcomes(at), key=lambda found: rank(at, found[0]))

    return minimax(state, ranked, value_of, how.depth, how.horizon == "positions")[1]


def evaluate(board: Board, position: Position, blues: tuple, steps: tuple) -> int:
    """Numbers of blues (青の個数), and how far the pieces of both sides are from their goals."""
    blue, red, their_blue, their_red = position
    own = sum(map(board.distance, blue | red))
    theirs = sum(map(board.distance, board.turned(their_blue | their_red)))
    return blues[0] * len(blue) - blues[1] * len(their_blue) - steps[0] * own + steps[1] * theirs


def purple_player(board: Board, position: Position, game: list, rng, how=USUAL) -> Move:
    """紫駒AI: searches as if all the opponent's pieces were purple; only its own blues count."""
    worth, near, far = how.weights

    def value(state: tuple) -> int:
        blues, steps = ((0, worth), (far, near)) if state[2] else ((worth, 0), (near, far))
        return evaluate(board, state[0], blues, steps)

    blue, red, their_blue, their_red = position
    state = (Position(blue, red, their_blue | their_red, frozenset()), len(their_red), False)
    move = searched(state, lambda at: at[0], lambda at: purple_outcomes(board, at), value, how)
    return escape(board, position) or move


def knowing_player(board: Board, position: Position, how=USUAL) -> Move:
    """Search as if the colours that the position says were known."""
    worth, near, far = how.weights
    steps = (far, near) if how.depth % 2 else (near, far)  # who is to move after the last ply

    def value(at: Position) -> int:
        return evaluate(board, at, (worth, worth), steps)

    return escape(board, position) or searched(position, lambda at: at, board.outcomes, value, how)


def chaser(board: Board, game: list) -> tuple[bool, Cells]:
    """Has an opponent's piece chased, and where is the first that did (nowhere: taken)?"""
    chased, cells = False, frozenset()  # in the opponent's view
    for plies_ago, (position, move) in zip(range(len(game), 0, -1), game):
        target = frozenset([board.step(*move)])
        if plies_ago % 2 == 0:  # an own move, which may take the chaser
            cells -= board.turned(target)
        elif not chased and chases(board, position, move):
            chased, cells = True, target
        else:
            cells = moved(cells, move[0], target)
    return chased, board.turned(cells)


def anti_purple_player(board: Board, position: Position, game: list, rng, how=USUAL) -> Move:
    """対紫駒: the first piece that chased is red for good, all the others are blue."""
    chased, reds = chaser(board, game)
    if not chased:
        return purple_player(board, position, game, rng, how)
    blues = (position.their_blue | position.their_red) - reds
    return knowing_player(board, position._replace(their_blue=blues, their_red=reds), how)


def play_game(board: Board, position: Position, players: tuple, rng, limit=200):
    """players[0] moves first; (both players' endings, or None for a draw; the game)."""
    game = []
    while len(game) < limit:
        move = players[len(game) % 2](board, position, game, rng)
        game.append((position, move))
        if ended := ending(board, position, move):
            return (ended if len(game) % 2 else ended[::-1]), game
        position = board.play(position, move)
    return None, game


# ---- CFR on the depth-limited tree (sections 2.4, 5.2 and 5.3) ----


class InformationSet:
    def __init__(self, actions: list):
        self.actions, self.strategy = actions, [1 / len(actions)] * len(actions)
        self.regret, self.weighted = [0.0] * len(actions), [0.0] * len(actions)
        self.reach = 0.0  # own reach in this iteration, equal for all histories of the set

    def finish_iteration(self) -> None:
        terms = [self.reach * share for share in self.strategy]
        self.weighted = list(map(sum, zip(self.weighted, terms)))  # eq. 2.4
        positive = [max(regret, 0.0) for regret in self.regret]
        total, equal = sum(positive), 1 / len(positive)
        self.strategy = [regret / total if total else equal for regret in positive]  # eq. 2.9

    def average(self) -> dict:
        return {a: w / sum(self.weighted) for a, w in zip(self.actions, self.weighted)}


def cfr(
    board: Board, position: Position, plies=3, iterations=1000, colours_chosen=True, leaf=None,
    trust=0.0, belief=None,
):  # fmt: skip
    """Vanilla CFR; average strategies as information set -> {action: probability}.

    Both sides first colour their pieces, unseen by the other: each by a decision of its own
    (colours_chosen) or by uniform chance.  Then come `plies` moves.  `leaf` values an unresolved
    leaf for the side to move there (None is 0: CFR-A; 1, 0, -1 of the solved position: CFR-B).
    Keys: (player, "colours"), and for moves (player, its blues at the root in its own view, public
    history of (move, colour taken)); the one to be played is at (0, position.blue, ()).  The player
    itself first plays an escape if it has one, and looks at no past moves.

    With `trust` the other side's colours (as `belief` names them, in its own view) come from there
    so often, and only else from its decision.
    """
    views = (position, board.rotate(position))
    choices = [[*map(frozenset, combinations(sorted(v.blue | v.red), len(v.blue)))] for v in views]
    sets, play, moves = {}, cache(board.play), cache(board.moves)

    def coloured(blue: Cells, their_blue: Cells) -> Position:
        red, their_red = ((v.blue | v.red) - b for v, b in zip(views, (blue, their_blue)))
        return Position(blue, red, board.turned(their_blue), board.turned(their_red))

    def walk(blues: tuple, history: tuple, at: Position | None, own: float, other: float) -> float:
        """Value for the side to move, given its own and the other side's reach."""
        player, colouring = (len(blues) + len(history)) % 2, len(blues) < 2
        if colouring:
            key, actions = (player, "colours"), choices[player]
        else:
            at = at or coloured(*blues)
            key, actions = (player, blues[player], history), moves(at)
        here = sets[key] = sets.get(key) or InformationSet(actions)
        here.reach, values, shares = own, [], here.strategy
        if trust and key == (1, "colours"):
            shares = [(1 - trust) * s + trust * belief[a] for a, s in zip(actions, shares)]
        for action, share in zip(here.actions, shares):
            after = None if colouring else play(at, action)
            if isinstance(after, str):
                values.append(1.0 if after == WIN else -1.0)
            elif not colouring and len(history) + 1 == plies:
                values.append(-leaf(after) if leaf else 0.0)
            elif colouring:
                values.append(-walk((*blues, action), (), None, other, own * share))
            else:
                path = (*history, (action, taken(at, board.step(*action))))
                values.append(-walk(blues, path, after, other, own * share))
        mean = sum(share * value for share, value in zip(here.strategy, values))
        here.regret = [r + other * (v - mean) for r, v in zip(here.regret, values)]  # eq. 2.8
        return sum(share * value for share, value in zip(shares, values))

    for _ in range(iterations):
        # uniform chance weighs all regrets alike and so drops out of eq. 2.9
        for blues in [()] if colours_chosen else product(*choices):
            walk(blues, (), None, 1.0, 1.0)
        for information_set in sets.values():  # both players at once, after the whole walk
            information_set.finish_iteration()
    return {key: found.average() for key, found in sets.items()}
