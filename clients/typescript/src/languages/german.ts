/** German. */

import { code, direction, group, percent, point, question, label as sentences } from "../wire/de.js";
import { seldom } from "../wire/deSeldom.js";
import type { Language } from "./language.js";

const page = /* @__PURE__ */ Object.assign({}, question, seldom);

/** Deutsch. */
export const german: Language = { code, direction, point, group, percent, sentences, page };
