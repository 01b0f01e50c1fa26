/** A survey on a page that no collector wrote: asked for from the start. */

import { introOf } from "./intro.js";
import { opened, type QuestionOptions, sendUntil, spokenOf } from "./mount.js";
import { button, element, line, saying } from "./nodes.js";
import { type Note, noteOf } from "./notes.js";
import { wordingsFor } from "./wordings.js";

/**
 * Ask a survey in a part of the page, whatever was there before. Nothing is stored, drawn or sent before the person
 * chooses. The function that is returned ends it.
 */
export function mountQuestion(host: Element, options: QuestionOptions): () => void {
  const ending = new AbortController();
  const show = async () => {
    const language = await spokenOf(options);
    const [say, level] = [saying(language), options.heading ?? 2];
    host.replaceChildren(element("p", { role: "status" }, say("loading")));
    let note: Note = "failed";
    try {
      await language.seldom();
      note = "unloaded";
      if (!globalThis.isSecureContext) return host.replaceChildren(...noteOf("insecure", say, level));
      const asking = await opened(options, language);
      const words = wordingsFor(asking.client.survey, options.wanted ?? [language.code]);
      const intro = introOf(asking.client, words, await language.label(), language, level, () => asking.agree());
      host.replaceChildren(...intro.nodes);
      await asking.show(host, intro.before);
      sendUntil(ending.signal, asking);
    } catch (error) {
      console.error(error);
      host.replaceChildren(...noteOf(note, say, level), line(button(say("retry"), show)));
    }
  };
  host.classList.add("deniable");
  void show();
  return () => ending.abort();
}
