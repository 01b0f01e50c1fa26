/** A store in a browser's IndexedDB, which all tabs of an origin share. */

import { DenialError, StoreError } from "../errors.js";
import { type Store, Texts, type Work } from "./store.js";

const TABLE = "entries";

/** What a work came to: its result, or the throwing of its error. */
type Outcome<T> = () => T;

/**
 * A store in the database of that name, which is made by the first step that writes. It throws a StoreError where the
 * browser keeps nothing: in some private windows, where storage is denied, and when it is full.
 */
export function indexedDbStore(name = "deniable"): Store {
  return {
    async update(work) {
      try {
        const database = await opened(name, work);
        return (database instanceof IDBDatabase ? await changed(database, work) : database)();
      } catch (error) {
        if (error instanceof DenialError) throw error;
        const kind = (error as Error | null)?.name; // its message may quote what was stored
        throw new StoreError(`the store must be one that this browser lets pages write, got ${kind ?? "no reason"}`);
      }
    },
  };
}

/** The database; or, as long as nobody has written and neither does the work, what it comes to without one. */
function opened<T>(name: string, work: Work<T>): Promise<IDBDatabase | Outcome<T>> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    let outcome: Outcome<T> | undefined;
    request.onupgradeneeded = () => {
      const empty = new Texts(new Map());
      const tried = attempt(work, empty);
      if (empty.changed.size) {
        request.result.createObjectStore(TABLE);
      } else {
        outcome = tried;
        request.transaction?.abort(); // and so the database is not made
      }
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => (outcome ? resolve(outcome) : reject(request.error));
  });
}

/** Do the work in one transaction, which is on disk when it has ended. */
function changed<T>(database: IDBDatabase, work: Work<T>): Promise<Outcome<T>> {
  return new Promise<Outcome<T>>((resolve, reject) => {
    const transaction = database.transaction(TABLE, "readwrite", { durability: "strict" });
    const table = transaction.objectStore(TABLE);
    const [keys, texts] = [table.getAllKeys(), table.getAll()];
    let outcome: Outcome<T>;
    texts.onsuccess = () => {
      const entries = new Texts(new Map(keys.result.map((key, place) => [key as string, texts.result[place]])));
      outcome = attempt(work, entries);
      for (const [key, text] of entries.changed) {
        if (text === undefined) table.delete(key);
        else table.put(text, key);
      }
    };
    transaction.oncomplete = () => resolve(outcome);
    transaction.onabort = () => reject(transaction.error);
  }).finally(() => database.close());
}

function attempt<T>(work: Work<T>, entries: Texts): Outcome<T> {
  try {
    const result = work(entries);
    return () => result;
  } catch (error) {
    entries.changed.clear();
    return () => {
      throw error;
    };
  }
}
