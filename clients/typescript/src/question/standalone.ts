/** A survey on a page that no collector wrote: asked for from the start, with who asks what and why, and the label. */

import type { Client } from "../device/client.js";
import { type LabelLanguage, type PageLanguage, type Values, worded } from "../languages/language.js";
import { lesser, sentencesIn } from "../surveys/labelStatements.js";
import type { Survey } from "../surveys/survey.js";
import { type Wordings, wordingsFor } from "../surveys/translations.js";
import { intro as german } from "../wire/de.js";
import { intro as english } from "../wire/en.js";
import type { Choice } from "./choice.js";
import { foldOf, type SayField, sayingField, shortOf } from "./compact.js";
import { type Guest, languageOf, openSession, type QuestionOptions, sendUntil } from "./mount.js";
import { authorText, button, element, type Heading, heading, line, saying } from "./nodes.js";
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
    const language = await languageOf(options);
    const [say, level] = [saying(language), options.heading ?? 2];
    host.replaceChildren(element("p", { role: "status" }, say("loading")));
    let note: Note = "failed";
    const told = options.guest?.told;
    try {
      await language.seldom();
      note = "unloaded";
      if (!globalThis.isSecureContext) {
        told?.("insecure");
        return host.replaceChildren(...noteOf("insecure", say, level));
      }
      const session = await openSession(options, language);
      if (session.client.survey.crowd) await import("../surveys/sentences.js"); // so that agreeing asks for nothing
      await options.guest?.before(host, session.client);
      const words = wordingsFor(session.client.survey, options.wanted ?? [language.code]);
      const intro = introOf(session.client, words, await language.label(), language, level, options.guest, () =>
        session.agree(),
      );
      host.replaceChildren(...intro.nodes);
      await session.show(host, intro.choice);
      host.append(...intro.below);
      options.guest?.shown?.(() => void session.show(host, intro.choice).then(() => host.append(...intro.below)));
      sendUntil(ending.signal, session);
    } catch (error) {
      console.error(error);
      told?.(note);
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
  /** What stands beneath the stage. */
  readonly below: readonly HTMLElement[];
  readonly choice: Choice;
}

/** Title, asker, purpose, what is asked, the label and the choice; those sentences are folded that are long and say less. */
function introOf(
  { survey, rehearsed }: Client,
  words: Wordings,
  sayings: LabelLanguage,
  language: PageLanguage,
  level: Heading,
  guest: Guest | undefined,
  agree: () => void,
): Intro {
  const say: Say = (key, values) => worded(language, (WORDS[language.code] ?? english)[key], values);
  const shown = sentencesIn(survey, sayings);
  const points = pointsOf(survey, say, sayingField(language));
  const choiceOf = (above: () => readonly HTMLElement[], chosen = () => {}): Choice => {
    return { shown, sayings, view: choosing(language, say, level, above, agree, guest?.told), chosen };
  };
  if (guest?.compact) {
    const choice = choiceOf(() => shortOf(survey, words, language, level));
    return { nodes: [], below: [foldOf([...shown, ...points], language)], choice };
  }
  const folded = lesser(survey, sayings);
  const more = element("details", {}, element("summary", {}, say("label_more")), listed(folded));
  const first = listed(shown.filter((sentence) => !folded.includes(sentence)));
  const label = element("section", {}, heading(level, say("label")), first, folded.length > 0 && more);
  const choice = choiceOf(
    () => [heading(level, say("choose")), listed(points)],
    () => fold(label),
  );
  const nodes = [
    ...(rehearsed ? [element("p", { class: "rehearsal", role: "note" }, saying(language)("rehearsal"))] : []),
    element("header", {}, authorText(`h${level}`, words.title || survey.name, words.lang)),
    ...askedOf(survey, words, say, level),
    label,
  ];
  return { nodes, below: [], choice };
}

function askedOf(survey: Survey, words: Wordings, say: Say, level: Heading): HTMLElement[] {
  const [{ owner, contact }, { purpose, questions, lang }] = [survey, words];
  const asker = [owner && say("asker", { owner }), contact && say("contact", { contact })].filter(Boolean).join(" ");
  const reasons = [...(purpose ? [authorText("p", purpose, lang)] : []), ...(asker ? [authorText("p", asker)] : [])];
  const items = Object.entries(questions).map(([name, { heading, wording }]) =>
    authorText("li", [heading, wording || name].filter(Boolean).join(" "), lang),
  );
  return [
    ...(reasons.length ? [element("section", {}, heading(level, say("why")), ...reasons)] : []),
    element("section", {}, heading(level, say("asked")), element("ul", {}, ...items)),
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

/** What there is to know before one chooses; in a form some of that is otherwise. */
function pointsOf({ repeat, carrier }: Survey, say: Say, inForm: SayField): string[] {
  const values = { decline: say("decline") };
  const points = ["no_recall", "as_good"] as const;
  if (carrier) return [...(["once_only", ...points] as const).map((key) => inForm(key, values)), say("trust")];
  const keys = ["nothing_yet", repeat === "remembered" ? "draws_now" : "once_only", ...points, "trust"] as const;
  return keys.map((key) => say(key, values));
}

/** The choice: both buttons look the same, and who would rather not can still choose again. */
function choosing(
  language: PageLanguage,
  say: Say,
  level: Heading,
  above: () => readonly HTMLElement[],
  agree: () => void,
  told: Guest["told"] | undefined,
): Choice["view"] {
  const page = saying(language);
  const view = () => {
    const decline = button(say("decline"), () => {
      const stage = buttons.closest("section");
      const again = button(page("reconsider"), () => {
        const nodes = view();
        stage?.replaceChildren(...nodes);
        nodes[0]?.focus();
      });
      const note = noteOf("declined", page, level);
      told?.("declined");
      stage?.replaceChildren(...note, line(again));
      note[0]?.focus();
    });
    const buttons = element("p", { class: "choice" }, button(say("agree"), agree), decline);
    return [...above(), buttons];
  };
  return view;
}
