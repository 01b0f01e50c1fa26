/** German, for pages: without the label's sentences and what is said seldom, which are loaded where they are shown. */

import { code, direction, group, percent, point, question } from "../wire/de.js";
import { growing, type Spoken } from "./language.js";

export const spoken: Spoken = {
  ...{ code, direction, point, group, percent },
  ...growing(question, async () => (await import("./germanSeldom.js")).seldom),
  label: async () => (await import("./german.js")).german,
};
