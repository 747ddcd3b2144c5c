// Goofspiel against a player who sees only what four switches allow: trained here, measured here, played here.
import { anySeed, button, choice, count, kept, labelled, make, reproduce, seedOf, speaker, trying } from "../play.js";

const SIZES = [3, 4, 5], MOST = 5, THOUSANDS = 20, ALL = 15, EXACT = 16, MEASURES = 7, KEPT = "goofspiel";
const FEATURES = { C: "the prize", O: "your hand", D: "the deck", P: "the points" };
const AGAINST = { masked: "the masked player", all: "the one with all features", exact: "an exact equilibrium" };
const NOTE = `It learns by external sampling, ${THOUSANDS},000 iterations from the seed of the experiment ` +
  "goofspiel/curves; the gap goes from the hand only to all features. ε is the paper's: the mean of what best " +
  "responses win against this player and against the one it learnt with, who saw everything. Six cards are left out, " +
  "which take more memory and time than a page should. Results stay in this browser; a new game counts if nothing is " +
  "taken back, helped or changed on the way.";
const lettersOf = (set) => Object.keys(FEATURES).filter((_, k) => (set >> k) & 1);
const called = (who) => (who === EXACT ? "exact" : lettersOf(who).join("+") || "hand only");
const plain = (x) => x.toFixed(3);
const signed = (x) => (+plain(x) < 0 ? "−" : +plain(x) > 0 ? "+" : "") + plain(Math.abs(x));
const percent = (part) => `${Math.round(100 * part)}\u00a0%`.replace("-", "−");

// A table with a caption; a cell is a text, a number, or an element.
function grid(caption, names, lines) {
  const row = (tag, [first, ...rest]) => make("tr", {}, make("th", { scope: tag === "th" ? "col" : "row" }, first),
    ...rest.map((cell) => make(tag, tag === "th" ? { scope: "col" } : {}, ...[cell].flat())));
  return make("table", {}, make("caption", {}, caption), make("thead", {}, row("th", names)),
    make("tbody", {}, ...lines.map((line) => row("td", line))));
}

// A line of cards with its name, and how it is read aloud.
const line = (name, words, ...shown) => [make("dt", {}, name),
  make("dd", {}, make("div", { className: "cards", role: "img", "aria-label": words }, ...shown))];
const card = (look, face = "") => make("span", { className: `card ${look}` }, face);

// Cards as somebody sees them: held, gone, or hidden.
function cards(name, held, mark, hidden = false) {
  const words = hidden ? "not to be seen" : held.map((yes, k) => yes && k + 1).filter(Boolean).join(", ") || "none";
  const shown = (yes, k) => (hidden ? card("hidden", "?") : yes ? card(mark, k + 1) : card("gone"));
  return line(name, words, ...held.map(shown));
}

function prize(name, number, hidden = false) {
  if (hidden) return line(name, "not to be seen", card("hidden", "?"));
  return number ? line(name, String(number), card("prize", number)) : line(name, "none", card("gone"));
}

function python(who, size, moves, seed) {
  const letters = who === EXACT ? "" : lettersOf(who).join("");
  const [imports, it] = who === EXACT ? ["from gamecore.goofspiel import match\n", 'it = "nash"\n'] : [
    "from gamecore.goofspiel import match, train\nfrom gamecore.papers.experiment import find, seed_of\n",
    `seed = seed_of(find("goofspiel/curves"), {"features": "${letters || "hand"}"}, 0)\n` +
    `it = train(${size}, "${letters}", ${THOUSANDS}_000, seed)\n`];
  return `${imports}\ncards = "${moves.join(" ")}".split()\n\n\ndef me(view, rng):\n` +
    `    return cards[len(view.state.rounds)]\n\n\n${it}` +
    `rounds = match(it, me, 1, seed=${seed}, cards=${size}).replay(0)[-1].rounds\n` +
    "points = [sum(one[0] for one in rounds if one[1 + k] > one[2 - k]) for k in (0, 1)]\n" +
    'print(*(f"{prize}:{its}-{mine}" for prize, its, mine in rounds), "points {}-{}".format(*points))';
}

