/** Screens of several questions: tables of scales, and beneath a question those that follow from its answer. */

import { isAsked } from "../surveys/paths.js";
import { hasOneLabel, type OneOf, type Question } from "../surveys/questionKinds.js";
import type { Survey } from "../surveys/survey.js";
import type { Wordings } from "../surveys/translations.js";
import { sameValues } from "../values.js";
import type { FieldValue } from "./drafts.js";
import type { Field } from "./fields.js";
import { machine } from "./machine.js";
import { button, element, type Heading, type Say } from "./nodes.js";
import { Table } from "./table.js";

/** What is on the page at once. */
export interface Screen {
  /** Its number among those that everybody sees. */
  readonly number: number;
  readonly nodes: readonly HTMLElement[];
  /** What is said beneath it, if anything. */
  readonly note: string;
  /** The fields of its questions that are asked: none if it is left out. */
  readonly fields: () => readonly Field[];
}

/** A question, or the rows of a table, which are asked together. */
interface Block {
  readonly rows: readonly Question[];
  readonly fields: readonly Field[];
  readonly main: HTMLElement;
  /** Of rows what folds them. */
  readonly table: Table | undefined;
  /** It, and what follows from it where that stands beneath. */
  readonly box: HTMLElement;
  /** Why it is asked. */
  readonly reason: HTMLElement | undefined;
}

/** The screens of a form; on a tablet that goes round each question has its own. */
export function screensOf(
  survey: Survey,
  words: Wordings,
  say: Say,
  level: Heading,
  form: HTMLFormElement,
  fieldOf: FieldOf,
): Screens {
  const asked = [...survey.questions.values()];
  const tables = survey.kiosk ? asked.map((question) => [question]) : tablesIn(asked);
  const blocks: Block[] = [];
  for (const rows of tables) {
    const fields = rows.map((question) => fieldOf(question, rows.length > 1));
    const table = rows[1] && new Table(rows, fields, words, say, level);
    const main = table?.element ?? (fields[0]?.frame as HTMLElement);
    const parent = onlyIfOf(rows[0])?.parent;
    const reason = parent && element("p", { class: "hint", dir: "auto" });
    const beneath = survey.kiosk ? undefined : blocks.find((each) => parent && each.rows.includes(parent));
    const box = element("div", { class: beneath && "branch", hidden: !!parent }, reason, main);
    beneath?.box.append(box);
    blocks.push({ rows, fields, main, table, box, reason });
  }
  return new Screens(blocks, form, say);
}

/** An answer that was cleared, in words, and what brings it back. */
interface Cleared {
  readonly text: string;
  readonly bring: () => void;
}

/** Makes the field of a question, or of a row. */
type FieldOf = (question: Question, isRow: boolean) => Field;

/** The screens, and what is asked on them. */
export class Screens {
  readonly list: readonly Screen[];
  readonly #blocks: readonly Block[];
  readonly #fields: readonly Field[];
  readonly #form: HTMLFormElement;
  readonly #say: Say;
  readonly #note = element("p", { class: "hint", dir: "auto" });
  /** What was ticked before the last input. */
  #before: readonly FieldValue[] = [];

  constructor(blocks: readonly Block[], form: HTMLFormElement, say: Say) {
    [this.#blocks, this.#form, this.#say] = [blocks, form, say];
    this.#fields = blocks.flatMap(({ fields }) => fields);
    const alone = blocks.some(({ box, reason }) => reason && !box.parentElement);
    let number = 0;
    this.list = blocks
      .filter(({ box }) => !box.parentElement)
      .map(({ box, reason }) => {
        const own = blocks.filter((each) => box.contains(each.box));
        number += Number(!reason);
        const note = alone || own.some((each) => each.reason) ? say("ways", { device: say(machine()) }) : "";
        const fields = () => own.flatMap((each) => (each.box.hidden ? [] : each.fields));
        return { number, nodes: [box], note, fields };
      });
  }

  /** After an input, or on another screen, ask what follows from the answers, and clear all else; what to say. */
  follow(changed?: Element): string {
    const [height, counts] = [this.#form.offsetHeight, { added: 0, removed: 0 }];
    const cleared = this.#ask(counts);
    if (!changed || this.#note.previousElementSibling?.contains(changed)) this.#note.remove();
    // what is taken away must not pull up the page beneath what somebody looks at
    if (counts.removed || !changed) this.#form.style.minBlockSize = changed ? `${height}px` : "";
    const said = (["added", "removed"] as const).flatMap((key) =>
      counts[key] ? this.#say(key, { count: counts[key] }) : [],
    );
    const last = this.#fields.find(({ frame }) => changed && frame.contains(changed));
    if (last && cleared.length) said.push(this.#tellCleared(last, cleared));
    for (const { table } of this.#blocks) table?.follow(changed);
    this.#before = this.#fields.map(({ value }) => value());
    return said.join(" ");
  }

  /** Show what is asked, and hide and clear the rest; the answers that were cleared. */
  #ask(counts: { added: number; removed: number }): Cleared[] {
    const [answers, ticked, cleared] = [new Map<string, unknown>(), new Map<string, string>(), [] as Cleared[]];
    for (const { rows, fields, box, reason } of this.#blocks) {
      const [first] = rows;
      const asked = !hasOneLabel(first) || isAsked(first, answers);
      if (asked === box.hidden) counts[asked ? "added" : "removed"] += rows.length;
      box.hidden = !asked;
      if (reason)
        reason.textContent = this.#say("because", { answer: ticked.get(onlyIfOf(first)?.parent.name ?? "") ?? "" });
      for (const { name, value, answer, summary, restore } of fields) {
        if (!value().length) continue;
        if (asked) {
          answers.set(name, answer());
          ticked.set(name, summary());
        } else {
          const held = value();
          cleared.push({ text: summary(), bring: () => restore(held) });
          restore("");
        }
      }
    }
    return cleared;
  }

  /** What was ticked last, and what that cleared, until something else is. */
  #tellCleared(last: Field, cleared: readonly Cleared[]): string {
    const names = cleared.map(({ text }) => text).join(", ");
    const said = this.#say("cleared", { last: last.summary(), names });
    const before = this.#before[this.#fields.indexOf(last)] ?? "";
    const bring = () => {
      last.restore(before);
      for (const each of cleared) each.bring();
      const control = last.frame.querySelector<HTMLElement>(":checked, select");
      control?.dispatchEvent(new Event("input", { bubbles: true }));
      control?.focus();
    };
    this.#note.replaceChildren(said, " ", button(this.#say("bring_back"), bring, "link"));
    this.#blocks.find(({ fields }) => fields.includes(last))?.main.after(this.#note);
    return said;
  }
}

function onlyIfOf(question: Question | undefined) {
  return hasOneLabel(question) ? question.onlyIf : undefined;
}

/** Scales in a row with one heading, equal labels and asked together; all other questions alone. */
function tablesIn(questions: readonly Question[]): Question[][] {
  const tables: Question[][] = [];
  for (const question of questions) {
    const table = tables.at(-1);
    if (table?.[0] && isRowOf(table[0], question)) table.push(question);
    else tables.push([question]);
  }
  return tables;
}

function isRowOf(first: Question, question: Question): boolean {
  if (!hasOneLabel(first) || !hasOneLabel(question) || !first.heading || first.heading !== question.heading)
    return false;
  const asked = ({ onlyIf }: OneOf) => `${onlyIf?.parent.name} ${onlyIf?.places}`;
  return sameValues(first.labels, question.labels) && asked(first) === asked(question);
}
