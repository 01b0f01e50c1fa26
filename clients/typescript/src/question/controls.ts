/** The controls of each kind of question. Nothing is chosen before the person chooses. */

import { isList, isObject } from "../canonical.js";
import type { Label } from "../labels.js";
import type { OneOf, Question } from "../surveys/questions.js";
import type { QuestionTexts } from "../surveys/translations.js";
import { type Domain, labelsOf } from "../values.js";
import { box, check, type Shown } from "./boxes.js";
import { checkboxes } from "./checkboxes.js";
import type { Held } from "./keeping.js";
import { element, type Say } from "./nodes.js";
import { quantity } from "./numbers.js";
import { unfolding } from "./unfolding.js";
import { written } from "./written.js";

/** More labels than these stand in a list that unfolds. */
const MOST_RADIOS = 12;

/** What is on the page for a question, what it holds, and what is wrong with that: nothing if that is empty. */
export interface Controls {
  readonly nodes: readonly HTMLElement[];
  readonly hint: string;
  readonly held: () => Held;
  readonly put: (held: Held) => void;
  readonly answer: () => unknown;
  readonly fault: () => string;
  /** The answer in words, to look it over. */
  readonly told: () => string;
}

/** The controls of a question with its words, in the language of the tag; `id` is its own in the document. */
export function controlsOf(question: Question, words: QuestionTexts, id: string, say: Say, lang?: string): Controls {
  if (question.kind === "text") return written(question, id, say);
  if (question.kind === "number") return quantity(question, words.unit ?? "", id, say);
  const texts = (words.labels ?? labelsOf(question.labels)).map((label) => textOf(label, say));
  if (question.kind === "any_of") return checkboxes(question, { texts, lang }, id, say);
  const control = question.labels.size > MOST_RADIOS ? unfolding : radios;
  return { hint: say("one"), ...control(question, { texts, lang }, id, say) };
}

function radios(question: OneOf, shown: Shown, id: string, say: Say) {
  const { labels, skipped } = question;
  const boxes = orderOf(question).map((place) => box("radio", id, shown, place));
  if (skipped !== null) boxes.at(-1)?.row.append(element("small", {}, say("skipping")));
  const chosen = () => boxes.find(({ input }) => input.checked)?.place;
  const put = (held: Held) => check(boxes, held);
  return { nodes: boxes.map(({ row }) => row), put, ...single(labels, shown, chosen, say) };
}

/** What holds of every question with one answer among labels. */
export function single(labels: Domain, shown: Shown, chosen: () => number | undefined, say: Say) {
  return {
    held: () => [chosen() ?? []].flat(),
    answer: () => labels.at(chosen() as number),
    fault: () => (chosen() === undefined ? say("missing") : ""),
    told: () => shown.texts[chosen() as number] ?? "",
  };
}

/** The places of the labels in the order of the document, the one for those who skip the question last. */
export function orderOf({ labels, skipped }: OneOf): number[] {
  const last = skipped === null ? undefined : labels.find(skipped);
  const places = Array.from({ length: labels.size }, (_, place) => place).filter((place) => place !== last);
  return last === undefined ? places : [...places, last];
}

/** A label as people read it. */
export function textOf(label: Label, say: Say): string {
  if (typeof label === "boolean") return say(label ? "yes" : "no");
  if (!isObject(label)) return `${label}`;
  const [value] = Object.values(label);
  return isList(value) ? value.map((part) => textOf(part, say)).join(", ") : `${value}`;
}
