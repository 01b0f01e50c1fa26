/** Devices that a test in another language steers, in Node or in a page: it sends commands and gets JSON. */

import type { Client } from "../src/device/client.js";
import { flushWhenPossible } from "../src/device/flushing.js";
import { type Options, open } from "../src/device/open.js";
import type { Store } from "../src/device/store.js";
import { families } from "../src/families.js";
import { sentences } from "../src/label.js";
import { hex } from "../src/sha256.js";

/** What a client is told to do; `open` makes it, with the store of a name. */
export interface Command {
  readonly client: string;
  readonly does: string;
  readonly given: readonly unknown[];
  readonly store: string;
}

const clients = new Map<string, Client>();

/** What comes of a command, or the error that it ends with, as JSON. */
export async function perform(command: Command, storeOf: (name: string) => Store): Promise<string> {
  try {
    return JSON.stringify({ value: (await done(command, storeOf)) ?? null }, written);
  } catch (error) {
    const { name, message } = error as Error;
    return JSON.stringify({ error: name, message });
  }
}

async function done({ client: name, does, given, store }: Command, storeOf: (name: string) => Store): Promise<unknown> {
  const [first] = given;
  if (does === "texts")
    return storeOf(store).update((entries) => entries.keys("").map((key) => [key, entries.get(key)]));
  if (does === "put") return storeOf(store).update((entries) => entries.put(first as string, given[1] as string));
  if (does === "open") {
    const client = await open({ families, ...(first as Options), ...(store && { store: storeOf(store) }) });
    clients.set(name, client);
    return { digest: client.survey.digest, sentences: sentences(client.survey), mode: client.mode };
  }
  return asked(clients.get(name) as Client, does, first);
}

async function asked(client: Client, does: string, first: unknown): Promise<unknown> {
  const actions: Record<string, () => unknown> = {
    at: () => void Object.assign(client, { now: () => first }),
    granted: () => client.consent().granted(),
    grant: () => client.consent().grant(first as string[]),
    withdraw: () => client.consent().withdraw(),
    answer: () => client.answer(first as Record<string, unknown>),
    answers: () => Promise.all((first as Record<string, unknown>[]).map((each) => client.answer(each))),
    flush: () => client.flush(),
    flushes: () => Promise.all(Array.from({ length: first as number }, () => client.flush())),
    receipts: () => client.receipts(),
    spent: () => client.spent(),
    facts: () => client.facts(),
    outcomes: () => client.outcomes(first as Record<string, unknown>),
    watch: () => void flushWhenPossible(client),
  };
  return actions[does]?.();
}

function written(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return hex(value);
  return typeof value === "bigint" ? `${value}` : value;
}
