// Geister with hidden colours on 4×4 against the players of the thesis; CFR's mixture as arrows; and when the game is
// over, what each position was worth with open colours. A game is its seed, its settings and its moves: kernels play
// it anew every time, so a move is taken back by leaving it out.
import { anySeed, button, choice, labelled, make, reproduce, seedOf, speaker, trying } from "../play.js";
import { cellName, draw, moveName, numberOf } from "./geister-board.js";
import { bars, cellsOf, listed, solved, solver, worthText } from "./geister-solved.js";

const PLAYERS = {
  random: "random", charge: "charge: runs to a goal", purple: "purple: searches, colours unknown",
  anti: "anti: made against purple", "cfr-a": "CFR-A: mixes its moves", "cfr-b": "CFR-B: mixes, and looks leaves up",
};
const SEATS = { first: "first", second: "second" };
const PAIRS = ["a4 b4", "a4 c4", "a4 d4", "b4 c4", "b4 d4", "c4 d4"];
const BLUES = { "": "drawn by the seed", ...Object.fromEntries(PAIRS.map((two) => [two, two.replace(" ", " and ")])) };
const SHOWS = { "": "nothing", "cfr-a": "how CFR-A would mix", "cfr-b": "how CFR-B would mix" };
// How a game ends, said of the first player; who did it, and what.
const ENDINGS = [
  ["blue-taking win", 0, "took the last blue"], ["red-taking loss", 0, "took the last red"],
  ["red-giving win", 1, "took the last red"], ["blue-taken loss", 1, "took the last blue"],
  ["escape win", 0, "escaped"], ["escape loss", 1, "escaped"], ["draw", 0, ""],
];
const GAME = ["board", "counts", "moves", "told", "mixed", "colourings", "mix"];
const SIZE = { width: 4, height: 4 };
const names = (moves) => moves.map((move) => moveName(move));
const percent = (part) => `${Math.round(100 * part)}\u00a0%`;
const likely = (mixed) => mixed.filter(({ share }) => share > 0.005).sort((a, b) => b.share - a.share);
const inWords = (mixed) => likely(mixed).map(({ move, share }) => `${moveName(move)} ${percent(share)}`).join(", ");

