/** Rows that are asked together: a table where there is room for it, and else cards, of which those that are ticked fold. */

import type { Question } from "../surveys/questionKinds.js";
import type { Wordings } from "../surveys/translations.js";
import type { Field } from "./fields.js";
import { authorText, button, directionOf, element, type Heading, heading, type Say } from "./nodes.js";

/** More columns than these make cards of the rows of a table, wherever it stands. */
const MOST_COLUMNS = 7;

/** The frame of each row, in either, with one heading for all. */
export class Table {
  readonly element: HTMLElement;
  readonly #rows: readonly Row[];
  readonly #say: Say;
  readonly #ticked = element("p", { class: "hint" });

  constructor(questions: readonly Question[], fields: readonly Field[], words: Wordings, say: Say, level: Heading) {
    const text = words.questions[questions[0]?.name ?? ""]?.heading ?? "";
    const [head, dir, lang] = [heading(level, text), directionOf(text), words.lang];
    head.id = `${fields[0]?.frame.querySelector("legend")?.id}-all`;
    if (lang) head.lang = lang;
    const labels = [...(fields[0]?.frame.querySelectorAll("label > span") ?? [])];
    const isTable = labels.length > 0 && labels.length <= MOST_COLUMNS;
    const columns = labels.map((label) => element("span", { lang }, label.textContent));
    this.#say = say;
    this.#rows = fields.map((field) => rowOf(field, dir, lang, say));
    this.element = element(
      "div",
      { class: isTable ? "cards table" : "cards", role: "group", "aria-labelledby": head.id, dir },
      head,
      element("p", { class: "hint" }, say("rows")),
      isTable && element("div", { class: "heads", "aria-hidden": "true" }, ...columns),
      ...fields.map(({ frame }) => frame),
      this.#ticked,
    );
    this.follow();
  }

  /** Say how many rows are ticked, and fold these, but for the one that was just ticked. */
  follow(changed?: Element): void {
    const done = this.#rows.filter(({ field }) => field.value().length);
    this.#ticked.textContent = this.#say("ticked", { done: done.length, of: this.#rows.length });
    for (const { field, answer } of this.#rows) {
      const { frame } = field;
      if (!field.value().length || frame.contains(changed ?? null)) frame.classList.remove("folded");
      else {
        answer.textContent = field.summary();
        fold(frame, changed);
      }
    }
  }
}

/** A row, and where its answer stands while it is folded. */
interface Row {
  readonly field: Field;
  readonly answer: HTMLElement;
}

function rowOf(field: Field, dir: string, lang: string | undefined, say: Say): Row {
  const { frame, wording } = field;
  const answer = authorText("span", "", lang);
  const open = () => {
    frame.classList.remove("folded");
    frame.querySelector<HTMLElement>(":checked, select")?.focus();
  };
  const change = button(say("change"), open, "link");
  change.setAttribute("aria-label", say("change_about", { name: wording }));
  frame.dir = dir;
  frame.append(element("p", { class: "fold" }, answer, change));
  return { field, answer };
}

/** Fold a row if what somebody looks at can stay where it is: what is above it gets shorter, so the page is scrolled. */
function fold({ classList }: HTMLElement, looked: Element | undefined): void {
  if (classList.contains("folded")) return;
  const place = () => looked?.getBoundingClientRect().top ?? 0;
  const before = place();
  const stay = () => scrollBy({ top: place() - before, behavior: "instant" });
  classList.add("folded");
  stay();
  if (Math.abs(place() - before) < 1) return;
  classList.remove("folded");
  stay();
}
