// Builds build/page, what collectors serve: deniable.js, which defines the elements and asks for consent, and the modules
// that it loads when they are needed; and field.js, one file for somebody else's form. Each module has its hash in its name; deniable.js holds the hashes of those that most
// surveys need and of the table with all others, and runs none without comparing. So its own hash, which pages name, covers
// every byte that may run.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { LATE, placesOf, wholeOf } from "./together.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = resolve(root, "src");
const out = resolve(root, "build/page");
/** What is loaded first after consent; the other modules take from it what it has, so nothing is loaded twice. */
const SHARED = "question/mount";
/** Facts and outcomes, for which apps alone ask a client: no page loads them. */
const OF_APPS = "label";
/** The methods for which apps alone ask, with their bodies: pages leave them out. */
const METHODS = /\n {2}(?:async |get )?(?:facts|outcomes|spent|privatize|digest)\([\s\S]*?\n {2}\}\n/g;
const OF_METHODS = ["device/client", "mechanisms/mechanism"];
/**
 * Files of what is loaded together, so that no survey asks for many: `apart` are parts of the shared module, which are there
 * before a document that names such things is read, see surveys/partLoader.ts; the shared module calls their functions by way
 * of what has been loaded. `late` are modules that are imported when they are needed.
 */
const TOGETHER = {
  "surveys/often": {
    apart: [
      "surveys/grid",
      "surveys/points",
      "question/numberField",
      "surveys/checklists",
      "question/checkboxes",
      "mechanisms/sets",
    ],
    late: ["mechanisms/lists"],
  },
  "surveys/seldom": {
    apart: [
      "question/nextPeriod",
      "question/dropdown",
      "surveys/calendar",
      "objectLabels",
      "question/textField",
      "surveys/translationChecks",
      "surveys/pairs",
      "surveys/paths",
      "question/screens",
    ],
    late: ["mechanisms/hashed", "mechanisms/channels", "mechanisms/manyLabels", "device/kiosk", "question/kiosk"],
  },
  "surveys/rare": {
    apart: ["surveys/protection"],
    late: [
      "mechanisms/blocks",
      "mechanisms/highLow",
      "mechanisms/itemResponse",
      "mechanisms/cyclic",
      "mechanisms/distance",
    ],
  },
  "surveys/field": { apart: ["surveys/fieldCarrier"], late: ["device/handingOver"] },
  "surveys/mixed": {
    apart: ["surveys/crowd", "surveys/crowdStatements"],
    late: ["device/sealing", "question/mixed"],
  },
  "device/rounds": { apart: [], late: ["mechanisms/remembered", "device/permanentReports"] },
};
/** What pages have in another way: SHA-256, by the browser. */
const UNUSED = "sha256";
const APART = [...Object.values(TOGETHER).flatMap(({ apart }) => apart), UNUSED];
const PLACES = placesOf(Object.fromEntries(Object.entries(TOGETHER).map(([file, { late }]) => [file, late])));
/** What no survey in somebody else's form needs: its file has nothing in their place. */
const OF_COLLECTORS = [
  OF_APPS,
  "device/failures",
  "device/permanentReports",
  "mechanisms/remembered",
  "question/kiosk",
  "surveys/crowd",
  "surveys/crowdStatements",
  "device/sealing",
  "question/mixed",
];
/** What no collector's page loads. */
const GUEST = "surveys/field";
/** What few surveys name. */
const MIXED = "surveys/mixed";
/** Modules of which deniable.js itself has the hashes. */
const OFTEN = [
  "question/mount",
  "languages/englishPage",
  "languages/germanPage",
  ...Object.keys(TOGETHER).filter((id) => ![GUEST, MIXED].includes(id)),
];
/** Of these nothing is copied: errors are told apart by their classes, and there is one device. */
const ONCE = ["errors", SHARED];
/** Small pieces of which each module has its own copy of what it needs, so that the shared one holds no more than that. */
const COPIED = [
  "draws",
  "odds",
  "layouts",
  "fractions",
  "numberFormats",
  "randomWords",
  "privacy/levels",
  "mechanisms/fits",
];
const NAMED = /\b(?:import|export)\s+(?!type\b)\{([^}]*)\}\s+from\s+"(\.[^"]+)\.js"/g;
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

