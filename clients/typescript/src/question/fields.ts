/** The field of one question: its controls in a frame, the answer that they hold, and what is wrong with it. */

import type { Question } from "../surveys/questions.js";
import type { QuestionTexts } from "../surveys/translations.js";
import { type Controls, controlsOf } from "./controls.js";
import { element, own, type Say } from "./nodes.js";
import type { Wordings } from "./wordings.js";

/** A question on the page. */
export interface Field extends Pick<Controls, "answer"> {
  readonly name: string;
  readonly frame: HTMLFieldSetElement;
  /** Say what is wrong with the answer; whether nothing is. */
  readonly check: () => boolean;
  /** Whether something wrong is being said. */
  readonly faulty: () => boolean;
}

/** The field of a question; `id` is its own in the document. */
export function fieldOf(question: Question, { questions, lang }: Wordings, id: string, say: Say): Field {
  const words = questions[question.name] as QuestionTexts;
  const { nodes, hint, answer, fault } = controlsOf(question, words, id, say, lang);
  const legend = own("legend", words.wording || question.name, lang);
  legend.id = `${id}-legend`;
  const error = element("p", { class: "error", id: `${id}-error` });
  const hints = element("p", { class: "hint", id: `${id}-hint` }, hint);
  const frame = element("fieldset", { "aria-describedby": `${id}-hint ${id}-error` }, legend, hints, ...nodes, error);
  const check = () => {
    const wrong = fault();
    error.textContent = wrong;
    for (const control of frame.querySelectorAll("select, input:not([type=radio], [type=checkbox])"))
      control.setAttribute("aria-invalid", `${!!wrong}`);
    return !wrong;
  };
  return { name: question.name, frame, answer, check, faulty: () => !!error.textContent };
}
