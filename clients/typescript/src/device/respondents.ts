/** Who answers, as a page around a form tells people apart: what is kept of each is apart, and a survey takes the first. */

import { digest } from "../sha256.js";
import { partOf } from "./kiosk.js";
import type { Entries, Store, Work } from "./store.js";

const LEDGER = "topic/";
const OF_SURVEY = /^(?:answer|consent)\/([0-9a-f]{64})/;
const ANSWERED = /^((?:of\/[0-9a-f]{64}\/)?)answer\/([0-9a-f]{64})\//;

/**
 * The part of a store that is of one respondent, whom any text names, or of whom nobody tells apart. What was spent is of the
 * whole store, for else a page could ask again under another name; and for that reason whoever comes second does not answer,
 * unless they say that they were the first. Of a survey for a kiosk each respondent has a turn, with a ledger.
 */
export class RespondentStore implements Store {
  readonly #store: Store;
  readonly #prefix: string;

  constructor(store: Store, respondent?: string) {
    this.#store = store;
    this.#prefix = respondent === undefined ? "" : `of/${digest(respondent)}/`;
  }

  update<T>(work: Work<T>): Promise<T> {
    return this.#store.update((entries) => work(ownOf(entries, this.#prefix)));
  }

  /** Whether the survey of a digest was answered here for another respondent, or for nobody's name. */
  isTaken(survey: string): Promise<boolean> {
    return this.#store.update((entries) => firstOf(entries, this.#prefix, survey) !== undefined);
  }

  /** They say that this was them: the answer to the survey is theirs from now on. */
  join(survey: string): Promise<void> {
    return this.#store.update((entries) => {
      const first = firstOf(entries, this.#prefix, survey);
      if (first !== undefined) entries.put(sameKey(this.#prefix, survey), first);
    });
  }
}

/** Where another respondent has answered; undefined if nobody else has. */
function firstOf(entries: Entries, prefix: string, survey: string): string | undefined {
  const own = entries.get(sameKey(prefix, survey)) ?? prefix;
  const found = entries.keys("").map((key) => ANSWERED.exec(key));
  return found.find((each) => each?.[2] === survey && each[1] !== own)?.[1];
}

function sameKey(prefix: string, survey: string): string {
  return `${prefix}same/${survey}`;
}

/** Their answers and consents, and the ledger of all. */
function ownOf(entries: Entries, prefix: string): Entries {
  const whole = (key: string) => {
    const survey = OF_SURVEY.exec(key)?.[1];
    const own = (survey && entries.get(sameKey(prefix, survey))) ?? prefix;
    return key.startsWith(LEDGER) ? key : own + key;
  };
  return { ...partOf(entries, whole), isTaken: (survey) => firstOf(entries, prefix, survey) !== undefined };
}
