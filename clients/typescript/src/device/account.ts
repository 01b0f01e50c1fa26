/** What a store tells its owner: every answer that was drawn, what was spent, and where they still take part. */

import { added } from "../privacy/levels.js";
import { levelsOf, spentOn, type Topic } from "./ledger.js";
import { type AnswerRecord, agreedOn, isGranted, type Receipt, receiptOf, recordsOf, withdraw } from "./records.js";
import type { Entries, Store } from "./store.js";

/** A survey on this device. */
export interface Part {
  /** The digest. */
  readonly survey: string;
  /** The survey's title, or else its name, and its collector; empty if nothing was answered yet. */
  readonly title: string;
  readonly endpoint: string;
  /** Whether its answers go to a mixer, and not to that collector. */
  readonly isMixed: boolean;
  /** Whether they agreed and have not withdrawn. */
  readonly granted: boolean;
  /** The oldest first. */
  readonly receipts: readonly Receipt[];
}

/** All that a store holds of its owner. */
export interface Account {
  readonly parts: readonly Part[];
  readonly topics: ReadonlyMap<string, Topic>;
  readonly total: number;
}

/** Read a store. */
export function accountIn(store: Store): Promise<Account> {
  return store.update((entries) => {
    const topics = spentOn(entries);
    return { parts: agreedOn(entries).map((digest) => partOf(entries, digest)), topics, total: totalOf(topics) };
  });
}

/** Take part in a survey no longer; the account as it is then. */
export async function withdrawIn(store: Store, digest: string): Promise<Account> {
  await store.update((entries) => withdraw(entries, digest));
  return accountIn(store);
}

function partOf(entries: Entries, survey: string): Part {
  const records = recordsOf(entries, survey);
  const { title, name = "", endpoint = "", collector }: Partial<AnswerRecord> = records.at(-1) ?? {};
  return {
    survey,
    title: title || name,
    endpoint: collector ?? endpoint,
    isMixed: collector !== undefined,
    granted: isGranted(entries, survey),
    receipts: records.map(receiptOf),
  };
}

function totalOf(topics: ReadonlyMap<string, Topic>): number {
  return added(...levelsOf(topics));
}
