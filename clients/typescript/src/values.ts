/** What people may hold: a label of a closed domain, a list of labels, or any text. */

import { isList, isObject, type Json } from "./canonical.js";
import { checkInt, isText } from "./checks.js";
import { LabelError, ParameterError } from "./errors.js";
import { keyOf, kindOf, type Label, readLabel } from "./labels.js";

/** The largest number of labels. */
const LARGEST = 2 ** 24;
/** The largest number at either end of a run. */
const FARTHEST = Number.MAX_SAFE_INTEGER;

/** The index of a value: a label's place, a list's places, or the text itself. */
export type Index = number | string | ReadonlySet<number>;

/** Labels in a fixed order: a run of whole numbers, mostly 0 to d - 1, or a list. The index of a value is its place. */
export class Domain {
  readonly kind = "labels";
  readonly #places = new Map<string, number>();

  constructor(
    readonly size: number,
    readonly names?: readonly Label[],
    readonly low = 0n,
  ) {
    if (!(size >= 2 && size <= LARGEST)) {
      throw new ParameterError(`domain must hold between 2 and ${LARGEST} labels, got ${size}`);
    }
    for (const [place, name] of names?.entries() ?? []) this.#places.set(keyOf(name), place);
    if (names && this.#places.size < size) throw new ParameterError("domain must not repeat a label, got one twice");
  }

  /** The domain that a spec holds. */
  static read(json: Json | undefined): Domain {
    if (isList(json))
      return new Domain(
        json.length,
        json.map((label) => readLabel(label)),
      );
    if (typeof json === "bigint") return new Domain(Number(json));
    if (isObject(json) && Object.keys(json).sort().join() === "high,low") {
      const [low, high] = [checkInt("low", json["low"], -FARTHEST), checkInt("high", json["high"], -FARTHEST)];
      return new Domain(high + 1 - low, undefined, BigInt(low));
    }
    throw new ParameterError(
      "a domain must be a number, low and high of a run, or a list of labels, got something else",
    );
  }

  /** The domain as a spec holds it. */
  write(): Json {
    if (!this.low) return this.names ?? BigInt(this.size);
    return { low: this.low, high: this.at(this.size - 1) };
  }

  /** The label at a place. */
  at(place: number): Label {
    return this.names ? (this.names[place] as Label) : this.low + BigInt(place);
  }

  /** The index of a label, or undefined; true, 1 and "1" are three labels, and 1 may stand for 1.0. */
  find(value: unknown): number | undefined {
    let label: Label;
    try {
      label = readLabel(value as Json);
    } catch {
      return undefined;
    }
    if (!this.names) return placeFrom(this.low, label, this.size);
    const place = this.#places.get(keyOf(label));
    return place !== undefined && alike(label) === alike(this.at(place)) ? place : undefined;
  }

  /** The index of a label; anything else is refused. */
  index(value: unknown): number {
    const place = this.find(value);
    if (place === undefined) {
      throw new LabelError("the value must be one of the domain's labels, got one that is not");
    }
    return place;
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
  if (!(first.names || second.names)) return first.low === second.low;
  return labelsOf(first).every((label, place) => sameLabel(label, second.at(place)));
}

function sameLabel(first: Label, second: Label): boolean {
  return keyOf(first) === keyOf(second) && kindOf(first) === kindOf(second);
}

/** A label's kinds as far as JavaScript tells them apart: 1 may be meant as the float 1.0. */
function alike(label: Label): string {
  return kindOf(label).replaceAll("i", "f");
}

/** The place of a whole number in a run. */
function placeFrom(low: bigint, label: Label, size: number): number | undefined {
  if (typeof label !== "bigint" && !Number.isInteger(label)) return undefined;
  const place = BigInt(label as bigint | number) - low;
  return place >= 0n && place < BigInt(size) ? Number(place) : undefined;
}
