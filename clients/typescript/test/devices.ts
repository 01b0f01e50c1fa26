/**
 * Devices that a test in another language steers, in Node or in a page: it sends commands and gets JSON. The commands are
 * those of tests/clients/conduct/devices.py.
 */

import { hex } from "../src/bytes.js";
import { type Client, flushWhenPossible } from "../src/device/client.js";
import { type Options, open } from "../src/device/open.js";
import type { Store } from "../src/device/store.js";
import { StoreError } from "../src/errors.js";
import { families } from "../src/families.js";
import { sentences } from "../src/label.js";

/** What a client is told to do; `open` makes it, with the store of a name. */
export interface Command {
  readonly client: string;
  readonly does: string;
  readonly given: readonly unknown[];
  readonly store: string;
}

/** Where devices are: in Node or in a page. */
export interface Place {
  readonly storeOf: (name: string) => Store;
  /** Whether there is a store of that name, be it empty. */
  readonly exists: (name: string) => unknown;
  readonly wipe: (name: string) => unknown;
  /** Say, or no longer, that the person does not want to be tracked: as the text of DO_NOT_TRACK. */
  readonly track: (wish: string) => void;
}

const clients = new Map<string, Client>();
/** The names of clients whose disk is full. */
const full = new Set<string>();

/** What comes of a command, or the error that it ends with, as JSON. */
export async function perform(command: Command, place: Place): Promise<string> {
  try {
    return JSON.stringify({ value: (await done(command, place)) ?? null }, written);
  } catch (error) {
    const { name, message } = error as Error;
    return JSON.stringify({ error: name, message });
  }
}

async function done({ client: name, does, given, store }: Command, place: Place): Promise<unknown> {
  const [first, second] = given as [string, string];
  const actions: Record<string, () => unknown> = {
    texts: () => place.storeOf(store).update((entries) => entries.keys("").map((key) => [key, entries.get(key)])),
    put: () => place.storeOf(store).update((entries) => entries.put(first, second)),
    exists: () => place.exists(store),
    wipe: () => place.wipe(store),
    track: () => place.track(first),
    full: () => void (given[0] ? full.add(name) : full.delete(name)),
  };
  if (does in actions) return actions[does]?.();
  if (does !== "open") return asked(clients.get(name) as Client, does, given[0]);
  const kept = store && { store: fillable(name, place.storeOf(store)) };
  const client = await open({ families, ...(given[0] as Options), ...kept });
  clients.set(name, client);
  return { digest: client.survey.digest, sentences: sentences(client.survey), mode: client.mode };
}

async function asked(client: Client, does: string, first: unknown): Promise<unknown> {
  const actions: Record<string, () => unknown> = {
    at: () => void Object.assign(client, { now: () => first }),
    granted: () => client.consent().granted(),
    grant: () => client.consent().grant(first as string[]),
    withdraw: () => client.consent().withdraw(),
    answer: () => client.answer(first as Record<string, unknown>),
    answers: () => Promise.all((first as Record<string, unknown>[]).map((each) => client.answer(each))),
    hand_over: () => client.handOver(first as Record<string, unknown>),
    declined: () => client.declined(),
    flush: () => client.flush(),
    flushes: () => Promise.all(Array.from({ length: first as number }, () => client.flush())),
    next: () => client.nextPerson(),
    receipts: () => client.receipts(),
    spent: () => client.spent(),
    facts: () => client.facts(),
    outcomes: async () => {
      const { payloads } = await client.outcomes(first as Record<string, unknown>);
      return payloads.map(({ bytes, chance }) => [bytes, chance.join("/")]);
    },
    watch: () => void flushWhenPossible(client),
  };
  return actions[does]?.();
}

/** A store that has no room while its client is among the full ones: whatever a step writes is lost, and it throws. */
function fillable(client: string, store: Store): Store {
  return {
    update: (work) =>
      store.update((entries) => {
        const result = work(entries);
        if (full.has(client)) throw new StoreError("the store must have room for what is written, got none");
        return result;
      }),
  };
}

function written(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return hex(value);
  return typeof value === "bigint" ? `${value}` : value;
}
