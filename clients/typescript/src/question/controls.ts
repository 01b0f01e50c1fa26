/** The controls of each kind of question. Nothing is chosen before the person chooses. */

import { isList, isObject } from "../canonical.js";
import { isText } from "../checks.js";
import type { Label } from "../labels.js";
import { characters } from "../surveys/fields.js";
import { placeOf } from "../surveys/grid.js";
import { type AnyOf, END, type Numeric, type OneOf, type Question, type Text } from "../surveys/questions.js";
import type { QuestionTexts } from "../surveys/translations.js";
import { type Domain, labelsOf } from "../values.js";
import { element, own, type Say } from "./nodes.js";
import { ticksAfter } from "./ticks.js";

/** More labels than these stand in a list that unfolds. */
const MOST_RADIOS = 12;

/** What is on the page for a question, what it holds, and what is wrong with that: nothing if that is empty. */
export interface Controls {
  readonly nodes: readonly HTMLElement[];
  readonly hint: string;
  readonly answer: () => unknown;
  readonly fault: () => string;
}

/** The controls of a question with its words, in the language of the tag; `id` is its own in the document. */
export function controlsOf(question: Question, words: QuestionTexts, id: string, say: Say, lang?: string): Controls {
  if (question.kind === "text") return line(question, id, say);
  if (question.kind === "number") return quantity(question, words.unit ?? "", id, say);
  const shown = (words.labels ?? labelsOf(question.labels)).map((label) => own("span", textOf(label, say), lang));
  if (question.kind === "any_of") return checkboxes(question, shown, id, say);
  const answer = { hint: say("one"), order: orderOf(question) };
  return {
    ...answer,
    ...(question.labels.size > MOST_RADIOS ? unfolding : radios)(question, shown, answer.order, id, say),
  };
}

type Shown = readonly HTMLElement[];

function radios({ labels, skipped }: OneOf, shown: Shown, order: readonly number[], id: string, say: Say) {
  const boxes = order.map((place) => box("radio", id, shown, place));
  const skip = skipped === null ? undefined : boxes.at(-1);
  skip?.row.append(element("small", {}, say("skipping")));
  const chosen = () => boxes.find(({ input }) => input.checked)?.place;
  return { nodes: boxes.map(({ row }) => row), ...single(labels, chosen, say) };
}

function unfolding({ labels }: OneOf, shown: Shown, order: readonly number[], id: string, say: Say) {
  const options = order.map((place) => {
    return element("option", { value: `${place}`, lang: shown[place]?.lang }, shown[place]?.textContent ?? "");
  });
  const empty = element("option", { value: "" }, say("pick"));
  const select = element("select", { "aria-labelledby": `${id}-legend`, required: true }, empty, ...options);
  const chosen = () => (select.value === "" ? undefined : Number(select.value));
  return { nodes: [select], ...single(labels, chosen, say) };
}

function single(labels: Domain, chosen: () => number | undefined, say: Say) {
  return {
    answer: () => labels.at(chosen() as number),
    fault: () => (chosen() === undefined ? say("missing") : ""),
  };
}

function checkboxes(question: AnyOf, shown: Shown, id: string, say: Say): Controls {
  const { labels, most, exclusive } = question;
  const boxes = shown.map((_, place) => box("checkbox", id, shown, place));
  const chosen = () => boxes.filter(({ input }) => input.checked);
  const limit = most !== null && most < labels.size ? most : undefined;
  for (const { input, place: clicked } of boxes) {
    input.addEventListener("change", () => {
      const before = chosen().flatMap(({ place }) => (place === clicked ? [] : place));
      const { ticked } = ticksAfter(question, new Set(input.checked ? before : [...before, clicked]), clicked);
      for (const each of boxes) each.input.checked = ticked.has(each.place);
    });
  }
  return {
    nodes: boxes.map(({ row }) => row),
    hint: limit === undefined ? say("any") : say("some", { count: limit }),
    answer: () => chosen().map(({ place }) => labels.at(place)),
    fault: () => {
      if (exclusive && !chosen().length) return say("missing");
      return limit !== undefined && chosen().length > limit ? say("too_many", { count: limit }) : "";
    },
  };
}

/** A line of text. Its length is counted in characters, which browsers count otherwise, and so nothing is cut off. */
function line({ longest }: Text, id: string, say: Say): Controls {
  const input = element("input", { type: "text", dir: "auto", autocomplete: "off", "aria-labelledby": `${id}-legend` });
  return {
    nodes: [input],
    hint: longest === null ? say("text") : say("text_most", { count: longest }),
    answer: () => input.value,
    fault: () => {
      if (!isText(input.value) || input.value.includes(END)) return say("strange");
      return longest !== null && characters(input.value).length > longest ? say("too_long", { count: longest }) : "";
    },
  };
}

/** A number or a date. Bounds are told and not enforced, since what lies beyond them counts as the bound. */
function quantity({ scale }: Numeric, unit: string, id: string, say: Say): Controls {
  const type = scale.dated ? "date" : "number";
  const input = element("input", { type, step: "any", autocomplete: "off", "aria-labelledby": `${id}-legend` });
  const answer = () => (scale.dated || input.value === "" ? input.value : Number(input.value));
  const { low, high } = scale.written;
  return {
    nodes: [input],
    hint: say("number", { low: `${low}`, high: `${high}`, unit: unit && `\u00a0${unit}` }),
    answer,
    fault: () => (placeOf(scale, answer()) === undefined ? say(scale.dated ? "no_date" : "no_number") : ""),
  };
}

/** One label to choose, in a target that is large enough for a finger. */
function box(type: "radio" | "checkbox", id: string, shown: Shown, place: number) {
  const input = element("input", { type, name: id });
  return { input, place, row: element("label", {}, input, shown[place]) };
}

/** The places of the labels in the order of the document, the one for those who skip the question last. */
function orderOf({ labels, skipped }: OneOf): number[] {
  const last = skipped === null ? undefined : labels.find(skipped);
  const places = Array.from({ length: labels.size }, (_, place) => place).filter((place) => place !== last);
  return last === undefined ? places : [...places, last];
}

/** A label as people read it. */
function textOf(label: Label, say: Say): string {
  if (typeof label === "boolean") return say(label ? "yes" : "no");
  if (!isObject(label)) return `${label}`;
  const [value] = Object.values(label);
  return isList(value) ? value.map((part) => textOf(part, say)).join(", ") : `${value}`;
}
