// Writes src/sentences: a module for each language of wire/sentences, of whose sections an app loads those that it says.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const wire = `${root}../../wire/sentences/`;

mkdirSync(`${root}src/sentences`, { recursive: true });
for (const name of readdirSync(wire).filter((each) => each.endsWith(".json"))) {
  const sections = Object.entries(JSON.parse(readFileSync(`${wire}${name}`, "utf8")));
  const lines = sections.map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`);
  const text = `/** Written by scripts/sentences.js from wire/sentences/${name}. */\n\n${lines.join("\n")}\n`;
  const file = `${root}src/sentences/${name.replace(".json", ".ts")}`;
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}
