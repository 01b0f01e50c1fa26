// Writes src/wire, what the package takes from wire/: the table of polynomials, and a module for each language of
// wire/sentences, of whose sections an app loads those that it says.
// What the question says seldom stands apart, since most people never read it.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const wire = `${root}../../wire/`;

const SELDOM =
  /^(unloaded|insecure|declined|refused|unknown|cap|storage|untracked|uninvited|rehears|details_rehearsed|over|waiting_(door|code)|withdrawn_tried)/;

/** A section without the keys that are said seldom, or those alone. */
function partOf(section, seldom) {
  return Object.fromEntries(Object.entries(section).filter(([key]) => SELDOM.test(key) === seldom));
}

/** What a receipt in a crowd says of both levels, in the words that every face has for them. */
const LEVELS = /^(during_|crowd_hints|clue_)/;

/** A file of a language. */
function read(language, name) {
  return JSON.parse(readFileSync(`${wire}sentences/${language}/${name}.json`, "utf8"));
}

/** Write a file, unless it is there: then nothing that was made of it is out of date. */
function write(name, text) {
  const file = `${root}src/wire/${name}`;
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

mkdirSync(`${root}src/wire`, { recursive: true });
const minified = (name) =>
  transformSync(readFileSync(`${root}src/${name}.css`, "utf8"), { loader: "css", minify: true }).code;
/** On pages of others a rem is what they make of it. */
const inPixels = (style) => style.replace(/([\d.]+)rem/g, (_, size) => `${16 * Number(size)}px`);
const styles = ["question", "guest"].map(
  (name) => `export const ${name} = ${JSON.stringify(inPixels(minified(name)))};\n`,
);
write("styles.ts", `/** Written by scripts/wire.js from src/question.css and src/guest.css. */\n\n${styles.join("")}`);
write("primitive.csv", readFileSync(`${wire}primitive.csv`, "utf8"));
for (const language of readdirSync(`${wire}sentences`)) {
  const { code, direction, point, group, percent } = read(language, "language");
  const { question, ...element } = read(language, "element");
  const levels = Object.entries({ ...read(language, "label"), ...read(language, "protection") });
  const crowd = { ...element.crowd, ...Object.fromEntries(levels.filter(([key]) => LEVELS.test(key))) };
  const asked = { ...element, crowd, question: partOf(question, false) };
  const often = { code, direction, point, group, percent, label: read(language, "label"), ...asked };
  for (const [name, sections] of Object.entries({ "": often, Seldom: { seldom: partOf(question, true) } })) {
    const lines = Object.entries(sections).map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`);
    const text = `/** Written by scripts/wire.js from wire/sentences/${language}. */\n\n${lines.join("\n")}\n`;
    write(`${language}${name}.ts`, text);
  }
}
