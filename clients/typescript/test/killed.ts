/**
 * A device that does one thing, and is killed before the given call to the file system: of a write, when half of it is
 * written. Its arguments: the store's folder, the endpoint, the survey's text, the number of the call (0 for none), what
 * to do. It begins when its input ends.
 */

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { fileStore } from "../src/device/fileStore.js";
import { open } from "../src/device/open.js";
import { families } from "../src/families.js";
import { sentences } from "../src/label.js";

const CALLS = [
  "mkdirSync", "readdirSync", "readFileSync", "openSync", "writeSync", "fsyncSync", "closeSync", "linkSync", "unlinkSync",
] as const; // biome-ignore format: a list of names

const [, , folder = "", endpoint = "", survey = "", steps = "", act = ""] = process.argv;
let left = Number(steps);

function kill(): void {
  process.kill(process.pid, "SIGKILL");
  for (;;); // until it is done
}

for (const name of CALLS) {
  const own = fs[name] as (...given: unknown[]) => unknown;
  const counted = (...given: unknown[]) => {
    if (--left === 0) {
      if (name === "writeSync") own(given[0], (given[1] as Uint8Array).subarray(0, 100));
      kill();
    }
    return own(...given);
  };
  Object.assign(fs, { [name]: counted });
}
syncBuiltinESMExports();

for await (const _ of process.stdin);
const client = await open({ endpoint, survey, families, store: fileStore(folder) });
if (act === "grant") await client.consent().grant(sentences(client.survey));
else if (act === "answer") await client.answer({ way: "bus" });
else await client.flush();