export default async function start(place, table, address) {
  const asked = address.read(), said = speaker(), tried = (action) => trying(said, place, action);
  const against = choice(PLAYERS, asked.against ?? "cfr-a"), seat = choice(SEATS, asked.seat);
  const blue = choice(BLUES, asked.blue), seen = choice(SHOWS, asked.show);
  const seed = make("input", { inputMode: "numeric", value: asked.seed ?? anySeed() });
  const board = make("div"), left = make("p"), beside = make("div"), after = make("div");
  const fresh = button("New game", tried(() => begin([], anySeed()))), back = button("Undo", tried(undo));
  const same = button("Again from this seed", tried(() => begin([], seed.value)));
  const form = [["against", against], ["you move", seat], ["your blues", blue], ["seed", seed]];
  place.append(
    make("div", { className: "chosen" }, ...form.map(([name, input]) => labelled(name, input))),
    make("div", { className: "buttons" }, fresh, same, back, labelled("show", seen)), said,
    make("div", { className: "pair" }, make("div", {}, board, left), beside), after);
  for (const one of [against, seat, blue]) one.onchange = same.onclick;
  seen.onchange = tried(show);
  let number, moves = [], waiting = [], now;

  const kernels = () => solved() ?? table, mine = () => seat.selectedIndex;
  const ours = () => moves.filter((_, ply) => ply % 2 === mine());
  const waits = () => against.value === "cfr-b" && !solved();

  // The game after some moves; a player makes the next one, or it is mixed for you, if asked.
  function game(played, given = {}) {
    const chosen = [-1, -1];
    chosen[mine()] = blue.selectedIndex - 1;
    const set = { words: [number, 0], chosen, moves: played };
    return kernels().call("geister_game", { plies: played.length, ...given }, GAME, set);
  }

  async function advance(played) {
    const who = played.length % 2 === mine() || waits() ? -1 : against.selectedIndex;
    now = await game(played, { who });
    moves = now.moves.slice(0, now.counts[1]);
  }

  async function begin(again, from) {
    number = seedOf(from);
    seed.value = number;
    await advance([]);
    waiting = waits() ? again : [];
    let refused = "";
    for (const name of waits() ? [] : again) {
      try {
        await advance([...moves, numberOf(name)]);
      } catch {
        refused = `In the link “${name.slice(0, 20)}” is not a legal move; the game stands before it.`;
        break;
      }
    }
    await show();
    if (refused) said.say(refused, "v-differs");
  }

  async function choose(move) {
    await advance([...moves, move]);
    await show();
  }

  async function undo() {
    await advance(moves.slice(0, moves.findLastIndex((_, ply) => ply % 2 === mine())));
    await show();
  }

  async function show() {
    const me = mine(), over = now.told[2] === 1, n = moves.length, get = ["shown", "legal", "told"];
    const { shown, legal, told } = await kernels().call("geister_show", { side: me }, get, { board: now.board });
    const cells = cellsOf(shown, !over), free = over || waits() ? [] : legal.slice(0, told[0]);
    const can = free.length && (seen.value === "cfr-a" || (seen.value && solved())), mixed = can ? await mix() : [];
    const arrows = n ? [{ move: moves[n - 1], share: 0.2, tone: "last", theirs: n % 2 === me }] : [];
    arrows.push(...likely(mixed[0]?.moves ?? []));
    draw(board, { ...SIZE, cells, moves: free, arrows, onmove: tried(choose), name: "the board; you play up" });
    const [blues, reds, theirBlues, theirReds] = [1, 2, 3, 4].map((code) => shown.filter((one) => one === code).length);
    const count = `Left: your ${blues} blue and ${reds} red, its ${theirBlues} blue and ${theirReds} red.`;
    left.textContent = over ? "The arrow is the last move." : count;
    beside.replaceChildren(...(can ? strangers(mixed, cells) : []));
    after.replaceChildren();
    const settings = {
      seed: number, against: against.value, seat: seat.value, blue: blue.value, show: seen.value,
      moves: (waits() ? waiting : names(ours())).join(","),
    };
    address.write(settings);
    back.disabled = !ours().length;
    place.dataset.record = "";
    if (waits()) said.say("CFR-B looks up what the ends of its tree are worth: all positions have to be solved first.");
    else if (over) await end(settings);
    else if (n) said.say(`It played ${moveName(moves[n - 1])}, as it sees the board. Your move, ply ${n + 1}.`);
    else said.say("Choose a ghost, then where it goes. You win if a blue of yours leaves by a " +
      "corner at the top, or if you take all its blues; take all its reds, and you lose.");
    if (solved() || !(waits() || over || seen.value === "cfr-b")) return;
    after.prepend(solver(said, place, waits() ? () => begin(waiting, number) : show));
  }

  // How CFR mixes your moves: for each colouring that your ghosts might have, the true one first.
  async function mix() {
    const { told, mixed, colourings, mix } = await game(moves, { leaves: seen.value === "cfr-b" ? 1 : 0 });
    const wide = mix.length / colourings.length, some = mixed.slice(0, told[0]);
    return colourings.slice(0, told[1]).map((blues, row) => ({
      blues, moves: some.map((move, k) => ({ move, share: mix[row * wide + k] })),
    }));
  }

  // What a stranger must reckon with: the same ghosts, coloured in each of the other ways.
  function strangers([yours, ...others], cells) {
    const name = seen.value.toUpperCase(), boards = others.map((one) => {
      const is = (k) => (one.blues >> k) & 1, picture = make("div");
      const coloured = cells.map((cell, k) => (cell?.owner === 0 ? { ...cell, colour: is(k) ? "blue" : "red" } : cell));
      const blues = cells.flatMap((_, k) => (is(k) ? [cellName(k)] : [])).join(" and ");
      const title = `${name} with ${blues} blue`;
      draw(picture, { ...SIZE, cells: coloured, arrows: likely(one.moves), small: true, name: title });
      return make("figure", {}, picture, make("figcaption", {}, `${blues} blue: ${inWords(one.moves)}`));
    });
    const plays = make("p", {}, `${name}, in your place, plays ${inWords(yours.moves)}.`);
    if (others.length && others.every((one) => inWords(one.moves) === inWords(yours.moves))) {
      const words = "It would play so in any of your colourings: such a move gives nothing away.";
      return [plays, make("p", {}, words)];
    }
    return [plays,
      make("p", {}, "A stranger must reckon with your ghosts in the other colourings too:"),
      make("div", { className: "strangers" }, ...boards)];
  }

  async function end(settings) {
    const [ending, actor, deed] = ENDINGS[now.counts[0]], me = mine();
    const who = (yes) => (yes ? "you" : "it"), won = ending.endsWith("win") === (me === 0);
    if (ending === "draw") said.say(`Over: a draw after ${moves.length} plies.`);
    else said.say(`Over: ${who(actor === me)} ${deed}, so ${who(won)} won. Its colours are shown.`);
    place.dataset.record = `${names(moves).join(", ")}: ${ending}`;
    const pair = me ? `"${against.value}", me` : `me, "${against.value}"`;
    const code = ["from gamecore.geister import match, start", "", `moves = "${names(ours()).join(", ")}".split(", ")`,
      "", "", "def me(view, rng):", "    return moves[view.ply // 2]", "", "",
      `begin = start(${blue.value ? `${seat.value}_blue="${blue.value}"` : ""})`,
      `end = match(${pair}, 1, seed=${number}, state=begin).replay(0)[-1]`,
      'print(", ".join(move for move, _ in end.history) + ":", end.ending)'].join("\n");
    if (solved()) beside.append(...(await judged()));
    after.append(reproduce(code, address.link(settings)));
  }

  // What each position was worth to you with open colours, and what the move made of it.
  async function judged() {
    const rows = [], get = ["told", "legal", "worth", "after"];
    let { board: at } = await game([]);
    for (const [ply, move] of moves.entries()) {
      const side = ply % 2, sign = side === mine() ? 1 : -1;
      const found = await kernels().call("geister_values", { side }, get, { board: at });
      const k = found.legal.indexOf(move);
      rows.push([ply + 1, sign > 0 ? "you" : "it", moveName(move), sign * found.told[1], sign * found.worth[k]]);
      at = found.after.slice(k * at.length, (k + 1) * at.length);
    }
    return [make("p", {}, "Had all colours been open, perfect play would have brought you:"),
      bars(rows.map((row) => row[4])), listed(["ply", "who", "move", "before it", "after it"],
        rows.map((row) => [...row.slice(0, 3), worthText(row[3]), worthText(row[4])]), "what each move was worth")];
  }

  try {
    await begin((asked.moves ?? "").split(",").filter(Boolean), seed.value);
  } catch (error) {
    await begin([], anySeed());
    said.say(`The link's seed was left out. ${error.message}`, "v-differs");
  }
}