/** Those that some modules run, but for the parts that are apart. */
function closureOf(ids, apart = []) {
  return reached(ids, (each) =>
    importsOf(each).flatMap(({ id, names }) => (names.length && !apart.includes(id) ? [id] : [])),
  );
}

/** The modules that one loads later. */
function lateOf(id) {
  return [...closureOf([id])].flatMap((each) => [...textOf(each).matchAll(LATE)].map(([, path]) => idOf(each, path)));
}

/** What some modules import from others: module and name of each. */
function keysOf(ids) {
  return ids.flatMap((id) => importsOf(id).flatMap(({ id: of, names }) => names.map((name) => `${of}#${name}`)));
}

/** What the late modules take from the shared one, as far as that runs it itself: places in a list by module and name. */
function takenFrom(shared, others) {
  const used = new Set(keysOf([...shared]));
  const own = [...closureOf(others)].filter((id) => !shared.has(id));
  const keys = keysOf(own).filter((key) => {
    const id = key.split("#")[0];
    return shared.has(id) && (used.has(key) || ONCE.includes(id));
  });
  return new Map([...new Set(keys)].sort().map((key, place) => [key, place]));
}

/** Finds what has been loaded; see src/pageLoader.ts. */
const KNOWN = `export const known = (id) => globalThis[Symbol.for("deniable.late")].known[id];`;

/** The functions that the shared module calls of a part that is apart. */
function calledOf(shared, part) {
  const keys = new Set(keysOf([...shared]).filter((key) => key.startsWith(`${part}#`)));
  const names = [...keys].map((key) => key.split("#")[1]);
  const strange = names.find(
    (name) => !new RegExp(`export (function ${name}\\b|const ${name}: Family\\b)`).test(textOf(part)),
  );
  if (strange) throw new Error(`what is loaded later must be functions, got ${strange} of ${part}`);
  return names;
}

/** They, by way of what has been loaded, where they have short names: that of the part, and a place. */
function forwarded(shared, part) {
  if (part === UNUSED) return "export const digest = undefined;";
  const [group] = Object.entries(TOGETHER).find(([, { apart }]) => apart.includes(part));
  const lines = calledOf(shared, part).map(
    (name, place) =>
      `export const ${name} = (...given) => known(${JSON.stringify(group)}).${shortOf(part, place)}(...given);`,
  );
  return [`import { known } from "known";`, ...lines].join("\n");
}

function shortOf(part, place) {
  return `${String.fromCharCode(97 + APART.indexOf(part))}${place}`;
}

/**
 * Late imports become those that compare hashes; messages go; what is shared comes from the shared module's `file`, and in
 * that module itself what is `apart` from what has been loaded.
 */
function pages({ taken = new Map(), file = "", apart = new Map() }) {
  const shared = new Set([...taken.keys()].map((key) => key.split("#")[0]));
  const late = (importer, path) => {
    const id = idOf(importer, path);
    return `globalThis[Symbol.for("deniable.late")](${(PLACES.get(id) ?? [id]).map((each) => JSON.stringify(each))})`;
  };
  return {
    name: "pages",
    setup(building) {
      building.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const id = relative(source, resolve(resolveDir, path)).replace(/\.js$/, "");
        if (file && path === file) return { path, external: true };
        if (apart.has(id)) return { path: id, namespace: "apart" };
        return file && shared.has(id) ? { path: id, namespace: "shared" } : undefined;
      });
      building.onLoad({ filter: /.*/, namespace: "apart" }, ({ path }) => ({ contents: apart.get(path) }));
      building.onResolve({ filter: /^known$/ }, ({ path }) => ({ path, namespace: "known" }));
      building.onLoad({ filter: /.*/, namespace: "known" }, () => ({ contents: KNOWN }));
      building.onResolve({ filter: /^copy:/ }, ({ path }) => ({ path: `${source}/${path.slice(5)}.ts` }));
      building.onLoad({ filter: /.*/, namespace: "shared" }, ({ path }) => {
        const lines = [...taken].filter(([key]) => key.startsWith(`${path}#`));
        const handed = lines.map(([key, place]) => `export const ${key.split("#")[1]} = /* @__PURE__ */ $(${place});`);
        return {
          contents: [`import { $ } from "${file}";`, ...handed, `export * from "copy:${path}";`].join("\n"),
          resolveDir: source,
        };
      });
      building.onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path }) => {
        const id = relative(source, path).replace(/\.ts$/, "");
        return { contents: leanOf(id).replace(LATE, (_, to) => late(id, to)), loader: "ts" };
      });
    },
  };
}

