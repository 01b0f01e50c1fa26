/** The questions, one on a screen, and then all answers to look over before anything is drawn. */

import type { Answers } from "../surveys/answers.js";
import { questionsOf } from "../surveys/arms.js";
import type { Survey } from "../surveys/survey.js";
import type { Wordings } from "../surveys/translations.js";
import type { Draft } from "./drafts.js";
import { type Field, fieldOf } from "./fields.js";
import { machine } from "./machine.js";
import { authorText, button, directionOf, element, type Heading, heading, line, type Say } from "./nodes.js";

/** Forms of this document so far, of which one page may have several. */
let forms = 0;

/** What the form does. */
export interface FormActions {
  readonly submit: (answers: Answers) => void;
  /** Something was ticked or typed, or another question is shown. */
  readonly changed: (draft: Draft) => void;
  /** The person would rather not. */
  readonly leave: () => void;
  /** Another place is shown, by what was pressed on the page. */
  readonly moved: (place: number) => void;
  /** Back to a place, or before the first one: whether that is done already. */
  readonly back: (place: number) => boolean;
  readonly tell: (text: string) => void;
}

/** How the form speaks, and what is said beneath the questions. */
export interface Words {
  readonly say: Say;
  /** The words of the survey. */
  readonly texts: Wordings;
  readonly level: Heading;
  /** Whether ticks are kept while this tab is open. */
  readonly keeps: boolean;
}

/** The form of a survey. */
export class QuestionForm {
  readonly element = element("form", { novalidate: true, autocomplete: "off" });
  readonly #survey: Survey;
  readonly #words: Words;
  readonly #acts: FormActions;
  readonly #fields: readonly Field[];
  #place = 0;

  constructor(survey: Survey, words: Words, acts: FormActions, draft?: Draft) {
    const id = `deniable-${forms++}`;
    [this.#survey, this.#words, this.#acts] = [survey, words, acts];
    this.#fields = [...survey.questions.values()].map((question, k) =>
      fieldOf(question, words.texts, `${id}-${k}`, words.say, words.level),
    );
    if (draft?.values.length === this.#fields.length) {
      for (const [k, { restore }] of this.#fields.entries()) restore(draft.values[k] ?? "");
      this.#place = Math.min(draft.place, this.#last);
    }
    this.element.addEventListener("submit", (event) => {
      event.preventDefault(); // no browser may send what is in the fields
      this.#onwards();
    });
    this.element.addEventListener("input", () => {
      const field = this.#fields[this.#place];
      if (field?.hasError() && field.check()) acts.tell("");
      this.#changed();
    });
    this.#show();
  }

  /** The last place: of one question itself, of several the look over. */
  get #last(): number {
    const count = this.#fields.length;
    return count > 1 ? count : 0;
  }

  /** Where somebody is. */
  get place(): number {
    return this.#place;
  }

  /** Show a place, but none beyond a question that is still open; which one it became. */
  visit(place: number): number {
    const open = this.#fields.findIndex(({ isValid }, k) => k < place && !isValid());
    this.#turnTo(open < 0 ? Math.min(place, this.#last) : open);
    return this.#place;
  }

  #go(place: number): void {
    this.#acts.moved(place);
    this.#turnTo(place);
  }

  /** Show another place, and take whoever goes there to its words. */
  #turnTo(place: number): void {
    this.#place = place;
    this.#acts.tell("");
    this.#changed();
    this.#show();
    this.element.querySelector<HTMLElement>("[tabindex]")?.focus();
  }

  #changed(): void {
    this.#acts.changed({ place: this.#place, values: this.#fields.map(({ value }) => value()) });
  }

  #onwards(): void {
    const field = this.#fields[this.#place];
    if (field && !field.check()) {
      this.#acts.tell(field.frame.querySelector(".error")?.textContent ?? "");
      field.frame.querySelector<HTMLElement>("input, select")?.focus();
    } else if (this.#place < this.#last) this.#go(this.#place + 1);
    else this.#acts.submit(Object.fromEntries(this.#fields.map(({ name, answer }) => [name, answer()])));
  }

  #show(): void {
    const field = this.#fields[this.#place];
    this.element.replaceChildren(...(field ? this.#question(field) : this.#review()));
  }

  #question({ frame }: Field): HTMLElement[] {
    const { say, keeps } = this.#words;
    const [count, number] = [this.#fields.length, this.#place + 1];
    const alone = count === 1;
    const next = element("button", { type: "submit" }, say(number < count ? "next" : "look_over"));
    const back = button(say("back"), () => this.#acts.back(this.#place - 1) || this.#go(this.#place - 1));
    return [
      ...(alone ? [] : this.#progress(number, count)),
      frame,
      ...(alone ? this.#sending() : [element("p", { class: "choice" }, back, next)]),
      ...(keeps ? [element("p", { class: "hint" }, say("kept"))] : []),
    ];
  }

  #progress(number: number, count: number): HTMLElement[] {
    const text = this.#words.say("progress", { number, of: count });
    const bar = element("progress", { max: `${count}`, value: `${number}`, "aria-label": text });
    return [element("p", { class: "hint" }, text), bar];
  }

  #review(): HTMLElement[] {
    const { say, level, texts } = this.#words;
    const rows = this.#fields.map(({ wording, summary }, place) => {
      const change = button(say("change"), () => this.#go(place), "link");
      change.setAttribute("aria-label", say("change_about", { name: wording }));
      const answer = element("dd", {}, authorText("span", summary(), texts.lang));
      return element(
        "div",
        { dir: directionOf(wording) },
        authorText("dt", wording, texts.lang),
        answer,
        element("dd", {}, change),
      );
    });
    const lot = this.#lot();
    return [
      heading(level, say("review")),
      ...(lot ? [line(lot)] : []),
      element("dl", { class: "answers" }, ...rows),
      ...this.#sending(),
    ];
  }

  #sending(): HTMLElement[] {
    const { say } = this.#words;
    const send = element("button", { type: "submit", class: "alike" }, say("submit"));
    return [
      element("p", { class: "choice" }, send, button(say("leave"), this.#acts.leave)),
      element("p", { class: "hint" }, say("leave_text")),
    ];
  }

  /** That a device reports on less than was answered, if it does. */
  #lot(): string {
    const { arms, questions } = this.#survey;
    const values = { device: this.#words.say(machine()), of: questions.size };
    const counts = arms.map(questionsOf);
    if (counts.every((count) => count === questions.size)) return "";
    return this.#words.say(counts.every((count) => count === 1) ? "lot" : "lot_part", values);
  }
}
