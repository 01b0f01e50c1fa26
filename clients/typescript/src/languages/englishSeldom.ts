/** What a page says seldom in English. */

export { seldom } from "../sentences/en.js";
