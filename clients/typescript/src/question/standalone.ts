/** A survey on a page that no collector wrote: asked for from the start, with who asks what and why, and the label. */

import type { Client } from "../device/client.js";
import { type PageSayings, type Sayings, type Values, worded } from "../languages/language.js";
import { lesser, sentencesIn } from "../surveys/labelStatements.js";
import type { Survey } from "../surveys/survey.js";
import { type Wordings, wordingsFor } from "../surveys/translations.js";
import { intro as german } from "../wire/de.js";
import { intro as english } from "../wire/en.js";
import type { Before } from "./before.js";
import { opened, type QuestionOptions, sendUntil, spokenOf } from "./mount.js";
import { button, element, type Heading, heading, line, own, saying } from "./nodes.js";
import { type Note, noteOf } from "./notes.js";

const WORDS: Readonly<Record<string, typeof english>> = { en: english, de: german };

type Say = (key: keyof typeof english, values?: Values) => string;

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

/** What is on the page, and how it asks. */
interface Intro {
  readonly nodes: readonly HTMLElement[];
  readonly before: Before;
}

/** Title, asker, purpose, what is asked, the label and the choice; those sentences are folded that are long and say less. */
function introOf(
  { survey, rehearsed }: Client,
  words: Wordings,
  sayings: Sayings,
  language: PageSayings,
  level: Heading,
  agree: () => void,
): Intro {
  const say: Say = (key, values) => worded(language, (WORDS[language.code] ?? english)[key], values);
  const shown = sentencesIn(survey, sayings);
  const folded = lesser(survey, sayings);
  const more = element("details", {}, element("summary", {}, say("label_more")), listed(folded));
  const first = listed(shown.filter((sentence) => !folded.includes(sentence)));
  const label = element("section", {}, heading(level, say("label")), first, folded.length > 0 && more);
  const nodes = [
    ...(rehearsed ? [element("p", { class: "rehearsal", role: "note" }, saying(language)("rehearsal"))] : []),
    element("header", {}, own(`h${level}`, words.title || survey.name, words.lang)),
    ...askedOf(survey, words, say, level),
    label,
  ];
  return { nodes, before: { shown, sayings, ...choosing(survey, language, say, level, agree, () => fold(label)) } };
}

function askedOf(survey: Survey, words: Wordings, say: Say, level: Heading): HTMLElement[] {
  const [{ owner, contact }, { purpose, questions, lang }] = [survey, words];
  const asker = [owner && say("asker", { owner }), contact && say("contact", { contact })].filter(Boolean).join(" ");
  const told = [...(purpose ? [own("p", purpose, lang)] : []), ...(asker ? [own("p", asker)] : [])];
  const asked = Object.entries(questions).map(([name, { wording }]) => own("li", wording || name, lang));
  return [
    ...(told.length ? [element("section", {}, heading(level, say("why")), ...told)] : []),
    element("section", {}, heading(level, say("asked")), element("ul", {}, ...asked)),
  ];
}

/** Put the label behind its headline, once a person has agreed to it: then the questions are what they look for. */
function fold(label: HTMLElement): void {
  const [head, ...rest] = label.children;
  if (head instanceof HTMLHeadingElement) {
    label.replaceChildren(element("details", {}, element("summary", {}, head.textContent), ...rest));
  }
}

function listed(sentences: readonly string[]): HTMLUListElement {
  return element("ul", {}, ...sentences.map((sentence) => element("li", {}, sentence)));
}

/** The choice: both buttons look the same, and who would rather not can still choose again. */
function choosing(
  survey: Survey,
  language: PageSayings,
  say: Say,
  level: Heading,
  agree: () => void,
  chosen: () => void,
): Pick<Before, "choice" | "chosen"> {
  const keys = ["nothing_yet", survey.repeat === "remembered" ? "draws_now" : "once_only"] as const;
  const told = [...keys, "no_recall", "as_good", "trust"] as const;
  const page = saying(language);
  const choice = () => {
    const list = listed(told.map((key) => say(key, { decline: say("decline") })));
    const decline = button(say("decline"), () => {
      const stage = buttons.closest("section");
      const again = button(page("reconsider"), () => {
        const nodes = choice();
        stage?.replaceChildren(...nodes);
        nodes[0]?.focus();
      });
      const note = noteOf("declined", page, level);
      stage?.replaceChildren(...note, line(again));
      note[0]?.focus();
    });
    const buttons = element("p", { class: "choice" }, button(say("agree"), agree), decline);
    return [heading(level, say("choose")), list, buttons];
  };
  return { choice, chosen };
}
