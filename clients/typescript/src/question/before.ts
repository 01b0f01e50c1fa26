/** What a page has around a survey: what it shows before the choice, its languages, and whether it is over. */

import type { Sayings, Spoken } from "../languages/language.js";
import type { Essentials } from "../surveys/essentials.js";
import type { Heading, Nodes } from "./nodes.js";

/** How a page asks before anything is stored: what it shows, to which the person agrees there. */
export interface Before {
  /** The sentences that are shown, with their language; or of a page that a collector wrote its numbers. */
  readonly shown: readonly string[] | Essentials;
  readonly sayings?: Sayings;
  /** Show the choice, or what it becomes once it is made. */
  readonly choice: () => Nodes;
  readonly chosen: () => void;
}

/** What the page knows beside the survey. */
export interface Page {
  readonly language: Spoken;
  /** The languages of the person, the dearest first. */
  readonly wanted: readonly string[];
  readonly level: Heading;
  /** Whether the survey takes no new answers, only those that were given before and still wait here. */
  readonly closed: boolean;
  /** Where those who were asked may read the result. */
  readonly result: string | undefined;
  /** The address of the collector. */
  readonly endpoint: string;
}
