/** Labels that JSON has no values for, written as objects: bytes, dates, moments, and tuples of labels. */

import { isList, type Json, type Spec } from "./canonical.js";
import { isText } from "./checks.js";
import { isDay, keyOf, kindOf, type Label, noLabel, readLabel } from "./labels.js";

/** How deeply tuples may be nested in a label. */
const DEEPEST = 8;
const BYTES = /^(?:[0-9a-f]{2})*$/;
/** As Python writes a datetime: microseconds and the offset's seconds only if they are not 0. */
const MOMENT =
  /^(.{10})T((?:[01]\d|2[0-3])(?::[0-5]\d){2})(?:\.(?!0{6})(\d{6}))?((?!-00:00$)[+-](?:[01]\d|2[0-3]):[0-5]\d(?::(?!00$)[0-5]\d(?:\.(?!0{6})\d{6})?)?)?$/;

/** The label that such an object holds; what cannot be one is refused. */
export function readObjectLabel(written: Spec, depth: number): Label {
  const [[kind, value] = [], more] = Object.entries(written);
  if (kind === "tuple" && isList(value) && !more && depth < DEEPEST) {
    return { tuple: value.map((part) => readLabel(part, depth + 1)) };
  }
  if (!more && kind && isText(value) && isWritten(kind, value)) return { [kind]: value };
  throw noLabel();
}

/** By this it is told apart from other labels. */
export function keyOfObject(label: Spec): string {
  if (isList(label["tuple"])) return JSON.stringify(label["tuple"].map(keyOf));
  return instant(label["datetime"]) ?? JSON.stringify(label);
}

/** The kinds of the numbers in a tuple. */
export function kindOfObject(label: Spec): string {
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
