// Writes src/sentences: a module for each language of wire/sentences, of whose sections an app loads those that it says.
// What the question says seldom stands apart, since most people never read it.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const wire = `${root}../../wire/sentences/`;

const SELDOM =
  /^(unloaded|insecure|declined|refused|unknown|cap|storage|untracked|rehears|details_rehearsed|over|text|too_long|strange|next_(again|calendar)|waiting_(door|code)|withdrawn_tried|elsewhere|forgotten|certain_part|skipping)/;

/** A section without the keys that are said seldom, or those alone. */
function partOf(section, seldom) {
  return Object.fromEntries(Object.entries(section).filter(([key]) => SELDOM.test(key) === seldom));
}

mkdirSync(`${root}src/sentences`, { recursive: true });
for (const name of readdirSync(wire).filter((each) => each.endsWith(".json"))) {
  const all = JSON.parse(readFileSync(`${wire}${name}`, "utf8"));
  const sections = { ...all, question: partOf(all.question, false), seldom: partOf(all.question, true) };
  const lines = Object.entries(sections).map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`);
  const text = `/** Written by scripts/sentences.js from wire/sentences/${name}. */\n\n${lines.join("\n")}\n`;
  const file = `${root}src/sentences/${name.replace(".json", ".ts")}`;
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}
