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
export const button = (text, action) => make("button", { type: "button", onclick: action }, text);

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
    if (typeof WebAssembly === "undefined") return said("This browser has no WebAssembly, which the page needs to compute.");
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
