/** Cyclic: the value's index, shifted by a point of a Singer difference set or by any residue; see wire/draws.md. */

import type { Json } from "../canonical.js";
import { wholeOrNull } from "../checks.js";
import { uniform } from "../draws.js";
import { ParameterError } from "../errors.js";
import { index } from "../layouts.js";
import { type Odds, weightedOdds } from "../odds.js";
import type { Words } from "../randomWords.js";
import table from "../wire/primitive.csv";
import type { Families, Family } from "./mechanism.js";
import { plain } from "./plainFamilies.js";

/** The longest circle of the table. */
const LONGEST = 2 ** 24;

const HALF = 0x1_0000_0000n;

/** Points on a circle of `length`; any shift but 0 meets `overlap` of them. No q and t: one point. */
export interface Design {
  readonly length: number;
  readonly block: number;
  readonly overlap: number;
  readonly q: number | null;
  readonly t: number | null;
}

/** A recurrence modulo `prime`, of which `rows` rows make one symbol of the field of q = prime^rows. */
interface Recurrence {
  readonly prime: number;
  readonly degree: number;
  readonly rows: number;
  readonly coefficients: readonly number[];
}

const pointsByName = /* @__PURE__ */ new Map<string, readonly number[]>();

/** How residues of a design are drawn, at a level; a single label has one, for which nothing is drawn. */
export interface Residues {
  readonly odds: Odds;
  readonly total: bigint;
  readonly draw: (value: number, words: Words) => number;
}

export function residues(labels: number, epsilon: number, design: Design): Residues {
  const { block, length } = design;
  const odds = weightedOdds(epsilon, block, length - block);
  const total = BigInt(block) * odds.above + BigInt(length - block) * odds.below;
  return { odds, total, draw: (value, words) => (labels === 1 ? 0 : cyclic(words, value, design, odds)) };
}

/** The value, shifted by a point of the difference set with weight A against B for other residues. */
function cyclic(words: Words, value: number, design: Design, { above, below }: Odds): number {
  const points = pointsOf(design);
  const [size, length] = [BigInt(points.length), BigInt(design.length)];
  const drawn = uniform(words, size * (above - below) + length * below);
  for (;;) {
    const word = words();
    const [low, high] = [(word % HALF) * size, (word / HALF) * length];
    if (low % HALF >= HALF % size && high % HALF >= HALF % length) {
      const own = points[Number(low / HALF)] as number;
      const shift = [Number(high / HALF), own][Number(drawn < size * (above - below))] as number;
      return (value + shift) % design.length;
    }
  }
}

export const cyclicResponse: Family = /* @__PURE__ */ plain("Cyclic", (d, epsilon, spec) => {
  const design = readDesign(spec["q"], spec["t"], d);
  const { odds, draw } = residues(d, epsilon, design);
  return { own: designSpec(design), layout: index(design.length), odds, draw };
});

/** The design that a spec names by q and t, which must have room for so many labels; null and null is a point. */
export function readDesign(q: Json | undefined, t: Json | undefined, labels: number): Design {
  if (q === null && t === null) return { length: labels, block: 1, overlap: 0, q: null, t: null };
  if (typeof q !== "bigint" || typeof t !== "bigint" || labels < 2 || !recurrence(Number(q), Number(t))) {
    throw new ParameterError(`q and t must name a design with room for ${labels} labels, got others`);
  }
  const [length, block, overlap] = [t, t - 1n, t - 2n].map((power) => Number((q ** power - 1n) / (q - 1n)));
  if (length === undefined || length < labels || block === undefined || overlap === undefined) {
    throw new ParameterError(`q and t must name a design with room for ${labels} labels, got a smaller one`);
  }
  return { length, block, overlap, q: Number(q), t: Number(t) };
}

/** q and t as a spec holds them. */
export function designSpec(design: Design): { q: Json; t: Json } {
  return { q: wholeOrNull(design.q), t: wholeOrNull(design.t) };
}

/** The points of a design, ascending. */
export function pointsOf({ q, t, length }: Design): readonly number[] {
  if (q === null || t === null) return [0];
  const name = `${q}^${t}`;
  let places = pointsByName.get(name);
  if (!places) {
    const row = recurrence(q, t);
    places = row ? points(row, length) : [];
    pointsByName.set(name, places);
  }
  return places;
}

/** The recurrence of a design of length up to 2^24, if the table has it. */
function recurrence(q: number, t: number): Recurrence | undefined {
  if (!(t >= 3 && q >= 2 && q ** (t - 1) <= LONGEST && (q ** t - 1) / (q - 1) <= LONGEST)) return undefined;
  for (const line of table.split(/\r?\n/).slice(1)) {
    const [prime, degree, coefficients] = line.split(",");
    const [p, m] = [Number(prime), Number(degree)];
    const rows = m / t;
    if (p && Number.isInteger(rows) && p ** rows === q) {
      return { prime: p, degree: m, rows, coefficients: (coefficients ?? "").split(" ").map(Number) };
    }
  }
  return undefined;
}

/** The places i below K where s[i], s[i + K], ... are all 0, for the recurrence s of the row. */
function points({ prime, degree, rows, coefficients }: Recurrence, length: number): number[] {
  const taps = coefficients.flatMap((c, j) => (c ? [[prime - c, j] as const] : []));
  const terms = new Uint32Array(degree + length * rows); // primes are below 2^12, so that sums stay exact
  terms[degree - 1] = 1;
  for (let i = degree; i < terms.length; i++) {
    let sum = 0;
    for (const [weight, j] of taps) sum += weight * (terms[i - degree + j] as number);
    terms[i] = sum % prime;
  }
  const places: number[] = [];
  for (let i = 0; i < length; i++) {
    let zero = true;
    for (let row = 0; row < rows; row++) zero &&= terms[degree + i + row * length] === 0;
    if (zero) places.push(i);
  }
  return places;
}

/** The families of this file, by the names that specs know them by. */
export const families: Families = { Cyclic: cyclicResponse };
