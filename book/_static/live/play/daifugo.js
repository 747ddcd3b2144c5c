// A table of four: you, the paper's helper, and two who play at random. Whom does it help? Games go on in a row,
// ranks carrying over, until you guess.
import { anySeed, button, choice, kept, labelled, make, reproduce, seedOf, speaker, trying } from "../play.js";
import {
  card, drawn, exchanged, halves, logged, logLine, lookAt, SEATS, signs, spoken, turnOf,
} from "./daifugo-cards.js";

const PLACES = { 1: "right after the helper", 2: "opposite the helper", 3: "right before the helper" };
const PACES = { 900: "slowly", 400: "briskly", 0: "at once" };
const HELPER = 0, OTHERS = [1, 2, 3], GUESSES = "daifugo.guesses";
const KINDS = ["", "one card", "cards of one rank", "a run in one suit"];
const RULES = [
  "Be rid of your cards first. Ranks go from 3, the lowest, over ace to 2; the joker is above all.",
  "Play one card, two or more of one rank, or a run of three or more in one suit; the joker can stand for one of them.",
  "Who follows lays as many of the same kind, and higher; a run begins above where the other ends.",
  "Who passes waits for the next trick; you may pass even when you lead. An eight ends the trick.",
  "Two plays of the same suits lock these suits. The three of spades takes a joker that lies alone.",
  "Four of a rank, or a run of five, is a revolution: from then on low beats high.",
  "A line below your cards marks those of a legal play.",
  "In the next game the last gives its best two cards to the first, who returns the worst two; the others swap one.",
];

// Why the kernel refuses cards.
function reason(why, { kind, field, revolution }) {
  const run = kind === 3 ? ", and a run must begin beyond the end of the other" : "";
  return ["", "Choose cards first, or pass.", "You do not hold these cards.",
    "That is not a play: it takes one card, cards of one rank, or a run of three or more in one suit.",
    "Only the three of spades beats a joker that lies alone.", `You must follow with ${KINDS[kind]}.`,
    `You must follow with as many cards as lie there, which are ${field.cards.length}.`,
    "The suits are locked: yours must be the same as on the field.",
    `That does not beat the field: after ${revolution ? "a revolution lower" : "it only higher"} cards do${run}.`][why];
}

