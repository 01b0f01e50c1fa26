/** The controls of each kind of question. Nothing is chosen before the person chooses. */

import { isList, isObject } from "../canonical.js";
import { isText } from "../checks.js";
import type { Label } from "../labels.js";
import { characters } from "../surveys/fields.js";
import { type AnyOf, END, type OneOf, type Question, type Text } from "../surveys/questions.js";
import type { QuestionTexts } from "../surveys/translations.js";
import { type Domain, labelsOf } from "../values.js";
import type { Held } from "./keeping.js";
import { button, element, own, type Say } from "./nodes.js";
import { quantity } from "./numbers.js";
import { ticksAfter } from "./ticks.js";

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

/** Its labels as people read them, in the places that the document has them in. */
interface Shown {
  readonly texts: readonly string[];
  readonly lang: string | undefined;
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

function unfolding(question: OneOf, shown: Shown, id: string, say: Say) {
  const { labels } = question;
  const named = (place: number) => element("option", { value: `${place}`, lang: shown.lang }, shown.texts[place]);
  const empty = element("option", { value: "" }, say("pick"));
  const names = { "aria-labelledby": `${id}-legend`, autocomplete: "off", required: true };
  const select = element("select", names, empty, ...orderOf(question).map(named));
  const chosen = () => (select.value === "" ? undefined : Number(select.value));
  const put = ([place]: Held) => {
    select.value = `${place ?? ""}`;
  };
  return { nodes: [select], put, ...single(labels, shown, chosen, say) };
}

function single(labels: Domain, shown: Shown, chosen: () => number | undefined, say: Say) {
  return {
    held: () => [chosen() ?? []].flat(),
    answer: () => labels.at(chosen() as number),
    fault: () => (chosen() === undefined ? say("missing") : ""),
    told: () => shown.texts[chosen() as number] ?? "",
  };
}

/** Boxes to tick; those that stand alone come after all others, and clear them. */
function checkboxes(question: AnyOf, shown: Shown, id: string, say: Say): Controls {
  const { labels, most, exclusive } = question;
  const boxes = shown.texts.map((_, place) => box("checkbox", id, shown, place));
  const chosen = () => boxes.filter(({ input }) => input.checked);
  const held = () => chosen().map(({ place }) => place);
  const limit = most !== null && most < labels.size ? most : undefined;
  const note = element("p", { class: "hint", role: "status" });
  const tick = (clicked: number, before: readonly number[]) => {
    const { ticked, cleared } = ticksAfter(question, new Set(before), clicked);
    check(boxes, [...ticked]);
    const names = cleared.map((place) => shown.texts[place] ?? "").join(", ");
    const back = button(
      say("bring_back"),
      () => {
        check(boxes, cleared);
        note.replaceChildren();
        boxes[clicked]?.input.dispatchEvent(new Event("input", { bubbles: true }));
        boxes[cleared[0] ?? 0]?.input.focus();
      },
      "link",
    );
    note.replaceChildren(...(names ? [say("cleared", { last: shown.texts[clicked] ?? "", names }), " ", back] : []));
  };
  for (const { input, place } of boxes) {
    input.addEventListener("change", () => {
      tick(place, input.checked ? held().filter((each) => each !== place) : [...held(), place]);
    });
  }
  const alone = boxes.filter(({ place }) => exclusive?.includes(place));
  const others = boxes.filter((each) => !alone.includes(each));
  const rows = (some: readonly Box[]) => some.map(({ row }) => row);
  return {
    nodes: [
      ...rows(others),
      ...(alone.length ? [element("p", { class: "hint" }, say("or"))] : []),
      ...rows(alone),
      note,
    ],
    hint: limit !== undefined ? say("some", { count: limit }) : say(exclusive ? "all_true" : "any"),
    held,
    put: (given) => check(boxes, given),
    answer: () => held().map((place) => labels.at(place)),
    fault: () => {
      if (exclusive && !held().length) return say("missing");
      return limit !== undefined && held().length > limit ? say("too_many", { count: limit }) : "";
    },
    told: () =>
      held()
        .map((place) => shown.texts[place])
        .join(", ") || say("none"),
  };
}

/** A line of text. Its length is counted in characters, which browsers count otherwise, and so nothing is cut off. */
function written({ longest }: Text, id: string, say: Say): Controls {
  const input = element("input", { type: "text", dir: "auto", autocomplete: "off", "aria-labelledby": `${id}-legend` });
  return {
    nodes: [input],
    hint: longest === null ? say("text") : say("text_most", { count: longest }),
    held: () => input.value,
    put: (held) => {
      input.value = `${held}`;
    },
    answer: () => input.value,
    fault: () => {
      if (!isText(input.value) || input.value.includes(END)) return say("strange");
      return longest !== null && characters(input.value).length > longest ? say("too_long", { count: longest }) : "";
    },
    told: () => input.value || say("none"),
  };
}

interface Box {
  readonly input: HTMLInputElement;
  readonly place: number;
  readonly row: HTMLLabelElement;
}

/** One label to choose, in a target that is large enough for a finger. */
function box(type: "radio" | "checkbox", id: string, { texts, lang }: Shown, place: number): Box {
  const input = element("input", { type, name: id, autocomplete: "off" });
  return { input, place, row: element("label", {}, input, own("span", texts[place] ?? "", lang)) };
}

function check(boxes: readonly Box[], held: Held): void {
  for (const { input, place } of boxes) input.checked = isList(held) && (held as readonly number[]).includes(place);
}

/** The places of the labels in the order of the document, the one for those who skip the question last. */
function orderOf({ labels, skipped }: OneOf): number[] {
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
