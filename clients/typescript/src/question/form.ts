/** The questions, one on a screen with what follows from it, and then all answers to look over before anything is drawn. */

import type { Answers } from "../surveys/answers.js";
import { questionsOf } from "../surveys/arms.js";
import { hasOneLabel, type Question } from "../surveys/questionKinds.js";
import type { Survey } from "../surveys/survey.js";
import type { Wordings } from "../surveys/translations.js";
import type { Draft } from "./drafts.js";
import { type Field, fieldOf } from "./fields.js";
import { machine } from "./machine.js";
import { authorText, button, directionOf, element, type Heading, heading, line, type Say } from "./nodes.js";
import { type Screen, type Screens, screensOf } from "./screens.js";

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
  /** Say something; if `quiet`, to screen readers alone. */
  readonly tell: (text: string, quiet?: boolean) => void;
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
  readonly #screens: readonly Screen[];
  /** Where they are more than one question each. */
  readonly #together: Screens | undefined;
  #place = 0;

  constructor(survey: Survey, words: Words, acts: FormActions, draft?: Draft) {
    const id = `deniable-${forms++}`;
    [this.#survey, this.#words, this.#acts] = [survey, words, acts];
    const { say, texts, level } = words;
    const questions = [...survey.questions.values()];
    const fields: Field[] = [];
    const add = (question: Question, isRow = false) => {
      const field = fieldOf(question, texts, `${id}-${fields.length}`, say, isRow ? undefined : level);
      fields.push(field);
      return field;
    };
    const alone = (question: Question, k: number) => {
      const own = [add(question)];
      return { number: k + 1, note: "", nodes: own.map(({ frame }) => frame), fields: () => own };
    };
    const together = questions.some((question) => hasOneLabel(question) && (question.onlyIf || question.heading));
    this.#together = together ? screensOf(survey, texts, say, level, this.element, add) : undefined;
    this.#screens = this.#together?.list ?? questions.map(alone);
    this.#fields = fields;
    if (draft?.values.length === fields.length) {
      for (const [k, { restore }] of fields.entries()) restore(draft.values[k] ?? "");
      this.#together?.follow();
      this.#place = Math.min(draft.place, this.#last);
    }
    this.element.addEventListener("submit", (event) => {
      event.preventDefault(); // no browser may send what is in the fields
      this.#onwards();
    });
    this.element.addEventListener("input", ({ target }) => {
      const wrong = this.#shown.filter((field) => field.hasError());
      if (wrong.length && wrong.filter((field) => !field.check()).length < wrong.length) acts.tell("");
      const said = this.#together?.follow(target as Element);
      if (said) acts.tell(said, true);
      this.#changed();
    });
    this.#show();
  }

  /** The last place: of one question itself, of several the look over. */
  get #last(): number {
    return this.#fields.length > 1 ? this.#screens.length : 0;
  }

  /** The questions that are asked, on all screens. */
  get #every(): readonly Field[] {
    return this.#screens.flatMap((screen) => screen.fields());
  }

  /** Those on this screen. */
  get #shown(): readonly Field[] {
    return this.#screens[this.#place]?.fields() ?? [];
  }

  /** Where somebody is. */
  get place(): number {
    return this.#place;
  }

  /** Show a place, but none beyond a question that is still open; which one it became. */
  visit(place: number): number {
    const open = this.#screens.findIndex((screen, k) => k < place && screen.fields().some(({ isValid }) => !isValid()));
    this.#turnTo(open < 0 ? this.#asked(Math.min(place, this.#last), -1) : open);
    return this.#place;
  }

  /** This place, or the next one that is asked. */
  #asked(place: number, step: 1 | -1): number {
    return this.#screens[place]?.fields().length === 0 ? this.#asked(place + step, step) : place;
  }

  #go(place: number): void {
    this.#acts.moved(place);
    this.#turnTo(place);
  }

  /** Show another place, and take whoever goes there to its words. */
  #turnTo(place: number): void {
    this.#place = place;
    this.#together?.follow();
    this.#acts.tell("");
    this.#changed();
    this.#show();
    this.element.querySelector<HTMLElement>("[tabindex]")?.focus();
  }

  #changed(): void {
    this.#acts.changed({ place: this.#place, values: this.#fields.map(({ value }) => value()) });
  }

  #onwards(): void {
    const [field] = this.#shown.filter((each) => !each.check());
    if (field) {
      this.#acts.tell(field.frame.querySelector(".error")?.textContent ?? "");
      field.frame.querySelector<HTMLElement>("input, select")?.focus();
    } else if (this.#place < this.#last) this.#go(this.#asked(this.#place + 1, 1));
    else this.#acts.submit(Object.fromEntries(this.#every.map(({ name, answer }) => [name, answer()])));
  }

  #show(): void {
    this.element.replaceChildren(...this.#at(this.#place, this.#every));
  }

  /** What each place shows if all is asked, where that follows from answers. */
  get everything(): readonly HTMLElement[][] {
    const places = this.#together ? this.#screens.length + 1 : 0;
    return Array.from({ length: places }, (_, place) => this.#at(place, this.#fields));
  }

  #at(place: number, asked: readonly Field[]): HTMLElement[] {
    const screen = this.#screens[place];
    return screen ? this.#question(screen, place) : this.#review(asked);
  }

  #question({ number, nodes, note }: Screen, place: number): HTMLElement[] {
    const { say, keeps } = this.#words;
    const count = this.#screens.at(-1)?.number ?? 0;
    const alone = this.#fields.length === 1;
    const next = element("button", { type: "submit" }, say(place + 1 < this.#last ? "next" : "look_over"));
    const before = this.#asked(place - 1, -1);
    const back = button(say("back"), () => this.#acts.back(before) || this.#go(before));
    return [
      ...(count === 1 ? [] : this.#progress(number, count)),
      ...nodes,
      ...(alone ? this.#sending() : [element("p", { class: "choice" }, back, next)]),
      ...(note ? [element("p", { class: "hint" }, note)] : []),
      ...(keeps ? [element("p", { class: "hint" }, say("kept"))] : []),
    ];
  }

  #progress(number: number, count: number): HTMLElement[] {
    const text = this.#words.say("progress", { number, of: count });
    const bar = element("progress", { max: `${count}`, value: `${number}`, "aria-label": text });
    return [element("p", { class: "hint" }, text), bar];
  }

  #review(asked: readonly Field[]): HTMLElement[] {
    const { say, level, texts } = this.#words;
    const rows = asked.map((field) => {
      const { wording, summary } = field;
      const place = this.#screens.findIndex((screen) => screen.fields().includes(field));
      const open = () => {
        this.#go(place);
        field.frame.classList.remove("folded");
      };
      const change = button(say("change"), open, "link");
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
