/** An answer that is handed over to a form: drawn once, charged once, and the same to the byte from then on. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Client } from "../src/device/client.js";
import { fileStore } from "../src/device/fileStore.js";
import { open } from "../src/device/open.js";
import { RespondentStore } from "../src/device/respondents.js";
import { memoryStore, type Store } from "../src/device/store.js";
import { checkAnswerBytes } from "../src/reports.js";
import { ID, writeDeclined, writeField } from "../src/surveys/fieldValue.js";
import { documents, vectors } from "./vectors.js";

const [FIRST] = vectors<{ document: string }>("fields.json", "good");
const TEXT = FIRST?.document as string;
const GIVEN = { late: "yes" };
const SENT = (documents().get("one question") ?? "").replace(/"closes":"[^"]*"/, '"closes":null');
const MANY = 40;

/** A client that somebody agreed to. */
async function agreed(store: Store): Promise<Client> {
  const client = await open({ survey: TEXT, store });
  await client.consent().grant((await client.facts()).sentences);
  return client;
}

/** How many values a store gives to those who ask again and again, at once and later, by clients of their own. */
async function valuesOf(store: Store): Promise<number> {
  const client = await agreed(store);
  const others = await Promise.all(Array.from({ length: 4 }, () => open({ survey: TEXT, store })));
  const asked = [client, ...others].flatMap((each) => [each.handOver(GIVEN), each.handOver({ late: "no" })]);
  const values = await Promise.all(asked);
  for (let k = 0; k < 5; k++) values.push(await client.handOver({ late: k % 2 ? "yes" : "no" }));
  return new Set(values).size;
}

