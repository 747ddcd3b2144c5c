// A game's kernels at a table, apart from the page so that it never freezes.
// Asked with {id, set, call, with, size, stretch, get}: arrays and numbers are set, a kernel is called, once
// or on stretches of a range, and arrays are given back as plain numbers.
import { breath, Module } from "./module.js";

const EVERY = 60; // milliseconds between reports
let module;

// Unsigned 64-bit numbers, of which generators are made, stay whole; all others are numbers.
function plain(name) {
  const found = module.get(name);
  return found instanceof BigUint64Array ? Array.from(found) : Array.from(found, Number);
}

async function answer({ id, open, set = {}, call, given = {}, size, stretch, get = [] }) {
  if (open) {
    module = await Module.load(open.wasm, open.entries);
    for (const [name, value] of Object.entries(open.values)) module.set(name, value);
  }
  for (const [name, value] of Object.entries(set)) {
    if (module.arrays[name]) module.fill(name, value);
    else module.set(name, value);
  }
  if (call && size === undefined) module.call(call, given);
  for (let start = 0, told = 0; start < size; start += stretch) {
    const stop = Math.min(start + stretch, size);
    module.call(call, { ...given, start, stop });
    if (performance.now() - told < EVERY && stop < size) continue;
    told = performance.now();
    postMessage({ id, done: stop, size });
    await breath();
  }
  return Object.fromEntries(get.map((name) => [name, plain(name)]));
}

let queue = Promise.resolve(); // one after the other, in the order of asking
self.onmessage = ({ data }) => {
  queue = queue.then(() => answer(data)).then(
    (found) => postMessage({ id: data.id, found }),
    (error) => postMessage({ id: data.id, error: error.message, name: error.name }),
  );
};
