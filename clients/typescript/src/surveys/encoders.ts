/** How an answer becomes the value that a mechanism randomizes: a closed set, known to every language. */

import type { Json, Spec } from "../canonical.js";
import { checkChoice, checkInt } from "../checks.js";
import { CapacityError, ParameterError } from "../errors.js";
import { type Label, readLabel } from "../labels.js";
import { Domain, Lists, labelsOf, sameValues, Texts, type Values } from "../values.js";
import { characters } from "./fields.js";
import { END, LONGEST, type Question } from "./questions.js";

/** The most pairs of labels of two crossed questions. */
const MOST_PAIRS = 4096;
const KINDS = ["label", "list", "has", "text", "prefix", "pair"] as const;
const ANSWERED = { label: "one_of", list: "any_of", has: "any_of", text: "text", prefix: "text" } as const;

/** What is reported of the answers to a part's questions. */
export interface Encoder {
  readonly kind: (typeof KINDS)[number];
  /** Of "has": the label looked for. */
  readonly label?: Label;
  /** Of "prefix": how many characters. */
  readonly length?: number;
}

/** The encoder that a document holds. */
export function readEncoder(given: Spec): Encoder {
  const kind = checkChoice("an encoder", given["kind"], KINDS);
  if (kind === "has") return { kind, label: readLabel(given["label"]) };
  return kind === "prefix" ? { kind, length: checkInt("length", given["length"], 1, LONGEST) } : { kind };
}

/** The encoder as a document holds it. */
export function writeEncoder({ kind, label, length }: Encoder): Spec {
  return {
    kind,
    ...(label === undefined ? {} : { label }),
    ...(length === undefined ? {} : { length: BigInt(length) }),
  };
}

/** Refuse an encoder unless the questions have such answers, and the mechanism such values. */
export function checkEncoder(encoder: Encoder, questions: readonly Question[], values: Values): void {
  if (!sameValues(wantedValues(encoder, questions), values)) {
    throw new ParameterError(`the encoder '${encoder.kind}' must have a mechanism over its own values, got others`);
  }
}

function wantedValues(encoder: Encoder, questions: readonly Question[]): Values {
  if (encoder.kind === "pair") return pairs(questions);
  const [only, more] = questions;
  const wanted = ANSWERED[encoder.kind];
  if (!only || more || only.kind !== wanted) {
    throw new ParameterError(`the encoder '${encoder.kind}' must be of one question of kind ${wanted}, got others`);
  }
  if (only.kind === "text") return new Texts();
  if (encoder.kind === "list") return new Lists(only.labels);
  if (encoder.kind === "label") return only.labels;
  only.labels.index(encoder.label);
  return new Domain(2, ["yes", "no"]);
}

/** All pairs of the labels of two questions, those of the first label first. */
function pairs(questions: readonly Question[]): Domain {
  const [first, second, more] = questions;
  if (more || first?.kind !== "one_of" || second?.kind !== "one_of" || first.name === second.name) {
    throw new ParameterError("a pair must be of two different questions with one answer each, got others");
  }
  const cells = first.labels.size * second.labels.size;
  if (cells > MOST_PAIRS) {
    throw new CapacityError(`a pair must have at most ${MOST_PAIRS} pairs of labels, got ${cells}`);
  }
  const others = labelsOf(second.labels);
  return new Domain(
    cells,
    labelsOf(first.labels).flatMap((a) => others.map((b) => ({ tuple: [a, b] }))),
  );
}

/** The value of one person's answers, which have been checked. */
export function encoded(encoder: Encoder, questions: readonly Question[], answers: readonly unknown[]): unknown {
  const [only] = answers;
  switch (encoder.kind) {
    case "pair":
      return { tuple: answers as Json[] };
    case "has": {
      const [question] = questions;
      const place = question?.kind === "any_of" ? question.labels.find(encoder.label) : undefined;
      const lists = question?.kind === "any_of" ? new Lists(question.labels).index(only) : new Set<number>();
      return place !== undefined && lists.has(place) ? "yes" : "no";
    }
    case "prefix": {
      const length = encoder.length ?? 0;
      const given = characters(only as string).slice(0, length);
      return given.join("") + END.repeat(length - given.length);
    }
    default:
      return only;
  }
}
