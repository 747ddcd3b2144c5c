// Pictures of a thought: numbers on a board, and how its shortfall falls. Words in them are the widget's own.
import { count, make } from "../../play.js";

const STEPS = [0.1, 0.2, 0.5, 1], CELL = 40;
export const percent = (share) => (share < 0.005 ? "" : String(Math.round(100 * share)));
export const short = (visits) => (visits < 9999.5 ? String(Math.round(visits)) : `${Math.round(visits / 1000)}k`);

function picture(wide, high, name, inner) {
  const place = make("div", { className: "picture" });
  place.innerHTML = `<svg viewBox="0 0 ${wide} ${high}" role="img" aria-label="${name}">${inner}</svg>`;
  return place;
}

// A number for each move, in the first cell of its piece: the deeper the green, the larger its share.
export function heat(title, [rows, columns], filled, numbers, share, text) {
  const inner = [], told = [];
  for (let k = 0; k < rows * columns; k++) {
    const x = CELL * (k % columns) + 1, y = CELL * Math.floor(k / columns) + 1, known = k in numbers;
    const words = known ? text(numbers[k]) : "";
    const look = filled[k] ? `class="full"` : `class="heat" fill-opacity="${known ? 0.6 * share(numbers[k]) : 0}"`;
    inner.push(`<rect x="${x}" y="${y}" width="${CELL}" height="${CELL}" ${look}/>`);
    if (words) inner.push(`<text x="${x + CELL / 2}" y="${y + 25}">${words}</text>`);
    if (words) told.push(`${Math.floor(k / columns)},${k % columns}: ${words}`);
  }
  const drawn = picture(CELL * columns + 2, CELL * rows + 2, `${title}; ${told.join("; ")}`, inner.join(""));
  return make("figure", {}, make("figcaption", {}, title), drawn);
}

// A line for each search of the same position: {name, playouts, points: [[playouts so far, shortfall], …]}.
export function curves(lines) {
  const far = Math.max(...lines.map((line) => line.playouts)), all = lines.flatMap((line) => line.points);
  const top = STEPS.find((step) => all.every(([, lost]) => lost <= step)) ?? 1;
  const x = (t) => 64 + (388 * t) / far, y = (lost) => 162 - (150 * lost) / top;
  const axes = [0, 0.5, 1].map((part) => `<path d="M64 ${y(part * top)}h388"/>` +
    `<text x="58" y="${y(part * top) + 4}" class="end">${+(part * top).toFixed(3)}</text>` +
    `<text x="${x(part * far)}" y="179">${count(Math.round(part * far))}</text>`);
  axes.push(`<text x="258" y="197">playouts</text>`);
  axes.push(`<text transform="translate(12 87) rotate(-90)">shortfall</text>`);
  const paths = lines.map(({ points }, k) => {
    const corners = points.map(([t, lost]) => `${x(t).toFixed(1)},${y(lost).toFixed(1)}`);
    return `<polyline class="l${k}" points="${corners.join(" ")}"/>`;
  });
  const told = lines.map(({ name, points }) => {
    const [t, lost] = points.at(-1) ?? [];
    return points.length ? `${name}: ${lost.toFixed(4)} after ${count(t)} playouts` : `${name}: no mixture yet`;
  });
  const items = told.map((words, k) => make("li", { className: `l${k}` }, words));
  const drawn = picture(480, 202, `shortfall by playouts; ${told.join("; ")}`, axes.join("") + paths.join(""));
  return make("figure", { className: "curves" }, drawn, make("ul", {}, ...items));
}
