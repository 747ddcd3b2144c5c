// Watch a player of table 1 think, its mixture beside the exact equilibrium, and play against it: both move at once.
import { anySeed, button, count, labelled, make, reproduce, seedOf, speaker, trying } from "../play.js";
import { Grid } from "./triomineering/grid.js";
import { curves, heat, percent, short } from "./triomineering/pictures.js";
import * as python from "./triomineering/python.js";

const PLAYERS = ["MC", "SimpleUCB0.5", "SimpleUCB1", "MSUCB1", "MSUCB1.5"], PAIRS = 3;
const READINGS = ["fictitious play", "constant step", "regret matching+", "worst to best"];
const SIDES = { V: "V, upright", H: "H, lying", both: "both, to set up" }, RESULTS = ["H wins", "draw", "V wins"];
const LEAST = 3, TOTAL = 12, CELLS = 36, MOST = 100_000; // what gamecore/live/tables/triomineering.py has room for
const range = (stop) => [...Array(stop).keys()], possible = (m, n) => Math.min(m, n) >= LEAST && m + n <= TOTAL;
const BOARDS = range(TOTAL).flatMap((m) => range(TOTAL).filter((n) => possible(m, n)).map((n) => `${m}x${n}`));
const BOARD = ["filled", "legal", "result"], EXACT = ["value", "exact", "against", "sure", "used"];
const DEFAULTS = { board: "8x4", side: "H", who: "MSUCB1", playouts: 10_000, c: 0.5, nash: READINGS[0] };
const select = (names, words = names) => make("select", {}, ...names.map((name, k) => new Option(words[k], name)));

