// Fifty rounds against a player that learns: your frequencies, your regret and the duality gap as they move.
import { anySeed, button, choice, labelled, make, reproduce, seedOf, speaker, trying } from "../play.js";

const MOVES = ["rock", "paper", "scissors"], ROUNDS = 50;
const LEARNERS = { regret: "a regret matcher", habit: "a reader of habits" };
const STATE = ["g", "memory", "played", "told", "last"];
const percent = (part) => `${Math.round(100 * part)} %`;

export default async function start(place, table, address) {
  const asked = address.read(), said = speaker();
  const against = choice(LEARNERS, asked.against);
  const seed = make("input", { inputMode: "numeric", value: asked.seed ?? anySeed() });
  const choices = make("div", { className: "choices", role: "group", "aria-label": "your move" });
  const back = button("Undo", trying(said, place, undo)), facts = make("div"), after = make("div");
  const fresh = button("New game", trying(said, place, () => begin([], anySeed())));
  const same = button("Again from this seed", trying(said, place, () => begin([], seed.value)));
  const form = make("div", { className: "chosen" }, labelled("against", against), labelled("seed", seed));
  place.append(form, make("div", { className: "buttons" }, fresh, same, back), choices, said, facts, after);
  against.onchange = same.onclick;
  let moves, replies, saved, from;
  for (const [number, name] of MOVES.entries()) choices.append(button(name, trying(said, place, () => choose(number))));

  async function begin(again, asked) {
    from = seedOf(asked);
    seed.value = from;
    [moves, replies, saved] = [[], [], []];
    await table.call("rps_begin", {}, [], { words: [from, 0] });
    for (const name of again) await round(MOVES.indexOf(name));
    await show();
  }

  async function round(move) {
    saved.push(await table.get(...STATE));
    const { told } = await table.call("rps_round", { learner: against.selectedIndex, move }, ["told"]);
    moves.push(MOVES[move]);
    replies.push(MOVES[told[0]]);
  }

  async function choose(move) {
    if (!moves) throw new Error("Begin with a seed.");
    if (moves.length === ROUNDS) throw new Error("The fifty rounds are over.");
    await round(move);
    await show();
  }

  async function undo() {
    if (!saved?.length) throw new Error("Nothing has been played.");
    await table.put(saved.pop());
    moves.pop();
    replies.pop();
    await show();
  }

  // A bar for each move: what you played, what it played, how it would mix next.
  function bars(name, shares) {
    const parts = MOVES.map((_, k) => make("span", { className: `part m${k}`, style: `flex-grow:${shares[k]}` }));
    const words = MOVES.map((move, k) => `${move} ${percent(shares[k])}`).join(", ");
    const stack = make("span", { className: "stack", "aria-hidden": true }, ...parts);
    return [make("dt", {}, name), make("dd", {}, stack, words)];
  }

  async function show() {
    const learner = against.selectedIndex, { chances } = await table.call("rps_next", { learner }, ["chances"]);
    const { played, told } = await table.get("played", "told"), n = moves.length, over = n === ROUNDS;
    const share = (from) => [0, 1, 2].map((k) => (n ? played[from + k] / n : 0));
    const settings = { seed: from, against: against.value, moves: moves.join(",") };
    address.write(settings);
    back.disabled = !n;
    for (const one of choices.children) one.disabled = over;
    facts.replaceChildren(make("dl", { className: "facts" },
      ...bars("you", share(0)), ...bars("it", share(3)), ...(over ? [] : bars("it mixes next", chances)),
      make("dt", {}, "your points"), make("dd", {}, String(told[4])),
      make("dt", {}, "your regret"), make("dd", {}, `${told[5]}: so much more one single move would have brought`),
      make("dt", {}, "duality gap"), make("dd", {}, `${told[6].toFixed(3)} of what both played; 0 in equilibrium`)));
    after.replaceChildren();
    if (n) said.say(`Round ${n} of ${ROUNDS}: ${moves[n - 1]} against ${replies[n - 1]}.`);
    else said.say(`Choose a move; ${LEARNERS[against.value]} answers at the same time.`);
    place.dataset.record = over ? replies.join(" ") : "";
    if (!over) return;
    const who = told[4] > 0 ? "you won" : told[4] < 0 ? "it won" : "a draw";
    said.say(`Over: ${who}, ${told[4]} points in ${ROUNDS} rounds.`);
    after.append(reproduce(
      `from gamecore.rps import lesson\n\nmoves = "${moves.join(" ")}".split()\n` +
      `found = lesson("${against.value}", moves, seed=${from})\nprint(*found.replies)`, address.link(settings)));
  }

  const again = (asked.moves ?? "").split(",").filter(Boolean), bad = again.findIndex((name) => !MOVES.includes(name));
  await trying(said, place, begin)(again.slice(0, bad < 0 ? ROUNDS : Math.min(bad, ROUNDS)), seed.value);
  if (bad >= 0) said.say(`The link is damaged: move ${bad + 1} is none. So far it has been played.`, "v-differs");
}
