/**
 * The elements `<deniable-question>` and `<deniable-account>`: importing this defines them. What comes after the choice is
 * loaded after it: the device, the form, the languages.
 */

import { type Consented, consentIn } from "./question/consent.js";
import type { Heading } from "./question/nodes.js";

/** The languages of pages. */
const LANGUAGES = {
  en: () => import("./languages/englishPage.js"),
  de: () => import("./languages/germanPage.js"),
};

/** The language of a page's part, by the nearest `lang`; English for those that there is no table for. */
async function languageOf(asked: Element) {
  const wanted = asked.closest("[lang]")?.getAttribute("lang")?.toLowerCase().split("-")[0];
  const { spoken } = await (wanted === "de" ? LANGUAGES.de : LANGUAGES.en)();
  asked.setAttribute("lang", spoken.code);
  asked.setAttribute("dir", spoken.direction);
  return spoken;
}

function headingOf(asked: Element): Heading {
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

/** All that the attributes say. */
async function optionsOf(asked: Element, code: string | null) {
  const result = asked.getAttribute("result");
  return {
    survey: asked.getAttribute("survey") ?? "",
    endpoint: endpointOf(asked),
    ...(code === null ? {} : { code }),
    ...(result === null ? {} : { result }),
    rehearse: asked.hasAttribute("rehearse"),
    closed: asked.hasAttribute("closed"),
    language: await languageOf(asked),
    wanted: wantedBy(asked),
    heading: headingOf(asked),
  };
}

/**
 * Attributes: `survey`, a digest or a document's text; `endpoint`, this page's host unless given; `code`, that behind
 * `#code=` in the address of a page of the collector's unless given; `heading`; `language`, the tag of the survey's language
 * to show, one of the browser's unless given; `rehearse`, to store and send nothing; `closed`, to ask nothing and send what
 * was answered before; `result`, where those who were asked may read it. Where the page has the consent in it,
 * as a collector's own page has, the element goes on from there.
 */
function defineQuestion(): void {
  class Question extends HTMLElement {
    #ending = new AbortController();
    #code: string | null = null;
    #consent: Consented | undefined;
    readonly #again = () => {
      if (codeOf(this) === this.#code) return;
      this.#ending.abort();
      this.#ask();
    };

    connectedCallback() {
      this.#ask();
      addEventListener("hashchange", this.#again); // an invitation that is opened in a page that is open
    }

    disconnectedCallback() {
      this.#ending.abort();
      removeEventListener("hashchange", this.#again);
    }

    #ask() {
      this.#ending = new AbortController();
      const { signal } = this.#ending;
      this.#code = codeOf(this);
      this.classList.add("deniable");
      this.#consent ??= consentIn(this);
      if (this.#consent) {
        const wanted = (code: string | null) => optionsOf(this, code);
        void this.#consent.ask({ code: this.#code, endpoint: endpointOf(this), wanted, signal });
      } else void this.#mount(signal);
    }

    async #mount(signal: AbortSignal) {
      const [{ mountQuestion }, options] = await Promise.all([
        import("./question/standalone.js"),
        optionsOf(this, this.#code),
      ]);
      if (!signal.aborted) signal.addEventListener("abort", mountQuestion(this, options));
    }
  }
  customElements.define("deniable-question", Question);
}

/** Attribute: `heading`. */
function defineAccount(): void {
  class Account extends HTMLElement {
    async connectedCallback() {
      const [{ mountAccount }, language] = await Promise.all([import("./question/account.js"), languageOf(this)]);
      await language.seldom();
      await mountAccount(this, { language, level: headingOf(this) });
    }
  }
  customElements.define("deniable-account", Account);
}

if ("customElements" in globalThis && !customElements.get("deniable-question")) {
  defineQuestion();
  defineAccount();
}
