/** What a page has around a survey: what it shows before the choice, its languages, and whether it is over. */

import type { Receipt } from "../device/records.js";
import type { LabelLanguage, LoadedLanguage } from "../languages/language.js";
import type { Essentials } from "../surveys/essentials.js";
import type { QuestionForm } from "./form.js";
import type { Heading, Nodes } from "./nodes.js";

/** How a page asks before anything is stored: what it shows, to which the person agrees there. */
export interface Choice {
  /** The sentences that are shown, with their language; or of a page that a collector wrote its numbers. */
  readonly shown: readonly string[] | Essentials;
  readonly sayings?: LabelLanguage;
  /** Show the choice, or what it becomes once it is made. */
  readonly view: () => Nodes;
  readonly chosen: () => void;
}

/** What the page knows beside the survey. */
export interface PageSettings {
  readonly language: LoadedLanguage;
  /** The languages of the person, the dearest first. */
  readonly wanted: readonly string[];
  readonly level: Heading;
  /** Whether the survey takes no new answers, only those that were given before and still wait here. */
  readonly closed: boolean;
  /** Where those who were asked may read the result; empty where they may not, undefined where nobody said. */
  readonly result: string | undefined;
  /** Of a survey with a crowd: what stands beneath a receipt. */
  readonly next?: (receipt: Receipt) => HTMLElement[];
  /** The address of the collector, which has a calendar of each survey that is asked again; empty of one in a form. */
  readonly endpoint: string;
  /** On pages of others: hears what becomes of the survey, as a receipt's state or a note. */
  readonly told?: (state: string, reason?: string) => void;
  /** On pages of others: hears what is shown, and the form if that is the questions. */
  readonly entered?: (stage: HTMLElement, form: QuestionForm | undefined) => void;
  /** Of a survey in a form: what stands on a receipt, if there is more to it. */
  readonly receipt?: (receipt: Receipt) => Nodes | undefined;
}
