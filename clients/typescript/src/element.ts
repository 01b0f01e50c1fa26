/** The element `<deniable-question>`: importing this defines it, with all mechanisms and languages. */

import { families } from "./families.js";
import { english } from "./languages/english.js";
import { german } from "./languages/german.js";
import { mountQuestion } from "./question/mount.js";

const LANGUAGES = [english, german];
const ELEMENT = "deniable-question";

/** The language of a page's part, by the nearest `lang`; English for those that there is no table for. */
function languageOf(asked: Element) {
  const wanted = asked.closest("[lang]")?.getAttribute("lang")?.toLowerCase().split("-")[0];
  return LANGUAGES.find(({ code }) => code === wanted) ?? english;
}

function headingOf(asked: Element) {
  const level = Number(asked.getAttribute("heading"));
  return level === 1 || level === 3 ? level : 2;
}

/** Attributes: `survey`, a digest or a document's text; `endpoint`, this page's host unless given; `code`; `heading`. */
function define(): void {
  class Question extends HTMLElement {
    #end = () => {};

    connectedCallback() {
      const code = this.getAttribute("code");
      this.#end = mountQuestion(this, {
        survey: this.getAttribute("survey") ?? "",
        endpoint: this.getAttribute("endpoint") ?? location.origin,
        ...(code === null ? {} : { code }),
        families,
        language: languageOf(this),
        heading: headingOf(this),
      });
    }

    disconnectedCallback() {
      this.#end();
    }
  }
  customElements.define(ELEMENT, Question);
}

if ("customElements" in globalThis && !customElements.get(ELEMENT)) define();
