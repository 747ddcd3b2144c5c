// What the page has done, as the package's public calls: a game from where it was set up, or one thought.
const NUMPY = "import numpy as np\n\n";

const set = ({ who, playouts, c, nash }, [rows, columns], rounds) =>
  `it = Player("${who}", playouts=${playouts}, c=${c}, nash="${nash}")\n` +
  `begun = start(${rows}, ${columns})${rounds.map(([v, h]) => `.play("${v}", "${h}")`).join("")}\n`;

// Print the rounds and the result, as the record says them.
export function game(now, sides, given, moves) {
  const cell = (x) => `{${x} // ${sides[1]}},{${x} % ${sides[1]}}`;
  return `${NUMPY}from gamecore.contest import playing\nfrom gamecore.triomineering import Player, start\n` +
    `from gamecore.triomineering.players import decider\n\nmoves = iter("${moves.join(" ")}".split())\n\n\n` +
    `def me(view, generator):\n    return next(moves)\n\n\n${set(now, sides, given)}` +
    `seats = ${now.side === "H" ? "[decider(it), me]" : "[me, decider(it)]"}\n` +
    `*_, end = playing(begun, seats, np.random.default_rng(${now.seed}))\n` +
    `played = [f"V ${cell("v")} H ${cell("h")}" for v, h in end.rounds]\n` +
    `print(*played, {1: "V wins", 0.5: "draw", 0: "H wins"}[end.result()], sep="; ")`;
}

// Print visits and mixture of the thought with which the decision after so many is made.
export function thought(now, sides, rounds, decided) {
  return `${NUMPY}from gamecore.triomineering import Player, start, think\n\n${set(now, sides, rounds)}` +
    `seeds = np.random.default_rng(${now.seed}).integers(2**63, size=${decided + 1})\n` +
    `thought = think(begun, it, int(seeds[-1]), "${now.side === "V" ? "H" : "V"}")\n` +
    "print(thought.visits.sum(1), thought.policy)";
}
