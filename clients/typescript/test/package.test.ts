/** The package as it is installed: entries, sizes, types, source maps, speed, and the README's example. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { open } from "../src/device/open.js";
import { memoryStore } from "../src/device/store.js";
import { families } from "../src/families.js";
import { familiesOf } from "../src/mechanisms/familyLoader.js";
import { core } from "../src/mechanisms/registry.js";
import type { Answers } from "../src/surveys/answers.js";
import { documents, ROOT, vectors } from "./vectors.js";

const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));
const SECRETS = ["draws", "randomWords", "hashes", "layouts", "sha256", "mechanisms/cyclic", "mechanisms/hashed"];
/** Bytes after minification and gzip, of each file alone, of all that an app loads that imports no more than this. */
const BUDGETS: Record<string, number> = {
  'export { readSpec } from "deniable"': 5100,
  'export { readSpec } from "deniable"; export { families } from "deniable/families"': 18000,
  'export { readSurvey } from "deniable/survey"': 14200,
  'export { open, indexedDbStore } from "deniable/device"': 23800,
  'export * from "deniable/label"; export { families } from "deniable/families"; export * from "deniable/survey"': 36500,
  'export * from "deniable/crowd"': 3000,
};

/** An app's files as its bundler makes them, and the bytes of those that a browser loads at once. */
async function bundled(code: string) {
  const stdin = { contents: code, resolveDir: ROOT };
  const options = { stdin, bundle: true, splitting: true, minify: true, write: false, metafile: true } as const;
  const format = { format: "esm", target: "es2022", outdir: "size", absWorkingDir: ROOT, logLevel: "error" } as const;
  const { outputFiles, metafile } = await build({ ...options, ...format });
  const loaded = new Set(
    Object.keys(metafile.outputs).filter((name) => metafile.outputs[name]?.entryPoint === "<stdin>"),
  );
  for (const name of loaded) {
    for (const { kind, path } of metafile.outputs[name]?.imports ?? []) if (kind !== "dynamic-import") loaded.add(path);
  }
  const sizes = [...loaded].map((name) => outputFiles.find(({ path }) => path === `${ROOT}${name}`)?.contents);
  const size = sizes.reduce((sum, contents) => sum + gzipSync(contents as Uint8Array, { level: 9 }).length, 0);
  return { size, files: outputFiles.length };
}

for (const [code, most] of Object.entries(BUDGETS)) {
  test(`an app stays below ${most} bytes: ${code}`, async (t) => {
    const { size } = await bundled(code);
    t.diagnostic(`${size} bytes`);
    assert.ok(size <= most, `${size} bytes`);
  });
}

test("an app that opens surveys is few files, and the README says what a browser loads of them", async () => {
  const readme = readFileSync(`${ROOT}README.md`, "utf8");
  const told = (row: string) => Number(readme.match(new RegExp(`\\| ${row} [^|]*\\| ([\\d.]+) KB`))?.[1]);
  const rows = {
    "`readSpec`": 'export { readSpec } from "deniable"',
    "`readSurvey`": 'export { readSurvey } from "deniable/survey"',
    "`open` and `indexedDbStore`": 'export { open, indexedDbStore } from "deniable/device"',
  };
  for (const [row, code] of Object.entries(rows)) {
    const { size, files } = await bundled(code);
    assert.ok(files <= 8, `${files} files`);
    assert.ok(Math.abs(size / 1000 - told(row)) <= 0.1, `${row}: ${size} bytes, and the README says ${told(row)} KB`);
  }
  const page = [served("deniable.js"), served(pageOf("question-mount")) + served(pageOf("languages-englishPage"))];
  const [, before, behind] = readme.match(/\| `deniable\.js`[^|]*\| ([\d.]+) KB \| ([\d.]+) KB/) ?? [];
  for (const [size, figure] of [
    [page[0], before],
    [page[1], behind],
  ]) {
    assert.ok(Math.abs(Number(size) / 1000 - Number(figure)) <= 0.1, `${size} bytes, and the README says ${figure} KB`);
  }
});

