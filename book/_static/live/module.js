// A WebAssembly module of a game, its memory filled by name and its kernels called by name.
const product = (shape) => shape.reduce((a, b) => a * b, 1); // dom.js is not for workers
const VIEWS = {
  "<i8": BigInt64Array, "<u8": BigUint64Array, "<f8": Float64Array, "<i4": Int32Array, "<u4": Uint32Array,
  "<i2": Int16Array, "|i1": Int8Array, "|u1": Uint8Array, "|b1": Uint8Array,
};

export function named(name, message) {
  return Object.assign(new Error(message), { name });
}

export class Module {
  static async load(wasm, entries) {
    const answer = await fetch(wasm, { cache: "no-cache" });
    if (!answer.ok) throw named("NetworkError", `${answer.status} for ${wasm}`);
    const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer(), {});
    return new Module(instance.exports, entries);
  }

  constructor(exports, entries) {
    Object.assign(this, { exports, entries, scalars: {}, arrays: {} });
  }

  // A number, or an array: {type, shape}, with numbers or bytes unless it is zero, as memory is.
  set(name, value) {
    if (typeof value !== "object") {
      this.scalars[name] = value;
      return;
    }
    const bytes = Number(value.type.slice(2)) * product(value.shape);
    const address = bytes < 2 ** 32 ? this.exports.allocate(bytes) >>> 0 : 0;
    if (address === 0) throw named("MemoryError", `no room for ${(bytes / 1e6).toFixed(0)} MB (${name})`);
    this.arrays[name] = { address, ...value };
    if (value.bytes) new Uint8Array(this.exports.memory.buffer, address).set(value.bytes);
    if (value.values) this.fill(name, value.values);
  }

  fill(name, numbers) {
    this.get(name).set(/[iu]8/.test(this.arrays[name].type) ? Array.from(numbers, BigInt) : numbers);
  }

  // An array as it lies in memory: growing memory ends the view.
  get(name) {
    const { address, type, shape } = this.arrays[name];
    return new VIEWS[type](this.exports.memory.buffer, address, product(shape));
  }

  // Arguments are found by name: an array is its address and sides, any number a double.
  call(entry, more = {}) {
    const passed = this.entries[entry].flatMap((name) => {
      const array = this.arrays[name];
      return array ? [array.address, ...array.shape] : [name in more ? more[name] : this.scalars[name]];
    });
    const where = this.exports[entry](...passed) >>> 0;
    if (where) throw this.raised(where);
  }

  // numba pickles an exception's class and arguments: the texts in it are module, name, message.
  raised(where) {
    const [at, size] = new Uint32Array(this.exports.memory.buffer, where, 2);
    const text = String.fromCharCode(...new Uint8Array(this.exports.memory.buffer, at, size));
    const found = /(\w+(?:Error|Exception|Iteration|Interrupt|Exit))/.exec(text);
    const message = found && /(?:\x8c.|X.\0\0\0)([\x20-\x7e]{3,})/s.exec(text.slice(found.index + found[0].length));
    return named(found ? found[0] : "Exception", message ? message[1] : "raised by the kernel");
  }
}

// A browser ends a worker at once only between two tasks; timers would wait longer than this does.
const { port1, port2 } = new MessageChannel();
export function breath() {
  return new Promise((go) => {
    port1.onmessage = go;
    port2.postMessage(0);
  });
}