export default async function start(place, table, address) {
  const asked = address.read(), said = speaker();
  const guarded = (action) => trying(said, place, () => action());
  const where = choice(PLACES, asked.seat ?? "2"), pace = choice(PACES, asked.pace ?? "400");
  const seed = make("input", { inputMode: "numeric", value: asked.seed ?? anySeed() });
  const forced = make("input", { type: "checkbox", checked: true });
  const shown = make("div"), hand = make("div", { className: "hand", role: "group", "aria-label": "your hand" });
  const meanings = make("div", { className: "choices", role: "group", "aria-label": "what the joker stands for" });
  const log = make("ol", { className: "log", tabIndex: 0, "aria-label": "what was played" });
  const lay = button("Play", guarded(judge)), skip = button("Pass", guarded(() => mine(0)));
  const fresh = button("New table", guarded(() => begin(anySeed())));
  const same = button("Again from this seed", guarded(() => begin(seed.value)));
  const rules = make("ul", {}, ...RULES.map((rule) => make("li", {}, rule))), after = make("div");
  const score = make("div", { className: "buttons" });
  lay.disabled = skip.disabled = true;
  place.classList.add("daifugo");
  place.append(
    make("div", { className: "chosen" }, labelled("you sit", where), labelled("the others move", pace),
      labelled("seed", seed), labelled("pass for me where I must", forced)),
    make("div", { className: "buttons" }, fresh, same),
    make("details", {}, make("summary", {}, "The rules in short"), rules),
    shown, hand, make("div", { className: "buttons" }, lay, skip), meanings, said, after, log, score);
  where.onchange = same.onclick;
  forced.onchange = guarded(() => {
    if (!look.offers) return undefined;
    show();
    return others();
  });
  let running = 0, look = { over: true }, seat, last, games, moves, friend, guess, picked, lines;
  const plain = (at) => (at === seat ? "You" : SEATS[at]);
  const name = (at) => plain(at) + (at === HELPER ? " (the helper)" : "");
  const yours = () => !look.over && look.to === seat, forcedTo = () => forced.checked && look.offers.length === 1;

  // Sit down, and play the moves of an address again; one that is not legal there ends it.
  async function begin(from, again = [], guessed = 0) {
    const number = seedOf(from);
    let refused = "";
    running += 1;
    seed.value = number;
    [seat, games, moves, lines, guess] = [Number(where.value), [], [], [], 0];
    await table.call("daifugo_begin", { helped: 0 }, [], { words: [number, 0] });
    friend = (await table.get("friend")).friend[0];
    await deal();
    for (const text of again) {
      while (!yours()) await (look.over ? deal() : turn("daifugo_reply"));
      const option = look.offers.findIndex((one) => one.text === text);
      if (option < 0) refused = `The address goes on with “${text}”, which is not legal here: play on yourself. `;
      if (option < 0) break;
      await turn("daifugo_play", option);
    }
    if (OTHERS.includes(guessed) && !refused) while (!look.over && !yours()) await turn("daifugo_reply");
    if (OTHERS.includes(guessed) && look.over) guess = guessed;
    show(refused);
    others();
  }

  async function deal() {
    const { swapped } = await table.call("daifugo_deal", {}, ["swapped"]), swap = exchanged(swapped, seat);
    games.push({ turns: [], out: [] });
    lines.push(make("li", { className: "head" }, `Game ${games.length}`));
    if (swap) lines.push(make("li", {}, `Before it you gave ${swap.gave.words}, and got ${swap.got.words}.`));
    [last, picked] = [{}, new Set()];
    look = await lookAt(table, 0);
  }

  async function turn(entry, option = 0) {
    if (look.to === seat) moves.push(look.offers[option].text);
    const { told } = await table.call(entry, { option }, ["told"]), one = turnOf(told, plain);
    games.at(-1).turns.push(one);
    last = one.leads < 0 ? { ...last, [one.seat]: one.play } : {};
    look = await lookAt(table, games.at(-1).turns.length);
    games.at(-1).out = look.out;
    lines.push(logLine(one, plain));
    if (look.over) lines.push(make("li", {}, `Ranks: ${look.out.map(plain).join(", ")}.`));
  }

  // The others move one after the other, and you where there is no choice, until it is your turn.
  async function others() {
    running += 1;
    const now = running, goes = () => running === now && !look.over && (!yours() || forcedTo());
    while (goes()) {
      const passed = games.at(-1).turns.at(-1)?.play.cards.length === 0; // which needs less time to be read
      await new Promise((go) => setTimeout(go, pace.value / (passed ? 2 : 1)));
      let done = false;
      await guarded(async () => {
        if (!goes()) return;
        await turn(look.to === seat ? "daifugo_play" : "daifugo_reply");
        show();
        done = true;
      })();
      if (!done) return; // another one goes on, or what went wrong has been said
    }
  }

  async function mine(option) {
    if (!yours()) return;
    picked.clear();
    await turn("daifugo_play", option);
    show();
    others();
  }

  // The kernel judges the cards you chose; only a joker can leave open what is meant.
  async function judge() {
    if (!yours()) return;
    const { judged } = await table.call("daifugo_judge", halves([...picked]), ["judged"]), [why, number] = judged;
    if (number === 0) return said.say(reason(why, look), "v-undecided");
    if (number === 1) return mine(judged[2]);
    said.say("What does the joker stand for?");
    meanings.replaceChildren(...judged.slice(2, 2 + number).map((option) =>
      button(signs(look.offers[option]), guarded(() => mine(option)))));
    meanings.firstChild.focus();
  }

  function toggle(number) {
    if (!picked.delete(number)) picked.add(number);
    pick();
  }

  function pick() {
    for (const one of hand.children) one.setAttribute("aria-pressed", picked.has(Number(one.value)));
    meanings.replaceChildren();
  }

  function show(before = "") {
    const fits = new Set(yours() ? look.offers.flatMap((one) => one.cards) : []), number = look.offers.length - 1;
    const settings = {
      seed: seed.value, seat, pace: pace.value, guess: guess || "",
      moves: moves.map((text) => text.replaceAll(" ", ".").replace("=", "-")).join("_"), // which a URL leaves as it is
    };
    address.write(settings);
    shown.replaceChildren(...drawn(look, OTHERS.map((k) => (seat + k) % 4), name, last));
    const focused = [...hand.children].indexOf(document.activeElement), held = look.hands[seat];
    if (hand.dataset.cards !== held.join()) { // else a click that has begun would be lost
      hand.dataset.cards = held.join();
      hand.replaceChildren(...held.map((number) =>
        make("button", { type: "button", value: number, onclick: () => toggle(number) }, card(number))));
      hand.children[Math.min(focused, held.length - 1)]?.focus();
    }
    for (const one of hand.children) one.classList.toggle("fits", fits.has(Number(one.value)));
    pick();
    lay.disabled = skip.disabled = !yours() || forcedTo();
    logged(log, lines);
    const can = number ? `${number} play${number === 1 ? "" : "s"}, or pass` : "you can only pass";
    const now = yours() ? `Your turn: ${can}.` : look.over ? `Ranks: ${look.out.map(plain).join(", ")}.` : "";
    said.say(before + spoken(games.at(-1).turns.at(-1), plain) + now);
    place.dataset.record = "";
    after.replaceChildren();
    if (look.over) (guess ? reveal : ask)(settings);
    tally();
  }

  function ask() {
    const choices = OTHERS.map((at) => button(name(at), () => {
      const past = guesses();
      if (!past.seeds.includes(seed.value)) {
        kept.set(GUESSES, { right: past.right + (at === friend), seeds: [...past.seeds, seed.value] });
      }
      guess = at;
      show();
    }));
    after.append(make("p", {}, "Whom was the helper helping, in all games of this table?"),
      make("div", { className: "choices", role: "group", "aria-label": "your guess" }, ...choices),
      make("div", { className: "buttons" }, button("Another game at this table first", guarded(async () => {
        await deal();
        show();
        others();
      }))));
  }

  function reveal(settings) {
    const [word, mark] = guess === friend ? ["Right", "v-holds"] : ["Wrong", "v-differs"];
    said.say(`${word}: at this table it was helping ${friend === seat ? "you" : SEATS[friend]}.`, mark);
    place.dataset.record = [...games.flatMap(({ turns, out }) => [
      ...turns.map((one) => `${SEATS[one.seat]}: ${one.play.text}`), `ranks: ${out.map((at) => SEATS[at]).join(" ")}`,
    ]), `helped: ${SEATS[friend]}`].join("\n");
    after.append(reproduce(`import numpy as np

from gamecore.contest import playing
from gamecore.daifugo import SEATS, Sontaku, start
from gamecore.daifugo.players import decider

moves = iter("${moves.join(", ")}".split(", "))
rng = np.random.default_rng(${seed.value})
helped = 1 + int(rng.integers(3))
players = [decider(Sontaku(beneficiary=helped)), *[decider("random")] * 3]
players[${seat}] = lambda view, generator: next(moves)
ranks = None
for _ in range(${games.length}):
    *_, end = playing(start(ranks), players, rng)
    ranks = end.out
    for seat, move in end.history:
        print(f"{SEATS[seat]}: {move}")
    print("ranks:", *(SEATS[seat] for seat in ranks))
print("helped:", SEATS[helped])`, address.link(settings)));
  }

  // Guesses at tables that were new: knowing the answer does not count.
  function guesses() {
    const { right, seeds } = kept.get(GUESSES, {});
    return Number.isInteger(right) && Array.isArray(seeds) ? { right, seeds } : { right: 0, seeds: [] };
  }

  function tally() {
    const { right, seeds } = guesses();
    const forget = () => {
      kept.forget(GUESSES);
      tally();
    };
    score.replaceChildren(...(seeds.length ? [
      `Your guesses: ${right} of ${seeds.length} right; chance is one in three.`, button("Forget them", forget)] : []));
  }

  const again = (asked.moves ?? "").split("_").filter(Boolean);
  const texts = again.map((move) => move.replace("-", "=").replaceAll(".", " "));
  await guarded(() => begin(asked.seed ?? seed.value, texts, Number(asked.guess)))();
}
