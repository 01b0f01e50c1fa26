/**
 * The element `<deniable-question>` as a field of somebody else's form, and nothing else: importing this defines it. It is built
 * into one file as well, which asks no host for anything; see scripts/page.js.
 */

import { optionsOf } from "./question/attributes.js";
import { mountGuest } from "./question/guest.js";

/** Attributes: `carry`, which is field; `survey`, the text of a document with this carrier; and those of guest.ts. */
function defineField(): void {
  class Question extends HTMLElement {
    static formAssociated = true;
    #ending = new AbortController();

    connectedCallback() {
      this.#ending = new AbortController();
      void this.#mount(this.#ending.signal);
    }

    disconnectedCallback() {
      this.#ending.abort();
    }

    async #mount(signal: AbortSignal) {
      const options = await optionsOf(this, null);
      if (!signal.aborted) signal.addEventListener("abort", mountGuest(this, options));
    }
  }
  customElements.define("deniable-question", Question);
}

if ("customElements" in globalThis && !customElements.get("deniable-question")) defineField();