export default async function start(place, table, address) {
  const asked = address.read(), said = speaker();
  const size = make("select", {}, ...SIZES.map((n) => new Option(n, n)));
  const against = choice(AGAINST, asked.against);
  const seed = make("input", { inputMode: "numeric" }), hints = make("input", { type: "checkbox" });
  const shown = /^(hand|[CODP]+)$/.test(asked.sees ?? "") ? asked.sees : "C";
  const boxes = Object.keys(FEATURES).map((name) => make("input", { type: "checkbox", checked: shown.includes(name) }));
  size.value = SIZES.includes(Number(asked.cards)) ? Number(asked.cards) : MOST;
  const bar = make("progress", { max: THOUSANDS, value: 0, "aria-label": "training" }), far = make("span");
  const training = make("div", { className: "training" }, bar, far);
  const [board, sight, mixing, measured, results, after] = Array.from({ length: 6 }, () => make("div"));
  const fresh = button("New game", act(() => begin([], anySeed(), true)));
  const same = button("Again from this seed", act(() => begin([], seed.value)));
  const back = button("Undo", act(() => begin(moves.slice(0, -1), now.seed)));
  let now = {}, moves = [], counts = false, trained = new Set(), theory = [];
  place.append(
    make("div", { className: "chosen" },
      labelled("cards each", size), labelled("you play", against), labelled("seed", seed)),
    make("fieldset", { className: "switches" }, make("legend", {}, "It sees its own hand, and"),
      ...Object.entries(FEATURES).map(([name, words], k) => make("label", {}, boxes[k], make("b", {}, name), words))),
    training,
    make("div", { className: "buttons" }, fresh, same, back,
      make("label", {}, hints, "say what each of my cards is worth against it")),
    said, make("div", { className: "goofspiel" }, board, sight, mixing, measured, results), after,
    make("p", { className: "note" }, NOTE));
  // After another choice your cards so far are played again: the same table, if it plays the same.
  for (const one of [against, ...boxes]) one.onchange = act(() => begin(moves, now.seed, counts && !moves.length));
  size.onchange = act(() => begin([], now.seed, counts && !moves.length));
  hints.onchange = act(show);

  // One thing after the other: a switch may be turned while somebody is being trained.
  function forget() {
    kept.forget(KEPT);
    recall();
  }

  function act(action) {
    return trying(said, place, () => action());
  }

  const given = (more) => ({ cards: now.cards, features: now.set, who: now.who, ...more });

  // What is chosen now: it stays until the next game, whatever is turned meanwhile.
  function chosen(number) {
    const set = boxes.reduce((sum, box, k) => sum | (box.checked << k), 0), kind = against.value;
    const who = { masked: set, all: ALL, exact: EXACT }[kind];
    return { cards: Number(size.value), set, kind, who, seed: number };
  }

  // Train whom the switches name, and both ends of the gap, as the experiment goofspiel/curves does.
  async function prepare() {
    if (trained.cards !== now.cards) {
      trained = Object.assign(new Set(), { cards: now.cards });
      await table.call("goofspiel_prepare", given());
    }
    for (const set of [now.set, 0, ALL]) {
      if (trained.has(set)) continue;
      await table.sweep("goofspiel_train", THOUSANDS, 1, (done) => {
        bar.value = done;
        far.textContent = `training ${called(set)}: ${count(1000 * done)} of ${count(1000 * THOUSANDS)} iterations`;
      }, [], { cards: now.cards, features: set });
      await table.call("goofspiel_measure", given({ features: set }));
      trained.add(set);
    }
    bar.value = THOUSANDS;
    far.textContent = `${called(now.set)} has been trained, ${count(1000 * THOUSANDS)} iterations`;
  }

  async function begin(again, from, counting = false) {
    const number = seedOf(from);
    seed.value = number;
    now = chosen(number);
    await prepare();
    ({ theory } = await table.call("goofspiel_face", given(), ["theory"]));
    await table.call("goofspiel_begin", given(), [], { words: [number, 0] });
    [moves, counts] = [[], counting];
    try {
      for (const card of again) await play(card);
    } finally {
      await show();
    }
  }

  async function play(card) {
    await table.call("goofspiel_play", given({ card }));
    moves.push(card);
  }

  async function choose(card) {
    counts &&= !hints.checked;
    await play(card);
    const { told: [, left, , , result] } = await table.get("told");
    if (!left && counts) keep(result);
    await show();
    (board.querySelector("button") ?? fresh).focus();
  }

  // Of each opponent: games won, drawn, lost; what a best response and an equilibrium win on average.
  function keep(result) {
    const all = kept.get(KEPT, {}), name = `${now.cards} ${called(now.who)}`;
    const own = [...(all[name] ?? [0, 0, 0]).slice(0, 3), ...theory];
    own[1 - result] += 1;
    kept.set(KEPT, { ...all, [name]: own });
  }

  async function show() {
    const { told, held, rounds } = await table.get("told", "held", "rounds");
    const played = Array.from({ length: told[5] }, (_, k) => rounds.slice(4 * k, 4 * k + 4));
    const settings = {
      cards: now.cards, sees: lettersOf(now.set).join("") || "hand", against: now.kind, seed: now.seed,
      moves: moves.join(","),
    };
    address.write(settings);
    back.disabled = !moves.length;
    const { chances, cards_worth: worth } = await table.call("goofspiel_look", given(), ["chances", "cards_worth"]);
    const hands = [0, 1, 2].map((k) => held.slice(MOST * k, MOST * k + now.cards).map(Boolean));
    lay(told, hands, played, worth);
    mix(told[1], hands[0], chances, worth[MOST]);
    await measure();
    recall();
    tell(told, played, settings);
  }

  // The table with your hand to choose from, and what is left of it for the other player.
  function lay([turned, , its, yours], [hand, mine, deck], played, worth) {
    const choices = mine.map((yes, k) => {
      if (!yes) return card("gone");
      const one = button(k + 1, act(() => choose(k + 1))), words = hints.checked ? signed(worth[k]) : "";
      one.className = "card yours";
      one.setAttribute("aria-label", `play your ${k + 1}${words && `, worth ${words}`}`);
      return make("span", { className: "valued" }, one, words);
    });
    board.replaceChildren(make("p", { className: "title" }, "The table"), make("dl", {},
      ...cards("its hand", hand, "its"), ...prize("prize", turned), ...cards("deck", deck, "deck"),
      make("dt", {}, "your hand"),
      make("dd", {}, make("div", { className: "cards", role: "group", "aria-label": "your hand" }, ...choices)),
      make("dt", {}, "points"), make("dd", {}, `you ${yours}, it ${its}`)));
    if (played.length) board.append(grid("Rounds", ["prize", "it", "you", "taken by"],
      played.map(([won, a, b, by]) => [won, a, b, by > 0 ? "it" : by < 0 ? "you" : "nobody"])));
    const sees = Math.min(now.who, ALL), [noC, noO, noD, noP] = [0, 1, 2, 3].map((k) => !((sees >> k) & 1));
    sight.replaceChildren(make("p", { className: "title" }, `What it sees: ${called(sees)}`), make("dl", {},
      ...cards("its hand", hand, "its"), ...prize("C prize", turned, noC), ...cards("D deck", deck, "deck", noD),
      ...cards("O your hand", mine, "yours", noO),
      make("dt", {}, "P points"), make("dd", {}, noP ? "?" : `${its} less ${yours}`)));
  }

  function mix(left, hand, chances, worth) {
    const share = (k, part) => [make("span", { className: "share", "aria-hidden": true },
      make("span", { className: `b${k}`, style: `width:${100 * part}%` })), percent(part)];
    mixing.replaceChildren();
    if (left) mixing.append(grid("What it would play at this table",
      ["its card", `masked: ${called(now.set)}`, "all features", "exact"],
      hand.flatMap((yes, own) => (yes ? [[own + 1, ...[0, 1, 2].map((k) => share(k, chances[MOST * k + own]))]] : []))),
      make("p", {}, `Between two exact players this table is worth ${signed(worth)} to you (wins less losses).`));
  }

  async function measure() {
    const { measures } = await table.call("goofspiel_share", {}, ["measures"]), sets = [...new Set([0, now.set, ALL])];
    const each = (words, k, say) => [words, ...sets.map((set) => say(measures[MEASURES * set + k]))];
    measured.replaceChildren(grid("What it may see, and what that is worth", ["it sees", ...sets.map(called)], [
      each("exploitability ε", 0, plain), each("share of the gap closed, by ε", 5, percent),
      each("a best response wins against it", 2, signed), each("its return, against who learnt with it", 3, signed),
      each("share of the gap closed, by return", 6, percent), each("its return against the exact player", 4, signed),
    ]));
  }

  function recall() {
    const found = Object.entries(kept.get(KEPT, {})).filter(([name]) => name.startsWith(`${now.cards} `));
    results.replaceChildren();
    if (found.length) results.append(
      grid(`Your mean result with ${now.cards} cards, and what theory says`,
        ["against", "won, drawn, lost", "you", "exact player", "best response"],
        found.map(([name, [won, drawn, lost, best, fair]]) => [name.slice(2), `${won}, ${drawn}, ${lost}`,
          signed((won - lost) / (won + drawn + lost)), signed(fair), signed(best)])),
      make("div", { className: "buttons" }, button("Forget my results", act(forget))));
  }

  function tell(told, played, settings) {
    const [turned, left, its, yours, result] = told, n = moves.length;
    const [won, a, b, by] = played.at(-1) ?? [];
    const taken = `${b} against ${a}, ${by > 0 ? "it takes" : by < 0 ? "you take" : "nobody takes"} ${won}`;
    after.replaceChildren();
    place.dataset.record = "";
    if (!n) return said.say(`The prize is ${turned}. Choose a card; it chooses at the same time.`);
    if (left) return said.say(`Round ${n} of ${now.cards}: ${taken}. The next prize is ${turned}.`);
    said.say(`Over: ${["you lost", "a draw", "you won"][result + 1]}, ${yours} points to ${its}. ` +
      `The last cards played themselves: ${taken}.${counts ? "" : " This game is not counted."}`);
    place.dataset.record = `${played.map((one) => `${one[0]}:${one[1]}-${one[2]}`).join(" ")} points ${its}-${yours}`;
    after.append(reproduce(python(now.who, now.cards, moves, now.seed), address.link(settings)));
  }

  const fair = /^\d+$/.test(asked.seed ?? "") && asked.seed < 2 ** 32;
  const again = (asked.moves ?? "").split(",").filter(Boolean).map(Number);
  await act(() => begin(fair ? again : [], fair ? asked.seed : anySeed(), !fair))();
}
