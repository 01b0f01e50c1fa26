/** Which values may be labels, and how labels are compared. A label is what JSON holds: `{ date: "2024-02-29" }`. */

import { isObject, type Json } from "./canonical.js";
import { isText } from "./checks.js";
import { ParameterError } from "./errors.js";
import { keyOfObject, kindOfObject, readObjectLabel } from "./objectLabels.js";

/** A label; an integer is a bigint where it is read, and may be given as a number. */
export type Label = Json;

/** Integer labels have at most 1,024 bits. */
const WIDEST = 1024n;

/** The label that JSON holds; what cannot be one is refused. */
export function readLabel(json: Json | undefined, depth = 0): Label {
  if (isObject(json)) return readObjectLabel(json, depth, readLabel) ?? refused();
  if (typeof json === "boolean" || isText(json)) return json;
  if (typeof json === "number" && Number.isFinite(json)) return json || 0; // 0.0 has no sign
  if (typeof json === "bigint" && -(1n << WIDEST) < json && json < 1n << WIDEST) return json;
  return refused();
}

function refused(): never {
  throw new ParameterError("labels must be text in Unicode, bytes, numbers, dates or tuples of them, got another");
}

/** By this labels are told apart: the integer 1, the float 1.0 and true are equal, and so are two names of a moment. */
export function keyOf(label: Label): string {
  if (typeof label === "string") return `s${label}`;
  if (typeof label === "number") return `n${Number.isInteger(label) ? BigInt(label) : label}`;
  return isObject(label) ? keyOfObject(label, keyOf) : `n${BigInt(label as bigint | boolean)}`;
}

/** The kinds of a label's numbers, also within tuples: "b" true or false, "i" an integer, "f" a float. */
export function kindOf(label: Label): string {
  if (isObject(label)) return kindOfObject(label, kindOf);
  return { boolean: "b", bigint: "i", number: "f" }[typeof label as string] ?? "-";
}