const DOCUMENTS = documents();
/** Of every survey in wire/ that a device answers at once: its text, and one person's answers. */
const ALL = vectors<{ name: string; answers: unknown }>("surveys.json", "draws").map(
  ({ name, answers }) => [DOCUMENTS.get(name), answers] as const,
);
const MIXED = ALL.filter(([text]) => text?.includes('"crowd":'));
const SURVEYS = ALL.filter((each) => !MIXED.includes(each)).map(
  ([text, answers]) => [text?.replace(/"closes":"[^"]*"/, '"closes":null'), answers] as const,
);

test("what goes through a mixer is told, tried out, and opened only where it can be sealed", async () => {
  assert.ok(MIXED.length > 1);
  for (const [text = "", answers] of MIXED) {
    const survey = text.replaceAll('"2026-10-01', '"2999-10-01').replace('"2026-08-02', '"2999-08-02');
    await assert.rejects(open({ survey, mode: "asked", store: memoryStore() }), /^ParameterError: (a survey .*)?.*key/);
    const client = await open({ endpoint: "http://localhost:1", survey, rehearse: true });
    const { sentences } = await client.facts();
    assert.match(sentences.join(" "), /mixed order.*If North Hospital and .* put together what they have/);
    await client.consent().grant(sentences);
    await client.answer(answers as Answers);
    assert.equal((await client.flush())[0]?.state, "sent");
  }
});

test("a bundled app opens every survey, and loads a family when a survey names it", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "deniable-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const app = `import { memoryStore, open } from "deniable/device";
    for (const [survey, answers] of ${JSON.stringify(SURVEYS)}) {
      const sent = !survey.includes('"carrier"') && { endpoint: "http://localhost:1" };
      const client = await open({ ...sent, survey, mode: "asked", store: memoryStore() });
      await client.consent().grant((await client.facts()).sentences);
      await (sent ? client.answer(answers) : client.handOver(answers));
      console.log((await client.receipts())[0].state);
    }`;
  const options = { bundle: true, splitting: true, format: "esm", outdir: folder, absWorkingDir: ROOT } as const;
  await build({
    ...options,
    stdin: { contents: app, resolveDir: ROOT },
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
  });
  const { stdout, stderr } = spawnSync(process.execPath, [`${folder}/stdin.mjs`], { encoding: "utf8" });
  assert.equal(stderr, "");
  assert.deepEqual(
    stdout.trim().split("\n"),
    SURVEYS.map(([text]) => (text?.includes('"carrier"') ? "handed over" : "waiting")),
  );
});

test("every family beyond the core is loaded by its name, and no other", async () => {
  for (const name of Object.keys(families)) {
    const spec = { parts: [{ spec: { mechanism: name } }] };
    const loaded = await familiesOf(JSON.stringify(spec));
    assert.equal(loaded[name], families[name], name);
    assert.ok(Object.keys(loaded).length < Object.keys(families).length, name);
  }
  for (const text of ["", "{", '{"mechanism": 3}', '{"mechanism": "Nobody"}']) {
    assert.deepEqual(await familiesOf(text), core);
  }
});

test("a family is loaded in whatever way a document is written", async () => {
  const text = [...DOCUMENTS.values()].find((each) => each.includes('"mechanism":"Hadamard"')) ?? "";
  const survey = text.replaceAll('"mechanism":', '"mechani\\u0073m" : ');
  assert.notEqual(survey, text);
  const client = await open({ endpoint: "http://localhost:1", survey, mode: "asked", store: memoryStore() });
  assert.equal(client.survey.toJson(), text);
});

/** The size of a file of pages, as a collector sends it. */
function served(name: string): number {
  return gzipSync(readFileSync(`${ROOT}build/page/${name}`), { level: 9 }).length;
}

/** The file of a module of pages, which has its hash in its name. */
function pageOf(id: string): string {
  const found = readdirSync(`${ROOT}build/page`).filter((name) => name.startsWith(`deniable-${id}-`));
  assert.equal(found.length, 1, id);
  return found[0] as string;
}

/**
 * Bytes of what a page loads: before the choice, behind it, and more where a survey has sets, a checklist, a number, or what
 * few have; see docs/decisions/0010-the-typescript-package.md.
 */
const PAGE = {
  before: 3250,
  behind: 22650,
  more: {
    ...{ "surveys-often": 5250, "surveys-seldom": 12750, "surveys-rare": 9300, "device-rounds": 5650 },
    ...{ "question-elsewhere": 15900, "surveys-field": 1850, "surveys-mixed": 4750 }, // on pages of others, and in a crowd
  },
} as const;

test("a page loads little before the choice, and after it what the survey needs", (t) => {
  const before = served("deniable.js");
  const behind = served(pageOf("question-mount")) + served(pageOf("languages-englishPage"));
  t.diagnostic(`${before} bytes, then ${behind}`);
  assert.ok(before > 1000 && before <= PAGE.before, `${before} bytes before the choice`);
  assert.ok(behind <= PAGE.behind, `${behind} bytes behind it`);
  for (const [id, most] of Object.entries(PAGE.more)) assert.ok(served(pageOf(id)) <= most, id);
  assert.ok(served("deniable.css") <= 2400);
});

/** Bytes of the one file of a field in somebody else's form; road.md has 70 KB as the most. */
const FIELD = 61_500;

test("a form of others loads one file, which asks for nothing more", (t) => {
  const size = served("field.js");
  t.diagnostic(`${size} bytes`);
  assert.ok(size > 1000 && size <= FIELD, `${size} bytes`);
  const text = readFileSync(`${ROOT}build/page/field.js`, "utf8");
  assert.doesNotMatch(text, /\bimport[\s("'{*]|\bfrom"|XMLHttpRequest|@import|url\(/);
});

test("the table of polynomials is in one file of pages", () => {
  const [, polynomial = ""] = readFileSync(`${ROOT}../../wire/primitive.csv`, "utf8").split("\n");
  const files = readdirSync(`${ROOT}build/page`).filter((name) =>
    readFileSync(`${ROOT}build/page/${name}`, "utf8").includes(polynomial),
  );
  assert.equal(files.filter((name) => name !== "field.js").length, 1, `${files}`);
});

test("the file that pages name has the hash of every other, and runs none without comparing", () => {
  const integrity: Record<string, string> = JSON.parse(readFileSync(`${ROOT}build/page/integrity.json`, "utf8"));
  const entry = readFileSync(`${ROOT}build/page/deniable.js`, "utf8");
  const names = readdirSync(`${ROOT}build/page`).filter((name) => name !== "integrity.json");
  assert.deepEqual(Object.keys(integrity).sort(), names.sort());
  const table = pageOf("modules");
  const hashes = entry + readFileSync(`${ROOT}build/page/${table}`, "utf8");
  for (const name of names) {
    const bytes = readFileSync(`${ROOT}build/page/${name}`);
    assert.equal(integrity[name], `sha384-${createHash("sha384").update(bytes).digest("base64")}`);
    const own = createHash("sha256").update(bytes).digest("base64");
    if (name.startsWith("deniable-")) assert.ok((name === table ? entry : hashes).includes(own), name);
    assert.ok(!/\bimport\(["'`]/.test(`${bytes}`), `${name} loads only what is compared`);
    for (const [, from] of `${bytes}`.matchAll(/\bfrom"([^"]+)"/g)) assert.equal(from, `./${pageOf("question-mount")}`);
  }
});

