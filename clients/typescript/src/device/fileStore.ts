/**
 * A store in files, for Node, which survives the process being killed at any point.
 *
 * Node has no lock of a file that dies with its process, so nobody locks: a step is committed by comparing and
 * swapping. Its folder holds one file, named by the number of steps so far. Who changes it writes the whole store into a
 * file of their own and links that to the next number. A link fails if its name is taken: then somebody was faster, and
 * the work is done again on theirs. It may be that others have been faster twice, and have removed that name already:
 * then a larger number is there, and its trail of steps does not name this one. Numbers only grow, as none is removed
 * before a larger one is on disk. The folder is the store's own, and so small that one system call lists it as it is
 * at one moment.
 */

import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { hex } from "../bytes.js";
import { DenialError, StoreError } from "../errors.js";
import { newId } from "../surveys/upload.js";
import { type Store, Texts } from "./store.js";

const VERSION = 1;
const NUMBER = /^\d{8,}$/;
/** How many steps the trail names: who was suspended for longer does its work again, on entries that hold it. */
const TRAIL = 256;
/** So often somebody else may be faster. */
const TRIES = 10_000;
/** Somebody was faster. */
const OVERTAKEN = ["EEXIST", "ENOENT"];

/** What a file holds. */
interface Version {
  readonly version: number;
  /** The ids of the last steps, this one's last. */
  readonly trail: readonly string[];
  readonly entries: Readonly<Record<string, string>>;
}

/** A store in a folder of its own, which only its owner can read, and which is made by the first step that writes. */
export function fileStore(path: string): Store {
  const folder = resolve(path); // the same one wherever the process goes later
  return {
    async update(work) {
      for (let tries = 0; tries < TRIES; tries++) {
        const number = guarded(folder, () => newest(folder));
        const before = guarded(folder, () => readVersion(folder, number));
        if (!before) continue;
        const entries = new Texts(new Map(Object.entries(before.entries)));
        const result = work(entries);
        if (!entries.changed.size || guarded(folder, () => commit(folder, number + 1, before, entries))) return result;
      }
      throw new StoreError("the store must be free at some moment, got none");
    },
  };
}

/** The number of the last step; 0 if there is none. */
function newest(folder: string): number {
  return Math.max(
    0,
    ...listed(folder)
      .filter((name) => NUMBER.test(name))
      .map(Number),
  );
}

/** What is stored under a number; undefined if there is a later one meanwhile. */
function readVersion(folder: string, number: number): Version | undefined {
  if (number === 0) return { version: VERSION, trail: [], entries: {} };
  const text = unless(OVERTAKEN, () => readFileSync(join(folder, nameOf(number)), "utf8"));
  if (text === undefined) return undefined;
  const version: Version = JSON.parse(text);
  if (version.version !== VERSION) {
    throw new StoreError(`the store must be of version ${VERSION}, got version ${version.version} at ${folder}`);
  }
  if (!version.trail || !version.entries) throw new TypeError("no trail or no entries");
  return version;
}

/** Make a step the one of this number, on disk; false if somebody else's is. */
function commit(folder: string, number: number, { trail }: Version, entries: Texts): boolean {
  const created = mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let own = folder; created && own.length >= created.length; own = dirname(own)) settle(dirname(own));
  const id = hex(newId());
  const own = join(folder, `${id}.new`);
  const content = { version: VERSION, trail: [...trail, id].slice(-TRAIL), entries: Object.fromEntries(entries.all()) };
  try {
    writeDown(own, JSON.stringify(content satisfies Version));
  } catch (error) {
    remove(own);
    throw error;
  }
  const linked = unless(OVERTAKEN, () => linkSync(own, join(folder, nameOf(number))) ?? true);
  const counts = linked === true && isIn(folder, number, id);
  if (counts) tidy(folder, number);
  else remove(own);
  return counts;
}

/** Whether a step that was linked to a number was the first of that number: the last one, or before the last one. */
function isIn(folder: string, number: number, id: string): boolean {
  for (;;) {
    const last = newest(folder);
    const counts = last === number || readVersion(folder, last)?.trail.includes(id);
    if (counts !== undefined) return counts;
  }
}

function writeDown(path: string, text: string): void {
  const bytes = new TextEncoder().encode(text);
  const file = openSync(path, "wx", 0o600);
  try {
    // a disk that is nearly full takes a part, and says only to the next call that it is full
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Put the folder on disk, and only then remove what came before, and drafts: whoever wrote one has been overtaken. */
function tidy(folder: string, last: number): void {
  settle(folder);
  for (const name of listed(folder)) {
    if (NUMBER.test(name) ? Number(name) < last : name.endsWith(".new")) remove(join(folder, name));
  }
}

/** Put the names in a folder on disk. */
function settle(folder: string): void {
  const directory = openSync(folder, "r");
  fsyncSync(directory);
  closeSync(directory);
}

function remove(path: string): void {
  unless(["ENOENT"], () => unlinkSync(path));
}

function listed(folder: string): string[] {
  return unless(["ENOENT"], () => readdirSync(folder)) ?? [];
}

function nameOf(number: number): string {
  return `${number}`.padStart(8, "0");
}

/** The result; undefined after a failure of one of these kinds. */
function unless<T>(kinds: readonly string[], act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (kinds.includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** The result; a failure says its kind alone, for the message of an error may quote what was stored. */
function guarded<T>(folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof DenialError) throw error;
    const { name, code = name } = error as NodeJS.ErrnoException;
    throw new StoreError(`the store must be a folder that can be written, got ${code} at ${folder}`);
  }
}
