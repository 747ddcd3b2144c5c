// The 71 million positions of 4×4 with open colours, solved once in a worker of their own for all widgets of a page.
// The module is the page's, and the way to solve it that of table 6.1; here depths are kept too.
import { load } from "../dom.js";
import { button, make, Table, trying } from "../play.js";

const PLANES = 6; // bits of a depth
const ASK = "Solve it here first: 280 MB, about 10 seconds";
const reports = new Set();
let asked, done;

// The kernels with their solution, if there is one yet.
export const solved = () => done;

async function fresh() {
  const { module, play, experiments } = await load("geister.json"), plan = experiments["geister/table-6.1"].shared;
  const own = Object.entries(plan).filter(([name]) => name[0] === "="); // what its kernels ask for by name
  const room = Object.fromEntries(own.map(([name, value]) => [name.slice(1), value]));
  room.planes = { ...room.open_, shape: [PLANES, ...room.open_.shape] };
  const wasm = new URL(`../geister.wasm?${module.sha256.slice(0, 8)}`, import.meta.url).href, table = new Table();
  try {
    await table.ask({ open: { wasm, entries: module.entries, values: { ...play, ...room } } });
    for (const [entry, size, stretch] of plan.prepare) {
      await table.sweep(entry, size, stretch, (at, of) => {
        for (const report of reports) report(at / of);
      });
    }
  } catch (error) {
    table.close();
    throw error;
  }
  return table;
}

export async function solve(report) {
  reports.add(report);
  try {
    asked ??= fresh();
    done = await asked;
  } catch (error) {
    asked = undefined; // so that it can be tried again
    throw error;
  } finally {
    reports.delete(report);
  }
}

// A button that solves, with its progress; `then` is called when that is done.
export function solver(said, place, then) {
  const bar = make("progress", { max: 1, value: 0, "aria-label": "positions solved", hidden: true });
  const go = button(ASK, trying(said, place, async () => {
    [go.disabled, bar.hidden, go.textContent] = [true, false, "Solving 71 million positions …"];
    try {
      await solve((share) => (bar.value = share));
    } finally {
      [go.disabled, bar.hidden, go.textContent] = [false, true, ASK];
    }
    await then();
  }));
  return make("div", { className: "buttons" }, go, bar);
}

// What a number of the kernels says: n is a win in n plies, −n a loss, 0 a draw; as gamecore.geister prints it.
export const worthText = (n) => (n > 0 ? `win in ${n}` : n < 0 ? `loss in ${-n}` : "draw");
export const tone = (n) => (n > 0 ? "win" : n < 0 ? "loss" : "draw");

// What the kernels show on each cell, as the board draws it; `hide` keeps the opponent's colours secret.
export function cellsOf(shown, hide = false) {
  const colour = (code) => (code > 2 && hide ? "" : code % 2 ? "blue" : "red");
  return shown.map((code) => code && { owner: code > 2 ? 1 : 0, colour: colour(code) });
}

// A picture of such numbers, ply by ply: wins above the line, losses below, the sooner the longer.
export function bars(numbers) {
  const long = (n) => (n ? 1.2 - Math.abs(n) / 47 : 0.1);
  const one = (n) => make("span", { className: `t-${tone(n)}`, style: `--long:${long(n)}` });
  return make("div", { className: "worths", "aria-hidden": true }, ...numbers.map(one));
}

// A table of texts that scrolls.
export function listed(head, rows, name) {
  const cells = (tag, row, more) => make("tr", {}, ...row.map((text) => make(tag, more, String(text))));
  const body = make("tbody", {}, ...rows.map((row) => cells("td", row, {})));
  return make("div", { className: "beside", tabIndex: 0, role: "region", "aria-label": name },
    make("table", {}, make("thead", {}, cells("th", head, { scope: "col" })), body));
}
