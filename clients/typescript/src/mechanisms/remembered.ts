/** Reports that are remembered: a permanent report is drawn once, and every round sends it or a uniform one. */

import { checkEpsilon } from "../checks.js";
import { anySet, byteCount, coin, coins, hasBit, setBit, uniformBelow } from "../draws.js";
import { CapacityError, ParameterError } from "../errors.js";
import type { Report } from "../layouts.js";
import { BITS, ceilDiv, exact, expLower, type Odds } from "../odds.js";
import { ldp, plainCover } from "../privacy/guaranteeKinds.js";
import { times } from "../privacy/levels.js";
import { WORD, type Words } from "../randomWords.js";
import { type Families, type Family, Mechanism } from "./mechanism.js";

/** m: a report is kept in u cases of so many. */
export const PARTS = 0x100_0000_0000n;
const PERMANENT = [
  "RandomizedResponse", "Rappor", "OptimizedUnary", "Subset", "Hadamard", "Cyclic", "HashedResponse", "AskedItems",
  "ItemResponse",
]; // biome-ignore format: a list of names

/** A permanent report per answer, drawn once; a round's report costs `each` to those who see it alone. */
export const remembered: Family = (spec, read) => {
  const permanent = read(spec["ever"] ?? null);
  const guarantee = permanent.guarantee;
  if (!PERMANENT.includes(permanent.name) || (guarantee.kind === "eachItem" && guarantee.oneSided)) {
    throw new ParameterError(`ever must be a mechanism whose reports can be sent again, got ${permanent.name}`);
  }
  const each = checkEpsilon(spec["each"], "each");
  if (each > levelOf(permanent)) {
    throw new ParameterError(`each must be at most the level of the permanent report, got each=${each}`);
  }
  const keep = keepOf(permanent, each);
  if (keep <= (inBits(permanent) ? PARTS / 2n : 0n)) {
    throw new CapacityError(`each must leave a coin of 2^40 cases something to keep, got each=${each}`);
  }
  return new Mechanism({
    name: "Remembered",
    domain: permanent.domain,
    parameters: { each, ever: permanent.spec(), u: keep, m: PARTS },
    guarantee: guarantee.kind === "eachItem" ? { ...guarantee, epsilon: each } : ldp(each),
    cover: plainCover(times(levelOf(permanent), cellsOf(permanent))),
    layout: permanent.layout,
    permanent,
    draw: (value, words) => roundReportFrom(permanent, keep, Mechanism.draw(permanent, value, words), words),
  });
};

/** Whether reports are sent again bit by bit. */
export function inBits(permanent: Mechanism): boolean {
  return ["Rappor", "OptimizedUnary", "ItemResponse"].includes(permanent.name);
}

/** The level of a permanent mechanism; of items that of each one. */
export function levelOf(permanent: Mechanism): number {
  return permanent.parameters["epsilon"] as number;
}

/** A whole number among a mechanism's parameters. */
export function numberOf(m: Mechanism, name: string): number {
  return Number(m.parameters[name]);
}

/** What a round sends of a permanent report: it or a uniform one, both drawn; of bits each for itself. */
export function roundReportFrom(permanent: Mechanism, keep: bigint, report: Report, words: Words): Report {
  if (typeof report !== "number" && inBits(permanent)) {
    const flips = coins(words, (PARTS - keep) * (WORD / PARTS), labelsOf(permanent));
    return report.map((byte, place) => byte ^ (flips[place] as number));
  }
  const keeps = coin(words, keep, PARTS);
  return [anyReport(permanent, report, words), report][Number(keeps)] as Report;
}

/** Any report, each as likely; of hashes one of the same cohort, of windows one of the same. */
function anyReport(permanent: Mechanism, report: Report, words: Words): Report {
  if (typeof report !== "number") return anySet(words, labelsOf(permanent), numberOf(permanent, "size"));
  const within =
    permanent.name === "HashedResponse" || permanent.name === "AskedItems" ? placesOf(permanent) : outputsOf(permanent);
  return report - (report % within) + uniformBelow(words, within);
}

function outputsOf(permanent: Mechanism): number {
  return permanent.layout.kind === "index" ? permanent.layout.outputs : 0;
}

/** The labels of a permanent mechanism that has a closed domain. */
export function labelsOf(permanent: Mechanism): number {
  if (permanent.domain.kind === "texts") return 0;
  return permanent.domain.kind === "lists" ? permanent.domain.labels.size : permanent.domain.size;
}

/** How many permanent answers a life has: of each label, symbol or pattern; of each item held and not held. */
export function cellsOf(permanent: Mechanism): number {
  const symbols = placesOf(permanent);
  if (permanent.name === "HashedResponse")
    return permanent.domain.kind === "labels" ? Math.min(symbols, labelsOf(permanent)) : symbols;
  if (permanent.name === "AskedItems") return symbols;
  return permanent.name === "ItemResponse" ? 2 * labelsOf(permanent) : labelsOf(permanent);
}

/** N: the places of a report, of which a label owns some with weight A each. */
export function placesOf(permanent: Mechanism): number {
  if (permanent.name === "Hadamard") return 2 * numberOf(permanent, "parts");
  if (permanent.name === "AskedItems") return 2 ** numberOf(permanent, "together");
  if (permanent.name === "HashedResponse") return numberOf(permanent, "symbols");
  return permanent.name === "Cyclic" ? outputsOf(permanent) : labelsOf(permanent);
}

/** s: how many places a label owns. */
export function ownPlaces(permanent: Mechanism): number {
  if (permanent.name === "Subset") return numberOf(permanent, "size");
  const [q, t] = [permanent.parameters["q"], permanent.parameters["t"]];
  return typeof q === "bigint" && typeof t === "bigint" ? Number((q ** (t - 1n) - 1n) / (q - 1n)) : 1;
}

/** The u of a report that is kept or replaced whole, or of bits that are kept or inverted; see wire/odds.md. */
function keepOf(permanent: Mechanism, each: number): bigint {
  const { above, below } = permanent.odds as Odds;
  const [numerator, denominator] = exact(each);
  const bound = expLower([numerator, permanent.name === "Rappor" ? denominator * 2n : denominator]);
  const one = 1n << BITS;
  const excess = above * one - bound * below; // in units of 2^-320, as all that follows
  if (excess <= 0n) return PARTS;
  if (inBits(permanent)) return PARTS - ceilDiv(PARTS * excess, (bound + one) * (above - below));
  const [places, own] = [BigInt(placesOf(permanent)), BigInt(ownPlaces(permanent))];
  const gain = (own * above + (places - own) * below) * (bound - one);
  return (PARTS * gain) / (places * excess + gain);
}

/** The bits of the full list's report where a label is held, else those of the empty one's. */
export function mixed(full: Uint8Array, empty: Uint8Array, held: ReadonlySet<number>, d: number): Uint8Array {
  const bits = new Uint8Array(byteCount(d));
  for (let label = 0; label < d; label++) {
    setBit(bits, label, hasBit(held.has(label) ? full : empty, label));
  }
  return bits;
}

/** The families of this file, by the names that specs know them by. */
export const families: Families = { Remembered: remembered };
