/** The field of one question: the controls of its kind in a frame. Nothing is chosen before the person chooses. */

import type { OneOf, Question } from "../surveys/questionKinds.js";
import type { QuestionTexts, Wordings } from "../surveys/translations.js";
import { labelsOf } from "../values.js";
import { checkboxes } from "./checkboxes.js";
import { box, type Controls, check, type LabelTexts, orderOf, single, textOf } from "./control.js";
import type { FieldValue } from "./drafts.js";
import { dropdown } from "./dropdown.js";
import { directionOf, element, type Heading, heading, type Say } from "./nodes.js";
import { numberField } from "./numberField.js";
import { textField } from "./textField.js";

/** More labels than these stand in a list that unfolds. */
const MOST_RADIOS = 12;

/** A question on the page. */
export interface Field extends Pick<Controls, "answer" | "value" | "restore" | "summary"> {
  readonly name: string;
  readonly wording: string;
  readonly frame: HTMLFieldSetElement;
  /** Say what is wrong with the answer; whether nothing is. */
  readonly check: () => boolean;
  /** Whether nothing is wrong, without a word. */
  readonly isValid: () => boolean;
  /** Whether something wrong is being said. */
  readonly hasError: () => boolean;
}

/** The field of a question; `id` is its own in the document. Without a level it is a row of a table, which has the heading. */
export function fieldOf(
  question: Question,
  { questions, lang }: Wordings,
  id: string,
  say: Say,
  level?: Heading,
): Field {
  const texts = questions[question.name] as QuestionTexts;
  const { nodes, hint, fault, ...controls } = controlsOf(question, texts, id, say, lang);
  const own = texts.wording || question.name;
  const wording = texts.heading ? `${texts.heading} ${own}` : own;
  const words = level ? heading(level, wording) : element("span", {}, own);
  const dir = directionOf(wording); // what the page says around the question stands on the side of its words
  if (lang) words.lang = lang;
  const legend = element("legend", { id: `${id}-legend` }, words);
  const error = element("p", { class: "error", id: `${id}-error`, dir: "auto" });
  const hints = element("p", { class: "hint", id: `${id}-hint`, dir: "auto" }, level && hint);
  const described = `${id}-hint ${id}-error`;
  const frame = element("fieldset", { dir, "aria-describedby": described }, legend, hints, ...nodes, error);
  const show = (wrong: string) => {
    error.textContent = wrong;
    for (const control of frame.querySelectorAll("select, input:not([type=radio], [type=checkbox])"))
      control.setAttribute("aria-invalid", `${!!wrong}`);
    return !wrong;
  };
  const check = () => show(fault());
  const restore = (value: FieldValue) => {
    controls.restore(value);
    show("");
  };
  const [isValid, hasError] = [() => !fault(), () => !!error.textContent];
  return { ...controls, name: question.name, wording, frame, restore, check, isValid, hasError };
}

/** The controls of a question with its words, in the language of the tag; `id` is its own in the document. */
function controlsOf(question: Question, words: QuestionTexts, id: string, say: Say, lang?: string): Controls {
  if (question.kind === "text") return textField(question, id, say);
  if (question.kind === "number") return numberField(question, words.unit ?? "", id, say);
  const texts = (words.labels ?? labelsOf(question.labels)).map((label) => textOf(label, say));
  if (question.kind === "any_of") return checkboxes(question, { texts, lang }, id, say);
  const control = question.labels.size > MOST_RADIOS ? dropdown : radios;
  return { hint: say("one"), ...control(question, { texts, lang }, id, say) };
}

function radios(question: OneOf, shown: LabelTexts, id: string, say: Say) {
  const { labels, skipped } = question;
  const boxes = orderOf(question).map((place) => box("radio", id, shown, place));
  if (skipped !== null) boxes.at(-1)?.row.append(element("small", {}, say("skipping")));
  const chosen = () => boxes.find(({ input }) => input.checked)?.place;
  const restore = (value: FieldValue) => check(boxes, value);
  return { nodes: boxes.map(({ row }) => row), restore, ...single(labels, shown, chosen, say) };
}
