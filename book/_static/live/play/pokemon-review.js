// What the page says of a battle: a turn's payoffs, the whole battle turn by turn, who it may have been, and Python.
import { button, count, make } from "../play.js";

// Words for the kernels' numbers, in their order.
export const TYPES = ["grass", "fire", "electric", "water"], NAMES = [..."ABCDEF"];
export const MOVES = [...TYPES, ...NAMES.map((name) => `switch ${name}`), ...NAMES.map((name) => `send ${name}`)];
export const NOISES = ["none", "uniform", "variable", "normal"];
export const BIASES = ["none", "attack", "switch", "effective", "ineffective"];
const LIKED = ["", "to attack", "to switch", "effective moves", "ineffective moves"];
const ENDS = ["a draw", "party 1 wins", "party 2 wins"], ACTIONS = [0, 1, 2, 3, 4];
const GIVEN_AWAY = "Given away: the value to you, less what your action wins on average against its equilibrium " +
  "mixture; for a monster that you send in, less the value with that one in front. A draw counts one half. It is " +
  "measured against that mixture alone: what gives away nothing may still lose to an action that is not in it, and " +
  "“at least” is your chance against the best answer to your action.";

const points = (share) => (100 * Math.max(share, 0)).toFixed(1);
const head = (scope, words) => make("th", { scope }, words);
const text = (...words) => make("td", {}, ...words);
const cell = (words, is = false) => make("td", { className: is ? "number met" : "number" }, words);
const line = (...cells) => make("tr", {}, ...cells);

function barred(share, most, words) {
  const bar = make("span", { className: "bar", "aria-hidden": true, style: `--share:${share / most}` });
  return make("td", { className: "barred" }, make("span", { className: "number" }, words), bar);
}

function listed(name, top, lines) {
  const first = make("thead", {}, line(...top.map((words) => head("col", words))));
  return make("div", { className: "beside", tabIndex: 0, role: "region", "aria-label": name },
    make("table", {}, first, make("tbody", {}, ...lines)));
}

// A candidate's numbers as words, and as Python.
export function named([, noise, delta, bias]) {
  if (bias) return `likes ${LIKED[bias]}`;
  return noise ? `δ-Nash, ${NOISES[noise]} noise, δ = ${delta}` : "Nash";
}

function python([, noise, delta, bias, alpha]) {
  const parts = noise ? [`noise="${NOISES[noise]}"`, `delta=${delta}`] : [];
  if (bias) parts.push(`bias="${BIASES[bias]}"`, `alpha=${alpha}`);
  return `player(${parts.join(", ")})`;
}

// One choice of yours held against the solution; `found` is the kernel's answer on the position.
export function explained(turn, { matrix, mixtures, worth, least, value, lost }, seat) {
  const [here, there] = [5 * seat, 5 - 5 * seat], both = turn.theirs >= 0, only = (...cells) => (both ? cells : []);
  const mine = ACTIONS.filter((i) => worth[here + i] >= 0), theirs = ACTIONS.filter((j) => mixtures[there + j] >= 0);
  const wins = (i, j) => (seat ? 1 - matrix[5 * j + i] : matrix[5 * i + j]);
  const lines = mine.map((i) => line(
    head("row", turn.word(seat, i)), ...only(cell(points(mixtures[here + i]))),
    ...theirs.map((j) => cell(points(wins(i, j)), i === turn.mine && j === turn.theirs)),
    cell(points(worth[here + i]), i === turn.mine), ...only(cell(points(least[here + i]), i === turn.mine))));
  const mixed = theirs.map((j) => cell(points(mixtures[there + j])));
  if (both) lines.unshift(line(head("row", "it mixes, %"), text(), ...mixed, text(), text()));
  const names = theirs.map((j) => turn.word(1 - seat, j));
  const top = ["you", ...only("you mix, %", ...names), "worth, %", ...only("at least, %")];
  const how = both ? ", for each action of yours and its; the mixtures are the equilibrium's" : "";
  const kept = points(worth[here + turn.mine]);
  return [
    listed("your chances of winning", top, lines), make("p", {}, `Your chance of winning in per cent${how}. ` +
      `The value is ${points(value)}, and “${turn.you}” is worth ${kept}: given away, ${points(lost)} points.`),
    make("p", { className: "meant" }, GIVEN_AWAY),
  ];
}

