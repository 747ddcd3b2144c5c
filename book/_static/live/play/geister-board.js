// A board of ghosts, drawn and asked; which moves there are the kernels say.
//
// draw(place, {width, height, cells, moves, mover, arrows, onmove, oncell, name, small}) fills `place` anew; what had
// the focus keeps it. All is seen by one player, who plays up; cells are counted row by row from the top left.
//   cells   a list of width · height: null, or {owner, colour, label}. Owner 0 is the player, 1 the opponent;
//           colour "blue", "red" or "" (unknown). `label` is spoken; without it "your blue ghost" and the like.
//   moves   what may be played, as numbers 5 · cell + way; ways are up, right, down, left, escape. A click, a touch
//           or Enter on a ghost selects it and highlights its targets; one on a target calls onmove(number).
//   mover   1 if the opponent is to move: then the numbers are in its view, which is turned; else 0.
//   arrows  [{move, share, tone, theirs}]: `share` from 0 to 1 is the thickness; `tone` a class: "mix", "last",
//           "win", "draw", "loss"; with `theirs` the number is in the opponent's view, which is turned.
//   oncell  if given, called with every cell that is clicked, and nothing is selected: to set up a position.
//   name    what the board is, spoken;  small  true for a picture without buttons.
// Arrow keys walk over the board. Moves as Python writes them: moveName(number, width), numberOf("a4 up", width).
import { make } from "../play.js";

export const WAYS = ["up", "right", "down", "left", "escape"];
const SVG = "http://www.w3.org/2000/svg", KEYS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
const ALONG = [[0, -1], [1, 0], [0, 1], [-1, 0], [0, -1]];
const OWNERS = ["your", "their"], OUT = 10_000; // beyond the edge, at column x: OUT + x

export const cellName = (cell, width = 4) => "abcdefghijklmnopqrstuvwxyz"[cell % width] + Math.floor(1 + cell / width);
export const moveName = (move, width = 4) => `${cellName(Math.floor(move / 5), width)} ${WAYS[move % 5]}`;

// The number of a move's text, −1 if it is none.
export function numberOf(text, width = 4, height = width) {
  for (let move = 0; move < 5 * width * height; move++) if (moveName(move, width) === text) return move;
  return -1;
}

// Where a step leads on paper; −1 beyond the edge. Whether it may be made is not asked here.
function ahead(cell, way, width, height) {
  const x = (cell % width) + ALONG[way][0], y = Math.floor(cell / width) + ALONG[way][1];
  return way < 4 && x >= 0 && x < width && y >= 0 && y < height ? y * width + x : -1;
}

