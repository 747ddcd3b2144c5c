// "Recompute in this page": a panel for each place that a chapter leaves for one.
// The page asks and draws. Numbers come from worker.js, which runs the experiment's own kernels.
import { button, count, labelled, load, make, megabytes, opening } from "./dom.js";

const HERE = new URL(".", import.meta.url);
const LONG = 20; // seconds, beyond which a chunk's first games are offered first
let pace = 1; // this browser's time beside that of the one which was measured, once it is known
const described = (cell) => Object.entries(cell).map(([name, value]) => `${name} ${value}`).join(", ");
const words32 = () => crypto.getRandomValues(new Uint32Array(1))[0];

function seconds(time) {
  if (time < 1) return "under a second";
  return time < 90 ? `about ${Math.round(time)} s` : `about ${Math.round(time / 60)} minutes`;
}

class Panel {
  constructor(place, name, game, told, stored) {
    Object.assign(this, { name, game, told, stored, place, root: game.root, samples: [] });
    const { cells, chunks } = told, chosen = { onchange: () => this.ask() };
    this.cell = make("select", chosen, ...cells.map(({ cell }, k) => new Option(described(cell), k)));
    this.chunk = make("input", { type: "number", min: 0, max: chunks - 1, inputMode: "numeric", ...chosen });
    this.chunk.value = Math.floor(Math.random() * chunks);
    this.size = make("select", chosen);
    this.seed = make("p", { className: "seed" });
    this.go = button("Recompute", () => this.run(this.game.root));
    this.stop = button("Stop", () => this.end("Stopped."));
    this.again = button("Again with another seed", () => this.run(words32()));
    this.bars = make("div", { className: "bars" });
    this.status = make("p", { className: "told", role: "status", "aria-live": "polite" });
    this.shown = make("div", { className: "shown" });
    this.column = make("select", { onchange: () => this.draw() });
    this.histogram = make("div", { className: "histogram" });
    const form = make("div", { className: "chosen" }, labelled("cell", this.cell));
    if (chunks > 1) form.append(labelled(`chunk, 0 to ${chunks - 1}`, this.chunk));
    if (told.games > told.fingerprint) form.append(labelled("how much", this.size));
    const buttons = make("div", { className: "buttons" }, this.go, this.stop, this.again);
    const about = `A cell is one setting of the experiment; it was played in ${count(chunks)} chunks, each from a ` +
      "seed of its own. Here one is played again.";
    place.append(make("p", {}, chunks > 1 ? about : "Computed again here, beside what is stored."), form, this.seed,
      buttons, this.bars, this.status, this.shown, this.histogram);
    this.stop.disabled = true;
    this.choose();
  }

  get plan() {
    return { ...this.told.shared, ...this.told.cells[this.cell.value] };
  }

  // Whether chance is in it: a kernel that asks for the generator or for what it is seeded with.
  get drawn() {
    const { entries } = this.game.module, plan = this.plan;
    return plan.steps.some(([entry]) => entries[entry].some((name) => name === "s" || name === "words"));
  }

  // What the paper prints of this cell, by column.
  get printed() {
    return this.stored.printed?.[this.cell.value] ?? {};
  }

  get first() {
    return this.size.value === "first";
  }

  // How long a browser took when the book was built, if that was measured.
  expected(first) {
    const time = this.stored[first ? "seconds_first" : "seconds"]?.[this.cell.value];
    return time === undefined ? "" : seconds(pace * time);
  }

  // Something else is chosen: what was computed goes.
  ask() {
    this.root = this.game.root;
    this.clear();
    this.choose();
  }

  choose() {
    if (this.asked !== this.cell.value) this.turn();
    if (this.first) this.chunk.value = 0;
    this.chunk.disabled = this.first;
    const plan = this.plan, number = Number(this.chunk.value || NaN), { chunks } = this.told;
    const right = Number.isInteger(number) && number >= 0 && number < chunks;
    this.go.disabled = this.again.disabled = !right;
    this.again.hidden = !this.drawn || this.first;
    const memory = megabytes(plan) < 1 ? "under 1 MB" : `${Math.ceil(megabytes(plan))} MB`;
    const from = this.drawn
      ? `Seed: ${this.root} (root), ${plan.words.join(" ")} (the cell's words), ${number} (chunk).`
      : "Nothing is drawn by chance.";
    const time = this.expected(this.first), cost = `Memory: ${memory}.${time && ` Time: ${time}.`}`;
    this.seed.textContent = right ? `${from} ${cost}` : `There are chunks 0 to ${chunks - 1}.`;
  }

