/** What a page says seldom in German. */

export { seldom } from "../sentences/de.js";
