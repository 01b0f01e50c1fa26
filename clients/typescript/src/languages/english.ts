/** English. */

import { code, direction, group, percent, point, question, label as sentences } from "../wire/en.js";
import { seldom } from "../wire/enSeldom.js";
import type { LabelLanguage, Language } from "./language.js";

const page = /* @__PURE__ */ Object.assign({}, question, seldom);

/** What the label says in English. */
export const label: LabelLanguage = { code, point, group, percent, sentences };

/** English, for labels and pages. */
export const english: Language = { code, direction, point, group, percent, sentences, page };
