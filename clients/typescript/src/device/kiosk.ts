/** Many people in turn on one device: what is kept of a person is apart from all else, and forgotten before the next. */

import { ParameterError } from "../errors.js";
import type { Outbox } from "./outbox.js";
import { recordsOf } from "./records.js";
import type { Entries, Store } from "./store.js";

/**
 * The part of a store that is of the person who answers this survey now. Consent, ledger and answers begin anew with each
 * of them, and no other survey's ledger is touched: no document gives back what was spent elsewhere on this device.
 */
export function kioskStore(store: Store, survey: string): Store {
  const prefix = `kiosk/${survey}/`;
  return { update: (work) => store.update((entries) => work(partOf(entries, (key) => prefix + key))) };
}

/** Begin anew for somebody else. */
export async function nextPerson({ survey, store, digest }: Outbox): Promise<void> {
  if (!survey.kiosk) {
    throw new ParameterError("the survey must be for a kiosk to be asked of one person after another, got another");
  }
  await store.update((entries) => forgetPerson(entries, digest));
}

/** Forget all of the person who answered last; refused while their answer waits, which is not sent yet. */
function forgetPerson(entries: Entries, survey: string): void {
  if (recordsOf(entries, survey).some(({ state }) => state === "waiting")) {
    throw new ParameterError("the last answer must be final or withdrawn before the next turn, got one that waits");
  }
  for (const key of entries.keys("")) entries.drop(key);
}

/** A part of what a step sees, whose keys are others in the whole. */
export function partOf(entries: Entries, whole: (key: string) => string): Entries {
  return {
    get: (key) => entries.get(whole(key)),
    put: (key, text) => entries.put(whole(key), text),
    drop: (key) => entries.drop(whole(key)),
    keys: (begin) => {
      const all = whole(begin);
      return entries.keys(all).map((key) => key.slice(all.length - begin.length));
    },
  };
}
