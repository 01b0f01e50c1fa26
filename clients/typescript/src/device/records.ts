/** Consent and answers as a store holds them, and receipts as people see them. */

import { bytesOf } from "../bytes.js";
import { altered, type Entries } from "./store.js";

/** `unknown` says that nobody knows whether the answer was counted; `handed over`, that a form has it which is not ours. */
export type State = "waiting" | "sent" | "handed over" | "refused" | "unknown" | "withdrawn";

const CONSENT = "consent/";
const GRANTED = "granted";
const WITHDRAWN = "withdrawn";
const STATES: readonly State[] = ["waiting", "sent", "handed over", "refused", "unknown", "withdrawn"];

/** What became of an answer. */
export interface Receipt {
  /** The digest of the survey. */
  readonly survey: string;
  readonly name: string;
  readonly topic: string;
  readonly charge: number;
  readonly state: State;
  /** Why it was refused, or why it still waits. */
  readonly reason: string;
  readonly period: string | null;
  /**
   * What was sent; empty until that is final: nobody may see a draw and then take it back. Of an answer in a crowd it
   * stays empty, for what was sealed is forgotten then.
   */
  readonly bytes: Uint8Array;
}

/** An answer that has been drawn, and all that is needed to send it again to the byte. */
export interface AnswerRecord extends Omit<Receipt, "bytes"> {
  /** What the survey is called; not in records of old, which have its name alone. */
  readonly title?: string;
  readonly endpoint: string;
  /** Of a survey with a crowd, whose answers go to its mixer: where they are opened. */
  readonly collector?: string | undefined;
  /** In hexadecimal; in a crowd the answer as it was drawn while there is no period, then sealed. */
  readonly upload: string;
  /** The period by this device's clock, in which asking again gives this answer again. */
  readonly askedIn: string;
  /** How often it was sent, or was about to be. */
  readonly attempts: number;
  /** How often it could not be sent, or nothing final came back. */
  readonly failures: number;
  readonly notBefore: number;
}

/** Fields of a record, and what they become. */
export type Changes = Partial<AnswerRecord>;

/** What people see of an answer. */
export function receiptOf({ survey, name, topic, charge, state, reason, period, upload }: AnswerRecord): Receipt {
  const bytes = state === "waiting" ? new Uint8Array() : bytesOf(upload); // that of a withdrawn answer is gone
  return { survey, name, topic, charge, state, reason, period, bytes };
}

/** The record of a key; undefined if the store has been wiped since. */
export function recordAt(entries: Entries, key: string): AnswerRecord | undefined {
  const text = entries.get(key);
  if (text === undefined) return undefined;
  try {
    const record: AnswerRecord = JSON.parse(text);
    if (STATES.includes(record.state) && record.upload.length % 2 === 0 && record.attempts >= 0) return record;
  } catch {}
  throw altered("answers");
}

/** The keys of all answers to a survey, the oldest first. */
export function keysOf(entries: Entries, survey: string): string[] {
  return entries.keys(`answer/${survey}/`);
}

/** All answers to a survey, the oldest first. */
export function recordsOf(entries: Entries, survey: string): AnswerRecord[] {
  return keysOf(entries, survey).flatMap((key) => recordAt(entries, key) ?? []);
}

/** Store one more answer. */
export function addRecord(entries: Entries, record: AnswerRecord): AnswerRecord {
  const number = `${keysOf(entries, record.survey).length}`.padStart(8, "0");
  entries.put(`answer/${record.survey}/${number}`, JSON.stringify(record));
  return record;
}

/** Change an answer that still waits, or forget one that was handed over; any other stays as it is. */
export function settle(entries: Entries, key: string, changes: Changes): AnswerRecord | undefined {
  const record = recordAt(entries, key);
  if (!record || !/^(waiting|handed)/.test(record.state)) return record;
  const settled = { ...record, ...changes };
  entries.put(key, JSON.stringify(settled));
  return settled;
}

/** Write down that somebody agreed to a survey. */
export function grant(entries: Entries, digest: string): void {
  entries.put(CONSENT + digest, GRANTED);
}

/** Whether somebody agreed to a survey, and has not withdrawn. */
export function isGranted(entries: Entries, digest: string): boolean {
  const text = entries.get(CONSENT + digest);
  if (text === undefined || text === GRANTED || text === WITHDRAWN) return text === GRANTED;
  throw altered("consents");
}

/** The digests of all surveys that somebody was asked about and agreed to, withdrawn or not. */
export function agreedOn(entries: Entries): string[] {
  return entries.keys(CONSENT).map((key) => key.slice(CONSENT.length));
}

/** Nothing more is drawn or sent for a survey: what waits is dropped, and what was spent stays written down. */
export function withdraw(entries: Entries, digest: string): void {
  entries.put(CONSENT + digest, WITHDRAWN);
  for (const key of keysOf(entries, digest)) {
    const reason = recordAt(entries, key)?.attempts ? "it had been sent and may have been counted" : "";
    settle(entries, key, { state: "withdrawn", reason, upload: "" });
  }
}
