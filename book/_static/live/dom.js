// Small parts that panels and games are made of.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export const count = (number) => number.toLocaleString("en");
export const labelled = (text, ...inputs) => make("label", {}, make("span", {}, text), ...inputs);
export const product = (shape) => shape.reduce((a, b) => a * b, 1);
export const button = (text, action) => make("button", { type: "button", onclick: action }, text);

// A list to choose from, {name: words}; a name that is not in it, from a link say, is replaced by the first.
export function choice(names, asked = "") {
  const list = make("select", {}, ...Object.entries(names).map(([name, words]) => new Option(words, name)));
  list.value = Object.hasOwn(names, asked) ? asked : list.options[0].value;
  return list;
}

// Of arrays as a description tells them, the megabytes.
export function megabytes(values) {
  const arrays = Object.values(values).filter((value) => value?.shape);
  return arrays.reduce((sum, { type, shape }) => sum + Number(type.slice(2)) * product(shape), 0) / 1e6;
}

const HERE = new URL(".", import.meta.url);
const files = new Map();

// A JSON file beside this one, read once.
export function load(name) {
  if (!files.has(name)) {
    const read = fetch(new URL(name, HERE), { cache: "no-cache" }).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status} for ${name}`);
      return answer.json();
    });
    read.catch(() => files.delete(name)); // so that it can be tried again
    files.set(name, read);
  }
  return files.get(name);
}

// What is filled when it is first opened; if that fails, it says why, and tries again the next time.
export function opening(title, attributes, fill) {
  const inner = make("div", attributes), opened = make("details", {}, make("summary", {}, title), inner);
  let ready = false;
  opened.addEventListener("toggle", async () => {
    if (!opened.open || ready) return;
    ready = true;
    const said = (words) => inner.replaceChildren(make("p", { role: "status" }, words));
    const lacking = "This browser has no WebAssembly, which the page needs to compute.";
    if (typeof WebAssembly === "undefined") return said(lacking);
    said("Loading.");
    try {
      await fill(inner);
    } catch (error) {
      ready = false;
      said(`It could not be loaded (${error.message}); close and open it to try again.`);
    }
  });
  return opened;
}
