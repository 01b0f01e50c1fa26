/** What a page says seldom in German. */

export { seldom } from "../wire/de.js";
