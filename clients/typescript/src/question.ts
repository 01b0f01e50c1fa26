/** A survey on a page: who asks and why, the label, consent, the form and the receipt. */

export { english } from "./languages/english.js";
export type { Language } from "./languages/language.js";
export type { QuestionOptions } from "./question/mount.js";
export { mountQuestion } from "./question/standalone.js";
