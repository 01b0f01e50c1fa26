/** What a page says seldom in English. */

export { seldom } from "../wire/en.js";
