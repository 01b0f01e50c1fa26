/** Labels that JSON has no values for, written as objects: bytes, dates, moments, and tuples of labels. */

import { isList, type Json, type Spec } from "./canonical.js";
import { isDay, isText } from "./checks.js";

/** How deeply tuples may be nested in a label. */
const DEEPEST = 8;
const BYTES = /^(?:[0-9a-f]{2})*$/;
/** As Python writes a datetime: microseconds and the offset's seconds only if they are not 0. */
const MOMENT =
  /^(.{10})T((?:[01]\d|2[0-3])(?::[0-5]\d){2})(?:\.(?!0{6})(\d{6}))?((?!-00:00$)[+-](?:[01]\d|2[0-3]):[0-5]\d(?::(?!00$)[0-5]\d(?:\.(?!0{6})\d{6})?)?)?$/;

/** Reads a label within a tuple. */
type Read = (json: Json, depth: number) => Json;

/** The label that such an object holds; undefined of what cannot be one. */
export function readObjectLabel(json: Spec, depth: number, read: Read): Spec | undefined {
  const [[kind, value] = [], more] = Object.entries(json);
  if (kind === "tuple" && isList(value) && !more && depth < DEEPEST) {
    return { tuple: value.map((part) => read(part, depth + 1)) };
  }
  return !more && kind && isText(value) && isWritten(kind, value) ? { [kind]: value } : undefined;
}

/** By this it is told apart from other labels. */
export function keyOfObject(label: Spec, keyOf: (part: Json) => string): string {
  if (isList(label["tuple"])) return JSON.stringify(label["tuple"].map(keyOf));
  return instant(label["datetime"]) ?? JSON.stringify(label);
}

/** The kinds of the numbers in a tuple. */
export function kindOfObject(label: Spec, kindOf: (part: Json) => string): string {
  return isList(label["tuple"]) ? `(${label["tuple"].map(kindOf).join("")})` : "-";
}

function isWritten(kind: string, value: string): boolean {
  if (kind === "bytes") return BYTES.test(value);
  if (kind === "date") return isDay(value);
  return kind === "datetime" && isDay(MOMENT.exec(value)?.[1] ?? "");
}

/** A moment with an offset, in microseconds. */
function instant(moment: Json | undefined): string | undefined {
  const [, day, time, micros = "0", offset] = MOMENT.exec(`${moment}`) ?? [];
  if (!offset) return undefined;
  const [hours, minutes, seconds = "0", parts = "0"] = offset.slice(1).split(/[:.]/).map(BigInt);
  const ahead = ((BigInt(hours ?? 0) * 60n + BigInt(minutes ?? 0)) * 60n + BigInt(seconds)) * 1000000n + BigInt(parts);
  const local = BigInt(Date.parse(`${day}T${time}Z`)) * 1000n + BigInt(micros);
  return `m${offset[0] === "+" ? local - ahead : local + ahead}`;
}
