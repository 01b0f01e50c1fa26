/** English, for pages: without the label's sentences and what is said seldom, which are loaded where they are shown. */

import { code, direction, group, percent, point, question } from "../wire/en.js";
import { type LoadedLanguage, pageTable } from "./language.js";

export const spoken: LoadedLanguage = {
  ...{ code, direction, point, group, percent },
  ...pageTable(question, async () => (await import("../wire/enSeldom.js")).seldom),
  label: async () => (await import("./english.js")).english,
};
