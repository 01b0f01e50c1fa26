// Builds build/page, what collectors serve: deniable.js, which defines the elements and asks for consent, and the modules
// that it loads when they are needed. Each module has its hash in its name; deniable.js holds the hashes of them all and
// runs none without comparing, so its own hash, which pages name, covers every byte that may run.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = resolve(root, "src");
const out = resolve(root, "build/page");
/** What is loaded first after consent; the other modules take from it what it has, so nothing is loaded twice. */
const SHARED = "question/mount";
/** Facts and outcomes, for which apps alone ask a client: no page loads them. */
const OF_APPS = "label";
/** Small pieces of which each module has its own copy of what it needs, so that the shared one holds no more than that. */
const COPIED = [
  "draws",
  "odds",
  "layouts",
  "fractions",
  "numbers",
  "words",
  "privacy/levels",
  "mechanisms/fits",
  "sha256",
];
const NAMED = /\b(?:import|export)\s+(?!type\b)\{([^}]*)\}\s+from\s+"(\.[^"]+)\.js"/g;
const LATE = /\bimport\("(\.[^"]+)\.js"\)/g;
/** The messages of errors are for who develops: the package has them, and pages leave them out. */
const MESSAGE = /new (\w+Error)\(\s*(?:`[^`]*`|"[^"]*"),?\s*\)/g;

const textOf = (id) => readFileSync(`${source}/${id}.ts`, "utf8");
const idOf = (importer, path) => relative(source, resolve(source, dirname(importer), path));

/** The modules that one imports, with the names that it takes from each. */
function importsOf(id) {
  return [...textOf(id).matchAll(NAMED)].map(([, list, path]) => {
    const names = list.split(",").map((name) => name.trim().split(" as ")[0]);
    return { id: idOf(id, path), names: names.filter((name) => name && !name.startsWith("type ")) };
  });
}

/** All that is reached from some modules, themselves included. */
function reached(starts, next) {
  const found = new Set(starts);
  for (const id of found) for (const each of next(id)) found.add(each);
  return found;
}

function closureOf(id) {
  return reached([id], (each) => importsOf(each).flatMap(({ id, names }) => (names.length ? [id] : [])));
}

/** The modules that one loads later. */
function lateOf(id) {
  return [...closureOf(id)].flatMap((each) => [...textOf(each).matchAll(LATE)].map(([, path]) => idOf(each, path)));
}

/** What the late modules take from the shared one: short names by module and name. */
function takenFrom(shared, others) {
  const own = new Set(others.flatMap((id) => [...closureOf(id)].filter((each) => !shared.has(each))));
  const keys = [...own].flatMap((id) =>
    importsOf(id).flatMap(({ id: of, names }) => (shared.has(of) ? names.map((name) => `${of}#${name}`) : [])),
  );
  return new Map([...new Set(keys)].sort().map((key, place) => [key, `$${place.toString(36)}`]));
}

/** Late imports become those that compare hashes; messages go; what is shared comes from the shared module's file. */
function pages(taken = new Map(), file = "") {
  const shared = new Set([...taken.keys()].map((key) => key.split("#")[0]));
  const late = (importer, path) => `globalThis[Symbol.for("deniable.late")](${JSON.stringify(idOf(importer, path))})`;
  return {
    name: "pages",
    setup(building) {
      building.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const id = relative(source, resolve(resolveDir, path)).replace(/\.js$/, "");
        if (file && path === file) return { path, external: true };
        return file && shared.has(id) ? { path: id, namespace: "shared" } : undefined;
      });
      building.onLoad({ filter: /.*/, namespace: "shared" }, ({ path }) => {
        const lines = [...taken].filter(([key]) => key.startsWith(`${path}#`));
        return {
          contents: lines.map(([key, as]) => `export { ${as} as ${key.split("#")[1]} } from "${file}";`).join("\n"),
          resolveDir: source,
        };
      });
      building.onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path }) => {
        const id = relative(source, path).replace(/\.ts$/, "");
        const contents = textOf(id)
          .replace(LATE, (_, to) => late(id, to))
          .replace(MESSAGE, "new $1()");
        return { contents, loader: "ts" };
      });
    },
  };
}

async function minified(contents, plugin, define = {}) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    define,
    format: "esm",
    loader: { ".csv": "text" },
    minify: true,
    platform: "browser",
    plugins: [plugin],
    stdin: { contents, resolveDir: source },
    target: "es2022",
    write: false,
  });
  return outputFiles[0].text;
}

function hashOf(name, kind = "sha256") {
  return createHash(kind)
    .update(readFileSync(`${out}/${name}`))
    .digest("base64");
}

/** Write a module under a name with the first digits of its hash, as src/page.ts makes it. */
function kept(id, text) {
  const hash = createHash("sha256").update(text).digest("base64");
  const name = `deniable-${id.split("/").join("-")}-${hash.slice(0, 8).replace(/[+/]/g, "_")}.js`;
  writeFileSync(`${out}/${name}`, text);
  return name;
}

/** Build all files of pages, beside the stylesheet, and say the integrity of each. */
export async function buildPage() {
  mkdirSync(out, { recursive: true });
  const shared = new Set([...closureOf(SHARED)].filter((id) => !COPIED.includes(id)));
  const others = [...reached(lateOf("element"), lateOf)].filter((id) => id !== SHARED && id !== OF_APPS).sort();
  const taken = takenFrom(shared, others);
  const handed = [...taken].map(
    ([key, as]) => `export { ${key.split("#")[1]} as ${as} } from "./${key.split("#")[0]}.js";`,
  );
  const whole = (id) => `export * from "./${id}.js";`;
  const files = { [SHARED]: kept(SHARED, await minified([whole(SHARED), ...handed].join("\n"), pages())) };
  for (const id of others) files[id] = kept(id, await minified(whole(id), pages(taken, `./${files[SHARED]}`)));
  const modules = Object.fromEntries(Object.entries(files).map(([id, name]) => [id, hashOf(name)]));
  const entry = `import "./page.js"; import "./element.js";`;
  writeFileSync(`${out}/deniable.js`, await minified(entry, pages(), { MODULES: JSON.stringify(modules) }));
  const names = readdirSync(out).filter((name) => /\.(js|css)$/.test(name));
  const integrity = Object.fromEntries(names.sort().map((name) => [name, `sha384-${hashOf(name, "sha384")}`]));
  writeFileSync(`${out}/integrity.json`, `${JSON.stringify(integrity, null, 2)}\n`);
}
