/** What people may hold: a label of a closed domain, a list of labels, or any text. */

import { isList, type Json } from "./canonical.js";
import { isText } from "./checks.js";
import { LabelError, ParameterError } from "./errors.js";
import { keyOf, kindOf, type Label, readLabel } from "./labels.js";

/** The largest number of labels. */
const LARGEST = 2 ** 24;

/** The index of a value: a label's place, a list's places, or the text itself. */
export type Index = number | string | ReadonlySet<number>;

/** Labels in a fixed order: 0 to d - 1, or an explicit list. The index of a value is its place. */
export class Domain {
  readonly kind = "labels";
  readonly #places = new Map<string, number>();

  constructor(
    readonly size: number,
    readonly names?: readonly Label[],
  ) {
    if (!(size >= 2 && size <= LARGEST)) {
      throw new ParameterError(`domain must hold between 2 and ${LARGEST} labels, got ${size}`);
    }
    for (const [place, name] of names?.entries() ?? []) this.#places.set(keyOf(name), place);
    if (names && this.#places.size < size) throw new ParameterError("domain must not repeat a label, got one twice");
  }

  /** The domain that a spec holds. */
  static read(written: Json | undefined): Domain {
    if (isList(written))
      return new Domain(
        written.length,
        written.map((label) => readLabel(label)),
      );
    if (typeof written === "bigint") return new Domain(Number(written));
    throw new ParameterError("a domain must be a number or a list of labels, got something else");
  }

  /** The domain as a spec holds it. */
  write(): Json {
    return this.names ?? BigInt(this.size);
  }

  /** The label at a place. */
  at(place: number): Label {
    return this.names ? (this.names[place] as Label) : BigInt(place);
  }

  /** The index of a label, or undefined; true, 1 and "1" are three labels, and 1 may stand for 1.0. */
  find(value: unknown): number | undefined {
    let label: Label;
    try {
      label = readLabel(value as Json);
    } catch {
      return undefined;
    }
    if (!this.names) return isBelow(label, this.size) ? Number(label) : undefined;
    const place = this.#places.get(keyOf(label));
    return place !== undefined && alike(label) === alike(this.at(place)) ? place : undefined;
  }

  /** The index of a label; anything else is refused. */
  index(value: unknown): number {
    const found = this.find(value);
    if (found === undefined) {
      throw new LabelError("the value must be one of the domain's labels, got one that is not");
    }
    return found;
  }
}

/** Every list of distinct labels, the empty one too; the index of a list is the set of its labels' places. */
export class Lists {
  readonly kind = "lists";

  constructor(readonly labels: Domain) {}

  /** The labels as a spec holds them. */
  write(): Json {
    return this.labels.write();
  }

  /** The places of a list's labels; anything but a list of distinct labels is refused. */
  index(value: unknown): ReadonlySet<number> {
    const given: unknown[] | undefined = Array.isArray(value) ? value : value instanceof Set ? [...value] : undefined;
    const places = new Set(given?.map((label) => this.labels.find(label)));
    if (!given || places.size < given.length || places.has(undefined)) {
      throw new LabelError("the value must be a list of distinct labels of the domain, got something else");
    }
    return places as Set<number>;
  }
}

/** Any text, which is its own index. */
export class Texts {
  readonly kind = "texts";

  /** Null: a spec of any text holds no labels. */
  write(): Json {
    return null;
  }

  /** The text; lone surrogates and other values are refused. */
  index(value: unknown): string {
    if (!isText(value)) throw new LabelError("the value must be text in Unicode, got one that is not");
    return value;
  }
}

/** What a mechanism randomizes. */
export type Values = Domain | Lists | Texts;

/** The labels of a domain, in its order. */
export function labelsOf(domain: Domain): Label[] {
  return Array.from({ length: domain.size }, (_, place) => domain.at(place));
}

/** Whether a mechanism of the one takes the values of the other: the same labels in the same order. */
export function sameValues(first: Values, second: Values): boolean {
  if (first.kind === "lists") return second.kind === "lists" && sameValues(first.labels, second.labels);
  if (first.kind === "texts" || second.kind !== "labels") return first.kind === second.kind;
  if (first.size !== second.size) return false;
  return !(first.names || second.names) || labelsOf(first).every((label, place) => sameLabel(label, second.at(place)));
}

function sameLabel(first: Label, second: Label): boolean {
  return keyOf(first) === keyOf(second) && kindOf(first) === kindOf(second);
}

/** A label's kinds as far as JavaScript tells them apart: 1 may be meant as the float 1.0. */
function alike(label: Label): string {
  return kindOf(label).replaceAll("i", "f");
}

function isBelow(label: Label, size: number): boolean {
  return (typeof label === "bigint" || Number.isInteger(label)) && Number(label) >= 0 && Number(label) < size;
}
