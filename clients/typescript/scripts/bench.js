// How long a report of 40 labels takes: `npm run build && npm run bench`. Other work on the machine makes it longer.

import { readSpec } from "../dist/index.js";

const CALLS = 1000;
const spec = (name, more = "") => `{"version":1,"mechanism":"${name}","domain":40,"epsilon":1${more}}`;
const hashed = `{"version":1,"mechanism":"HashedResponse","domain":null,"epsilon":1,"symbols":16,"cohorts":64,"key":"k"}`;

/** The median time of many calls, in microseconds. */
function medianOf(call) {
  const times = Array.from({ length: CALLS }, () => {
    const start = process.hrtime.bigint();
    call();
    return Number(process.hrtime.bigint() - start) / 1000;
  });
  return times.sort((a, b) => a - b)[CALLS / 2];
}

const plain = ["RandomizedResponse", "Rappor", "OptimizedUnary"].map((name) => spec(name));
for (const text of [...plain, spec("Subset", `,"size":11`), spec("Hadamard", `,"parts":1`), hashed]) {
  const m = readSpec(text);
  const value = text === hashed ? "a text" : 7;
  const best = Math.min(...[1, 2, 3, 4].map(() => medianOf(() => m.privatize(value))));
  console.log(`${m.name.padEnd(20)} ${best.toFixed(1)} microseconds`);
}
