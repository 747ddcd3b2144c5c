// All positions of 4×4 with open colours, solved once in a worker of their own for all widgets of a page.
// The module is the page's, and the way to solve it that of table 6.1; here depths are kept too.
import { button, load, make, megabytes, Table, trying } from "../play.js";

const PLANES = 6; // bits of a depth
// An ending of the kernels' that is none: the game goes on.
export const GOES_ON = 6;
const reports = new Set();
let asked, done;

// The kernels with their solution, if there is one yet.
export const solved = () => done;

// The plan of table 6.1, and the room that it needs, with planes for the depths.
async function planned() {
  const { experiments } = await load("geister.json"), plan = experiments["geister/table-6.1"].shared;
  const own = Object.entries(plan).filter(([name]) => name[0] === "="); // what its kernels ask for by name
  const room = Object.fromEntries(own.map(([name, value]) => [name.slice(1), value]));
  return { plan, room: { ...room, planes: { ...room.open_, shape: [PLANES, ...room.open_.shape] } } };
}

async function fresh() {
  const { plan, room } = await planned(), table = await Table.open("geister", room);
  try {
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
  const go = button("Solve it here first", trying(said, place, async () => {
    const words = go.textContent;
    [go.disabled, bar.hidden, go.textContent] = [true, false, "Solving all positions …"];
    try {
      await solve((share) => (bar.value = share));
    } finally {
      [go.disabled, bar.hidden, go.textContent] = [false, true, words];
    }
    await then();
  }));
  planned().then(({ room }) => {
    if (!go.disabled) go.textContent = `Solve it here first: ${Math.ceil(megabytes(room))} MB, about 10 seconds`;
  });
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
  const far = Math.max(1, ...numbers.map(Math.abs)), long = (n) => (n ? 1.2 - Math.abs(n) / far : 0.1);
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