for (const [name, made] of [
  ["memory", (_: string) => memoryStore()],
  ["files", (folder: string) => fileStore(folder)],
] as const) {
  test(`one value is handed over, whatever is answered and whoever asks at once: ${name}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "deniable-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const store = made(join(folder, "store"));
    assert.equal(await valuesOf(store), 1);
    const client = await open({ survey: TEXT, store });
    const [receipt, more] = await client.receipts();
    assert.deepEqual([receipt?.state, receipt?.charge, more], ["handed over", client.survey.charge, undefined]);
    assert.equal((await client.spent()).total, client.survey.charge);
    const bytes = receipt?.bytes as Uint8Array;
    checkAnswerBytes(client.survey, bytes.subarray(ID));
    const value = writeField(client.survey.digest, bytes.subarray(0, ID), bytes.subarray(ID));
    assert.equal(await client.handOver(GIVEN), value);
    assert.deepEqual(await client.flush(), [receipt]);
  });
}

test("who draws again is caught", async () => {
  const store = memoryStore();
  const forgetful: Store = {
    update: (work) =>
      store.update((entries) =>
        work({
          ...{ get: (key) => entries.get(key), drop: (key) => entries.drop(key), keys: (begin) => entries.keys(begin) },
          put: (key, text) => /^(answer|topic)/.test(key) || entries.put(key, text),
        }),
      ),
  };
  assert.ok((await valuesOf(forgetful)) > 1);
});

test("each device draws by itself", async () => {
  const values = await Promise.all(
    Array.from({ length: MANY }, async () => (await agreed(memoryStore())).handOver(GIVEN)),
  );
  assert.equal(new Set(values).size, MANY);
});

test("nothing is drawn before consent, and nothing again once it is withdrawn", async () => {
  const store = memoryStore();
  const before = await open({ survey: TEXT, store });
  await assert.rejects(before.handOver(GIVEN), { name: "ConsentError", message: /must follow consent/ });
  assert.equal(await before.declined(), writeDeclined(before.survey.digest));
  assert.deepEqual(await before.receipts(), []);
  const client = await agreed(store);
  await client.handOver(GIVEN);
  await client.consent().withdraw();
  await assert.rejects(client.handOver(GIVEN), { name: "ConsentError", message: /must follow consent/ });
  const [receipt] = await client.receipts();
  assert.deepEqual([receipt?.state, receipt?.bytes.length], ["withdrawn", 0]);
  await client.consent().grant((await client.facts()).sentences);
  await assert.rejects(client.handOver(GIVEN), { name: "ConsentError", message: /was withdrawn after that/ });
  assert.equal((await client.spent()).total, client.survey.charge);
});

test("the ledger stops it before anything is drawn, and so does a store that keeps nothing", async () => {
  const capped = await open({ survey: TEXT, store: memoryStore(), totalCap: 0.1 });
  await capped.consent().grant((await capped.facts()).sentences);
  await assert.rejects(capped.handOver(GIVEN), { name: "BudgetError" });
  assert.deepEqual(await capped.receipts(), []);
  const store = memoryStore();
  const client = await agreed(store);
  store.update = async () => {
    throw new Error("full");
  };
  await assert.rejects(client.handOver(GIVEN), { message: "full" });
});

/** A survey like the one above, with other fields. */
const withFields = (fields: object) => JSON.stringify({ ...JSON.parse(TEXT), ...fields });

/** A client of somebody whom the page tells apart, and who agreed. */
async function named(store: Store, respondent?: string, survey = TEXT): Promise<Client> {
  const client = await open({ survey, store: new RespondentStore(store, respondent) });
  await client.consent().grant((await client.facts()).sentences);
  return client;
}

test("one respondent answers and keeps what is theirs, and another is refused until they say that it was them", async () => {
  const store = memoryStore();
  const { digest, charge } = (await named(store)).survey;
  const value = await (await named(store, "a")).handOver(GIVEN);
  assert.equal(await (await named(store, "a")).handOver({ late: "no" }), value);
  assert.equal(await new RespondentStore(store, "a").isTaken(digest), false);
  for (const other of ["b", undefined]) {
    const client = await named(store, other);
    await assert.rejects(client.handOver(GIVEN), { name: "ParameterError", message: /for one respondent/ });
    assert.deepEqual(await client.receipts(), []);
    const own = new RespondentStore(store, other);
    assert.equal(await own.isTaken(digest), true);
    await own.join(digest);
    assert.deepEqual([await own.isTaken(digest), await client.handOver(GIVEN)], [false, value]);
    assert.equal((await client.spent()).total, charge);
  }
  await (await named(store, "b")).consent().withdraw();
  await assert.rejects((await named(store, "a")).handOver(GIVEN), { message: /was withdrawn after that/ });
});

test("on a kiosk each respondent has a turn", async () => {
  const [store, survey] = [memoryStore(), withFields({ kiosk: true })];
  const values = [];
  for (const who of ["a", "b", "a"]) values.push(await (await named(store, who, survey)).handOver(GIVEN));
  assert.equal(values[0], values[2]);
  assert.notEqual(values[0], values[1]);
  const client = await named(store, "b", survey);
  assert.equal((await client.spent()).total, client.survey.charge);
});

test("a topic is its owner's, and nothing counts as sent", async () => {
  const store = memoryStore();
  for (const owner of ["council", "", "union"]) {
    const client = await named(store, undefined, withFields({ owner }));
    await client.handOver(GIVEN);
    await client.consent().withdraw();
    assert.equal((await client.receipts())[0]?.reason, "");
  }
  const { topics } = await (await named(store)).spent();
  assert.deepEqual(Object.keys(topics).sort(), ["late", "late (council)", "late (union)"]);
});

test("what is sent and what is handed over are not mixed up", async () => {
  const endpoint = "http://localhost:1";
  const store = memoryStore();
  await assert.rejects((await agreed(store)).answer(GIVEN), { name: "ParameterError", message: /must be handed over/ });
  for (const options of [{ survey: TEXT, endpoint }, { survey: SENT }]) {
    await assert.rejects(open(options), {
      name: "ParameterError",
      message: /^endpoint must be given but for a survey/,
    });
  }
  await assert.rejects(open({ survey: "0".repeat(64) }), { name: "ParameterError", message: /must be its text/ });
  const sent = await open({ survey: SENT, endpoint, store });
  for (const asked of [sent.handOver({ way: "bus" }), sent.declined()]) {
    await assert.rejects(asked, { name: "ParameterError", message: /use answer/ });
  }
});
