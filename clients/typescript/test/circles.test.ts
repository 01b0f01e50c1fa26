/** No files import each other in a circle; imports for types alone, and those that are loaded later, count too. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";
import { ROOT } from "./vectors.js";

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)\.js"/g;

/** Which of the modules each imports, by their paths and texts. */
function importsIn(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const named = (id: string, text: string) =>
    [...text.matchAll(IMPORT)].map(([, path = ""]) => posix.join(posix.dirname(id), path));
  return new Map([...texts].map(([id, text]) => [id, named(id, text).filter((each) => texts.has(each))]));
}

/** One circle of imports; empty if there is none. Modules that import none that are left are taken away until all are. */
function circleIn(texts: ReadonlyMap<string, string>): string[] {
  const left = importsIn(texts);
  const nextOf = (id: string) => left.get(id)?.find((each) => left.has(each));
  for (let before = Infinity; left.size < before; ) {
    before = left.size;
    for (const id of [...left.keys()]) if (nextOf(id) === undefined) left.delete(id);
  }
  const path: string[] = [];
  for (let id = [...left.keys()][0]; id !== undefined; id = nextOf(id)) {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    path.push(id);
  }
  return [];
}

test("no files import each other in a circle", () => {
  const names = readdirSync(`${ROOT}src`, { recursive: true, encoding: "utf8" }).filter((name) => /\.ts$/.test(name));
  const texts = new Map(names.map((name) => [name.slice(0, -3), readFileSync(`${ROOT}src/${name}`, "utf8")]));
  assert.ok([...importsIn(texts).values()].flat().length > 400);
  assert.deepEqual(circleIn(texts), []);
});

for (const line of [
  'import { a } from "../a.js";',
  'import type { A } from "../a.js";',
  'export { type A, a } from "../a.js";',
  'import "../a.js";',
  'const { a } = await import("../a.js");',
]) {
  test(`a planted circle is seen: ${line}`, () => {
    const texts = new Map([
      ["a", 'import { b } from "./room/b.js";\nimport { d } from "./d.js";'],
      ["room/b", 'import {\n  type C,\n  c,\n} from "./c.js";'],
      ["room/c", line],
      ["d", 'import { readFileSync } from "node:fs";'],
    ]);
    assert.deepEqual(circleIn(texts), ["a", "room/b", "room/c", "a"]);
    assert.deepEqual(circleIn(new Map([...texts, ["room/c", 'import { d } from "../d.js";']])), []);
  });
}
