/** Singer difference sets, by which Cyclic mechanisms shift; see wire/draws.md, "The block of a Cyclic design". */

import type { Json } from "../canonical.js";
import { ParameterError } from "../errors.js";
import table from "./primitive.csv";

/** The longest circle of the table. */
const LONGEST = 2 ** 24;

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

const known = /* @__PURE__ */ new Map<string, readonly number[]>();

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
export function named(design: Design): { q: Json; t: Json } {
  const written = (value: number | null) => (value === null ? null : BigInt(value));
  return { q: written(design.q), t: written(design.t) };
}

/** The points of a design, ascending. */
export function pointsOf({ q, t, length }: Design): readonly number[] {
  if (q === null || t === null) return [0];
  const name = `${q}^${t}`;
  let found = known.get(name);
  if (!found) {
    const row = recurrence(q, t);
    found = row ? points(row, length) : [];
    known.set(name, found);
  }
  return found;
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
  const found: number[] = [];
  for (let i = 0; i < length; i++) {
    let zero = true;
    for (let row = 0; row < rows; row++) zero &&= terms[degree + i + row * length] === 0;
    if (zero) found.push(i);
  }
  return found;
}
