/** What a person is shown before they choose: who asks what and why, the label, and what choosing means. */

import type { Survey } from "../surveys/survey.js";
import { button, element, own, type Say } from "./nodes.js";
import type { Wordings } from "./wordings.js";

/** How deep the title stands among the headings of the page around it; the others stand one deeper. */
export type Heading = 1 | 2 | 3;

/** A heading below the title. */
export function heading(level: Heading, text: string): HTMLHeadingElement {
  return element(`h${(level + 1) as 2 | 3 | 4}`, { tabindex: "-1" }, text);
}

/** Title, asker, purpose, what is asked, and the label, with those of its sentences folded that are long and say less. */
export function intro(
  survey: Survey,
  { title, purpose, questions, lang }: Wordings,
  sentences: readonly string[],
  folded: readonly string[],
  say: Say,
  level: Heading,
): HTMLElement[] {
  const asker = asking(survey, purpose, say, lang);
  const asked = Object.entries(questions).map(([name, { wording }]) => own("li", wording || name, lang));
  const first = sentences.filter((sentence) => !folded.includes(sentence));
  const more = element("details", {}, element("summary", {}, say("label_more")), listed(folded));
  return [
    element("header", {}, own(`h${level}`, title || survey.name, lang)),
    ...(asker.length ? [element("section", {}, heading(level, say("why")), ...asker)] : []),
    element("section", {}, heading(level, say("asked")), element("ul", {}, ...asked)),
    element("section", {}, heading(level, say("label")), listed(first), folded.length > 0 && more),
  ];
}

/** Put the label behind its headline, once a person has agreed to it: then the questions are what they look for. */
export function fold(label: HTMLElement): void {
  const [head, ...rest] = label.children;
  if (head instanceof HTMLHeadingElement) {
    label.replaceChildren(element("details", {}, element("summary", {}, head.textContent), ...rest));
  }
}

function listed(sentences: readonly string[]): HTMLUListElement {
  return element("ul", {}, ...sentences.map((sentence) => element("li", {}, sentence)));
}

function asking({ owner, contact }: Survey, purpose: string, say: Say, lang?: string): HTMLElement[] {
  const asker = [owner && say("asker", { owner }), contact && say("contact", { contact })].filter(Boolean).join(" ");
  return [purpose && own("p", purpose, lang), asker && own("p", asker)].filter((node) => node !== "");
}

/** The choice: both buttons look the same. */
export function choice(
  survey: Survey,
  say: Say,
  level: Heading,
  agree: () => void,
  decline: () => void,
): HTMLElement[] {
  const keys = ["nothing_yet", survey.repeat === "remembered" ? "draws_now" : "once_only"] as const;
  const told = [...keys, "no_recall", "as_good", "trust"] as const;
  const list = listed(told.map((key) => say(key, { decline: say("decline") })));
  const buttons = element("p", { class: "choice" }, button(say("agree"), agree), button(say("decline"), decline));
  return [heading(level, say("choose")), list, buttons];
}