function drawn(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// A house that points to its side's goals, with its letter: capitals are the player's own, u is unknown.
function ghost({ owner, colour }) {
  const up = owner === 0 ? -1 : 1, letter = { blue: "b", red: "r" }[colour] ?? "u";
  const house = drawn("svg", { viewBox: "-22 -22 44 44" });
  house.append(drawn("path", { d: `M0 ${18 * up}l13 ${-11 * up}v${-20 * up}h-26v${20 * up}z` }));
  const shown = owner === 0 ? letter.toUpperCase() : letter; // drawn by the styles: what is spoken says it in words
  return make("span", { className: `ghost c-${letter}`, "aria-hidden": true, "data-letter": shown }, house);
}

function arrow({ move, share = 1, tone = "mix", theirs = false }, width, height) {
  const sign = theirs ? -1 : 1, cell = Math.floor(move / 5), [dx, dy] = ALONG[move % 5], thick = 0.04 + 0.2 * share;
  let x = (cell % width) + 0.5, y = Math.floor(cell / width) + 0.5;
  if (theirs) [x, y] = [width - x, height - y];
  const at = (along, across) => `${x + sign * (along * dx - across * dy)} ${y + sign * (along * dy + across * dx)}`;
  const half = thick / 2, head = half + 0.08, d = `M${at(0.2, -half)}L${at(0.72, -half)}L${at(0.72, -head)}` +
    `L${at(0.95, 0)}L${at(0.72, head)}L${at(0.72, half)}L${at(0.2, half)}Z`;
  return drawn("path", { d, class: `t-${tone}` });
}

export function draw(place, options) {
  const { width, height, cells, moves = [], mover = 0, arrows = [], onmove, oncell } = options;
  const { name = "board", small = false } = options;
  const had = place.contains(document.activeElement) ? document.activeElement.dataset.cell : undefined;
  const row = (className) => make("div", { className, style: `grid-template-columns:repeat(${width},1fr)` });
  const above = row("exits"), grid = row("cells"), below = row("exits"), buttons = new Map();
  const last = width * height - 1, ways = moves.map((move) => {
    const cell = Math.floor(move / 5), way = move % 5, from = mover ? last - cell : cell;
    return { move, from, to: way === 4 ? OUT + (from % width) : ahead(from, (way + 2 * mover) % 4, width, height) };
  });
  let chosen = -1, here = 0;

  const from = (cell) => ways.filter((one) => one.from === cell);
  function spoken(cell) {
    const one = cells[cell], what = one ? one.label ?? `${OWNERS[one.owner]} ${one.colour || "unknown"} ghost` : "free";
    return `${cellName(cell, width)}, ${what}`;
  }
  function mark() {
    const targets = new Set(from(chosen).map((one) => one.to));
    for (const [cell, one] of buttons) {
      one.classList.toggle("chosen-cell", cell === chosen);
      one.classList.toggle("target", targets.has(cell));
      if (cell >= OUT) continue;
      one.setAttribute("aria-pressed", cell === chosen);
      const more = targets.has(cell) ? ", can be reached" : from(cell).length ? ", can move" : "";
      one.setAttribute("aria-label", spoken(cell) + more);
    }
  }
  function press(cell) {
    if (oncell) return oncell(cell);
    const way = (cell >= OUT ? ways : from(chosen)).find((one) => one.to === cell);
    if (way) return onmove?.(way.move);
    chosen = cell !== chosen && from(cell).length ? cell : -1;
    mark();
  }
  function walk(event) {
    const way = KEYS[event.key], edge = mover ? last + 1 - width : 0; // an escape lies beyond the row of its corner
    if (event.key === "Escape") {
      chosen = -1;
      mark();
    }
    if (way === undefined) return;
    event.preventDefault();
    const next = here >= OUT ? (way === (mover ? 0 : 2) ? edge + here - OUT : here) : ahead(here, way, width, height);
    const out = way === (mover ? 2 : 0) && buttons.has(OUT + (here % width)) ? OUT + (here % width) : here;
    focus(next < 0 ? out : next);
  }
  function focus(cell) {
    buttons.get(here).tabIndex = -1;
    here = cell;
    buttons.get(here).tabIndex = 0;
    buttons.get(here).focus({ preventScroll: true });
  }
  function pressed(cell, className, ...inner) {
    const onclick = () => {
      focus(cell);
      press(cell);
    };
    const one = make("button", { type: "button", className, tabIndex: -1, onclick }, ...inner);
    one.dataset.cell = cell;
    buttons.set(cell, one);
    return one;
  }

  for (const [exits, sign, side] of [[above, "▴", 0], [below, "▾", 1]]) {
    for (let x = 0; x < width; x++) {
      const out = side === mover && ways.find((one) => one.to === OUT + x);
      const goal = make("span", { "aria-hidden": true }, x === 0 || x === width - 1 ? sign : "");
      exits.append(out ? pressed(OUT + x, "exit", `${sign} escape`) : goal);
      if (out) exits.lastChild.setAttribute("aria-label", `escape from ${cellName(out.from, width)}`);
    }
  }
  for (let cell = 0; cell <= last; cell++) {
    const inner = [make("small", { "aria-hidden": true }, cellName(cell, width))];
    if (cells[cell]) inner.push(ghost(cells[cell]));
    grid.append(small ? make("span", { className: "cell" }, ...inner) : pressed(cell, "cell", ...inner));
  }
  const over = drawn("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": true, class: "arrows" });
  over.append(...arrows.map((one) => arrow(one, width, height)));
  grid.append(over);
  const ghosts = cells.flatMap((one, cell) => (one ? [spoken(cell)] : [])).join("; ");
  const board = make("div", {
    className: small ? "ghosts small" : "ghosts", role: small ? "img" : "group",
    "aria-label": small ? `${name}: ${ghosts}` : name, style: `max-width:${width * (small ? 2.2 : 4.5)}rem`,
  }, above, grid, below);
  place.replaceChildren(board);
  if (small) return;
  board.addEventListener("keydown", walk);
  here = had !== undefined && buttons.has(Number(had)) ? Number(had) : ways.length ? ways[0].from : 0;
  buttons.get(here).tabIndex = 0;
  if (had !== undefined) buttons.get(here).focus({ preventScroll: true });
  mark();
}
