/** English. */

import { code, direction, group, question as page, percent, point, label as sentences } from "../sentences/en.js";
import type { Language, Sayings } from "./language.js";

/** The keys of what the label says, and of what a page says. */
export type Sentences = keyof typeof sentences;
export type Page = keyof typeof page;

/** What the label says in English. */
export const label: Sayings = { code, point, group, percent, sentences };

/** English, for labels and pages. */
export const english: Language = { code, direction, point, group, percent, sentences, page };
