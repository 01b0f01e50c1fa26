/** A store in files: durable, of its owner alone, and exact however many change it at once. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { fileStore } from "../src/device/fileStore.js";
import type { Entries, Store } from "../src/device/store.js";
import { StoreError } from "../src/errors.js";

const FILLING = fileURLToPath(new URL("filling.js", import.meta.url));

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "device-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "store");
}

/** One step more, as the store counts them. */
function count(entries: Entries): number {
  const counted = Number(entries.get("count") ?? 0) + 1;
  entries.put("count", `${counted}`);
  return counted;
}

const counted = (store: Store) => store.update((entries) => entries.get("count"));

/** Before or after the next call of this name, do this once. */
function around(t: TestContext, when: "before" | "after", name: "openSync" | "linkSync", act: () => void): void {
  const own = fs[name] as (...given: unknown[]) => unknown;
  const replace = (by: unknown) => {
    Object.assign(fs, { [name]: by });
    syncBuiltinESMExports();
  };
  t.after(() => replace(own));
  replace((...given: unknown[]) => {
    replace(own);
    if (when === "before") act();
    const result = own(...given);
    if (when === "after") act();
    return result;
  });
}

/** A draft is made by opening it, and then linked. Once others have committed twice, the name is free again. */
const MOMENTS = [["before", "openSync"], ["before", "linkSync"], ["after", "linkSync"]] as const; // biome-ignore format: a list

for (const [when, name] of MOMENTS) {
  for (const others of [1, 2, 3]) {
    test(`${others} that commit ${when} ${name} do not undo a step, nor do it twice`, async (t) => {
      const folder = folderOf(t);
      const [store, other] = [fileStore(folder), fileStore(folder)];
      await store.update(count);
      around(t, when, name, () => {
        for (let k = 0; k < others; k++) void other.update(count);
      });
      assert.equal(await store.update(count), when === "before" ? others + 2 : 2);
      assert.equal(await counted(other), `${others + 2}`);
      assert.equal(await other.update(count), others + 3);
      assert.equal(readdirSync(folder).length, 1);
    });
  }
}

test("a draft that another one removed is written again", async (t) => {
  const folder = folderOf(t);
  const store = fileStore(folder);
  await store.update(count);
  around(t, "before", "linkSync", () => {
    for (const name of readdirSync(folder)) if (name.endsWith(".new")) rmSync(join(folder, name));
  });
  assert.equal(await store.update(count), 2);
});

test("a step that throws or changes nothing leaves nothing behind", async (t) => {
  const folder = folderOf(t);
  const store = fileStore(folder);
  assert.equal(await counted(store), undefined);
  const broken = (entries: Entries) => {
    count(entries);
    throw new RangeError("on purpose");
  };
  await assert.rejects(store.update(broken), RangeError);
  assert.ok(!fs.existsSync(folder));
  await store.update(count);
  const before = readdirSync(folder);
  await assert.rejects(store.update(broken), RangeError);
  assert.equal(await counted(store), "1");
  assert.deepEqual(readdirSync(folder), before);
});

test("only its owner can read the store, and what was replaced is gone", async (t) => {
  const folder = folderOf(t);
  const store = fileStore(folder);
  await store.update((entries) => entries.put("a", "a secret"));
  await store.update((entries) => entries.put("a", ""));
  const [name = "", ...more] = readdirSync(folder);
  assert.deepEqual([name, more], ["00000002", []]);
  assert.ok(!readFileSync(join(folder, name), "utf8").includes("secret"));
  assert.equal(statSync(folder).mode & 0o077, 0);
  assert.equal(statSync(join(folder, name)).mode & 0o077, 0);
});

test("a change of folder opens no second ledger", async (t) => {
  const folder = folderOf(t);
  const home = process.cwd();
  t.after(() => process.chdir(home));
  process.chdir(join(folder, ".."));
  const store = fileStore("store");
  await store.update(count);
  process.chdir(home);
  assert.equal(await store.update(count), 2);
});

test("what is no store, or one of a newer client, is refused and not shown", async (t) => {
  const folder = folderOf(t);
  const store = fileStore(folder);
  await store.update(count);
  for (const text of ["a secret that is no JSON", "", "null", '{"version":1}']) {
    writeFileSync(join(folder, "00000002"), text);
    const error = await store.update(count).then(
      () => new Error("taken"),
      (error: Error) => error,
    );
    assert.ok(error instanceof StoreError && /^the store must/.test(error.message), `${error}`);
    assert.ok(!error.message.includes("secret"));
  }
  writeFileSync(join(folder, "00000002"), '{"version":7}');
  await assert.rejects(store.update(count), /must be of version 1, got version 7/);
  await assert.rejects(fileStore("/dev/null/store").update(count), /^StoreError: the store must be a folder that can/);
});

test("a disk that takes only a part of a step keeps the one before", async (t) => {
  const folder = folderOf(t);
  await fileStore(folder).update(count);
  const before = readdirSync(folder);
  // a file that may not grow any further is written as to a disk that is nearly full: a part, and then an error
  const limited = ["-c", 'ulimit -f 16 && exec "$0" "$@"', process.execPath];
  const { stdout } = spawnSync("sh", [...limited, FILLING, folder, "100000", "10"], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(stdout), [
    `the store must be a folder that can be written, got EFBIG at ${folder}`,
    "taken",
  ]);
  assert.equal(await counted(fileStore(folder)), "1");
  assert.equal(readdirSync(folder).length, before.length);
});
