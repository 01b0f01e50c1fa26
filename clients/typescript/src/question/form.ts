/** The form: a field for every question, looked at before anything is drawn. */

import type { Answers } from "../surveys/answers.js";
import type { Survey } from "../surveys/survey.js";
import { type Field, fieldOf } from "./fields.js";
import { type Heading, heading } from "./intro.js";
import { button, element, type Say } from "./nodes.js";
import type { Wordings } from "./wordings.js";

/** Forms of this document so far, of which one page may have several. */
let forms = 0;

/** What a form does: with answers, with so many that are faulty, of which there may be none any more, and if the person would rather not. */
export interface Acts {
  readonly submit: (answers: Answers) => void;
  readonly faulty: (count: number) => void;
  readonly stop: () => void;
}

/** The form of a survey. */
export function formOf(survey: Survey, words: Wordings, say: Say, level: Heading, acts: Acts): HTMLElement[] {
  const id = `deniable-${forms++}`;
  const fields = [...survey.questions.values()].map((question, k) => fieldOf(question, words, `${id}-${k}`, say));
  const submit = element("button", { type: "submit" }, say("submit"));
  const buttons = element(
    "p",
    { class: "choice" },
    submit,
    button(say(survey.repeat === "once" ? "leave" : "stop"), acts.stop),
  );
  const form = element("form", { novalidate: true }, ...fields.map(({ frame }) => frame), buttons);
  form.addEventListener("submit", (event) => {
    event.preventDefault(); // no browser may send what is in the fields
    submitted(fields, acts);
  });
  form.addEventListener("input", () => {
    const told = fields.filter(({ faulty }) => faulty());
    if (told.length) acts.faulty(checked(told).length);
  });
  return [heading(level, say("questions")), form];
}

/** Those of the fields that are faulty, each of which says so now. */
function checked(fields: readonly Field[]): Field[] {
  return fields.filter((field) => !field.check());
}

function submitted(fields: readonly Field[], { submit, faulty }: Acts): void {
  const wrong = checked(fields);
  if (wrong.length) {
    faulty(wrong.length);
    wrong[0]?.frame.querySelector<HTMLElement>("input, select")?.focus();
  } else submit(Object.fromEntries(fields.map(({ name, answer }) => [name, answer()])));
}
