/** Guarantees and ledgers: every vector that a client reads, as what a channel claims, and as what several add up to. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { equivalent, isObject, readObject, type Spec } from "../src/canonical.js";
import { FormatError } from "../src/errors.js";
import { composed, implies } from "../src/privacy/composition.js";
import { readGuarantee, writeGuarantee } from "../src/privacy/guaranteeJson.js";
import type { Guarantee } from "../src/privacy/guaranteeKinds.js";
import { Domain } from "../src/values.js";
import { spec, vectors } from "./vectors.js";

type Written = Record<string, unknown>;

interface Ledger {
  readonly cap: Written;
  readonly entries: readonly { guarantee: Written }[];
}

/** What only a library proves. */
const UNPROVEN = ["mutual_information", "each_item", "people"];
const isProven = (guarantee: Written) => !UNPROVEN.some((kind) => kind in guarantee);

/** A channel that says nothing of anybody, and claims no more than the guarantee. */
function channelOf(guarantee: unknown): string {
  const domain = (isWritten(guarantee) ? guarantee["domain"] : undefined) ?? 2;
  const weights = Array.from({ length: sizeOf(domain) }, () => [1]);
  return JSON.stringify({ version: 1, mechanism: "Channel", domain, weights, guarantee });
}

/** The number of labels: itself, those of a list, or those of a run; any for what is no domain. */
function sizeOf(domain: unknown): number {
  if (isWritten(domain)) return Math.max(Number(domain["high"] ?? 0) - Number(domain["low"]), 0) + 1;
  return Array.isArray(domain) ? domain.length : Number(domain);
}

function isWritten(value: unknown): value is Written {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

for (const section of ["good", "computed"]) {
  test(`guarantees: ${section}`, () => {
    for (const { name, guarantee } of vectors<{ name: string; guarantee: Written }>("guarantees.json", section)) {
      const text = channelOf(guarantee);
      if (isProven(guarantee)) assert.deepEqual(asNumbers(spec(text).toJson()), asNumbers(text), name);
      else assert.throws(() => spec(text), { message: /must be one that bounds every report/ }, name);
    }
  });
}

test("guarantees: bad", () => {
  for (const { why, guarantee } of vectors<{ why: string; guarantee: unknown }>("guarantees.json", "bad")) {
    assert.throws(() => spec(channelOf(guarantee)), FormatError, why);
  }
});

test("ledgers: what is spent adds up, and implies the cap", () => {
  for (const { name, ledger, spent } of vectors<{ name: string; ledger: Ledger; spent: Written }>(
    "ledgers.json",
    "good",
  )) {
    if (!ledger.entries.length) continue;
    const domain = Domain.read(read(ledger.cap)["domain"] ?? 2n);
    const sum = sumOf(ledger, domain);
    assert.ok(equivalent(writeGuarantee(sum, domain.write()), read(spent)), name);
    assert.ok(implies(sum, readGuarantee(read(ledger.cap), domain)), name);
  }
});

test("ledgers: what goes beyond the cap is seen", () => {
  const bad = vectors<{ why: string; ledger: Ledger }>("ledgers.json", "bad");
  const beyond = bad.filter(({ why }) =>
    ["more than the cap", "a guarantee that does not imply the cap"].includes(why),
  );
  assert.equal(beyond.length, 2);
  for (const { why, ledger } of beyond) {
    const domain = Domain.read(read(ledger.entries[0]?.guarantee as Written)["domain"] ?? 2n);
    assert.ok(!implies(sumOf(ledger, domain), readGuarantee(read(ledger.cap), domain)), why);
  }
});

function sumOf({ entries }: Ledger, domain: Domain): Guarantee {
  return composed(entries.map(({ guarantee }) => readGuarantee(read(guarantee), domain)));
}

/** As a reader of texts has it: levels are floats. */
function read(written: Written): Spec {
  const found = readObject(JSON.stringify(written), "a test", new Set(["domain", "sensitive", "blocks"]));
  return isObject(found) ? found : {};
}

/** Without the difference of 1 and 1.0, which these vectors leave open. */
function asNumbers(text: string): unknown {
  const found = JSON.parse(text);
  return { ...found, weights: found.weights.length };
}
