// The solved table of 4×4 Geister with open colours: set up any position, see what it and each of its moves is worth,
// play on, and go through the longest win of the board.
import { button, labelled, make, reproduce, speaker, trying } from "../play.js";
import { draw, moveName } from "./geister-board.js";
import { bars, cellsOf, GOES_ON, solved, solver, tone, worthText } from "./geister-solved.js";

const LETTERS = ".BRbr", FIRST = "b b r r / . . . . / . . . . / B B R R", SIDES = ["you", "they"];

// A position's text, as Position.parse reads it and prints it, from what is on the cells and back.
const row = (codes) => codes.map((code) => LETTERS[code]).join(" ");
const written = (shown) => [0, 4, 8, 12].map((k) => row(shown.slice(k, k + 4))).join(" / ");
function parsed(text) {
  const rows = text.split(/[/\n]/).map((row) => row.replace(/\s/g, "")).filter(Boolean);
  const right = rows.length === 4 && rows.every((row) => /^[BRbr.]{4}$/.test(row));
  if (!right) throw new Error("A board has four rows of four signs, each B, R, b, r or a point.");
  return Array.from(rows.join(""), (letter) => LETTERS.indexOf(letter));
}

export default async function start(place, table, address) {
  const asked = address.read(), said = speaker(), tried = (action) => trying(said, place, action);
  const text = make("input", { className: "position", spellcheck: false });
  const mode = make("select", {}, new Option("play a move", "play"), new Option("change the cell", "set"));
  const board = make("div"), facts = make("div", { className: "facts" }), slide = make("div"), after = make("div");
  const back = button("Undo", tried(undo)), first = button("First position", tried(() => put(parsed(FIRST))));
  const clear = button("Empty the board", tried(() => {
    mode.value = "set";
    return put(parsed(". . . . /".repeat(4)));
  }));
  const longest = button("The longest win", tried(line));
  place.append(make("div", { className: "chosen" }, labelled("position", text), labelled("a click will", mode)),
    make("div", { className: "buttons" }, first, clear, back, longest), said,
    make("div", { className: "pair" }, make("div", {}, board, slide), facts), after);
  text.onchange = tried(() => put(parsed(text.value)));
  mode.onchange = tried(show);

  // What is on the board: the cells as you see them, who moves, and what kernels keep of it (nothing if it is no
  // position). Positions before are kept for undo; `plies` are those of a line that is looked through.
  let now, before = [], plies = [];
  const kernels = () => solved() ?? table;
  const see = async (at, side) => (await kernels().call("geister_show", { side }, ["shown"], { board: at })).shown;

  async function put(shown, keep = true) {
    if (now && keep) before.push(now);
    plies = [];
    const one = { shown, side: 0 };
    try {
      one.at = (await kernels().call("geister_set", {}, ["board"], { shown })).board;
    } catch (error) {
      one.why = error.message;
    }
    now = one;
    await show();
  }

  // Whoever changes a cell looks at the side to move, which then plays up.
  async function change(cell) {
    const shown = now.side ? await see(now.at, now.side) : now.shown, k = now.side ? 15 - cell : cell;
    await put(shown.map((code, place) => (place === k ? (code + 1) % LETTERS.length : code)));
  }

  async function values(at, side) {
    const get = ["told", "legal", "worth", "after", "endings"];
    const found = await kernels().call("geister_values", { side }, get, { board: at }), size = at.length;
    const moves = found.legal.slice(0, found.told[0]).map((move, k) => ({
      move, worth: found.worth[k], over: found.endings[k] !== GOES_ON,
      next: found.after.slice(k * size, (k + 1) * size),
    }));
    return { moves, worth: found.told[1], best: moves.find(({ move }) => move === found.told[2]) };
  }

  async function play({ next, over, move, worth }) {
    before.push(now);
    plies = [];
    const ending = over ? `${moveName(move)} ended the game: ${SIDES[now.side]} ${worth > 0 ? "won" : "lost"}.` : "";
    now = { shown: await see(next, 0), side: over ? now.side : 1 - now.side, at: next, ending };
    await show();
  }

  async function undo() {
    if (!before.length) throw new Error("Nothing to take back.");
    now = before.pop();
    plies = [];
    await show();
  }

  // The longest win, by best moves of both.
  async function line() {
    if (!solved()) throw new Error("The positions have to be solved first.");
    if (now) before.push(now);
    let { board: at } = await kernels().call("geister_longest", {}, ["board"]), side = 0, over = false;
    for (plies = []; !over; side = 1 - side) {
      const { best, worth } = await values(at, side);
      plies.push({ shown: await see(at, 0), side, at, best: best.move, worth: side ? -worth : worth });
      [at, over] = [best.next, best.over];
    }
    const range = make("input", { type: "range", min: 0, max: plies.length - 1, value: 0 });
    range.oninput = tried(() => {
      now = plies[range.value];
      return show();
    });
    slide.replaceChildren(labelled(`ply of ${plies.length}`, range), bars(plies.map(({ worth }) => worth)),
      make("p", {}, plies.map(({ best }) => moveName(best)).join(", ")));
    now = plies[0];
    await show();
  }

  async function show() {
    const found = now.at && !now.ending ? await values(now.at, now.side) : null, moves = found?.moves ?? [];
    const { side, best } = now, ply = plies.indexOf(now), theirs = side === 1, setting = mode.value === "set";
    const valued = solved() ? moves.map(({ move, worth }) => ({ move, share: 0.3, tone: tone(worth), theirs })) : [];
    draw(board, {
      width: 4, height: 4, cells: cellsOf(now.shown), moves: setting ? [] : moves.map(({ move }) => move), mover: side,
      arrows: ply < 0 ? valued : [{ move: best, share: 0.5, theirs }], oncell: setting ? tried(change) : undefined,
      onmove: tried((move) => play(moves.find((one) => one.move === move))), name: `the board; ${SIDES[side]} to move`,
    });
    text.value = written(side && now.at ? await see(now.at, side) : now.shown);
    const settings = { position: text.value.replaceAll(" ", "") };
    address.write(settings);
    back.disabled = !before.length;
    longest.disabled = !solved();
    if (ply < 0) slide.replaceChildren();
    place.dataset.record = "";
    after.replaceChildren(...(solved() ? [] : [solver(said, place, show)]));
    const words = ({ move, worth }) => moveName(move) + (solved() ? `: ${worthText(worth)}` : "");
    facts.replaceChildren(...moves.map((one) => button(words(one), tried(() => play(one)))));
    for (const [k, one] of solved() ? moves.entries() : []) facts.children[k].className = `w-${tone(one.worth)}`;
    const who = SIDES[side] === "you" ? "You" : "They";
    if (now.why) said.say(`Not a position yet: ${now.why}.`);
    else if (now.ending) said.say(now.ending);
    else if (!solved()) said.say(`${who} are to move; what that is worth is known once all positions are solved.`);
    else said.say(`${who} are to move: ${worthText(found.worth)}${ply < 0 ? "" : `; ${ply + 1}. ${moveName(best)}`}.`);
    if (!solved() || !found) return;
    place.dataset.record = [worthText(found.worth), ...moves.map(words)].join("\n");
    const code = ["from gamecore.geister import Position, retrograde", "", "solved = retrograde(4, 4, 2, 2)",
      `position = Position.parse("${text.value}")`, "print(solved.result(position))",
      'ours = {"win": "loss in", "loss": "win in", "draw": "draw"}', "for move in position.moves():",
      "    theirs, depth = solved.reply(position, move)",
      '    print(f"{position.text(move)}: {ours[theirs]}", *([] if depth is None else [depth + 1]))'].join("\n");
    after.append(reproduce(code, address.link(settings)));
  }

  try {
    await put(parsed(asked.position ?? FIRST));
  } catch (error) {
    await put(parsed(FIRST));
    said.say(`The link's position was left out. ${error.message}`, "v-differs");
  }
}
