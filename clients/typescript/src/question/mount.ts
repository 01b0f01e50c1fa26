/** A survey in a part of a page. */

import { type Options, open } from "../device/open.js";
import { english } from "../languages/english.js";
import type { Language } from "../languages/language.js";
import { Asking } from "./asking.js";
import type { Heading } from "./intro.js";
import { button, element, saying } from "./nodes.js";
import { noteOf } from "./notes.js";

/** What `open` takes, and how it looks on the page. */
export interface QuestionOptions extends Options {
  /** English unless given. */
  readonly language?: Language;
  /** The languages of the person, the dearest first, by which one of the survey's is shown; that of the page unless given. */
  readonly wanted?: readonly string[];
  /** How deep the title stands among the headings of the page around it; 2 unless given. */
  readonly heading?: Heading;
  /** Whether the survey takes no new answers, only those that were given before and still wait here. */
  readonly closed?: boolean;
}

/**
 * Ask a survey in a part of the page, whatever was there before. Nothing is stored, drawn or sent before the person
 * chooses. The function that is returned ends it.
 */
export function mountQuestion(host: Element, options: QuestionOptions): () => void {
  const { language = english, heading = 2, wanted = [language.code] } = options;
  const say = saying(language);
  let stop = () => {};
  let ended = false;
  const show = async () => {
    if (!globalThis.isSecureContext) return host.replaceChildren(...noteOf("insecure", say, heading));
    host.replaceChildren(element("p", { role: "status" }, say("loading")));
    try {
      const asking = new Asking(await open(options), language, heading, options.closed, wanted);
      if (ended) return;
      await asking.show(host);
      stop = asking.keepSending();
      if (ended) stop();
    } catch (error) {
      console.error(error);
      host.replaceChildren(...noteOf("unloaded", say, heading), element("p", {}, button(say("retry"), show)));
    }
  };
  host.classList.add("deniable");
  host.setAttribute("lang", language.code);
  host.setAttribute("dir", language.direction);
  void show();
  return () => {
    ended = true;
    stop();
  };
}
