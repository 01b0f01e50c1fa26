/** Questions as a document holds them, and which answers they take. */

import { isList, type Json, type Spec } from "../canonical.js";
import { checkChoice, intOrNull, isText, wholeOrNull } from "../checks.js";
import { LabelError, ParameterError } from "../errors.js";
import { type Label, readLabel } from "../labels.js";
import { Domain } from "../values.js";
import { readRules, wantedList, writeRules } from "./checklists.js";
import { checkQuestionName, checkWords } from "./fields.js";
import { placeOf, readGrid, readWishes } from "./grid.js";
import { readOnlyIf, writeOnlyIf } from "./paths.js";
import { readProtection, strayAnswer, writeProtection } from "./protection.js";
import { END, hasOneLabel, isAlike, LONGEST, type Question } from "./questionKinds.js";

const MOST_LABELS = 2 ** 16;
const MOST_PLACES = 32;
/** Of labels that are protected alike. */
const ALIKE = { sensitive: null, blocks: null, prior: null };

/** The question that a document holds after others. */
export function readQuestion(fields: Spec, before: ReadonlyMap<string, Question>): Question {
  const kind = checkChoice("a question's kind", fields["kind"], ["one_of", "scale", "any_of", "text", "number"]);
  const name = checkQuestionName(fields["name"]);
  const wording = checkWords("wording", fields["wording"]);
  if (kind === "text") return { kind, name, wording, longest: intOrNull(fields["longest"], "longest", LONGEST) };
  if (kind === "number") return { kind, name, wording, scale: readGrid(fields), ...readWishes(fields) };
  const labels = Domain.read(fields["labels"]);
  const most = kind === "scale" ? MOST_PLACES : MOST_LABELS;
  if (labels.size > most) throw new ParameterError(`labels must be at most ${most}, got ${labels.size}`);
  if (kind === "any_of") return { kind, name, wording, labels, ...readRules(fields, labels) };
  const onlyIf = "only_if" in fields && { onlyIf: readOnlyIf(fields["only_if"], before) };
  if (kind === "scale") {
    const heading = "heading" in fields && { heading: checkWords("heading", fields["heading"]) };
    return { kind, name, wording, labels, ...ALIKE, skipped: null, ...onlyIf, ...heading };
  }
  const skipped = readSkipped(fields, labels);
  const plain = Object.keys(ALIKE).every((field) => (fields[field] ?? null) === null);
  if (onlyIf && !plain)
    throw new ParameterError("only_if must be of a question all of whose answers are protected, got another");
  return {
    kind,
    name,
    wording,
    labels,
    ...(plain ? ALIKE : readProtection(fields, labels, skipped)),
    skipped,
    ...onlyIf,
  };
}

/** The answer that stands for none, one of the labels; null where one must answer. */
function readSkipped(fields: Spec, labels: Domain): Label {
  const skipped = fields["no_answer"] === null ? null : readLabel(fields["no_answer"]);
  if (skipped !== null && labels.find(skipped) === undefined) throw strayAnswer();
  return skipped;
}

/** The question as a document holds it. */
export function writeQuestion(question: Question): Spec {
  const { kind, name, wording } = question;
  if (kind === "text") return { kind, name, wording, longest: wholeOrNull(question.longest) };
  if (kind === "number")
    return { kind, name, wording, ...question.scale.written, unit: question.unit, want: question.want };
  const labels = question.labels.write();
  if (kind === "any_of") return { kind, name, wording, labels, ...writeRules(question) };
  const { onlyIf, heading } = question;
  const common = { kind, name, wording, labels, ...(onlyIf && { only_if: writeOnlyIf(onlyIf) }) };
  if (kind === "scale") return { ...common, ...(heading && { heading }) };
  return {
    ...common,
    ...(isAlike(question) ? ALIKE : writeProtection(question)),
    no_answer: question.skipped,
  };
}

/** An answer as encoders take it, of a number its place; what is no answer is refused by an error that hides it. */
export function checkAnswer(question: Question, answer: unknown): unknown {
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
  return wantedList(question, answer);
}

/** The objects of a list of a document. */
export function objects(field: string, json: Json | undefined, most: number): readonly Spec[] {
  if (!isList(json) || json.length < 1 || json.length > most) {
    throw new ParameterError(`${field} must be a list of 1 to ${most}, got something else`);
  }
  return json as readonly Spec[];
}
