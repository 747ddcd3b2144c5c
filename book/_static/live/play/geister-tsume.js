// Tsume-Geister: you move and win. The kernels' search is the judge and the defence: any winning line will do.
import { button, kept, labelled, load, make, reproduce, speaker, trying } from "../play.js";
import { WAYS, cellName, draw, moveName, numberOf } from "./geister-board.js";

const GRADES = ["easy", "medium", "hard", "very hard"], LETTERS = "BRbr", KEPT = "geister-tsume";
const [TOLD, MOVES, BOARD] = ["tsume_told", "tsume_moves", "tsume_board"];
const plies = (n) => `${n} ${n === 1 ? "ply" : "plies"}`;
const has = (mask, cell) => Math.floor(mask / 2 ** cell) % 2 === 1;

// A printed position as the kernels take it: masks of four kinds of ghosts, the turn, the sides, purple or not.
function boardOf(text, hidden) {
  const rows = text.split("/").map((row) => row.replaceAll(" ", "")), letters = rows.join("").replaceAll("u", "b");
  const masks = [0, 0, 0, 0];
  for (const [cell, letter] of [...letters].entries()) if (letter !== ".") masks[LETTERS.indexOf(letter)] += 2 ** cell;
  return [...masks, 0, rows[0].length, rows.length, Number(hidden)];
}

