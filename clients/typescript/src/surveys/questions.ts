/** What a survey asks: one label, a list of labels, an answer in one's own words, or a number. */

import { isList, type Json, type Spec } from "../canonical.js";
import { checkChoice, checkInt, checkPrior, isText } from "../checks.js";
import { LabelError, ParameterError } from "../errors.js";
import { type Label, readLabel } from "../labels.js";
import { type Guarantee, ldp } from "../privacy/kinds.js";
import { type Places, readBlocks, readSome, written } from "../privacy/places.js";
import { Domain, Lists } from "../values.js";
import { characters, checkQuestionName, checkWords, MOST_UNIT } from "./fields.js";
import { type Grid, placeOf, readGrid } from "./grid.js";

const MOST_LABELS = 2 ** 16;
const MOST_PLACES = 32;
const PLAIN = { sensitive: null, blocks: null, prior: null, skipped: null };
const WANTS = ["mean", "quantiles", "histogram", "spread"];
/** The most characters of a text that can be found. */
export const LONGEST = 1024;
/** Marks the end of a text that is shorter than the prefix asked for; no text may hold it. */
export const END = "\uffff";

/**
 * A question with one answer among labels, of which some may need more protection than others; those of a scale are in
 * order, and protected alike.
 */
export interface OneOf {
  readonly kind: "one_of" | "scale";
  readonly name: string;
  readonly wording: string;
  readonly labels: Domain;
  readonly sensitive: readonly number[] | null;
  readonly blocks: Places | null;
  readonly prior: readonly number[] | null;
  /** The answer that stands for none; null where one must answer. */
  readonly skipped: Label;
}

/** A checklist: the answer is a list of some, all or none of the labels, of at most `most`. */
export interface AnyOf {
  readonly kind: "any_of";
  readonly name: string;
  readonly wording: string;
  readonly labels: Domain;
  readonly most: number | null;
  /** The places of labels that stand alone: then no list is empty, or holds one of them and another. */
  readonly exclusive: readonly number[] | null;
}

/** A question answered in one's own words; frequent answers of up to `longest` characters are discovered. */
export interface Text {
  readonly kind: "text";
  readonly name: string;
  readonly wording: string;
  readonly longest: number | null;
}

/** A number, or a date, between two bounds; beyond them it counts as the bound. */
export interface Numeric {
  readonly kind: "number";
  readonly name: string;
  readonly wording: string;
  readonly scale: Grid;
  readonly unit: string;
  readonly want: readonly string[];
}

export type Question = OneOf | AnyOf | Text | Numeric;

/** The question that a document holds. */
export function readQuestion(given: Spec): Question {
  const kind = checkChoice("a question's kind", given["kind"], ["one_of", "scale", "any_of", "text", "number"]);
  const name = checkQuestionName(given["name"]);
  const wording = checkWords("wording", given["wording"]);
  if (kind === "text") return { kind, name, wording, longest: orNull(given["longest"], "longest", LONGEST) };
  if (kind === "number") return { kind, name, wording, scale: readGrid(given), ...readWishes(given) };
  const labels = Domain.read(given["labels"]);
  const most = kind === "scale" ? MOST_PLACES : MOST_LABELS;
  if (labels.size > most) throw new ParameterError(`labels must be at most ${most}, got ${labels.size}`);
  if (kind === "scale") return { kind, name, wording, labels, ...PLAIN };
  if (kind === "any_of") {
    const exclusive = "exclusive" in given ? readSome("exclusive", labels, given["exclusive"]) : null;
    return { kind, name, wording, labels, most: orNull(given["most"], "most", labels.size), exclusive };
  }
  return { kind, name, wording, labels, ...readProtection(given, labels) };
}

/** What is wanted of a number, each once and in the order of `WANTS`, and its unit. */
function readWishes(given: Spec) {
  const unit = checkWords("unit", given["unit"]);
  const want = isList(given["want"]) ? given["want"] : [];
  const known = WANTS.filter((each) => want.includes(each));
  if (characters(unit).length > MOST_UNIT || !want.length || `${want}` !== `${known}`) {
    throw new ParameterError(`unit must be short, and want some of ${WANTS.join(", ")} in this order, got others`);
  }
  return { unit, want: known };
}

