// The median microseconds of one report of each spec, for benchmarks/clients.py: {"calls", "cases": [{"spec", "value"}]}.

import { readFileSync } from "node:fs";
import { families } from "../dist/families.js";
import { readSpec } from "../dist/index.js";

const { calls, cases } = JSON.parse(readFileSync(0, "utf8"));

function medianOf(call) {
  const times = Array.from({ length: calls }, () => {
    const start = process.hrtime.bigint();
    call();
    return Number(process.hrtime.bigint() - start) / 1000;
  });
  return times.sort((a, b) => a - b)[calls >> 1];
}

const medians = cases.map(({ spec, value }) => {
  const mechanism = readSpec(spec, families);
  medianOf(() => mechanism.privatize(value)); // until it is compiled
  return medianOf(() => mechanism.privatize(value));
});
console.log(JSON.stringify(medians));
