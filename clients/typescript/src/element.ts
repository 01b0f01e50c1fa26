/** The elements `<deniable-question>` and `<deniable-account>`: importing this defines them, with all languages. */

import { mountAccount } from "./account/mount.js";
import { indexedDbStore } from "./device/indexedDbStore.js";
import { english } from "./languages/english.js";
import { german } from "./languages/german.js";
import { mountQuestion } from "./question/mount.js";

const LANGUAGES = [english, german];

/** The language of a page's part, by the nearest `lang`; English for those that there is no table for. */
function languageOf(asked: Element) {
  const wanted = asked.closest("[lang]")?.getAttribute("lang")?.toLowerCase().split("-")[0];
  return LANGUAGES.find(({ code }) => code === wanted) ?? english;
}

function headingOf(asked: Element) {
  const level = Number(asked.getAttribute("heading"));
  return level === 1 || level === 3 ? level : 2;
}

/** The languages of the person, the dearest first: the one chosen for this element, then those of the browser. */
function wantedBy(asked: Element): string[] {
  return [asked.getAttribute("language") ?? "", ...navigator.languages];
}

/** The collector that is answered to. */
function endpointOf(asked: Element): string {
  return asked.getAttribute("endpoint") ?? location.origin;
}

/**
 * The invitation: the attribute, else that of the page's address, in the part of it that no browser sends. On pages of
 * other hosts that part is theirs: a code there may be that of somebody who signs in to them.
 */
function codeOf(asked: Element): string | null {
  const own = new URL(endpointOf(asked), location.href).origin === location.origin;
  return asked.getAttribute("code") ?? (own ? new URLSearchParams(location.hash.slice(1)).get("code") : null);
}

/**
 * Attributes: `survey`, a digest or a document's text; `endpoint`, this page's host unless given; `code`, that behind
 * `#code=` in the address of a page of the collector's unless given; `heading`; `language`, the tag of the survey's language to show, one of the browser's unless given; `rehearse`, to store and send nothing; `closed`, to ask nothing and
 * send what was answered before.
 */
function defineQuestion(): void {
  class Question extends HTMLElement {
    #end = () => {};
    #code: string | null = null;
    readonly #again = () => {
      if (codeOf(this) === this.#code) return;
      this.#end();
      this.#ask();
    };

    connectedCallback() {
      this.#ask();
      addEventListener("hashchange", this.#again); // an invitation that is opened in a page that is open
    }

    disconnectedCallback() {
      this.#end();
      removeEventListener("hashchange", this.#again);
    }

    #ask() {
      this.#code = codeOf(this);
      this.#end = mountQuestion(this, {
        survey: this.getAttribute("survey") ?? "",
        endpoint: endpointOf(this),
        ...(this.#code === null ? {} : { code: this.#code }),
        rehearse: this.hasAttribute("rehearse"),
        closed: this.hasAttribute("closed"),
        language: languageOf(this),
        wanted: wantedBy(this),
        heading: headingOf(this),
      });
    }
  }
  customElements.define("deniable-question", Question);
}

/** Attribute: `heading`. */
function defineAccount(): void {
  class Account extends HTMLElement {
    connectedCallback() {
      void mountAccount(this, { store: indexedDbStore(), language: languageOf(this), level: headingOf(this) });
    }
  }
  customElements.define("deniable-account", Account);
}

if ("customElements" in globalThis && !customElements.get("deniable-question")) {
  defineQuestion();
  defineAccount();
}
