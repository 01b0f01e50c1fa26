/** The languages of labels and pages. Another one is a table like these. */

export { english } from "./languages/english.js";
export { german } from "./languages/german.js";
export type { Language, Sayings } from "./languages/language.js";
