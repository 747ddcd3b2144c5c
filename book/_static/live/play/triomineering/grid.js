// A board to click on: a button for each cell, named for who cannot see it, and the pieces that lie on it.
import { make } from "../../play.js";

const FILLED = ["free", "filled by V", "filled by H", "filled by both"];
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Grid {
  // `press` is told a cell; `fits` tells whose piece, "V" or "H", could begin there now, or "".
  constructor(press, fits) {
    Object.assign(this, { press, fits, sides: [0, 0], keys: [] });
    this.place = make("div", { className: "cells", role: "group", "aria-label": "the board" });
    this.hint = this.part("hint", "1 / 1");
    this.place.onpointerleave = this.place.onfocusout = () => this.show(-1);
    this.place.onkeydown = (event) => this.move(event);
  }

  at(cell) {
    return [Math.floor(cell / this.sides[1]), cell % this.sides[1]];
  }

  // Places in the grid, whose first row and column are numbers.
  area(cell, side) {
    const [row, column] = this.at(cell), long = (wanted) => (side === wanted ? 3 : 1);
    return `${row + 2} / ${column + 2} / span ${long("V")} / span ${long("H")}`;
  }

  part(className, where, words = "") {
    return make("span", { className, style: `grid-area: ${where}`, "aria-hidden": true }, words);
  }

  // Show where a piece would lie.
  show(cell) {
    const side = cell < 0 ? "" : this.fits(cell);
    this.hint.className = side ? `hint piece ${side}` : "hint";
    if (side) this.hint.style.gridArea = this.area(cell, side);
  }

  key(cell) {
    const show = () => this.show(cell), style = `grid-area: ${this.area(cell)}`;
    return make("button", { type: "button", tabIndex: cell ? -1 : 0, style, onfocus: show, onpointerenter: show,
      onclick: () => this.press(cell) });
  }

  lines(sides) {
    const many = (count) => [...Array(count).keys()], [rows, columns] = sides;
    this.sides = sides;
    this.keys = many(rows * columns).map((cell) => this.key(cell));
    this.place.style = `--columns: ${columns}`;
    const down = many(rows).map((k) => this.part("number", `${k + 2} / 1`, k));
    const across = many(columns).map((k) => this.part("number", `1 / ${k + 2}`, k));
    this.place.replaceChildren(...this.keys, this.hint, ...down, ...across);
  }

  // Pieces are [cell, side, whether they are of the last round]; `filled` says by whom each cell is.
  draw(sides, pieces, filled) {
    if (String(sides) !== String(this.sides)) this.lines(sides);
    for (const old of this.place.querySelectorAll(".laid")) old.remove();
    for (const [cell, side, last] of pieces)
      this.place.append(this.part(`laid piece ${side}${last ? " last" : ""}`, this.area(cell, side)));
    for (const [cell, key] of this.keys.entries()) {
      const [row, column] = this.at(cell), side = this.fits(cell), more = side ? `, a piece of ${side} fits` : "";
      key.ariaLabel = `row ${row}, column ${column}, ${FILLED[filled[cell]]}${more}`;
      key.ariaDisabled = !side;
      if (filled[cell] === 3) this.place.append(this.part("laid both", this.area(cell), "×"));
    }
    this.show(this.keys.indexOf(document.activeElement));
  }

  move(event) {
    const step = ARROWS[event.key], from = this.keys.indexOf(event.target), [rows, columns] = this.sides;
    if (!step || from < 0) return;
    event.preventDefault();
    const [row, column] = this.at(from).map((k, d) => k + step[d]);
    if (row < 0 || row >= rows || column < 0 || column >= columns) return;
    event.target.tabIndex = -1;
    Object.assign(this.keys[row * columns + column], { tabIndex: 0 }).focus();
  }
}
