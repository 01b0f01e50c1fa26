/** German. */

import { code, direction, group, question as page, percent, point, label as sentences } from "../sentences/de.js";
import type { Language } from "./language.js";

/** Deutsch. */
export const german: Language = { code, direction, point, group, percent, sentences, page };
