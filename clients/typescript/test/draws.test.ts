/** Draws and hashes: word for word as the vectors, and from the operating system's words alone. */

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { hex, utf8 } from "../src/bytes.js";
import { coins, uniformBelow } from "../src/draws.js";
import { LabelError } from "../src/errors.js";
import { base, dealt, hashSymbol } from "../src/hashes.js";
import { systemWords } from "../src/randomWords.js";
import { hmac, sha256 } from "../src/sha256.js";
import { givenWords, privatizeFrom } from "../src/testing.js";
import { seededWords, spec, valueAt, vectors, written } from "./vectors.js";

interface Drawn {
  spec: string;
  name: string;
  value: number | number[];
  text?: string;
  words: string[][];
  report: number | string;
}

test("draws", () => {
  const drawn = [...vectors<Drawn>("draws.json", "good"), ...vectors<Drawn>("hashes.json", "draws")];
  for (const { spec: text, name, value, text: own, words, report } of drawn) {
    const m = spec(text);
    const tape = givenWords(words.flat().map(BigInt));
    assert.equal(written(privatizeFrom(m, valueAt(m, own ?? value), tape)), report, `${m.name}: ${name}`);
    assert.equal(tape.left(), 0, `${m.name}: ${name}`);
  }
});

test("too few words are an error", () => {
  const m = spec('{"version": 1, "mechanism": "RandomizedResponse", "domain": 3, "epsilon": 1}');
  assert.throws(() => privatizeFrom(m, 1, givenWords([])), RangeError);
});

interface Hashed {
  key: string;
  text: string;
  base: string;
  symbols: number;
  cohorts: number;
  hashes: number;
  labels: number;
  table: number[][];
}

test("hashes of texts", () => {
  for (const { key, text, base: wanted, symbols, hashes, table } of vectors<Hashed>("hashes.json", "good")) {
    const seed = base(key, text);
    assert.equal(`${seed}`, wanted);
    const own = table.map((row, cohort) => row.map((_, hash) => hashSymbol(seed, cohort * hashes + hash, symbols)));
    assert.deepEqual(own, table);
  }
});

test("closed domains are dealt out", () => {
  for (const { key, labels, symbols, table } of vectors<Hashed>("hashes.json", "permutations")) {
    assert.deepEqual(
      table.map((_, cohort) => dealt(base(key, ""), labels, cohort, symbols)),
      table,
    );
  }
});

test("SHA-256 and HMAC are those of Node", () => {
  for (let length = 0; length < 200; length++) {
    const text = "é".repeat(length >> 1) + "a".repeat(length & 1) + length;
    assert.equal(hex(sha256(utf8(text))), createHash("sha256").update(text).digest("hex"));
    assert.equal(hex(hmac(utf8(text), utf8("x"))), createHmac("sha256", text).update("x").digest("hex"));
  }
});

test("no constant of SHA-256 is so near to another one that an engine's rounding could matter", () => {
  const primes = Array.from({ length: 310 }, (_, n) => n + 2).filter(
    (n) => !Array.from({ length: n - 2 }, (_, k) => k + 2).some((k) => n % k === 0),
  );
  assert.equal(primes.length, 64);
  for (const root of [...primes.slice(0, 8).map(Math.sqrt), ...primes.map(Math.cbrt)]) {
    const behind = (root * 2 ** 32) % 1;
    assert.ok(behind > 2 ** -8 && behind < 1 - 2 ** -8, `${root}`);
  }
});

test("words come from the operating system, and those left over are dropped", (t) => {
  const asked = t.mock.method(globalThis.crypto, "getRandomValues", (words: BigUint64Array) => words.fill(5n));
  assert.equal(systemWords()(), 5n);
  spec('{"version": 1, "mechanism": "RandomizedResponse", "domain": 3, "epsilon": 1}').privatize(1);
  assert.equal(asked.mock.callCount(), 2);
});

test("coins are as likely as they should be, and none lies beyond the last", () => {
  const found = coins(seededWords("coins"), 1n << 62n, 4001);
  const ones = found.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
  assert.ok(Math.abs(ones - 1000) < 7 * Math.sqrt(750)); // seven standard errors
  assert.equal((found.at(-1) as number) >> 1, 0);
  assert.equal(uniformBelow(givenWords([0n, (1n << 64n) - 1n]), 3), 2); // the word 0 is rejected
});

test("what is no value is refused and never shown", () => {
  for (const { spec: text } of vectors<{ spec: string }>("specs.json", "good")) {
    for (const secret of [
      "a secret",
      3.25,
      ["a secret"],
      null,
      undefined,
      { date: "a secret" },
      new Set(["a secret"]),
      "\ud83d",
    ]) {
      const m = spec(text);
      if (m.domain.kind === "texts" && secret === "a secret") continue;
      assert.throws(
        () => m.privatize(secret),
        (error: Error) => error instanceof LabelError && !/secret|3\.25/.test(error.message),
      );
    }
  }
});