/** What is to be protected, and which answer stands for none: it is as sensitive as any. */
function readProtection(given: Spec, labels: Domain) {
  const fields = ["sensitive", "blocks", "prior"].map((field) => given[field] as Json);
  const [sensitive = null, blocks = null, prior = null] = fields;
  if (fields.filter((field) => field !== null).length > 1) {
    throw new ParameterError("at most one of sensitive, blocks and prior must be given, got more");
  }
  const places = sensitive === null ? null : readSome("sensitive", labels, sensitive);
  const skipped = given["no_answer"] === null ? null : readLabel(given["no_answer"]);
  const place = skipped === null ? places?.[0] : labels.find(skipped);
  if (skipped !== null && (place === undefined || (places && !places.includes(place)))) {
    throw new ParameterError("no_answer must be one of the labels, and of sensitive ones where some are, got another");
  }
  return {
    sensitive: places,
    blocks: blocks === null ? null : readBlocks(labels, blocks),
    prior: prior === null ? null : checkPrior(prior, labels.size),
    skipped,
  };
}

/** The question as a document holds it. */
export function writeQuestion(question: Question): Spec {
  const { kind, name, wording } = question;
  const whole = (value: number | null) => (value === null ? null : BigInt(value));
  if (kind === "text") return { kind, name, wording, longest: whole(question.longest) };
  if (kind === "number")
    return { kind, name, wording, ...question.scale.written, unit: question.unit, want: question.want };
  const labels = question.labels.write();
  if (kind === "scale") return { kind, name, wording, labels };
  if (kind === "any_of") {
    const alone = question.exclusive && { exclusive: written(question.labels, question.exclusive) };
    return { kind, name, wording, labels, most: whole(question.most), ...alone };
  }
  const { sensitive, blocks, prior, skipped } = question;
  return {
    kind,
    name,
    wording,
    labels,
    sensitive: sensitive && written(question.labels, sensitive),
    blocks: blocks?.map((block) => written(question.labels, block)) ?? null,
    prior,
    no_answer: skipped,
  };
}

/** Whether the answer is one of the question's labels. */
export function hasOneLabel(question: Question | undefined): question is OneOf {
  return question !== undefined && "skipped" in question;
}

/** What a mechanism for the answer must promise, at a level of 1. */
export function wantedFor(question: OneOf): Guarantee {
  const { labels: domain, sensitive, blocks, prior } = question;
  if (sensitive) return { kind: "highLow", epsilon: 1, domain, places: sensitive };
  if (blocks) return { kind: "blocks", epsilon: 1, domain, places: blocks };
  return prior ? { kind: "prior", epsilon: 1, domain, prior, oneSided: false } : ldp(1);
}

/** An answer as encoders take it, of a number its place; what is no answer is refused by an error that hides it. */
export function takenAnswer(question: Question, answer: unknown): unknown {
  const wanted = wantedAnswer(question, answer);
  if (wanted) throw new LabelError(`the answer to '${question.name}' must be ${wanted}, got something else`);
  return question.kind === "number" ? placeOf(question.scale, answer) : answer;
}

function wantedAnswer(question: Question, answer: unknown): string | undefined {
  if (question.kind === "text") {
    return isText(answer) && !answer.includes(END) ? undefined : "text in Unicode without U+FFFF";
  }
  if (question.kind === "number") {
    return placeOf(question.scale, answer) !== undefined
      ? undefined
      : question.scale.dated
        ? "a date"
        : "a finite number";
  }
  if (hasOneLabel(question)) {
    return question.labels.find(answer) === undefined ? "one of its labels" : undefined;
  }
  const places = isDistinct(new Lists(question.labels), answer);
  if (!places) return "a list of distinct labels of its own";
  const { most, exclusive } = question;
  if (most !== null && places.size > most) return `a list of at most ${most} labels`;
  return exclusive && places.size !== 1 && (!places.size || exclusive.some((place) => places.has(place)))
    ? "a list that is not empty, with an exclusive label alone"
    : undefined;
}

function isDistinct(lists: Lists, answer: unknown): ReadonlySet<number> | undefined {
  try {
    return lists.index(answer);
  } catch {
    return undefined;
  }
}

function orNull(value: Json | undefined, name: string, most: number): number | null {
  return value === null ? null : checkInt(name, value, 1, most);
}

/** The objects of a list of a document. */
export function objects(field: string, given: Json | undefined, most: number): readonly Spec[] {
  if (!isList(given) || given.length < 1 || given.length > most) {
    throw new ParameterError(`${field} must be a list of 1 to ${most}, got something else`);
  }
  return given as readonly Spec[];
}
