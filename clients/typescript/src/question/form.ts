/** The form: a field for every question, looked at before anything is drawn. */

import type { Answers } from "../surveys/answers.js";
import type { Survey } from "../surveys/survey.js";
import { type Field, fieldOf } from "./fields.js";
import { type Heading, heading } from "./intro.js";
import { button, element, type Say } from "./nodes.js";

/** Forms of this document so far, of which one page may have several. */
let forms = 0;

/** What a form does: with answers, with so many that are faulty, and if the person would rather not. */
export interface Acts {
  readonly submit: (answers: Answers) => void;
  readonly faulty: (count: number) => void;
  readonly stop: () => void;
}

/** The form of a survey. */
export function formOf(survey: Survey, say: Say, level: Heading, acts: Acts): HTMLElement[] {
  const id = `deniable-${forms++}`;
  const fields = [...survey.questions.values()].map((question, k) => fieldOf(question, `${id}-${k}`, say));
  const submit = element("button", { type: "submit" }, say("submit"));
  const buttons = element("p", { class: "choice" }, submit, button(say("stop"), acts.stop));
  const form = element("form", { novalidate: true }, ...fields.map(({ frame }) => frame), buttons);
  form.addEventListener("submit", (event) => {
    event.preventDefault(); // no browser may send what is in the fields
    submitted(fields, acts);
  });
  return [heading(level, say("questions")), form];
}

function submitted(fields: readonly Field[], { submit, faulty }: Acts): void {
  const wrong = fields.filter((field) => !field.check());
  if (wrong.length) {
    faulty(wrong.length);
    wrong[0]?.frame.querySelector<HTMLElement>("input, select")?.focus();
  } else submit(Object.fromEntries(fields.map(({ name, answer }) => [name, answer()])));
}
