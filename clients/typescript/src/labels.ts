/** Which values may be labels, and how labels are compared. A label is what JSON holds: `{ date: "2024-02-29" }`. */

import { isList, isObject, type Json } from "./canonical.js";
import { isText } from "./checks.js";
import { ParameterError } from "./errors.js";

/** A label; an integer is a bigint where it is read, and may be given as a number. */
export type Label = Json;

/** How deeply tuples may be nested in a label. */
const DEEPEST = 8;
/** Integer labels have at most 1,024 bits. */
const WIDEST = 1024n;
const BYTES = /^(?:[0-9a-f]{2})*$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** As Python writes a datetime: microseconds and the offset's seconds only if they are not 0. */
const MOMENT =
  /^(.{10})T((?:[01]\d|2[0-3])(?::[0-5]\d){2})(?:\.(?!0{6})(\d{6}))?((?!-00:00$)[+-](?:[01]\d|2[0-3]):[0-5]\d(?::(?!00$)[0-5]\d(?:\.(?!0{6})\d{6})?)?)?$/;

/** The label that JSON holds; what cannot be one is refused. */
export function readLabel(written: Json | undefined, depth = 0): Label {
  if (isObject(written)) {
    const [[kind, value] = [], more] = Object.entries(written);
    if (kind === "tuple" && isList(value) && !more && depth < DEEPEST) {
      return { tuple: value.map((part) => readLabel(part, depth + 1)) };
    }
    if (!more && kind && isText(value) && isWritten(kind, value)) return { [kind]: value };
  } else if (typeof written === "boolean" || isText(written)) {
    return written;
  } else if (typeof written === "number" && Number.isFinite(written)) {
    return written || 0; // 0.0 has no sign
  } else if (typeof written === "bigint" && -(1n << WIDEST) < written && written < 1n << WIDEST) {
    return written;
  }
  throw new ParameterError("labels must be text in Unicode, bytes, numbers, dates or tuples of them, got another");
}

/** By this labels are told apart: the integer 1, the float 1.0 and true are equal, and so are two names of a moment. */
export function keyOf(label: Label): string {
  if (typeof label === "string") return `s${label}`;
  if (typeof label === "number") return `n${Number.isInteger(label) ? BigInt(label) : label}`;
  if (!isObject(label)) return `n${BigInt(label as bigint | boolean)}`;
  if (isList(label["tuple"])) return JSON.stringify(label["tuple"].map(keyOf));
  return instant(label["datetime"]) ?? JSON.stringify(label);
}

/** The kinds of a label's numbers, also within tuples: "b" true or false, "i" an integer, "f" a float. */
export function kindOf(label: Label): string {
  if (isObject(label)) return isList(label["tuple"]) ? `(${label["tuple"].map(kindOf).join("")})` : "-";
  return { boolean: "b", bigint: "i", number: "f" }[typeof label as string] ?? "-";
}

function isWritten(kind: string, value: string): boolean {
  if (kind === "bytes") return BYTES.test(value);
  if (kind === "date") return isDay(value);
  return kind === "datetime" && isDay(MOMENT.exec(value)?.[1] ?? "");
}

/** Whether a text is a date of the years 1 to 9999. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) && text > "0001" ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
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
