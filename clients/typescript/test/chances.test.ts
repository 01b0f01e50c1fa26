/** Reports follow their exact probabilities, in every mechanism of which there are not too many reports. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { chances } from "../src/mechanisms/chances.js";
import { toNumber } from "../src/privacy/channelRows.js";
import { outputsOf } from "../src/reports.js";
import { privatizeFrom } from "../src/testing.js";
import { seededWords, spec, valueAt, vectors, written } from "./vectors.js";

/** Of each mechanism; under `make soak` 128 times as many, which show faults a tenth as large. */
const REPORTS = process.env["SOAK"] === "1" ? 2 ** 20 : 2 ** 13;
/** Of so many reports at most every one is counted by itself. */
const MOST = 300;
/** Quantile of the normal distribution: a test of one spec fails by chance in about 1e-9, all of them in 1e-7. */
const QUANTILE = 6;

/** What chi-square exceeds in about 1e-9 of all cases (Wilson and Hilferty). */
function limit(freedom: number): number {
  const spread = 2 / (9 * freedom);
  return freedom * (1 - spread + QUANTILE * Math.sqrt(spread)) ** 3;
}

/** Chi-square and its degrees of freedom, reports that are rarely expected together. */
function chiSquare(found: Map<string, number>, expected: Map<string, number>): [number, number] {
  let [sum, bins, restFound, restExpected] = [0, 0, REPORTS, REPORTS];
  for (const [report, share] of expected) {
    const due = share * REPORTS;
    if (due < 5) continue;
    const count = found.get(report) ?? 0;
    [sum, bins, restFound, restExpected] = [
      sum + (count - due) ** 2 / due,
      bins + 1,
      restFound - count,
      restExpected - due,
    ];
  }
  if (restExpected > 1) return [sum + (restFound - restExpected) ** 2 / restExpected, bins];
  assert.ok(restFound < 20, "reports that are hardly expected");
  return [sum, bins - 1];
}

function countOf(draw: () => string): Map<string, number> {
  const found = new Map<string, number>();
  for (let k = 0; k < REPORTS; k++) {
    const report = draw();
    found.set(report, (found.get(report) ?? 0) + 1);
  }
  return found;
}

const seen = new Set<string>();
for (const { name, spec: text } of vectors<{ name: string; spec: string }>("specs.json", "good")) {
  const m = spec(text);
  const value = valueAt(
    m,
    m.domain.kind === "lists" ? [0, m.domain.labels.size - 1] : m.domain.kind === "labels" ? 1 : "a",
  );
  if (outputsOf(m.layout) > MOST || seen.has(m.name + m.layout.kind)) continue;
  seen.add(m.name + m.layout.kind);
  test(`${name} draws by the exact law`, () => {
    const listed = [...chances(m, value)];
    const expected = new Map(listed.map(([report, chance]) => [`${written(report)}`, toNumber(...chance)]));
    const sum = listed.reduce((total, [, [n, d]]) => total + (n * 10n ** 60n) / d, 0n);
    assert.ok(10n ** 60n - sum < BigInt(listed.length + 1));
    const words = seededWords(name);
    const found = countOf(() => `${written(privatizeFrom(m, value, words))}`);
    assert.ok([...found.keys()].every((report) => expected.has(report)));
    const [sumOfSquares, freedom] = chiSquare(found, expected);
    if (freedom) assert.ok(sumOfSquares < limit(freedom), `${sumOfSquares} of ${freedom}`);
  });
}

test("every mechanism is among them", () => {
  const names = vectors<{ spec: string }>("specs.json", "good").map(({ spec: text }) => spec(text).name);
  const missing = [...new Set(names)].filter((name) => ![...seen].some((each) => each.startsWith(name)));
  assert.deepEqual(missing, []);
});

test("a broken sampler is caught", () => {
  const m = spec('{"version": 1, "mechanism": "RandomizedResponse", "domain": 3, "epsilon": 1}');
  const expected = new Map([...chances(m, 1)].map(([report, chance]) => [`${report}`, toNumber(...chance)]));
  const words = seededWords("broken"); // one that tells the truth too often, by one person in eight
  const found = countOf(() => (words() % 8n ? `${privatizeFrom(m, 1, words)}` : "1"));
  const [sum, freedom] = chiSquare(found, expected);
  assert.ok(sum > limit(freedom));
});