test("every entry has its types first, and a source map", () => {
  for (const [name, entry] of Object.entries<Record<string, string>>(manifest.exports)) {
    if (name.endsWith(".css")) continue;
    assert.deepEqual(Object.keys(entry), ["types", "default"], name);
    for (const file of Object.values(entry)) assert.ok(existsSync(ROOT + file), file);
    assert.ok(existsSync(`${ROOT}${entry["default"]}.map`), name);
  }
});

test("nothing is installed with it, run at its installation, or done by importing it", () => {
  assert.equal(manifest.dependencies, undefined);
  const acting = [
    "./dist/element.js",
    "./dist/field.js",
    "./dist/pageLoader.js",
    "./dist/question.css",
    "./src/element.ts",
    "./src/field.ts",
    "./src/pageLoader.ts",
  ];
  assert.deepEqual(manifest.sideEffects, acting, "the element, which its importing defines, and the stylesheet");
  for (const script of ["preinstall", "install", "postinstall", "prepare"]) assert.ok(!(script in manifest.scripts));
  assert.ok(!/"resolved"/.test(readFileSync(`${ROOT}package-lock.json`, "utf8")));
});

test("importing every entry touches neither the network, nor storage, nor randomness", () => {
  const modules = Object.keys(manifest.exports).filter((name) => !name.endsWith(".css"));
  const entries = modules.map((name) => `deniable${name.slice(1)}`);
  const code = `for (const name of ["fetch", "crypto", "indexedDB", "localStorage"])
    Object.defineProperty(globalThis, name, { get() { throw new Error(name); } });
    for (const entry of ${JSON.stringify(entries)}) await import(entry);`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", code], { cwd: ROOT, encoding: "utf8" });
  assert.equal(run.stderr, "");
});