  // Another cell: what was drawn of the last one goes.
  turn() {
    this.asked = this.cell.value;
    const { games, fingerprint } = this.told, plan = this.plan, rows = this.stored.rows[this.cell.value];
    const long = this.stored.seconds?.[this.cell.value] > LONG;
    const time = this.expected(false), all = `all ${count(games)} ${plan.steps[0][3]}${time && `, ${time}`}`;
    const some = `chunk 0's first ${count(fingerprint)}`;
    this.size.replaceChildren(new Option(all, "all", true, !long), new Option(some, "first", false, long));
    this.column.replaceChildren(...plan.columns.map((name, k) => new Option(name, k)));
    const varies = plan.columns.findIndex((_, k) => new Set(rows.map((row) => row[k])).size > 1);
    this.column.value = Math.max(0, varies);
    [this.samples, this.now] = [[], undefined];
    this.clear();
  }

  clear() {
    for (const part of [this.bars, this.shown, this.histogram]) part.replaceChildren();
    this.status.textContent = "";
    this.status.className = "told";
  }

  run(root) {
    this.root = root;
    const plan = this.plan, chunk = Number(this.chunk.value);
    const games = this.first ? this.told.fingerprint : this.told.games;
    this.clear();
    this.busy(true);
    const meters = [...plan.prepare, ...plan.steps].map(([, , , says]) => {
      const meter = make("progress", { max: 1, value: 0 }), text = make("span");
      this.bars.append(labelled(says, meter, text));
      return [meter, text];
    });
    this.status.textContent = root === this.game.root ? "Computing." : `Computing with root ${root}.`;
    const worker = new Worker(new URL("worker.js", HERE), { type: "module" });
    this.worker = worker;
    worker.onerror = (event) => this.end(`${event.message || "The worker could not be loaded"}.`, "v-differs");
    worker.onmessage = ({ data }) => {
      if (data.error) this.end(`${data.error}.`, "v-differs");
      else if (data.row) this.finish(plan, root, chunk, games, data);
      else {
        const [meter, text] = meters[data.step];
        [meter.max, meter.value] = [data.size, data.done];
        text.textContent = `${count(data.done)} of ${count(data.size)}`;
        if (data.found) this.tick(plan, data.found);
      }
    };
    const wasm = new URL(`${this.told.module}.wasm`, HERE).href, { entries } = this.game.module;
    worker.postMessage({ wasm, entries, plan, words: [root, ...plan.words, chunk], games });
  }

  busy(on) {
    this.place.setAttribute("aria-busy", on);
    const held = document.activeElement;
    for (const part of [this.go, this.again, this.cell, this.chunk, this.size]) part.disabled = on;
    this.stop.disabled = !on;
    if (held === this.go || held === this.again) this.stop.focus(); // a button that is off loses the keyboard
    else if (held === this.stop) this.go.focus();
    if (!on) this.choose();
  }

  end(words, mark = "") {
    this.worker.terminate();
    this.busy(false);
    this.status.textContent = words;
    this.status.className = `told ${mark}`;
  }

  finish(plan, root, chunk, games, { row, took, memory }) {
    const k = this.cell.value, ours = Array.from(row, (x, j) => plan.codes[plan.columns[j]]?.[x] ?? x);
    const theirs = this.first ? this.stored.first[k] : this.stored.rows[k][chunk];
    const time = took.reduce((a, b) => a + b, 0), planned = this.stored[this.first ? "seconds_first" : "seconds"]?.[k];
    if (planned > 0.3) pace = time / planned;
    const cost = `${time.toFixed(1)} s, ${Math.ceil(memory / 1e6)} MB`;
    if (root !== this.game.root) {
      this.samples.push(ours);
      this.end(`A new sample, root ${root}, ${cost}: ${this.stands(ours)}`);
    } else {
      const unequal = plan.columns.filter((_, j) => !Object.is(ours[j], theirs[j]));
      const all = plan.columns.length === 1 ? "the one column" : `all ${plan.columns.length} columns`;
      if (unequal.length) this.end(`✗ differs from the stored row in: ${unequal.join(", ")} (${cost})`, "v-differs");
      else this.end(`✓ equal, bit for bit: ${all} of the stored row (${cost})`, "v-exact");
      this.table(plan, ours, theirs);
    }
    if (this.drawn && games === this.told.games) this.draw(root === this.game.root ? ours : undefined);
  }

