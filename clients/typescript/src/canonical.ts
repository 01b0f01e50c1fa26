/** JSON that is read strictly and written in one way: the texts of specs and surveys. */

import { FormatError } from "./errors.js";

/** What JSON holds: integers are bigints of any size, numbers with a point or an exponent are numbers. */
export type Json = null | boolean | string | bigint | number | readonly Json[] | Spec;

/** A JSON object. Those that are read have no prototype, so that a field is only there if the text has it. */
export interface Spec {
  readonly [field: string]: Json;
}

/** Fields as paths, their names joined by dots. */
export type Fields = ReadonlySet<string>;

const NO_FIELDS: Fields = /* @__PURE__ */ new Set<string>();
/** A text, a number, or what stands between a name and its value. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[^,\]}\s]*|:/g;
/** Of an integer: the widest one that a spec may hold, of 1,024 bits, has 309. */
const MOST_DIGITS = 400;

/** The one way to write a value: sorted keys, no blanks, the shortest floats that read back as they are. */
export function canonical(value: Json): string {
  if (typeof value === "number") return writeFloat(value);
  if (typeof value === "bigint") return value.toString();
  if (isList(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // Keys of specs and surveys are ASCII, so the order of UTF-16 is that of code points.
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name] as Json)}`).join()}}`;
}

/**
 * A JSON object as somebody wrote it; 16.0 becomes 16 where no label stands. Labels stand in the `lists` of these
 * fields, and alone in the fields `labels`: there 1 and 1.0 are two.
 */
export function readObject(text: string, what: string, lists: Fields, labels: Fields = NO_FIELDS): Spec {
  let value: Json;
  try {
    value = readStrictly(text, lists, labels);
  } catch {
    throw new FormatError(`${what} must be JSON without a key twice, NaN or infinity, got another text`);
  }
  if (!isObject(value)) throw new FormatError(`${what} must be a JSON object, got another value`);
  return value;
}

/** Whether what was read is what is kept, integers standing for floats where floats are kept. */
export function equivalent(kept: Json, given: Json): boolean {
  return canonical(asFloats(given, kept)) === canonical(kept);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is Spec {
  return typeof value === "object" && value !== null && !isList(value);
}

/**
 * JSON.parse loses how a number is written, and keys that come twice. So each text and number is marked before it
 * reads them, as "s..." and "n...", and its keys are counted.
 */
function readStrictly(text: string, lists: Fields, labels: Fields): Json {
  JSON.parse(text); // refuses what is no JSON while it still is as it was written
  let pairs = 0;
  const marked = text.replace(TOKEN, (token) => {
    if (token === ":") pairs++;
    return token === ":" ? token : token[0] === '"' ? `"s${token.slice(1)}` : `"n${token}"`;
  });
  const read = (value: unknown, path: string, exact: boolean): Json => {
    const exactly = exact || labels.has(path);
    if (typeof value === "string") return value[0] === "s" ? value.slice(1) : readNumber(value.slice(1), exactly);
    if (Array.isArray(value)) return value.map((each) => read(each, path, exactly || lists.has(path)));
    if (typeof value !== "object" || value === null) return value as boolean | null;
    const fields: Record<string, Json> = Object.create(null);
    for (const [name, each] of Object.entries(value)) {
      pairs--;
      fields[name.slice(1)] = read(each, path ? `${path}.${name.slice(1)}` : name.slice(1), exactly);
    }
    return fields;
  };
  const value = read(JSON.parse(marked), "", false);
  if (pairs) throw new RangeError("a key twice");
  return value;
}

/** An integer as a bigint; a float too, where no label stands and it can be that of no other. */
function readNumber(text: string, exact: boolean): bigint | number {
  if (/^-?\d+$/.test(text)) {
    if (text.length > MOST_DIGITS) throw new RangeError("an integer of too many digits");
    return BigInt(text);
  }
  const number = Number(text);
  if (!Number.isFinite(number)) throw new RangeError("no finite number");
  return exact || !Number.isSafeInteger(number) || Object.is(number, -0) ? number : BigInt(number);
}

/** The shortest decimal that reads back as the same double, as wire/spec.md writes it. */
function writeFloat(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError("no finite number");
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 16) return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  const plain = Object.is(value, -0) ? "-0" : `${value}`;
  return plain.includes(".") ? plain : `${plain}.0`;
}

/** Integers as floats where floats are kept. */
function asFloats(given: Json | undefined, kept: Json | undefined): Json {
  if (isObject(given) && isObject(kept)) {
    return Object.fromEntries(Object.keys(given).map((name) => [name, asFloats(given[name], kept[name])]));
  }
  if (isList(given) && isList(kept)) return given.map((each, place) => asFloats(each, kept[place]));
  return typeof given === "bigint" && typeof kept === "number" ? Number(given) : (given as Json);
}
