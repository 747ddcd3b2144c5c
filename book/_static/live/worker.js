// One computation, apart from the page so that it never freezes: a module's memory is filled by
// name, then a plan's steps are taken, each a kernel called on stretches of a range.
// It is told what to compute once, and answers with progress, then with a row or an error.
// Ending the worker stops it, and gives its memory back.
import { breath, Module } from "./module.js";

const EVERY = 60; // milliseconds between reports

async function run({ wasm, entries, plan, words, games }) {
  const module = await Module.load(wasm, entries);
  for (const [name, value] of Object.entries(plan)) if (name.startsWith("=")) module.set(name.slice(1), value);
  module.set("games", games);
  module.set("row", { type: "<f8", shape: [plan.columns.length] });
  module.set("s", { type: "<u8", shape: [4] });
  module.set("words", { type: "<u4", shape: [words.length], values: words });
  module.call("seed");
  const steps = [...plan.prepare, ...plan.steps], took = [];
  for (const [step, [entry, length, stretch]] of steps.entries()) {
    const size = length || games, began = performance.now();
    for (let start = 0, told = 0; start < size; start += stretch) {
      const stop = Math.min(start + stretch, size);
      module.call(entry, { start, stop });
      if (performance.now() - told > EVERY || stop === size) {
        told = performance.now();
        // what is counted on the way is shown on the way
        const found = module.arrays.found && module.get("found").slice();
        postMessage({ step, done: stop, size, found });
        await breath();
      }
    }
    took.push((performance.now() - began) / 1000);
  }
  return { row: module.get("row").slice(), took, memory: module.exports.memory.buffer.byteLength };
}

self.onmessage = ({ data }) => {
  run(data).then(postMessage, (error) => postMessage({ error: `${error.name}: ${error.message}` }));
};
