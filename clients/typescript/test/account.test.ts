/** The account of a device: what it holds, how one stops, its words in every language; and rehearsals, which leave nothing. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { accountIn, withdrawIn } from "../src/device/account.js";
import { type Client, memoryStore, type Options, open } from "../src/device.js";
import { sentences } from "../src/label.js";
import type { Wording } from "../src/languages/language.js";
import { WORDS } from "../src/question/account.js";

const ENDPOINT = "https://collector.example";
const TIMES = { opens: null, closes: null } as { opens: string | null; closes: string | null };

function document(times = TIMES): string {
  const question = { kind: "one_of", name: "way", wording: "", labels: ["car", "bus"] };
  const spec = { version: 1, mechanism: "RandomizedResponse", domain: ["car", "bus"], epsilon: 1 };
  return JSON.stringify({
    ...{ version: 1, name: "commute", title: "", purpose: "", owner: "", contact: "", topic: "travel", cap: 2 },
    ...{
      period: "once",
      ...times,
      skew: 3600,
      grace: 172800,
      minimum: 50,
      keep: 7776000,
      mode: "asked",
      repeat: "once",
    },
    questions: [{ ...question, sensitive: null, blocks: null, prior: null, no_answer: null }],
    arms: [{ weight: 1, parts: [{ questions: ["way"], encoder: { kind: "label" }, spec }] }],
  });
}

async function answered(options: Partial<Options>): Promise<Client> {
  const client = await open({ endpoint: ENDPOINT, survey: document(), ...options });
  await client.consent().grant(sentences(client.survey));
  await client.answer({ way: "bus" });
  return client;
}

/** What is asked of the network meanwhile; nothing comes back. */
async function requestsOf(act: () => Promise<unknown>): Promise<string[]> {
  const [real, asked] = [globalThis.fetch, [] as string[]];
  globalThis.fetch = async (address) => {
    asked.push(`${address}`);
    throw new TypeError("no network");
  };
  await act().finally(() => {
    globalThis.fetch = real;
  });
  return asked;
}

test("an account holds nothing, then each answer and its cost, and who stops keeps what was spent", async () => {
  const store = memoryStore();
  assert.deepEqual(await accountIn(store), { parts: [], topics: new Map(), total: 0 });
  const { survey } = await answered({ store });
  const { parts, topics, total } = await accountIn(store);
  assert.deepEqual([...topics], [["travel", { spent: 1, cap: 2 }]]);
  assert.equal(total, 1);
  const [part, ...others] = parts;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [part?.survey, part?.title, part?.endpoint, part?.granted],
    [survey.digest, "commute", ENDPOINT, true],
  );
  assert.deepEqual(
    part?.receipts.map(({ state, bytes }) => [state, bytes.length]),
    [["waiting", 0]],
    "no bytes of a draw that could still be withdrawn",
  );
  const after = await withdrawIn(store, survey.digest);
  assert.deepEqual([after.parts[0]?.granted, after.parts[0]?.receipts[0]?.state, after.total], [false, "withdrawn", 1]);
});

test("an account shows what a survey is called; of answers of old, which do not know, its name", async () => {
  const store = memoryStore();
  await answered({ store, survey: document().replace('"title":""', '"title":"The way to work"') });
  const titles = async () => (await accountIn(store)).parts.map(({ title }) => title);
  assert.deepEqual(await titles(), ["The way to work"]);
  await store.update((entries) => {
    const [key = ""] = entries.keys("answer/");
    const { title, ...old } = JSON.parse(entries.get(key) ?? "");
    assert.equal(title, "The way to work");
    entries.put(key, JSON.stringify(old));
  });
  assert.deepEqual(await titles(), ["commute"]);
});

for (const [name, times] of Object.entries({
  "that is open": TIMES,
  "that has not begun": { opens: "2199-01-01T00:00:00Z", closes: null },
  "that is over": { opens: null, closes: "2001-01-01T00:00:00Z" },
})) {
  test(`a survey ${name} is rehearsed without a request, in a store of its own`, async () => {
    const store = memoryStore();
    const asked = await requestsOf(async () => {
      const client = await answered({ store, rehearse: true, survey: document(times) });
      assert.equal(client.rehearsed, true);
      assert.deepEqual(
        (await client.flush()).map(({ state, period }) => [state, period]),
        [["sent", "once"]],
      );
    });
    assert.deepEqual(asked, []);
    assert.deepEqual((await accountIn(store)).parts, []);
  });
}

test("what is not rehearsed is sent", async () => {
  const asked = await requestsOf(async () => {
    const client = await answered({ store: memoryStore() });
    assert.equal(client.rehearsed, false);
    assert.equal((await client.flush())[0]?.state, "waiting");
  });
  assert.equal(asked.length, 1);
});

test("the account says the same in every language, with the same places", () => {
  const places = (said: Wording) => [...new Set(`${said}`.match(/\{\w+(:\w+)?\}/g) ?? [])].sort();
  const [english, ...others] = Object.values(WORDS) as Record<string, Wording>[];
  assert.ok(english && others.length);
  for (const other of others) {
    assert.deepEqual(Object.keys(other), Object.keys(english));
    for (const [key, said] of Object.entries(english)) assert.deepEqual(places(other[key] ?? ""), places(said), key);
  }
});
