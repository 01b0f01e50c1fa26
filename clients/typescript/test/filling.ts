/** Puts texts of the given sizes into a store, one after the other, and says of each what became of it. */

import { fileStore } from "../src/device/fileStore.js";

const [, , folder = "", ...sizes] = process.argv;
const store = fileStore(folder);
const found: string[] = [];
for (const size of sizes) {
  const step = store.update((entries) => entries.put("filling", "x".repeat(Number(size))));
  const said = step.then(
    () => "taken",
    (error: Error) => error.message,
  );
  found.push(await said);
}
console.log(JSON.stringify(found));