export default async function start(place, table, address) {
  const problems = await load("play/geister-tsume.json"), asked = address.read(), said = speaker();
  const act = (words, action) => button(words, trying(said, place, action));
  const grade = make("select", {}), which = make("select", {}), board = make("div"), after = make("div");
  const about = make("p"), line = make("p", { className: "tsume-line", hidden: true });
  const score = make("span", { className: "tsume-score" });
  const back = act("Take back", undo), again = act("Start again", () => begin(now)), help = act("Hint", hint);
  const whole = act("Solution", solution);
  const forget = act("Forget my progress", () => {
    kept.forget(KEPT);
    list();
    said.say("Your progress is forgotten.");
  });
  place.classList.add("tsume");
  place.append(
    make("div", { className: "chosen" }, labelled("grade", grade), labelled("problem", which)),
    make("div", { className: "buttons" }, act("Previous", () => step(-1)), act("Next", () => step(1)), score),
    about, board, said,
    make("div", { className: "buttons" }, help, whole, back, again, forget), line, after);
  grade.append(new Option("all", ""), ...GRADES.map((name) => new Option(name, name)));
  grade.value = GRADES.includes(asked.grade) ? asked.grade : "";
  grade.onchange = trying(said, place, () => begin(chosen().includes(now) ? now : chosen()[0]));
  which.onchange = trying(said, place, () => begin(Number(which.value)));
  let now = 0, problem, hidden, state, legal, told, moves, saved, hints, helped;

  const chosen = () => [...problems.keys()].filter((k) => !grade.value || problems[k].grade === grade.value);
  const done = () => kept.get(KEPT, {});

  function list() {
    const known = done(), some = chosen(), mark = { alone: " ✓", helped: " (✓)" };
    which.replaceChildren(...some.map((k) => {
      const { board: sides, depth, position } = problems[k];
      return new Option(`${k + 1}: ${sides.replace("x", "×")}, ${depth} plies${mark[known[position]] ?? ""}`, k);
    }));
    which.value = now;
    score.textContent = `solved: ${some.filter((k) => known[problems[k].position]).length} of ${some.length}`;
  }

  function step(by) {
    const some = chosen(), at = some.indexOf(now);
    return begin(some[(at + by + some.length) % some.length]);
  }

  async function begin(number, played = []) {
    [now, problem, moves, saved, helped] = [number, problems[number], [], [], false];
    hidden = problem.kind === "hidden";
    line.hidden = true;
    await set(boardOf(problem.position, hidden));
    list();
    const { width, height } = sides();
    about.textContent = `${width}×${height}, ${problem.grade}. You play up, and win in ${plies(problem.depth)} ` +
      (hidden ? "whichever of the two unknown ghosts is blue: one that you take counts as the red."
        : "against the best defence; all colours are open.");
    show(`Problem ${number + 1}: find the one move that wins.`);
    for (const text of played) {
      if (told[2] || saved.at(-1)?.fails) throw new Error("The link goes on after the end.");
      await move(numberOf(text, width, height));
    }
  }

  // Bring a board back, with its moves.
  async function set(values) {
    const found = await table.call("geister_tsume_begin", {}, [TOLD, MOVES], { [BOARD]: values });
    ({ [TOLD]: told, [MOVES]: legal } = found);
    [state, hints] = [values, 0];
  }

  const sides = () => ({ width: state[5], height: state[6] });
  const ask = (entry, given = {}) => table.call(entry, { tsume_limit: problem.limit, ...given }, [TOLD, MOVES, BOARD]);

  async function move(number) {
    const before = saved.length ? saved.at(-1).left : problem.depth, from = state;
    const found = await ask("geister_tsume_move", { tsume_move: number });
    ({ [TOLD]: told, [MOVES]: legal, [BOARD]: state } = found);
    const [left, reply, result] = told, { width } = sides();
    saved.push({ from, left, fails: result < 0 || (!left && !result), arrows: arrows(number, reply) });
    moves.push(moveName(number, width), ...(reply < 0 ? [] : [moveName(reply, width)]));
    hints = 0;
    if (result > 0) return solved();
    if (saved.at(-1).fails) return show(failed(reply, result, told[3]), "v-differs");
    const longer = left > before - 2 ? `; ${plies(before - 2)} were possible` : "";
    show(`Good. ${theirs(reply)}. You still win, in ${plies(left)}${longer}.`);
  }

  // The defence's move in the reader's view, which is turned.
  function theirs(number) {
    const { width, height } = sides(), cell = width * height - 1 - Math.floor(number / 5), way = number % 5;
    return `Their ghost on ${cellName(cell, width)} ${way === 4 ? "escapes" : `goes ${WAYS[(way + 2) % 4]}`}`;
  }

  function failed(reply, result, soon) {
    if (reply < 0) return `You took ${hidden ? "what may be the" : "the last"} red, and lost. Take it back.`;
    const how = result < 0 ? ", and you have lost" : soon ? `, and wins in ${plies(soon)}` : "; no win is forced now";
    return `That gives the win away. ${theirs(reply)}${how}. Take it back.`;
  }

  const arrows = (own, reply) =>
    reply < 0 ? [{ move: own, share: 0.3, tone: "last" }] : [{ move: reply, share: 0.3, tone: "last", theirs: true }];

  function solved() {
    const known = done(), how = helped && known[problem.position] !== "alone" ? "helped" : "alone";
    kept.set(KEPT, { ...known, [problem.position]: how });
    list();
    const longer = moves.length > problem.depth ? ` ${plies(problem.depth)} were possible.` : "";
    show(`Solved: won in ${plies(moves.length)}.${longer}`);
  }

  async function undo() {
    if (!saved.length) throw new Error("Nothing has been played.");
    const { from } = saved.pop();
    moves.length = 2 * saved.length;
    await set(from);
    show(saved.length ? `Back: you win in ${plies(saved.at(-1).left)}.` : "Back at the beginning.");
  }

  function helping() {
    if (told[2] > 0) throw new Error("It is solved.");
    if (saved.at(-1)?.fails) throw new Error("The win is gone: take the move back first.");
    helped = true;
  }

  // First which ghost, then where to.
  async function hint() {
    helping();
    const [, best] = (await ask("geister_tsume_best"))[TOLD], cell = Math.floor(best / 5), { width } = sides();
    hints += 1;
    if (hints > 1) return show(`Hint: ${moveName(best, width)}.`, "", [{ move: best, share: 0.5, tone: "win" }]);
    show(`Hint: move your ${has(state[0], cell) ? "blue" : "red"} ghost on ${cellName(cell, width)}.`);
    board.querySelector(`[data-cell="${cell}"]`).classList.add("tsume-hint");
  }

  // The best line from here; the board stays as it is.
  async function solution() {
    helping();
    const found = [], from = state, { width } = sides();
    for (let over = false; !over; ) {
      const [, best] = (await ask("geister_tsume_best"))[TOLD];
      const [, reply, result] = (await ask("geister_tsume_move", { tsume_move: best }))[TOLD];
      found.push(moveName(best, width), ...(reply < 0 ? [] : [`(${theirs(reply).toLowerCase()})`]));
      over = result !== 0;
    }
    await set(from);
    line.textContent = `Solution from here: ${found.join(", ")}.`;
    line.hidden = false;
    said.say("The solution is below the board.");
  }

  function show(words, mark = "", more = []) {
    const { width, height } = sides(), over = told[2] !== 0 || saved.at(-1)?.fails;
    const cells = Array.from({ length: width * height }, (_, cell) => {
      const kind = [0, 1, 2, 3].find((k) => has(state[k], cell));
      if (kind === undefined) return null;
      const unknown = hidden && kind > 1;
      return { owner: Number(kind > 1), colour: unknown ? "" : ["blue", "red"][kind % 2] };
    });
    draw(board, {
      width, height, cells, moves: over ? [] : legal.slice(0, told[4]), onmove: trying(said, place, move),
      arrows: [...(saved.at(-1)?.arrows ?? []), ...more], name: `problem ${now + 1}`,
    });
    back.disabled = again.disabled = !saved.length;
    help.disabled = whole.disabled = over;
    const own = moves.filter((_, k) => k % 2 === 0).join(",");
    const settings = { problem: now + 1, grade: grade.value, moves: own };
    address.write(settings);
    said.say(words, mark);
    const won = told[2] > 0, record = won ? `${moves.join(", ")}: won in ${plies(moves.length)}` : "";
    place.dataset.record = record;
    after.replaceChildren(...(won ? [reproduce(python(), address.link(settings))] : []));
  }

  function python() {
    const given = `board = "${problem.position}"\nmoves = "${moves.join(", ")}".split(", ")\n`;
    const last = `print(", ".join(moves) + f": won in {len(moves)} plies")`;
    const first = sides().width === 4 ? `assert best_move(position) == moves[0]\n` : "";
    if (!hidden) return `from gamecore.geister import Position${first && ", best_move"}\n\n${given}` +
      `position = Position.parse(board)\n${first}for move in moves:\n    position = position.play(move)\n` +
      `assert position == "win"\n${last}`;
    return `from gamecore.geister import Position\n\n${given}for blue, red in ("br", "rb"):  # whichever is blue\n` +
      `    position = Position.parse(board.replace("u", blue, 1).replace("u", red))\n` +
      `    for move in moves:\n        position = position.play(move)\n    assert position == "win"\n${last}`;
  }

  const wanted = Number(asked.problem ?? chosen().find((k) => !done()[problems[k].position]) + 1);
  const known = Number.isInteger(wanted) && wanted >= 1 && wanted <= problems.length;
  if (known && !chosen().includes(wanted - 1)) grade.value = "";
  const played = known ? (asked.moves ?? "").split(",").filter(Boolean) : [];
  await trying(said, place, () => begin(known ? wanted - 1 : chosen()[0], played))();
  if (!known && asked.problem !== undefined) said.say(`No problem is ${asked.problem}: here is number ${now + 1}.`);
}
