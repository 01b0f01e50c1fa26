/** Where a device keeps what it must not forget: texts by their keys, changed in steps that happen or do not. */

import { StoreError } from "../errors.js";

/** The texts of a store within one step. */
export interface Entries {
  get(key: string): string | undefined;
  put(key: string, text: string): void;
  /** Forget a key, if it is there. */
  drop(key: string): void;
  /** All keys that begin so, ascending. */
  keys(prefix: string): string[];
  /** Where respondents are told apart: whether another one has answered the survey of a digest. */
  isTaken?(survey: string): boolean;
}

/** What one step does. It may be run again on newer entries, and only its last run counts. */
export type Work<T> = (entries: Entries) => T;

/** A store: its steps are atomic, durable once they have ended, and one at a time, over all tabs and processes. */
export interface Store {
  /** Do one step; what was put is kept if the work returns, and forgotten if it throws. */
  update<T>(work: Work<T>): Promise<T>;
}

/** The entries of one step, and which of them it changed. */
export class Texts implements Entries {
  readonly #texts: ReadonlyMap<string, string>;
  /** Undefined where a key was dropped. */
  readonly changed = new Map<string, string | undefined>();

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  get(key: string): string | undefined {
    return (this.changed.has(key) ? this.changed : this.#texts).get(key);
  }

  put(key: string, text: string): void {
    this.changed.set(key, text);
  }

  drop(key: string): void {
    this.changed.set(key, undefined);
  }

  keys(prefix: string): string[] {
    return [...this.all().keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  /** All texts as they are after the step. */
  all(): ReadonlyMap<string, string> {
    const after = new Map([...this.#texts, ...this.changed]);
    return new Map([...after].filter((entry): entry is [string, string] => entry[1] !== undefined));
  }
}

/** A store holds something else than these, in the form in which this client writes them. */
export function altered(what: string): StoreError {
  return new StoreError(`the store must hold ${what} as this client writes them, got something else`);
}

/** A store that forgets everything when the page or the process ends: for tests, and to try a survey out. */
export function memoryStore(): Store {
  let texts: ReadonlyMap<string, string> = new Map();
  return {
    async update(work) {
      const entries = new Texts(texts);
      const result = work(entries);
      texts = entries.all();
      return result;
    },
  };
}
