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