// The battle turn by turn; `open` shows one of your choices more closely.
export function reviewed(turns, found, open) {
  const losses = found.map(({ lost }) => Math.max(lost, 0)), most = Math.max(0.01, ...losses);
  const total = losses.reduce((sum, lost) => sum + lost, 0);
  const lines = turns.map(({ name, you, it, sent }, k) => line(
    text(button(name || you, () => open(k))), text(you), text([it, sent].filter(Boolean).join(", ") || "–"),
    cell(points(found[k].value)), barred(losses[k], most, points(losses[k])), cell(points(found[k].sure))));
  const sum = make("span", { className: "number" }, points(total));
  lines.push(line(head("row", "in all"), text(), text(), text(), text(sum), text()));
  const top = ["choice", "you", "it", "value, %", "given away", "at least, %"];
  return [listed("turn by turn", top, lines)];
}

// Who it may have been, by how likely each would have done what it did.
export function compared(likelihood, possible, candidates, met, guessed, draws) {
  const sum = possible.reduce((total, c) => total + likelihood[c], 0), share = (c) => (sum ? likelihood[c] / sum : 0);
  const mark = (c) => (c === met ? " (you met it)" : c === guessed ? " (your guess)" : "");
  const lines = [...possible].sort((c, d) => likelihood[d] - likelihood[c]).map((c) => line(
    head("row", named(candidates[c]) + mark(c)), cell(likelihood[c].toPrecision(2)),
    barred(share(c), 1, points(share(c)))));
  return [
    listed("who it may have been", ["player", "likelihood", "share, %"], lines),
    make("p", { className: "meant" }, "Likelihood: the chance that this player chooses what your opponent chose, " +
      `multiplied over the turns. With noise it is a mean over ${count(draws)} draws of it, and 0 says: in some turn ` +
      "not once in them. Share: of the sum, which is what to believe if all were as likely before. " +
      "Whom to send in is left out: there they all choose alike."),
  ];
}

// The actions of both in order, and the winner: as the Python below prints them.
export function recorded(turns, seat, winner) {
  const order = ({ you, it, sent }) => {
    const both = [`${seat + 1} ${you}`, ...(it ? [`${2 - seat} ${it}`] : [])];
    return [...(seat ? both.reverse() : both), ...(sent ? [`${2 - seat} ${sent}`] : [])];
  };
  return [...turns.flatMap(order), ENDS.at(winner)].join(", ");
}

function drawn(players, seed) {
  if (players.length === 1) return `who = ${python(players[0])}`;
  return `players = [${players.map((one) => `\n    ${python(one)},`).join("")}\n]
who = players[np.random.default_rng([${seed}, 1]).integers(len(players))]`;
}

// If there are several players, the seed says who it was, and this does not give it away.
export const snippet = (moves, players, seat, seed) => `import numpy as np

from gamecore.contest import playing
from gamecore.pokemon import player, start
from gamecore.pokemon.players import decider

moves, told = iter("${moves.join(",")}".split(",")), []


def noted(decides):
    def noting(view, rng):
        move = decides(view, rng)
        told.append(f"{view.player + 1} {move}")
        return move

    return noting


me = noted(lambda view, rng: next(moves))
${drawn(players, seed)}
it = noted(decider(who))
*_, end = playing(start(), [${seat ? "it, me" : "me, it"}], np.random.default_rng(${seed}))
winner = ${JSON.stringify(ENDS).replaceAll(",", ", ")}[int(end.returns()[0])]
print(*told, winner, sep=", ")`;
