/** What is said where nothing is asked: that the survey is over, a limit reached, nothing stored, or something wrong. */

import { BudgetError, ConsentError, StoreError } from "../errors.js";
import { element, type Heading, heading, type Say } from "./nodes.js";

/** The notes: each is a headline and, with `_text`, a sentence. */
export type Note =
  | "unloaded"
  | "insecure"
  | "declined"
  | "over"
  | "withdrawn"
  | "cap"
  | "storage"
  | "untracked"
  | "uninvited"
  | "failed";

/** A note on the page. */
export function noteOf(note: Note, say: Say, level: Heading, topic = ""): HTMLElement[] {
  return [heading(level, say(note)), element("p", {}, say(`${note}_text`, { topic }))];
}

/** The note about an error; its message stays in the console, for it is in English. */
export function noteAbout(error: unknown): Note {
  if (error instanceof BudgetError) return "cap";
  if (error instanceof StoreError) return "storage";
  if (error instanceof ConsentError) return "untracked";
  console.error(error);
  return "failed";
}
