/** The field of one question: its controls in a frame, the answer that they hold, and what is wrong with it. */

import type { Question } from "../surveys/questions.js";
import type { QuestionTexts } from "../surveys/translations.js";
import { type Controls, controlsOf } from "./controls.js";
import { directionOf, element, type Heading, heading, type Say } from "./nodes.js";
import type { Wordings } from "./wordings.js";

/** A question on the page. */
export interface Field extends Pick<Controls, "answer" | "held" | "put" | "told"> {
  readonly name: string;
  readonly wording: string;
  readonly frame: HTMLFieldSetElement;
  /** Say what is wrong with the answer; whether nothing is. */
  readonly check: () => boolean;
  /** Whether nothing is wrong, without a word. */
  readonly sound: () => boolean;
  /** Whether something wrong is being said. */
  readonly faulty: () => boolean;
}

/** The field of a question; `id` is its own in the document. */
export function fieldOf(
  question: Question,
  { questions, lang }: Wordings,
  id: string,
  say: Say,
  level: Heading,
): Field {
  const texts = questions[question.name] as QuestionTexts;
  const { nodes, hint, fault, ...controls } = controlsOf(question, texts, id, say, lang);
  const wording = texts.wording || question.name;
  const words = heading(level, wording);
  const dir = directionOf(wording); // what the page says around the question stands on the side of its words
  if (lang) words.lang = lang;
  const legend = element("legend", { id: `${id}-legend` }, words);
  const error = element("p", { class: "error", id: `${id}-error`, dir: "auto" });
  const hints = element("p", { class: "hint", id: `${id}-hint`, dir: "auto" }, hint);
  const described = `${id}-hint ${id}-error`;
  const frame = element("fieldset", { dir, "aria-describedby": described }, legend, hints, ...nodes, error);
  const check = () => {
    const wrong = fault();
    error.textContent = wrong;
    for (const control of frame.querySelectorAll("select, input:not([type=radio], [type=checkbox])"))
      control.setAttribute("aria-invalid", `${!!wrong}`);
    return !wrong;
  };
  const [sound, faulty] = [() => !fault(), () => !!error.textContent];
  return { ...controls, name: question.name, wording, frame, check, sound, faulty };
}