  // The row beside the stored one and, where the paper prints these very numbers, beside those.
  table(plan, ours, theirs) {
    const { printed } = this, any = Object.keys(printed).length > 0;
    const heads = ["", "in this page", "stored", ...(any ? ["printed"] : [])];
    const rows = plan.columns.map((name, j) => {
      const same = Object.is(ours[j], theirs[j]), values = [ours[j], theirs[j]];
      if (any) values.push(printed[name] ?? "");
      const shown = values.map((value) => make("td", { className: "number" }, String(value)));
      shown[0].classList.add(same ? "v-exact" : "v-differs");
      shown[0].append(same ? " ✓" : " ✗");
      return make("tr", {}, make("th", { scope: "row" }, name), ...shown);
    });
    const head = make("tr", {}, ...heads.map((name) => make("th", { scope: "col" }, name)));
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
    this.shown.replaceChildren(make("div", { className: "beside", tabIndex: 0 }, table));
  }

  // Printed counts that have been reached on the way: wins and losses by depth.
  tick(plan, found) {
    const { printed } = this, all = plan.columns.filter((name) => /^(win|loss)_\d+$/.test(name) && name in printed);
    const reached = all.filter((name) => {
      const [kind, depth] = name.split("_");
      return Number(found[(kind === "win" ? 0 : found.length / 2) + Number(depth)]) === printed[name];
    });
    if (!all.length) return;
    const marks = reached.map((name) => {
      const words = `✓ ${name.replace("_", " in ")}: ${count(printed[name])}`;
      return make("span", { className: "verdict v-exact" }, words);
    });
    this.shown.replaceChildren(make("p", {}, `${reached.length} of ${all.length} printed counts reached`), ...marks);
  }

  stands(sample) {
    const j = this.column.value, stored = this.stored.rows[this.cell.value].map((row) => row[j]);
    const below = stored.filter((value) => value < sample[j]).length;
    const same = stored.filter((value) => value === sample[j]).length;
    const chunks = `${stored.length} stored chunk${stored.length > 1 ? "s" : ""}`;
    return `${this.plan.columns[j]} ${sample[j]}, above ${below} of ${chunks}${same ? `, equal to ${same}` : ""}.`;
  }

  // The stored chunks' values of a column as bars, and where new samples fall.
  draw(now = this.now) {
    this.now = now;
    const j = this.column.value, stored = this.stored.rows[this.cell.value].map((row) => row[j]);
    const news = this.samples.map((row) => row[j]), all = [...stored, ...news, ...(now ? [now[j]] : [])];
    if (!all.every((value) => typeof value === "number")) return;
    const low = Math.min(...all), high = Math.max(...all), wide = high - low || 1;
    const bins = Math.min(24, Math.ceil(2 * Math.sqrt(stored.length))), heights = Array(bins).fill(0);
    for (const value of stored) heights[Math.min(bins - 1, Math.floor(((value - low) / wide) * bins))] += 1;
    const x = (value) => 10 + (460 * (value - low)) / wide, scale = 60 / Math.max(...heights);
    const bars = heights.map((n, b) => {
      const left = 10 + (460 * b) / bins;
      return `<rect class="bar" x="${left}" y="${70 - n * scale}" width="${460 / bins - 1}" height="${n * scale}"/>`;
    });
    const mark = (kind) => (value) => `<line class="${kind}" x1="${x(value)}" x2="${x(value)}" y1="2" y2="76"/>`;
    const marks = [...news.map(mark("new")), ...(now ? [now[j]] : []).map(mark("now"))];
    const svg = `<svg viewBox="0 0 480 80" role="img">${[...bars, ...marks].join("")}</svg>`;
    const picture = make("div", { innerHTML: svg });
    const said = [`${stored.length} stored chunks`, `all values from ${low} to ${high}`];
    const legend = make("p", {}, make("span", {}, "grey: stored chunks"));
    const note = (kind, words, values) => {
      said.push(`${words} at ${values.join(", ")}`);
      legend.append(make("span", { className: kind }, words));
    };
    if (now) note("now", "blue: this chunk", [now[j]]);
    if (news.length) note("new", "orange: other seeds", news);
    picture.firstChild.setAttribute("aria-label", said.join("; "));
    const ends = make("p", { className: "ends" }, make("span", {}, String(low)), make("span", {}, String(high)));
    const held = document.activeElement === this.column;
    this.histogram.replaceChildren(labelled("column", this.column), picture, ends, legend);
    if (held) this.column.focus();
  }
}

for (const place of document.querySelectorAll("div.recompute")) {
  const name = place.dataset.experiment;
  const panel = opening(`Recompute in this page: ${name}`, {}, async (inner) => {
    const [game, stored] = await Promise.all([load(`${name.split("/")[0]}.json`), load(`results/${name}.json`)]);
    inner.replaceChildren();
    new Panel(inner, name, game, game.experiments[name], stored);
  });
  panel.append(...place.children);
  place.append(panel);
}