export default async function start(place, table, address) {
  const asked = address.read(), said = speaker();
  const inputs = {
    board: select(BOARDS, BOARDS.map((name) => name.replace("x", "×"))),
    side: select(Object.keys(SIDES), Object.values(SIDES)), who: select(PLAYERS),
    playouts: make("input", { inputMode: "numeric" }), c: make("input", { inputMode: "decimal" }),
    nash: select(READINGS), seed: make("input", { inputMode: "numeric" }),
  };
  const names = { side: "you are", who: "against", nash: "figure 3 as" };
  const form = Object.entries(inputs).map(([name, input]) => labelled(names[name] ?? name, input));
  const choosing = act(choose), grid = new Grid((cell) => choosing(cell, rounds.length), fitting);
  const facts = make("dl", { className: "facts" }), view = make("div"), fall = make("div"), after = make("div");
  const judged = make("ol"), question = make("summary", {}, "What your moves were worth, exactly");
  const judge = make("details", {}, question, judged);
  const watch = act(think), thinking = button("Think", () => {
    if (watching) watching = false;
    else watch();
  });
  const back = button("Undo", act(undo)), fresh = button("New game", act(() => anew(anySeed(), 0)));
  const same = button("Again from this seed", act(() => anew(now.seed, given)));
  const row = (className, ...parts) => make("div", { className }, ...parts);
  place.classList.add("trio");
  place.append(row("chosen", ...form), row("buttons", thinking, back, fresh, same), said, row("desk", grid.place, view),
    facts, fall, judge, after);
  // Rounds are {v, h, words}; the first `given` were set up. A job is the search that decides the next one.
  let now, rounds = [], given = 0, board, solved, job, seen, lines = [], waiting, watching = false;

  // Whoever asks for something stops a search that is only watched.
  function act(action) {
    const turn = trying(said, place, action);
    return (...about) => {
      watching = false;
      return turn(...about);
    };
  }

  const sides = () => now.board.split("x").map(Number), size = () => ({ rows: sides()[0], columns: sides()[1] });
  const text = (cell) => `${Math.floor(cell / sides()[1])},${cell % sides()[1]}`;
  const its = () => Number(now.side === "V"), over = () => board.result[0] >= 0;
  const mine = () => (now.side === "both" ? Number(waiting !== undefined) : 1 - its());
  const pairs = () => rounds.map(({ v, h }) => [text(v), text(h)]);
  const written = () => pairs().map(([v, h]) => `V ${v} H ${h}`);
  const fill = (values) => {
    for (const [name, input] of Object.entries(inputs)) input.value = values[name];
  };

  function fitting(cell) {
    return board.legal[CELLS * mine() + cell] ? "VH"[mine()] : "";
  }

  function checked() {
    const found = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value]));
    const playouts = Number(found.playouts), c = Number(found.c || NaN), whole = Number.isInteger(playouts);
    if (!whole || playouts < 1 || playouts > MOST) throw new Error(`Playouts are from 1 to ${count(MOST)}.`);
    if (!(c >= 0 && c <= 100)) throw new Error("The weight c is a number from 0 to 100.");
    return { ...found, playouts, c, seed: seedOf(found.seed) };
  }

  // What the address asks for, as far as it is possible.
  async function load() {
    const defaults = { ...DEFAULTS, seed: anySeed() }, refused = [];
    fill({ ...defaults, ...asked });
    for (const [name, input] of Object.entries(inputs)) input.value ||= defaults[name]; // no such option
    try {
      now = checked();
    } catch (error) {
      refused.push(error.message);
      fill(defaults);
      now = checked();
    }
    const { side } = now, cellOf = (move) => {
      const [row, column] = /^\d+\.\d+$/.test(move) ? move.split(".").map(Number) : [NaN, NaN];
      return row < sides()[0] && column < sides()[1] ? row * sides()[1] + column : NaN;
    };
    await set();
    try {
      for (const [name, as] of [["set", "both"], ["moves", side]]) {
        now.side = as;
        for (const move of (asked[name] ?? "").split("_").filter(Boolean)) await choose(cellOf(move));
      }
    } catch (error) {
      refused.push(error.message);
    }
    [now.side, waiting] = [side, undefined];
    show();
    if (refused.length) said.say(`Not all of the link is possible. ${refused.join(" ")}`, "v-differs");
  }

  // After other settings a new game begins where the board stands, or where the one that is over began.
  async function change() {
    const before = now;
    try {
      now = checked();
    } catch (error) {
      fill(now);
      throw error;
    }
    if (now.board !== before.board) rounds = [];
    else if (over()) rounds.length = given;
    await anew(now.seed, rounds.length);
  }

  async function anew(seed, keep, length = keep) {
    now.seed = inputs.seed.value = seed;
    [given, rounds.length] = [keep, length];
    await set();
  }

  async function undo() {
    if (waiting === undefined) rounds.pop();
    await anew(now.seed, Math.min(given, rounds.length), rounds.length);
  }

  // Show the position that the rounds lead to, solved, and perhaps still what was thought before.
  async function set(before) {
    [job, waiting, seen] = [undefined, undefined, before];
    board = await table.call("triomineering_begin", size(), BOARD);
    for (const { v, h } of rounds) board = await table.call("triomineering_lay", { ...size(), v, h }, BOARD);
    const from = performance.now();
    if (!over()) solved = await table.call("triomineering_solve", size(), EXACT);
    solved.time = performance.now() - from;
    show();
  }

  async function open() {
    const { who, playouts, c, nash, seed } = now, method = PLAYERS.indexOf(who), side = its();
    const numbers = { method, playouts, c, reading: READINGS.indexOf(nash), side, decided: rounds.length - given };
    await table.call("triomineering_open", { ...size(), ...numbers }, [], { words: [seed, 0] });
    const name = [who, ...(method ? [`c ${c}`] : []), ...(method < PAIRS ? [] : [nash]), `seed ${seed}`].join(", ");
    const key = [now.board, side, ...written()].join();
    job = { key, name, playouts, at: 0, points: [], side, round: rounds.length + 1, ...board, ...solved };
    lines = [...lines.filter((line) => line.key === key && line.name !== name).slice(-3), job];
  }

  // Think on, to the end or, if it is watched, until somebody stops it.
  async function search(watched) {
    if (!job) await open();
    while (job.at < job.playouts && (watching || !watched)) {
      const stop = Math.min(job.at + Math.ceil(job.playouts / 100), job.playouts);
      const stretch = { ...size(), side: job.side, start: job.at, stop };
      const { thought, lost } = await table.call("triomineering_think", stretch, ["thought", "lost"]);
      Object.assign(job, { at: stop, thought });
      if (lost[0] >= 0) job.points.push([stop, lost[0]]); // below 0: it has no mixture yet
      if (!watched) continue;
      seen = job;
      draw(seen);
      await new Promise(requestAnimationFrame);
    }
  }

  async function think() {
    watching = true;
    thinking.textContent = "Pause";
    try {
      await search(true);
    } finally {
      watching = false;
      thinking.textContent = "Think";
    }
    show();
    const lost = job.points.at(-1)?.[1].toFixed(4);
    const short = `against the best reply its mixture falls ${lost} short of an equilibrium's`;
    said.say(`${count(job.at)} playouts: ${lost ? short : "no mixture yet"}.`);
  }

  async function choose(cell, round = rounds.length) {
    if (round !== rounds.length) return; // a second click, which was meant for the round before
    if (over()) throw new Error("The game is over.");
    const where = cell >= 0 ? `at ${text(cell)}` : "there"; // a link may name what is no cell
    if (!fitting(cell)) throw new Error(`No piece of ${"VH"[mine()]} fits ${where}.`);
    if (now.side !== "both") return meet(cell);
    if (waiting === undefined) {
      waiting = cell;
      return show();
    }
    given = rounds.push({ v: waiting, h: cell });
    await set();
  }

  // Both move at once: its search knows nothing of your move.
  async function meet(cell) {
    const own = mine(), { exact, against, sure, value } = solved, worth = (all) => all[CELLS * own + cell].toFixed(3);
    await search(false);
    const { chosen: [other] } = await table.call("triomineering_choose", { ...size(), side: job.side }, ["chosen"]);
    const likely = range(CELLS).map((k) => [text(k), percent(exact[CELLS * own + k])]).filter(([, share]) => share);
    const words = `${text(cell)} is worth ${worth(against)} to you against the equilibrium, and ${worth(sure)} at ` +
      `least; the position is worth ${(own ? 1 - value[0] : value[0]).toFixed(3)}. ` +
      `The equilibrium would play ${likely.map(([move, share]) => `${move} (${share} %)`).join(", ")}.`;
    rounds.push(own ? { v: other, h: cell, words } : { v: cell, h: other, words });
    await set(job);
  }

  // What was thought, by the first cells of its moves.
  function draw({ thought, side, legal, filled, exact, round, name, at, playouts }) {
    const moves = range(CELLS).filter((k) => legal[CELLS * side + k]), share = (x) => x;
    const own = (numbers, row) => Object.fromEntries(moves.map((k) => [k, numbers[CELLS * row + k]]));
    const visits = own(thought, 0), most = Math.max(...Object.values(visits));
    view.replaceChildren(
      make("p", {}, `Round ${round}: ${name}, as ${"VH"[side]}, after ${count(at)} of ${count(playouts)} playouts`),
      make("div", { className: "heats", style: `--columns: ${sides()[1]}` },
        heat("visits", sides(), filled, visits, (x) => x / most, short),
        heat("mean, 1 if it wins", sides(), filled, own(thought, 1), share, (x) => x.toFixed(2)),
        heat("its mixture, %", sides(), filled, own(thought, 2), share, percent),
        heat("an equilibrium, %", sides(), filled, own(exact, side), share, percent)));
    fall.replaceChildren(curves(lines));
  }

  function show() {
    const n = rounds.length, result = RESULTS[board.result[0]], { value, used, time } = solved, { who, side } = now;
    const played = n ? `Round ${n}: ${written().at(-1)}, at the same time. ` : "", set = pairs().slice(0, given);
    const moves = pairs().slice(given).map(([v, h]) => (side === "V" ? v : h)), done = job?.at === now.playouts;
    const [before, since] = [set.flat(), moves].map((all) => all.join("_").replaceAll(",", "."));
    const settings = { ...now, set: before, moves: since };
    address.write(settings);
    inputs.nash.disabled = PLAYERS.indexOf(who) < PAIRS;
    inputs.c.disabled = who === PLAYERS[0];
    back.disabled = !n && waiting === undefined;
    thinking.disabled = over() || side === "both" || done;
    const laid = rounds.flatMap(({ v, h }, k) => [[v, "V", k === n - 1], [h, "H", k === n - 1]]);
    grid.draw(sides(), waiting === undefined ? laid : [...laid, [waiting, "V", true]], board.filled);
    const worth = `${value[0].toFixed(4)} to V, a win being 1 and a draw 0.5; solved exactly in this page: ` +
      `${count(used[0] + used[2])} positions in ${Math.ceil(time)} ms`;
    const told = { played: written().join("; ") || "nothing yet", ...(over() ? {} : { worth }) };
    const fact = ([name, words]) => [make("dt", {}, name), make("dd", {}, words)];
    facts.replaceChildren(...Object.entries(told).flatMap(fact));
    for (const one of [view, fall]) one.replaceChildren();
    if (seen?.thought) draw(seen);
    judge.hidden = !moves.length;
    judged.replaceChildren(...rounds.slice(given).map(({ words }) => make("li", {}, words)));
    Object.assign(place.dataset, { rounds: n, record: over() ? [...written(), result].join("; ") : "" });
    const piece = `the ${mine() ? "left" : "top"} cell of ${side === "both" ? `${"VH"[mine()]}'s` : "your"} piece`;
    if (over()) said.say(`Over: ${result}. ${played}`);
    else if (side === "both") said.say(`${played}Set up: click ${piece}.`);
    else said.say(`${played}You are ${side}: click ${piece}; ${who} decides at the same time.`);
    after.replaceChildren();
    if (over()) after.append(reproduce(python.game(now, sides(), set, moves), address.link(settings)));
    if (!done || over()) return;
    const code = python.thought(now, sides(), pairs(), moves.length);
    after.append(reproduce(code, address.link(settings), "The same thought in Python"));
  }

  for (const input of Object.values(inputs)) input.onchange = act(change);
  await act(load)();
}