/** A module without what is for who develops, or for apps alone. */
function leanOf(id) {
  return textOf(id)
    .replace(MESSAGE, "new $1()")
    .replace(OF_METHODS.includes(id) ? METHODS : /$^/, "\n");
}

/** All in one file, late imports too. */
const inOneFile = {
  name: "one file",
  setup(building) {
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const id = relative(source, path).replace(/\.ts$/, "");
      return { contents: OF_COLLECTORS.includes(id) ? "" : leanOf(id), loader: "ts" };
    });
  },
};

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

/** Write a module under a name with the first digits of its hash, as src/pageLoader.ts makes it. */
function kept(id, text) {
  const hash = createHash("sha256").update(text).digest("base64");
  const name = `deniable-${id.split("/").join("-")}-${hash.slice(0, 8).replace(/[+/]/g, "_")}.js`;
  writeFileSync(`${out}/${name}`, text);
  return name;
}

/** Build all files of pages, beside the stylesheet, and say the integrity of each. */
export async function buildPage() {
  mkdirSync(out, { recursive: true });
  const shared = new Set([...closureOf([SHARED], APART)].filter((id) => !COPIED.includes(id)));
  const others = [...reached(lateOf("element"), lateOf)].filter((id) => id !== SHARED && id !== OF_APPS).sort();
  const taken = takenFrom(shared, [...others, ...APART]);
  const apart = new Map(APART.map((part) => [part, forwarded(shared, part)]));
  const handed = [...taken].map(
    ([key, place]) => `import { ${key.split("#")[1]} as $${place} } from "./${key.split("#")[0]}.js";`,
  );
  const list = `const handed = [${[...taken.values()].map((place) => `$${place}`)}]; export const $ = (place) => handed[place];`;
  const whole = (id) => `export * from "./${id}.js";`;
  const files = {
    [SHARED]: kept(SHARED, await minified([whole(SHARED), ...handed, list].join("\n"), pages({ apart }))),
  };
  const from = pages({ taken, file: `./${files[SHARED]}` });
  for (const id of others.filter((each) => !PLACES.has(each))) files[id] = kept(id, await minified(whole(id), from));
  for (const [id, { apart, late }] of Object.entries(TOGETHER)) {
    const named = apart.map((part) => {
      const names = calledOf(shared, part).map((name, place) => `${name} as ${shortOf(part, place)}`);
      return `export { ${names.join(", ")} } from "./${part}.js";`;
    });
    files[id] = kept(id, await minified([...named, wholeOf(late, "./")].join("\n"), from));
  }
  writeFileSync(`${out}/field.js`, await minified(`import "./field.js";`, inOneFile));
  await writeEntry(Object.fromEntries(Object.entries(files).map(([id, name]) => [id, hashOf(name)])));
  const names = readdirSync(out).filter((name) => /\.(js|css)$/.test(name));
  const integrity = Object.fromEntries(names.sort().map((name) => [name, `sha384-${hashOf(name, "sha384")}`]));
  writeFileSync(`${out}/integrity.json`, `${JSON.stringify(integrity, null, 2)}\n`);
}

/** The file that pages name, which has the hashes of those modules that are needed often, and of the table of the others. */
async function writeEntry(modules) {
  const some = (often) => Object.fromEntries(Object.entries(modules).filter(([id]) => OFTEN.includes(id) === often));
  const table = kept("modules", `export const MODULES=${JSON.stringify(some(false))};\n`);
  const first = { ...some(true), modules: hashOf(table) };
  const entry = `import "./pageLoader.js"; import "./element.js";`;
  writeFileSync(`${out}/deniable.js`, await minified(entry, pages({}), { MODULES: JSON.stringify(first) }));
}
