/** Specs: every vector, read and refused. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { canonical, readObject } from "../src/canonical.js";
import { FormatError } from "../src/errors.js";
import { families } from "../src/families.js";
import { pointsOf, readDesign } from "../src/mechanisms/cyclic.js";
import { core, readStoredSpec } from "../src/mechanisms/registry.js";
import { spec, vectors } from "./vectors.js";

interface Good {
  name: string;
  spec: string;
  sha256: string;
  labels: number | null;
  layout: Record<string, unknown>;
}

test("good specs are read, and written as they were", () => {
  for (const vector of vectors<Good>("specs.json", "good")) {
    const m = readStoredSpec(vector.spec, families);
    assert.equal(m.digest, vector.sha256, vector.name);
    const { silent, singleFrom, weight, ...layout } = {
      silent: 0,
      singleFrom: undefined,
      weight: undefined,
      ...m.layout,
    };
    const { single_from, weight: wanted, ...known } = vector.layout;
    assert.deepEqual(layout, known, vector.name);
    assert.deepEqual([singleFrom, weight ?? null], [single_from, wanted ?? null], vector.name);
    const labels = m.domain.kind === "lists" ? m.domain.labels : m.domain;
    assert.equal(labels.kind === "labels" ? labels.size : null, vector.labels, vector.name);
  }
});

test("other writings are read as the canonical one, and refused where specs are stored", () => {
  for (const { name, text, spec: kept, sha256 } of vectors<Record<string, string>>("specs.json", "equivalent")) {
    const m = spec(text as string);
    assert.deepEqual([m.toJson(), m.digest], [kept, sha256], name);
    assert.throws(() => readStoredSpec(text as string, families), FormatError, name);
  }
});

test("bad specs are refused", () => {
  for (const { why, spec: text } of vectors<{ why: string; spec: string }>("specs.json", "bad")) {
    assert.throws(() => spec(text), { name: "FormatError", message: /^a spec must/ }, why);
  }
});

test("designs have the points of the table", () => {
  for (const { q, t, length, block } of vectors<Record<string, number> & { block: number[] }>(
    "specs.json",
    "designs",
  )) {
    const design = readDesign(BigInt(q as number), BigInt(t as number), 2);
    assert.equal(design.length, length);
    assert.deepEqual(pointsOf(design), block);
  }
});

test("a family that has not been loaded is refused by its name alone", () => {
  const text = '{"version": 1, "mechanism": "AskedItems", "domain": 3, "epsilon": 1, "together": 1}';
  assert.throws(() => readStoredSpec(text, core), { message: /deniable\/families/ });
  for (const name of ["constructor", "toString", "__proto__"]) {
    assert.throws(() => spec(text.replace("AskedItems", name)), { message: /^a spec must name one of/ });
  }
});

test("integers of any size and floats keep their kind and their digits", () => {
  const labels = new Set(["a"]);
  const text = '{"a":[1,1.0,123456789012345678901234567890,1e16,1.5e-07,-0.0,1e-4,-2],"b":16.0,"c":0.5}';
  const read = readObject(text, "a test", labels);
  assert.equal(
    canonical(read),
    '{"a":[1,1.0,123456789012345678901234567890,1e+16,1.5e-07,-0.0,0.0001,-2],"b":16,"c":0.5}',
  );
});

test("JSON that says something twice or nothing at all is refused", () => {
  const texts = [
    '{"a":1,"a":1}',
    '{"a":{"b":1,"\\u0062":2}}',
    '{"a":NaN}',
    '{"a":1e999}',
    '{"a":01}',
    '{"a":1,}',
    "[1]",
    "",
  ];
  for (const text of [...texts, `{"a":${"9".repeat(401)}}`, `{"a":${"[".repeat(1e5)}${"]".repeat(1e5)}}`]) {
    assert.throws(() => readObject(text, "a test", new Set()), FormatError, text.slice(0, 40));
  }
  assert.equal(
    canonical(readObject('{"__proto__":{"x":1},"s:":":\\":"}', "a test", new Set())),
    '{"__proto__":{"x":1},"s:":":\\":"}',
  );
});
