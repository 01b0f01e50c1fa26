/**
 * The elements `<deniable-question>` and `<deniable-account>`: importing this defines them. What comes after the choice is
 * loaded after it: the device, the form, the languages.
 */

import { codeOf, endpointOf, headingOf, languageOf, optionsOf } from "./question/attributes.js";
import { consentIn, type PageConsent } from "./question/consent.js";

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
