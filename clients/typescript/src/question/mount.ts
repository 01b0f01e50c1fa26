/** A survey in a part of a page: asked for from the start, or behind a page that a collector wrote. */

import { type Options, open } from "../device/open.js";
import type { Language, Spoken } from "../languages/language.js";
import type { Essentials } from "../surveys/essentials.js";
import { Asking } from "./asking.js";
import { button, element, type Heading, line, saying } from "./nodes.js";
import { noteOf } from "./notes.js";
import { wordingsFor } from "./wordings.js";

/** What `open` takes, and how it looks on the page. */
export interface QuestionOptions extends Options {
  /** English unless given. */
  readonly language?: Language | Spoken;
  /** The languages of the person, the dearest first, by which one of the survey's is shown; that of the page unless given. */
  readonly wanted?: readonly string[];
  /** How deep the title stands among the headings of the page around it; 2 unless given. */
  readonly heading?: Heading;
  /** Whether the survey takes no new answers, only those that were given before and still wait here. */
  readonly closed?: boolean;
  /** Where those who were asked may read the result; empty where they may not. */
  readonly result?: string;
}

/** A part of a page that a collector wrote: the numbers that it shows, and what shows it or hides it. */
export interface Consent {
  readonly essentials: Essentials;
  readonly show: (shown: boolean) => void;
}

/** What a page may ask of a survey that is behind its consent. */
export interface Asked {
  /** The person agrees to what the page shows. */
  readonly agree: () => Promise<void>;
}

/**
 * Ask a survey in a part of the page, whatever was there before. Nothing is stored, drawn or sent before the person
 * chooses. The function that is returned ends it.
 */
export function mountQuestion(host: Element, options: QuestionOptions): () => void {
  const ending = new AbortController();
  const show = async () => {
    const language = await spokenOf(options);
    const [say, level] = [saying(language), options.heading ?? 2];
    if (!globalThis.isSecureContext) return host.replaceChildren(...noteOf("insecure", say, level));
    host.replaceChildren(element("p", { role: "status" }, say("loading")));
    try {
      const asking = await opened(options, language);
      const { introOf } = await import("./intro.js");
      const words = wordingsFor(asking.client.survey, options.wanted ?? [language.code]);
      const intro = introOf(asking.client, words, await language.label(), language, level, () => asking.agree());
      host.replaceChildren(...intro.nodes);
      await asking.show(host, intro.before);
      sendUntil(ending.signal, asking);
    } catch (error) {
      console.error(error);
      host.replaceChildren(...noteOf("unloaded", say, level), line(button(say("retry"), show)));
    }
  };
  host.classList.add("deniable");
  void show();
  return () => ending.abort();
}

/** What is due behind a page's consent, which may be the consent. */
export async function mountAfter(
  host: Element,
  options: QuestionOptions,
  { essentials, show }: Consent,
  signal: AbortSignal,
): Promise<Asked> {
  const asking = await opened(options, await spokenOf(options));
  const choice = () => {
    show(true);
    return [];
  };
  await asking.show(host, { shown: essentials, choice, chosen: () => show(false) });
  sendUntil(signal, asking);
  return asking;
}

async function opened(options: QuestionOptions, language: Spoken): Promise<Asking> {
  const { heading: level = 2, closed = false, wanted = [language.code], result } = options;
  return new Asking(await open(options), { language, wanted, level, closed, result });
}

function sendUntil(signal: AbortSignal, asking: Asking): void {
  const stop = asking.keepSending();
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop);
}

async function spokenOf({ language }: QuestionOptions): Promise<Spoken> {
  if (!language) return (await import("../languages/englishPage.js")).spoken;
  return "label" in language ? language : { ...language, label: async () => language };
}
