// What all games in the page share: kernels at a table, seeds and moves in the address, what is said, the same
// game in Python, and what is kept in this browser. A game's own file draws and asks; the kernels know the rules.
import { button, load, make, opening } from "./dom.js";

export { button, choice, count, labelled, load, make, megabytes } from "./dom.js";

const HERE = new URL(".", import.meta.url);

// The kernels of a game, in a worker of their own. `call` answers with arrays, as plain numbers; `told` describes
// all values that kernels know by name, and there may be more room than a game needs at first.
export class Table {
  static async open(game, room = {}) {
    const { module, play } = await load(`${game}.json`), table = new Table();
    const wasm = new URL(`${game}.wasm?${module.sha256.slice(0, 8)}`, HERE).href;
    table.told = { ...play, ...room };
    await table.ask({ open: { wasm, entries: module.entries, values: table.told } });
    return table;
  }

  constructor() {
    this.waiting = new Map();
    this.last = 0;
    this.worker = new Worker(new URL("table.js", HERE), { type: "module" });
    this.worker.onerror = (event) => this.fail(new Error(event.message || "the worker could not be loaded"));
    this.worker.onmessage = ({ data: { id, found, error, name, done, size } }) => {
      const { good, bad, report } = this.waiting.get(id);
      if (done !== undefined) return report?.(done, size);
      this.waiting.delete(id);
      if (error === undefined) good(found);
      else bad(Object.assign(new Error(error), { name }));
    };
  }

  fail(error) {
    for (const { bad } of this.waiting.values()) bad(error);
    this.waiting.clear();
  }

  ask(question, report) {
    this.last += 1;
    const id = this.last;
    return new Promise((good, bad) => {
      this.waiting.set(id, { good, bad, report });
      this.worker.postMessage({ id, ...question });
    });
  }

  // Call a kernel with numbers by name; arrays of `set` are filled first, those of `get` given back.
  call(entry, given = {}, get = [], set = {}) {
    return this.ask({ call: entry, given, get, set });
  }

  // Call a kernel on stretches of range(size), telling `report` how far it is.
  sweep(entry, size, stretch, report, get = [], set = {}, given = {}) {
    return this.ask({ call: entry, given, size, stretch, get, set }, report);
  }

  // Copies of arrays; `put` brings them back: undo, for a game whose state they are.
  get(...names) {
    return this.ask({ get: names });
  }

  put(arrays) {
    return this.ask({ set: arrays });
  }

  close() {
    this.worker.terminate();
    this.fail(new Error("stopped"));
  }
}

// A seed below 2³² as a page can show it, and as words for the kernels' generator.
export const anySeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;

export function seedOf(text) {
  const seed = Number(text);
  const is = /^\d+$/.test(String(text).trim()) && seed < 2 ** 32;
  if (!is) throw new Error("A seed is a whole number below 4294967296.");
  return seed;
}

// What a widget has in the address: ?rps.seed=7&rps.moves=rock,paper. It can be shared, and survives a reload.
export class Address {
  constructor(name) {
    this.name = name;
  }

  read() {
    const all = new URLSearchParams(location.search), own = `${this.name}.`;
    return Object.fromEntries([...all].filter(([k]) => k.startsWith(own)).map(([k, v]) => [k.slice(own.length), v]));
  }

  // A link to this game alone, or, for this page's own address, beside whatever else is open.
  link(values, all = false) {
    const url = new URL(location.href), own = `${this.name}.`;
    for (const name of [...url.searchParams.keys()]) if (!all || name.startsWith(own)) url.searchParams.delete(name);
    for (const [name, value] of Object.entries(values)) if (value !== "") url.searchParams.set(own + name, value);
    url.hash = `play-${this.name}`;
    return url.href;
  }

  write(values) {
    const link = this.link(values, true);
    if (link === location.href) return;
    try {
      history.replaceState(null, "", link);
    } catch {} // some browsers refuse many in a short time; the next one will do
  }
}

// What is kept in this browser, and nowhere else. Where it may not be, nothing is.
export const kept = {
  get(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`gamecore.${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`gamecore.${name}`, JSON.stringify(value));
    } catch {} // private windows: the game goes on without
  },
  forget(name) {
    try {
      localStorage.removeItem(`gamecore.${name}`);
    } catch {}
  },
};

// A line that screen readers speak when it changes.
export function speaker() {
  const line = make("p", { className: "said", role: "status", "aria-live": "polite" });
  line.say = (words, mark = "") => {
    line.textContent = words;
    line.className = `said ${mark}`;
  };
  return line;
}

async function copied(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = "copied";
  } catch {
    said.textContent = "this browser does not let pages copy";
  }
}

// The same game in Python, and a link to it: shown when a game is over.
export function reproduce(code, link, title = "The same game in Python") {
  const said = make("span", { role: "status" }), place = make("pre", { tabIndex: 0, className: "python" }, code);
  const buttons = make("div", { className: "buttons" },
    button("Copy the code", () => copied(code, said)),
    button("Copy a link to this game", () => copied(link, said)), said);
  return make("details", { className: "reproduce" }, make("summary", {}, title), place, buttons);
}

const turns = new WeakMap();

// Run what a click asks for, one after the other; what goes wrong is said.
export function trying(said, place, action) {
  async function turn(given) {
    const slow = setTimeout(() => said.say("Thinking …"), 150);
    try {
      await action(...given);
    } catch (error) {
      said.say(error.name === "Error" ? error.message : `${error.name}: ${error.message}`, "v-differs");
    } finally {
      clearTimeout(slow);
    }
  }
  return async (...given) => {
    const mine = (turns.get(place) ?? Promise.resolve()).then(() => turn(given));
    turns.set(place, mine);
    place.setAttribute("aria-busy", true);
    await mine;
    if (turns.get(place) === mine) place.setAttribute("aria-busy", false);
  };
}

const styles = new Set();

// A game's own styles, once.
function dress(game) {
  if (styles.has(game)) return;
  styles.add(game);
  document.head.append(make("link", { rel: "stylesheet", href: new URL(`play/${game}.css`, HERE).href }));
}

for (const place of document.querySelectorAll("div.play")) {
  const { game, widget, title } = place.dataset, address = new Address(widget);
  const opened = opening(title, { className: "stage" }, async (inner) => {
    const { default: start } = await import(`./play/${widget}.js`);
    const table = await Table.open(game);
    dress(game);
    inner.replaceChildren();
    await start(inner, table, address);
  });
  opened.id = `play-${widget}`; // the section may be called as the game
  place.replaceChildren(opened);
  if (Object.keys(address.read()).length || location.hash === `#play-${widget}`) opened.open = true;
}
