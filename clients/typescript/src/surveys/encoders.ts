/** How an answer becomes the value that a mechanism randomizes: a closed set, known to every language. */

import type { Spec } from "../canonical.js";
import { checkChoice, checkInt } from "../checks.js";
import { ParameterError } from "../errors.js";
import { type Label, readLabel } from "../labels.js";
import type { Mechanism } from "../mechanisms/mechanism.js";
import type { Guarantee } from "../privacy/guaranteeKinds.js";
import type { Source } from "../randomWords.js";
import { Domain, sameValues, Texts, type Values } from "../values.js";
import { isHeld, listsOf } from "./checklists.js";
import { characters } from "./fields.js";
import { drawPair, pairs } from "./pairs.js";
import { wayOf, waysOf } from "./paths.js";
import { type Block, blocksOf, drawPoint, type Point, pointsOf, readBlock, readPoint } from "./points.js";
import { END, hasOneLabel, LONGEST, type Question } from "./questionKinds.js";

const KINDS = ["label", "list", "has", "text", "prefix", "pair", "path", "block", "point"] as const;
/** The encoders whose values are the answers. */
const AS_IT_IS = /^(label|list|text)$/;
const ANSWERED = {
  label: "one_of",
  list: "any_of",
  has: "any_of",
  text: "text",
  prefix: "text",
  block: "number",
  point: "number",
} as const;

/** What is reported of the answers to a part's questions. */
export interface Encoder {
  readonly kind: (typeof KINDS)[number];
  /** Of "has": the label looked for. */
  readonly label?: Label;
  /** Of "prefix": how many characters. */
  readonly length?: number;
  /** Of "path": how many questions only lead there. */
  readonly path?: { readonly from: number };
  /** Of "block". */
  readonly block?: Block;
  /** Of "point". */
  readonly point?: Point;
}

/** The encoder that a document holds. */
export function readEncoder(fields: Spec): Encoder {
  const kind = checkChoice("an encoder", fields["kind"], KINDS);
  if (kind === "has") return { kind, label: readLabel(fields["label"]) };
  if (kind === "path") return { kind, path: { from: checkInt("the place of a path", fields["from"], 0) } };
  if (kind === "block") return { kind, block: readBlock(fields) };
  if (kind === "point") return { kind, point: readPoint(fields) };
  return kind === "prefix" ? { kind, length: checkInt("length", fields["length"], 1, LONGEST) } : { kind };
}

/** The encoder as a document holds it. */
export function writeEncoder({ kind, label, length, path, block, point }: Encoder): Spec {
  const numbers = Object.entries({ ...path, ...block, ...point });
  return {
    kind,
    ...Object.fromEntries(numbers.map(([name, value]) => [name, value === null ? null : BigInt(value)])),
    ...(label === undefined ? {} : { label }),
    ...(length === undefined ? {} : { length: BigInt(length) }),
  };
}

/** Refuse an encoder unless the questions have such answers, and the mechanism such values and a fit guarantee. */
export function checkEncoder(encoder: Encoder, questions: readonly Question[], mechanism: Mechanism): void {
  if (sameValues(wantedValues(encoder, questions), mechanism.domain) && carries(encoder, mechanism.guarantee.kind))
    return;
  throw new ParameterError(
    `the encoder '${encoder.kind}' must have a mechanism over its own values that protects answers, got another`,
  );
}

/**
 * Whether what a guarantee says of the values is as true when it is said of the answers. Where several answers become
 * one value, or one answer one of several values, that is so of plain LDP alone; of larger blocks also of distances.
 */
function carries({ kind, block }: Encoder, promise: Guarantee["kind"]): boolean {
  return promise === "ldp" || block?.size === 1 || (block ? promise === "distance" : AS_IT_IS.test(kind));
}

function wantedValues(encoder: Encoder, questions: readonly Question[]): Values {
  if (encoder.kind === "pair") return pairs(questions);
  if (encoder.kind === "path") return waysOf(questions, encoder.path?.from ?? 0);
  const [only, more] = questions;
  const wanted = ANSWERED[encoder.kind];
  const fits = wanted === "one_of" ? hasOneLabel(only) : only?.kind === wanted;
  if (!only || more || !fits) {
    throw new ParameterError(`the encoder '${encoder.kind}' must be of one question of kind ${wanted}, got others`);
  }
  if (only.kind === "number")
    return new Domain(encoder.block ? blocksOf(encoder.block, only) : pointsOf(encoder.point as Point, only));
  if (only.kind === "text") return new Texts();
  if (encoder.kind === "list") return listsOf(only.labels);
  if (encoder.kind === "label") return only.labels;
  only.labels.index(encoder.label);
  return new Domain(2, ["yes", "no"]);
}

/** The value of one person's answers, which have been checked; that of a number may be drawn. */
export function drawValue(
  encoder: Encoder,
  questions: readonly Question[],
  answers: readonly unknown[],
  source: Source,
): unknown {
  const [only] = questions;
  if (encoder.point && only?.kind === "number") return drawPoint(only, encoder.point, answers[0] as number, source);
  if (encoder.kind !== "pair") return fixedValue(encoder, questions, answers);
  return drawPair(questions, answers, source);
}

/** The value that follows from one person's answers. */
export function fixedValue(encoder: Encoder, questions: readonly Question[], answers: readonly unknown[]): unknown {
  const [only] = answers;
  switch (encoder.kind) {
    case "block": {
      const { size, offset } = encoder.block as Block;
      return BigInt(Math.floor(((only as number) + offset) / size));
    }
    case "path":
      return wayOf(answers, encoder.path?.from ?? 0);
    case "has":
      return isHeld(questions[0], encoder.label, only);
    case "prefix": {
      const length = encoder.length ?? 0;
      const given = characters(only as string).slice(0, length);
      return given.join("") + END.repeat(length - given.length);
    }
    default:
      return only;
  }
}
