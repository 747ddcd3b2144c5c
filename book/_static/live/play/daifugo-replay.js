// A game of the paper's helper, turn by turn. At each of its decisions: what would you play? Then what it weighed,
// what it played, and what the same player would have played for itself.
import { button, choice, labelled, make, reproduce, seedOf, speaker, trying } from "../play.js";
import { drawn, logged, logLine, lookAt, SEATS, signs, spoken, turnOf } from "./daifugo-cards.js";

// Of the seeds below 120: games that the helped player wins, in which the helper often differs from a selfish one.
const FOUND = { 1: 103, 2: 83, 3: 20 };
const HELPER = 0, MOST = 3, SIDES = { 1: "the next player", 2: "the player opposite", 3: "the player before" };
const mean = ([value, error]) => `${value.toFixed(2)} ± ${error.toFixed(2)}`;

// A mean reward between 0 and 3 points, with its standard error either side.
function scale([value, error]) {
  const at = (points) => `${(100 * points) / MOST}%`;
  return make("div", { className: "scale", "aria-hidden": true },
    make("span", { className: "error", style: `left:${at(value - error)};width:${at(2 * error)}` }),
    make("span", { className: "mean", style: `left:${at(value)}` }));
}

export default async function start(place, table, address) {
  const asked = address.read(), said = speaker();
  const guarded = (action) => trying(said, place, () => action());
  const named = Object.entries(SIDES).map(([at, words]) => [at, `${SEATS[at]}, ${words}`]);
  const whom = choice(Object.fromEntries(named), asked.helps);
  const seed = make("input", { inputMode: "numeric", value: asked.seed ?? FOUND[whom.value] });
  const open = make("input", { type: "checkbox" });
  const slider = make("input", { type: "range", min: 0, value: 0, "aria-label": "turn" });
  const go = (words, step) => button(words, guarded(() => show(step())));
  const first = go("First turn", () => 0), back = go("Back", () => at - 1), on = go("On", () => at + 1);
  const next = go("Next decision", () => decisions.find((turn) => turn > at) ?? turns.length);
  const shown = make("div"), question = make("div"), after = make("div");
  const log = make("ol", { className: "log", tabIndex: 0, "aria-label": "what was played" });
  place.classList.add("daifugo");
  place.append(
    make("div", { className: "chosen" }, labelled("the helper helps", whom), labelled("seed", seed),
      button("Replay this seed", guarded(() => begin(seed.value))), labelled("show all hands", open)),
    make("div", { className: "buttons" }, first, back, on, next, slider), shown, said, question, log, after);
  let at = 0, friend, looks, turns = [], decisions = [], answers;
  const plain = (seat) => SEATS[seat];
  const name = (seat) => SEATS[seat] + (seat === HELPER ? " (the helper)" : seat === friend ? " (helped)" : "");
  whom.onchange = guarded(() => begin(FOUND[whom.value]));
  slider.oninput = guarded(() => show(Number(slider.value)));
  open.onchange = guarded(() => show(at));

  // Play the whole game: the states are kept in the kernels' memory, what was seen here.
  async function begin(from, turn = 0, given = []) {
    const number = seedOf(from);
    seed.value = number;
    friend = Number(whom.value);
    [looks, turns, answers] = [[], [], new Map()];
    await table.call("daifugo_begin", { helped: friend }, [], { words: [number, 0] });
    await table.call("daifugo_deal");
    looks.push(await lookAt(table, 0));
    while (!looks.at(-1).over) {
      turns.push(turnOf((await table.call("daifugo_reply", {}, ["told"])).told, plain));
      looks.push(await lookAt(table, turns.length));
    }
    const decides = ({ over, to, offers, out }) => !over && to === HELPER && offers.length > 1 && !out.includes(friend);
    decisions = [...looks.keys()].filter((k) => decides(looks[k]));
    slider.max = turns.length;
    for (const [k, option] of given) if (decisions.includes(k) && looks[k].offers[option]) await weigh(k, option);
    const out = looks.at(-1).out.map((seat) => SEATS[seat]).join(" ");
    place.dataset.record = [...turns.map((one) => `${SEATS[one.seat]}: ${one.play.text}`), `ranks: ${out}`].join("\n");
    show(turn);
  }

  // What a decision weighed, for the helped player and for the helper itself, from the same seed.
  async function weigh(turn, option) {
    const found = [];
    for (const whose of [friend, HELPER]) {
      const { weighed, best } = await table.call("daifugo_weigh", { turn, whose }, ["weighed", "best"]);
      found.push({ best: best[0], means: looks[turn].offers.map((_, k) => weighed.slice(2 * k, 2 * k + 2)) });
    }
    answers.set(turn, { option, helped: found[0], selfish: found[1] });
  }

  function show(turn) {
    if (!turns.length) throw new Error("There is no game yet: replay a seed.");
    at = Math.max(0, Math.min(turns.length, Number.isInteger(turn) ? turn : 0));
    const look = looks[at], given = [...answers].map(([k, { option }]) => `${k}-${option}`).join("_");
    const settings = { helps: friend, seed: seed.value, turn: at, answers: given };
    address.write(settings);
    slider.value = at;
    slider.setAttribute("aria-valuetext", `turn ${at} of ${turns.length}`);
    first.disabled = back.disabled = at === 0;
    on.disabled = next.disabled = at === turns.length;
    const trick = turns.slice(0, at), led = trick.findLastIndex((one) => one.leads >= 0);
    const last = Object.fromEntries(trick.slice(led + 1).map((one) => [one.seat, one.play]));
    shown.replaceChildren(...drawn(look, [0, 1, 2, 3], name, last, open.checked ? [0, 1, 2, 3] : [HELPER]));
    shown.firstChild.classList.add("open");
    logged(log, trick.map((one) => logLine(one, plain)));
    const then = look.over ? `Ranks: ${look.out.map(plain).join(", ")}.` : `${plain(look.to)} is to move.`;
    said.say(`Turn ${at} of ${turns.length}. ${spoken(turns[at - 1], plain)}${then}`);
    question.replaceChildren();
    if (decisions.includes(at)) (answers.has(at) ? answer : ask)(look);
    else if (!look.over && look.to === HELPER) {
      const random = `${SEATS[friend]} is out: from here on it plays at random.`;
      question.append(make("p", {}, look.offers.length === 1 ? "It can only pass." : random));
    }
    after.replaceChildren(...summary(), reproduce(`import numpy as np

from gamecore.contest import playing
from gamecore.daifugo import SEATS, Sontaku, start
from gamecore.daifugo.players import decider

players = [decider(Sontaku(beneficiary=${friend})), *[decider("random")] * 3]
*_, end = playing(start(), players, np.random.default_rng(${seed.value}))
for seat, move in end.history:
    print(f"{SEATS[seat]}: {move}")
print("ranks:", *(SEATS[seat] for seat in end.out))`, address.link(settings)));
  }

  function ask(look) {
    const choices = look.offers.map((one, option) => button(signs(one), guarded(async () => {
      await weigh(at, option);
      show(at);
    })));
    question.append(make("p", {}, make("strong", {}, `What would you play to help ${SEATS[friend]}?`)),
      make("div", { className: "choices plays", role: "group", "aria-label": "legal plays" }, ...choices));
  }

  function answer(look) {
    const { option, helped, selfish } = answers.get(at), order = look.offers.map((_, k) => k);
    order.sort((a, b) => helped.means[b][0] - helped.means[a][0] || a - b);
    const chosen = { you: option, "the helper": helped.best, "a selfish player": selfish.best };
    const who = (k) => Object.keys(chosen).filter((one) => chosen[one] === k).join(", ");
    const cell = ({ means }, k) => make("td", {}, mean(means[k]), scale(means[k]));
    const rows = order.map((k) => make("tr", {}, make("th", { scope: "row" }, signs(look.offers[k])),
      cell(helped, k), cell(selfish, k), make("td", {}, who(k))));
    const heads = ["play", `points of ${SEATS[friend]}`, "points of the helper", "chosen by"];
    const head = make("tr", {}, ...heads.map((words) => make("th", { scope: "col" }, words)));
    const [played, own] = [look.offers[helped.best], look.offers[selfish.best]];
    said.say(`You: ${look.offers[option].words}. The helper: ${played.words}. A selfish player: ${own.words}.`,
      option === helped.best ? "v-holds" : "v-undecided");
    question.append(make("div", { className: "weighing", tabIndex: 0, role: "region", "aria-label": "what it weighed" },
      make("table", { className: "weighed" }, make("thead", {}, head), make("tbody", {}, ...rows))),
    make("p", {}, "Mean points, 3 to 0 by rank, of 100 playouts of each play, ± standard error. A selfish player is " +
      "the same one with itself to help, from the same seed."));
  }

  function summary() {
    const all = [...answers.values()], of = (who) => all.filter((one) => one.option === one[who].best).length;
    if (!all.length) return [];
    const made = `Of its ${decisions.length} decisions you have made ${all.length}`;
    return [make("p", {}, `${made}: ${of("helped")} as the helper did, ${of("selfish")} as a selfish player would.`)];
  }

  const given = (asked.answers ?? "").split("_").map((pair) => pair.split("-").map(Number));
  await guarded(() => begin(asked.seed ?? seed.value, Number(asked.turn), given))();
}
