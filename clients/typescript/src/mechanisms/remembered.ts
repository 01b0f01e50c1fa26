/** Reports that are remembered: a permanent report is drawn once, and every round sends it or a uniform one. */

import { checkEpsilon } from "../checks.js";
import { anySet, byteCount, coin, coins, hasBit, setBit, uniformBelow } from "../draws.js";
import { CapacityError, ParameterError } from "../errors.js";
import type { Report } from "../layouts.js";
import { BITS, ceilDiv, exact, expLower, type Odds } from "../odds.js";
import { ldp, plainCover } from "../privacy/kinds.js";
import { times } from "../privacy/levels.js";
import { WORD, type Words } from "../words.js";
import { type Families, type Family, Mechanism } from "./mechanism.js";

/** m: a report is kept in u cases of so many. */
export const PARTS = 0x100_0000_0000n;
const PERMANENT = [
  "RandomizedResponse", "Rappor", "OptimizedUnary", "Subset", "Hadamard", "Cyclic", "HashedResponse", "AskedItems",
  "ItemResponse",
]; // biome-ignore format: a list of names

/** A permanent report per answer, drawn once; a round's report costs `each` to those who see it alone. */
export const remembered: Family = (written, read) => {
  const ever = read(written["ever"] ?? null);
  const kept = ever.guarantee;
  if (!PERMANENT.includes(ever.name) || (kept.kind === "eachItem" && kept.oneSided)) {
    throw new ParameterError(`ever must be a mechanism whose reports can be sent again, got ${ever.name}`);
  }
  const each = checkEpsilon(written["each"], "each");
  if (each > levelOf(ever)) {
    throw new ParameterError(`each must be at most the level of the permanent report, got each=${each}`);
  }
  const keep = keepOf(ever, each);
  if (keep <= (inBits(ever) ? PARTS / 2n : 0n)) {
    throw new CapacityError(`each must leave a coin of 2^40 cases something to keep, got each=${each}`);
  }
  return new Mechanism({
    name: "Remembered",
    domain: ever.domain,
    parameters: { each, ever: ever.spec(), u: keep, m: PARTS },
    guarantee: kept.kind === "eachItem" ? { ...kept, epsilon: each } : ldp(each),
    cover: plainCover(times(levelOf(ever), cellsOf(ever))),
    layout: ever.layout,
    ever,
    draw: (value, words) => againFrom(ever, keep, Mechanism.draw(ever, value, words), words),
  });
};

/** Whether reports are sent again bit by bit. */
export function inBits(ever: Mechanism): boolean {
  return ["Rappor", "OptimizedUnary", "ItemResponse"].includes(ever.name);
}

/** The level of a permanent mechanism; of items that of each one. */
export function levelOf(ever: Mechanism): number {
  return ever.parameters["epsilon"] as number;
}

/** A whole number among a mechanism's parameters. */
export function numberOf(m: Mechanism, name: string): number {
  return Number(m.parameters[name]);
}

/** What a round sends of a permanent report: it or a uniform one, both drawn; of bits each for itself. */
export function againFrom(ever: Mechanism, keep: bigint, report: Report, words: Words): Report {
  if (typeof report !== "number" && inBits(ever)) {
    const flips = coins(words, (PARTS - keep) * (WORD / PARTS), labelsOf(ever));
    return report.map((byte, place) => byte ^ (flips[place] as number));
  }
  const kept = coin(words, keep, PARTS);
  return [anyReport(ever, report, words), report][Number(kept)] as Report;
}

/** Any report, each as likely; of hashes one of the same cohort, of windows one of the same. */
function anyReport(ever: Mechanism, report: Report, words: Words): Report {
  if (typeof report !== "number") return anySet(words, labelsOf(ever), numberOf(ever, "size"));
  const within = ever.name === "HashedResponse" || ever.name === "AskedItems" ? placesOf(ever) : outputsOf(ever);
  return report - (report % within) + uniformBelow(words, within);
}

function outputsOf(ever: Mechanism): number {
  return ever.layout.kind === "index" ? ever.layout.outputs : 0;
}

/** The labels of a permanent mechanism that has a closed domain. */
export function labelsOf(ever: Mechanism): number {
  if (ever.domain.kind === "texts") return 0;
  return ever.domain.kind === "lists" ? ever.domain.labels.size : ever.domain.size;
}

/** How many permanent answers a life has: of each label, symbol or pattern; of each item held and not held. */
export function cellsOf(ever: Mechanism): number {
  const symbols = placesOf(ever);
  if (ever.name === "HashedResponse")
    return ever.domain.kind === "labels" ? Math.min(symbols, labelsOf(ever)) : symbols;
  if (ever.name === "AskedItems") return symbols;
  return ever.name === "ItemResponse" ? 2 * labelsOf(ever) : labelsOf(ever);
}

/** N: the places of a report, of which a label owns some with weight A each. */
export function placesOf(ever: Mechanism): number {
  if (ever.name === "Hadamard") return 2 * numberOf(ever, "parts");
  if (ever.name === "AskedItems") return 2 ** numberOf(ever, "together");
  if (ever.name === "HashedResponse") return numberOf(ever, "symbols");
  return ever.name === "Cyclic" ? outputsOf(ever) : labelsOf(ever);
}

/** s: how many places a label owns. */
export function ownPlaces(ever: Mechanism): number {
  if (ever.name === "Subset") return numberOf(ever, "size");
  const [q, t] = [ever.parameters["q"], ever.parameters["t"]];
  return typeof q === "bigint" && typeof t === "bigint" ? Number((q ** (t - 1n) - 1n) / (q - 1n)) : 1;
}

/** The u of a report that is kept or replaced whole, or of bits that are kept or inverted; see wire/odds.md. */
function keepOf(ever: Mechanism, each: number): bigint {
  const { above, below } = ever.odds as Odds;
  const [numerator, denominator] = exact(each);
  const bound = expLower([numerator, ever.name === "Rappor" ? denominator * 2n : denominator]);
  const one = 1n << BITS;
  const excess = above * one - bound * below; // in units of 2^-320, as all that follows
  if (excess <= 0n) return PARTS;
  if (inBits(ever)) return PARTS - ceilDiv(PARTS * excess, (bound + one) * (above - below));
  const [places, own] = [BigInt(placesOf(ever)), BigInt(ownPlaces(ever))];
  const gain = (own * above + (places - own) * below) * (bound - one);
  return (PARTS * gain) / (places * excess + gain);
}

/** The bits of the full list's report where a label is held, else those of the empty one's. */
export function mixed(full: Uint8Array, empty: Uint8Array, held: ReadonlySet<number>, d: number): Uint8Array {
  const found = new Uint8Array(byteCount(d));
  for (let label = 0; label < d; label++) {
    setBit(found, label, hasBit(held.has(label) ? full : empty, label));
  }
  return found;
}

/** The families of this file, by the names that specs know them by. */
export const families: Families = { Remembered: remembered };
