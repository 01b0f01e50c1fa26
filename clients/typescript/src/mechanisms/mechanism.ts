/** What all mechanisms share: values, a spec, a layout, a promise and a draw. */

import { canonical, type Json, type Spec } from "../canonical.js";
import type { Layout, Report } from "../layouts.js";
import type { Odds } from "../odds.js";
import { type Cover, type Guarantee, type LDP, plainCover } from "../privacy/guaranteeKinds.js";
import { systemWords, type Words } from "../randomWords.js";
import { digest } from "../sha256.js";
import type { Index, Values } from "../values.js";

export const VERSION = 1n;

/** Draws the report of a value's index from random words. */
export type Draw = (value: Index, words: Words) => Report;

/**
 * Makes the mechanism of a spec's fields. They are checked once it is made: its own spec must be theirs. `read` makes a
 * mechanism of a spec within the spec.
 */
export type Family = (spec: Spec, read: (inner: Json) => Mechanism) => Mechanism;

/** Families by the names that specs know them by. */
export type Families = Readonly<Record<string, Family>>;

/** What is promised to each person; a guarantee of another kind than plain LDP brings what surveys ask of it. */
type Promised =
  | { readonly guarantee: LDP; readonly cover?: undefined }
  | { readonly guarantee: Guarantee; readonly cover: Cover };

/** What a family knows of a mechanism. */
export type Parts = Promised &
  Pick<Mechanism, "name" | "domain" | "parameters" | "layout"> &
  Partial<Pick<Mechanism, "odds" | "permanent" | "rows">> & { readonly draw: Draw };

/** What a family adds to what it shares with others: fields of its own, and how its reports are stored and drawn. */
export interface Own<Value extends readonly unknown[]> {
  readonly own?: Spec;
  readonly layout: Layout;
  readonly odds?: Odds;
  readonly draw: (...given: [...value: Value, words: Words]) => Report;
}

/** A way to randomize one value so that its report is deniable; made from a spec. */
export class Mechanism {
  readonly name: string;
  /** What is randomized. */
  readonly domain: Values;
  /** The spec's fields besides version, mechanism and domain. */
  readonly parameters: Spec;
  readonly guarantee: Guarantee;
  /** What a survey counts on: of reports that are remembered that of a whole life of them. */
  readonly cover: Cover;
  /** How reports are stored. */
  readonly layout: Layout;
  /** The integers that decide its coins, where it has one pair of them. */
  readonly odds: Odds | undefined;
  /** The permanent mechanism, of one whose reports are remembered. */
  readonly permanent: Mechanism | undefined;
  /** The weights of each value's reports, of one whose channel is written out. */
  readonly rows: readonly (readonly bigint[])[] | undefined;
  readonly #draw: Draw;

  constructor(parts: Parts) {
    this.name = parts.name;
    this.domain = parts.domain;
    this.parameters = parts.parameters;
    this.guarantee = parts.guarantee;
    this.cover = parts.cover ? parts.cover : plainCover(parts.guarantee.epsilon);
    this.layout = parts.layout;
    this.odds = parts.odds;
    this.permanent = parts.permanent;
    this.rows = parts.rows;
    this.#draw = parts.draw;
  }

  /** One report for one value, from the operating system's random words. */
  privatize(value: unknown): Report {
    return this.#draw(this.domain.index(value), systemWords());
  }

  /** The spec's fields. */
  spec(): Spec {
    const domain: Spec = this.permanent ? {} : { domain: this.domain.write() };
    return { version: VERSION, mechanism: this.name, ...domain, ...this.parameters };
  }

  /** The spec as canonical JSON. */
  toJson(): string {
    return canonical(this.spec());
  }

  /** SHA-256 of the canonical JSON, in hexadecimal: reports of one digest belong together. */
  get digest(): string {
    return digest(this.toJson());
  }

  /** How a mechanism draws from given words. It is handed on within the package alone: nobody else chooses words. */
  static draw(mechanism: Mechanism, value: Index, words: Words): Report {
    return mechanism.#draw(value, words);
  }
}
