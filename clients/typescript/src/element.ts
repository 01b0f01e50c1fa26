/**
 * The elements `<deniable-question>` and `<deniable-account>`: importing this defines them. What comes after the choice is
 * loaded after it: the device, the form, the languages.
 */

import { consentIn, type PageConsent } from "./question/consent.js";
import type { Heading } from "./question/nodes.js";

/** The languages of pages. */
const LANGUAGES = {
  en: () => import("./languages/englishPage.js"),
  de: () => import("./languages/germanPage.js"),
};

/** The language of a page's part, by the nearest `lang`; English for those that there is no table for. */
async function languageOf(host: Element) {
  const wanted = host.closest("[lang]")?.getAttribute("lang")?.toLowerCase().split("-")[0];
  const { spoken } = await (wanted === "de" ? LANGUAGES.de : LANGUAGES.en)();
  host.setAttribute("lang", spoken.code);
  host.setAttribute("dir", spoken.direction);
  return spoken;
}

function headingOf(host: Element): Heading {
  const level = Number(host.getAttribute("heading"));
  return level === 1 || level === 3 ? level : 2;
}

/** The languages of the person, the dearest first: the one chosen for this element, then those of the browser. */
function wantedBy(host: Element): string[] {
  return [host.getAttribute("language") ?? "", ...navigator.languages];
}

/** The collector that is answered to. */
function endpointOf(host: Element): string {
  return host.getAttribute("endpoint") ?? location.origin;
}

/**
 * The invitation: the attribute, else that of the page's address, in the part of it that no browser sends. On pages of
 * other hosts that part is theirs: a code there may be that of somebody who signs in to them.
 */
function codeOf(host: Element): string | null {
  const own = new URL(endpointOf(host), location.href).origin === location.origin;
  return host.getAttribute("code") ?? (own ? new URLSearchParams(location.hash.slice(1)).get("code") : null);
}

/** All that the attributes say. */
async function optionsOf(host: Element, code: string | null) {
  const result = host.getAttribute("result");
  return {
    survey: host.getAttribute("survey") ?? "",
    endpoint: endpointOf(host),
    ...(code === null ? {} : { code }),
    ...(result === null ? {} : { result }),
    rehearse: host.hasAttribute("rehearse"),
    closed: host.hasAttribute("closed"),
    language: await languageOf(host),
    wanted: wantedBy(host),
    heading: headingOf(host),
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
    static formAssociated = true;
    #ending = new AbortController();
    #code: string | null = null;
    #consent: PageConsent | undefined;
    readonly #restart = () => {
      if (codeOf(this) === this.#code) return;
      this.#ending.abort();
      this.#ask();
    };

    connectedCallback() {
      this.#ask();
      addEventListener("hashchange", this.#restart); // an invitation that is opened in a page that is open
    }

    disconnectedCallback() {
      this.#ending.abort();
      removeEventListener("hashchange", this.#restart);
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
      const [{ mountElement }, options] = await Promise.all([
        import("./question/elsewhere.js"),
        optionsOf(this, this.#code),
      ]);
      if (!signal.aborted) signal.addEventListener("abort", mountElement(this, options));
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
