/** Who agreed to which survey, as a store holds it. */

import { keysOf, recordAt, settle } from "./records.js";
import { altered, type Entries } from "./store.js";

const PREFIX = "consent/";
const GRANTED = "granted";
const WITHDRAWN = "withdrawn";

/** Write down that somebody agreed to a survey. */
export function grant(entries: Entries, digest: string): void {
  entries.put(PREFIX + digest, GRANTED);
}

/** Whether somebody agreed to a survey, and has not withdrawn. */
export function isGranted(entries: Entries, digest: string): boolean {
  const text = entries.get(PREFIX + digest);
  if (text === undefined || text === GRANTED || text === WITHDRAWN) return text === GRANTED;
  throw altered("consents");
}

/** The digests of all surveys that somebody was asked about and agreed to, withdrawn or not. */
export function agreedOn(entries: Entries): string[] {
  return entries.keys(PREFIX).map((key) => key.slice(PREFIX.length));
}

/** Nothing more is drawn or sent for a survey: what waits is dropped, and what was spent stays written down. */
export function withdraw(entries: Entries, digest: string): void {
  entries.put(PREFIX + digest, WITHDRAWN);
  for (const key of keysOf(entries, digest)) {
    const reason = recordAt(entries, key)?.attempts ? "it had been sent and may have been counted" : "";
    settle(entries, key, { state: "withdrawn", reason, upload: "" });
  }
}
