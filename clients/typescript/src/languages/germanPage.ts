/** German, for pages: without the label's sentences, which are loaded where they are shown. */

import { code, direction, group, question as page, percent, point } from "../sentences/de.js";
import type { Spoken } from "./language.js";

export const spoken: Spoken = {
  ...{ code, direction, point, group, percent, page },
  label: async () => (await import("./german.js")).german,
};
