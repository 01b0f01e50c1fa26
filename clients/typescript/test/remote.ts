/** Devices in Node for a test in another language: commands, one JSON a line, and what comes of each. */

import { existsSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileStore } from "../src/device/fileStore.js";
import { memoryStore, type Store } from "../src/device/store.js";
import { type Command, type Place, perform } from "./devices.js";

const stores = new Map<string, Store>();

/** A folder's store is made anew each time, as another process would. */
function storeOf(name: string): Store {
  if (name.includes("/")) return fileStore(name);
  const found = stores.get(name) ?? memoryStore();
  stores.set(name, found);
  return found;
}

const node: Place = {
  storeOf,
  exists: existsSync,
  wipe: (name) => rmSync(name, { recursive: true }),
  track: (wish) => void Object.assign(process.env, { DO_NOT_TRACK: wish }),
};

for await (const line of createInterface({ input: process.stdin })) {
  console.log(await perform(JSON.parse(line) as Command, node));
}