test("there is one source of randomness, one clock, one file for Node, and no seed", () => {
  const only = { "getRandomValues(": "randomWords.ts", "Date.now": "device/clock.ts", "node:": "device/fileStore.ts" };
  for (const file of sources()) {
    const text = readFileSync(file, "utf8");
    assert.ok(!/Math\.random|performance\.now|new Date\(\)/.test(text), file);
    for (const [name, home] of Object.entries(only)) {
      assert.equal(text.includes(name), file.endsWith(`/src/${home}`), `${name} in ${file}`);
    }
  }
});

test("between a value and its report all numbers are whole", () => {
  for (const name of SECRETS) {
    const code = readFileSync(`${ROOT}src/${name}.ts`, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    assert.ok(!/\b\d+\.\d|Math\.(exp|log|pow)/.test(code), name);
  }
});

test("the files are short", () => {
  for (const file of sources()) {
    const lines = readFileSync(file, "utf8").split("\n").length;
    assert.ok(lines <= 300, `${file}: ${lines} lines`);
  }
});

test("the README's examples run, one after the other", () => {
  const readme = readFileSync(`${ROOT}README.md`, "utf8");
  const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  for (const code of examples) assert.ok(code.trim().split("\n").length <= 24);
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", examples.join("")], {
    cwd: ROOT,
    encoding: "utf8",
  });
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stdout, /Whatever is sent could have come from any other answers/);
  assert.match(run.stdout, /^waiting { spent: 2, cap: 2 }$/m);
});

test("an app that answers about last week, as the page on it says", () => {
  const page = readFileSync(`${ROOT}../../docs/when-to-answer.md`, "utf8");
  const [, code = ""] = page.match(/```js\n([\s\S]*?)```/) ?? [];
  const days = ["2026-08-03", "2026-08-06", "2026-08-10", "2026-08-11", "2026-08-31"];
  const use = `const kept = new Map(), answers = [];
    const storage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };
    const client = { survey: { period: "week" }, answer: async (answer) => answers.push(answer.used), flush() {} };
    for (const [k, day] of ${JSON.stringify(days)}.entries()) {
      await atStart(client, storage, new Date(day));
      for (let times = 0; times < 2; times++) noteUse(client, storage, "feature " + k, new Date(day));
    }
    console.log(JSON.stringify(answers));`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", code + use], { cwd: ROOT, encoding: "utf8" });
  assert.equal(run.stderr, "");
  assert.deepEqual(JSON.parse(run.stdout), [["feature 0", "feature 1"], []]); // the third week's list was too old
});

function sources(): string[] {
  const names = readdirSync(`${ROOT}src`, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => `${ROOT}src/${name}`);
}
