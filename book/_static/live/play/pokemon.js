// A battle against a player that mixes: what was best in each turn, and a guess whom you met.
import {
  anySeed, button, choice, count, labelled, make, megabytes, reproduce, seedOf, speaker, trying,
} from "../play.js";
import {
  BIASES, compared, explained, MOVES, named, NAMES, NOISES, recorded, reviewed, snippet, TYPES,
} from "./pokemon-review.js";

const OPPONENTS = { nash: "Nash", delta: "δ-Nash", habit: "a hidden habit", anyone: "anyone, hidden" };
const CLASSES = ["effective", "ordinary", "ineffective", "advantageous", "not advantageous"];
const DRAWS = 4000, MOST = 0.3; // of noise, for a likelihood; of δ
const SEEN = ["now", "hp", "lead", "choices"], PLACES = [0, 1, 2], BOTH = 2, NOBODY = -1;

const titled = (words) => make("p", { className: "title" }, words);

export default async function start(place, table, address) {
  const asked = address.read(), said = speaker(), [levels, states] = table.told.values.shape, horizon = levels - 1;
  const [players, numbers] = table.told.candidates.shape, chosen = players - 1; // the last is as the reader sets it
  const habits = chosen - (BIASES.length - 1); // the first of those before it
  const { types, slots, damage, classes, faster } = await table.get("types", "slots", "damage", "classes", "faster");
  const against = choice(OPPONENTS, asked.against), party = choice({ 1: "A, B, C", 2: "D, E, F" }, asked.party);
  const noise = choice({ uniform: "uniform", variable: "variable" }, asked.noise), size = make("output");
  const seed = make("input", { inputMode: "numeric", value: asked.seed ?? anySeed() });
  const delta = make("input", { type: "range", min: 0, max: MOST, step: 0.01 });
  delta.value = asked.delta >= 0 && asked.delta <= MOST ? asked.delta : 0.1;
  const form = [labelled("against", against), labelled("your party", party), labelled("seed", seed)];
  const noisy = make("div", { className: "chosen" }, labelled("δ", delta, size), labelled("noise", noise));
  const board = make("div", { className: "board" }), running = make("div", { className: "bars" }), after = make("div");
  const choices = make("div", { className: "choices", role: "group", "aria-label": "your choice" });
  const best = make("details", { className: "best", hidden: true }, make("summary")), told = make("div");
  let seat, seen, full, met, candidates, moves = [], turns = [], solved = false;

  const act = (action) => trying(said, place, action);
  const again = act(() => begin([], seed.value)), same = button("Again from this seed", again);
  const fresh = button("Solve, and begin", act(() => begin([], solved ? anySeed() : seed.value)));
  const back = button("Undo", act(() => begin(moves.slice(0, -1), seed.value)));
  place.classList.add("battle");
  best.append(told);
  place.append(
    make("div", { className: "chosen" }, ...form), noisy, make("div", { className: "buttons" }, fresh, same, back),
    running, board, said, choices, best, after);
  for (const one of [against, party, noise, delta]) one.onchange = () => (solved ? again() : settings());
  delta.oninput = settings;
  best.ontoggle = () => best.open && act(explain)();

  function settings() {
    size.textContent = Number(delta.value).toFixed(2);
    noisy.hidden = against.value !== "delta";
    same.disabled = !solved;
    back.disabled = !moves.length;
  }

  // Call a kernel on stretches, with a bar.
  function sweep(words, entry, of, stretch, ...more) {
    const progress = make("progress", { max: of, value: 0, "aria-label": words });
    running.replaceChildren(progress, make("span", {}, words));
    const report = (done) => (progress.value = done);
    return table.sweep(entry, of, stretch, report, ...more).finally(() => running.replaceChildren());
  }

  async function begin(replayed, from) {
    const first = seedOf(from);
    if (!solved) {
      await sweep("What follows each position", "transitions", states, states / 8);
      await sweep("Solving, the last turn first", "turns", horizon + 1, 1);
      solved = true;
      fresh.textContent = "New battle";
    }
    [seed.value, seat, moves, turns] = [first, Number(party.value) - 1, [], []];
    const given = { opponent: against.selectedIndex, noise: NOISES.indexOf(noise.value), delta: Number(delta.value) };
    const set = { words: [first, 0], seat, draws: DRAWS };
    seen = await table.call("pokemon_begin", given, [...SEEN, "met", "candidates"], set);
    [full, met, candidates] = [seen.hp, seen.met[0], []];
    while (seen.candidates.length) candidates.push(seen.candidates.splice(0, numbers));
    for (const move of replayed) {
      const choice = own().findIndex((code) => MOVES[code] === move);
      if (choice < 0) {
        await show();
        throw new Error(`“${move}” cannot be chosen here: the battle of this link goes no further.`);
      }
      await take(choice);
    }
    await show();
  }

  const own = () => seen.choices.slice(5 * seat, 5 * seat + 5);

  async function take(choice) {
    const before = seen, word = (side, action) => MOVES[before.choices[5 * side + action]];
    seen = await table.call("pokemon_play", { choice }, [...SEEN, "last"]);
    const [state, left, mine, theirs, sent] = seen.last;
    const changed = NAMES.map((name, k) => [name, before.hp[k], seen.hp[k]]).filter(([, from, to]) => from !== to);
    turns.push({
      state, left, mine, theirs, word, you: word(seat, mine), it: theirs < 0 ? "" : word(1 - seat, theirs),
      name: theirs < 0 ? "" : `turn ${horizon + 1 - left}`,
      sent: sent < 0 ? "" : `send ${NAMES[3 * (1 - seat) + sent]}`,
      hurt: changed.map(([name, from, to]) => (to ? ` ${name} ${from} → ${to} HP.` : ` ${name} faints.`)).join(""),
    });
    moves.push(turns.at(-1).you);
  }

  function monster(side, member) {
    const k = 3 * side + member, hp = seen.hp[k], active = seen.lead[side] === member, type = TYPES[types[k]];
    const strikes = PLACES.map((m) => `${MOVES[slots[3 * k + m]]} ${damage[9 * k + 3 * m + seen.lead[1 - side]]}`);
    const dots = Array.from({ length: full[k] }, (_, dot) => make("i", { className: dot < hp ? "full" : "" }));
    return make("li", { className: `${type} ${active ? "active" : ""} ${hp ? "" : "fainted"}` },
      make("b", {}, `${NAMES[k]} ${type}`), make("span", {}, hp ? (active ? "in front" : "bench") : "fainted"),
      make("span", { className: "dots", "aria-hidden": true }, ...dots), make("span", {}, `HP ${hp} of ${full[k]}`),
      make("small", {}, strikes.join(", ")));
  }

  const side = (which, name) => make("ul", { "aria-label": name }, ...PLACES.map((member) => monster(which, member)));

  // What is written on a choice: what it does to the monster now in front, or whom it brings.
  function offer(code, action) {
    const foe = seen.lead[1 - seat], at = 3 * seat + seen.lead[seat], now = turns.length;
    const kind = CLASSES[classes[3 * (5 * at + action) + foe]], member = (code - TYPES.length) % NAMES.length;
    let does = `takes ${damage[9 * at + 3 * action + foe]} from ${NAMES[3 * (1 - seat) + foe]}, ${kind}`;
    if (code >= TYPES.length) does = `${TYPES[types[member]]}, HP ${seen.hp[member]}`;
    if (code >= TYPES.length && seen.now[2] === BOTH) does += `, ${kind}`;
    const one = button("", act(async () => {
      if (turns.length !== now) return; // a second click, on what is no longer offered
      await take(action);
      await show();
    }));
    one.append(make("b", {}, MOVES[code]), make("small", {}, does));
    return one;
  }

  async function show() {
    const [, left, mover, winner] = seen.now, [a, d] = seen.lead, over = mover === NOBODY, last = turns.at(-1);
    const first = NAMES[faster[3 * a + d] ? a : 3 + d], focused = choices.contains(document.activeElement);
    const noisily = against.value === "delta" ? { delta: delta.value, noise: noise.value } : {};
    const values = { seed: seed.value, against: against.value, party: party.value, ...noisily, moves: moves.join(",") };
    address.write(values);
    settings();
    board.replaceChildren(
      make("p", {}, "Its party; behind each move, the HP that it takes from the monster now in front:"),
      side(1 - seat, "its party"),
      make("p", {}, `${over ? "" : `${first} strikes first, ${left} turn${left > 1 ? "s" : ""} left. `}Your party:`),
      side(seat, "your party"));
    choices.replaceChildren(...own().flatMap((code, action) => (code < 0 ? [] : [offer(code, action)])));
    if (focused) choices.querySelector("button")?.focus();
    after.replaceChildren();
    place.dataset.record = "";
    best.hidden = !last;
    if (last) await point(turns.length - 1, best.open && !over);
    let what = last ? `You ${last.you}.` : `Choose; it chooses at the same time. ${await outlook()}`;
    if (last?.name) what = `In ${last.name}, you: ${last.you}; it: ${last.it}.${last.hurt}`;
    if (last?.sent) what += ` It must ${last.sent}.`;
    const won = winner === 1 - 2 * seat ? " You won." : winner ? " It won." : " A draw.";
    said.say(what + (over ? won : mover === seat ? " Whom do you send?" : ""));
    if (over) await finish(values, winner);
  }

  async function outlook() {
    const { value } = await table.call("pokemon_best", { state: seen.now[0], left: seen.now[1] }, ["value"]);
    return `If both play perfectly, you win ${(100 * value[seat]).toFixed(1)} % of such battles.`;
  }

  // Turn the panel to one of your choices.
  async function point(turn, open) {
    Object.assign(best, { turn, shown: undefined, open });
    const { name } = turns[turn];
    best.firstChild.textContent = name ? `What was best in ${name}?` : "Whom was it best to send?";
    told.replaceChildren();
    if (open) await explain();
  }

  async function explain() {
    if (best.shown === best.turn) return;
    best.shown = best.turn;
    told.replaceChildren(...explained(turns[best.turn], await judged(turns[best.turn]), seat));
  }

  // The kernel's answer on a position, and what your choice lost in it.
  async function judged({ state, left, mine }) {
    const found = await table.call("pokemon_best", { state, left }, ["matrix", "mixtures", "worth", "least", "value"]);
    const value = found.value[seat], sure = found.least[5 * seat + mine];
    return { ...found, value, sure, lost: value - found.worth[5 * seat + mine] };
  }

  async function finish(values, winner) {
    const found = [];
    for (const turn of turns) found.push(await judged(turn));
    const open = act((turn) => point(turn, true).then(() => best.scrollIntoView({ block: "nearest" })));
    const hidden = ["habit", "anyone"].includes(against.value), first = against.value === "habit" ? habits : 0;
    const possible = candidates.map((_, c) => c).filter((c) => c >= first && (c < chosen || c === met));
    const code = snippet(moves, (hidden ? possible : [met]).map((c) => candidates[c]), seat, values.seed);
    after.append(titled("Turn by turn"), ...reviewed(turns, found, open), ...guess(hidden, possible, found),
      reproduce(code, address.link(values)));
    place.dataset.record = recorded(turns, seat, winner);
  }

  // Whom you met is said once you have guessed.
  function guess(hidden, possible, found) {
    const ending = said.textContent.split(". ").at(-1).replace(/\.$/, "");
    const undecided = turns.filter((turn, k) => turn.name && found[k].value > 0.005 && found[k].value < 0.995).length;
    const open = `${undecided} of ${turns.filter(({ name }) => name).length} turns were still open. In a decided one ` +
      "many mixtures are as good as each other, and what the likelihood makes of its choice there says little.";
    const answer = make("div"), battle = turns;
    const asks = make("div", { className: "choices", role: "group", "aria-label": "your guess" });
    const offered = hidden ? possible.map((c) => [named(candidates[c]), c]) : [["Who else could have played so?", met]];
    for (const [words, guessed] of offered) asks.append(button(words, act(async () => {
      if (battle !== turns || answer.childNodes.length) return;
      const words = "How likely each player was to play so", entry = "pokemon_likelihood";
      const { likelihood } = await sweep(words, entry, seen.now[4], 1, ["likelihood"]);
      answer.replaceChildren(...compared(likelihood, possible, candidates, met, guessed, DRAWS));
      for (const one of asks.children) one.disabled = true;
      const read = hidden ? `You ${guessed === met ? "read it" : "did not read it"}: it` : "It";
      const truth = `${read} was “${named(candidates[met])}”.`;
      answer.prepend(make("p", {}, make("b", {}, truth)), make("p", {}, open));
      said.say(`${ending}. ${truth}`);
    })));
    const why = "The paper wants opponents that people enjoy, as one can read them.";
    const title = hidden ? "Guess whom you met" : "Whom you met";
    return [titled(title), make("p", {}, hidden ? `${why} Could you read this one?` : why), asks, answer];
  }

  settings();
  board.append(make("p", {},
    `Before the first turn your browser solves the whole battle, ${count(states * (horizon + 1))} positions: ` +
    `that takes a second or a few, and ${Math.ceil(megabytes(table.told))} MB of memory until you leave this page.`));
  if (asked.seed !== undefined) await act(() => begin((asked.moves ?? "").split(",").filter(Boolean), asked.seed))();
}
