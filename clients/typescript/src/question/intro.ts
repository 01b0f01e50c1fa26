/** What a person is shown before they choose: who asks and why, the label, and what choosing means. */

import type { Survey } from "../surveys/survey.js";
import { button, element, own, type Say } from "./nodes.js";

/** How deep the title stands among the headings of the page around it; the others stand one deeper. */
export type Heading = 1 | 2 | 3;

/** A heading below the title. */
export function heading(level: Heading, text: string): HTMLHeadingElement {
  return element(`h${(level + 1) as 2 | 3 | 4}`, { tabindex: "-1" }, text);
}

/** Title, asker, purpose and label. */
export function intro(survey: Survey, sentences: readonly string[], say: Say, level: Heading): HTMLElement[] {
  const list = element("ul", {}, ...sentences.map((sentence) => element("li", {}, sentence)));
  return [
    element("header", {}, own(`h${level}`, survey.title || survey.name)),
    element("section", {}, heading(level, say("why")), ...asking(survey, say)),
    element("section", {}, heading(level, say("label")), list),
  ];
}

function asking({ purpose, owner, contact }: Survey, say: Say): HTMLElement[] {
  const asker = [owner && say("asker", { owner }), contact && say("contact", { contact })].filter(Boolean).join(" ");
  return [purpose, asker].filter(Boolean).map((text) => own("p", text));
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
  const list = element("ul", {}, ...told.map((key) => element("li", {}, say(key))));
  const buttons = element("p", { class: "choice" }, button(say("agree"), agree), button(say("decline"), decline));
  return [heading(level, say("choose")), list, buttons];
}
