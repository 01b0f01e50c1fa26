/** The exact probabilities of high-low and block mechanisms. */

import { hasBit, isOdd, placesOf } from "../draws.js";
import { ALWAYS, type Fraction, fraction, NEVER, not, times } from "../fractions.js";
import { HEAD, type Report } from "../layouts.js";
import type { Odds } from "../odds.js";
import type { Places } from "../privacy/places.js";
import { choose, fromLittleEndian } from "../reports.js";
import { WORD } from "../words.js";
import { readDesigns, startsOf } from "./blocks.js";
import { bitsChance, cyclicChance, setChance, weighted } from "./chances.js";
import { ranks } from "./context.js";
import { residues } from "./cyclic.js";
import { named, readDesign } from "./designs.js";
import type { Mechanism } from "./mechanism.js";
import { powerAbove, sets } from "./plain.js";
import { labelsOf, levelOf, numberOf } from "./remembered.js";

/** Of a mechanism that protects some labels, for a label and a report. */
export function highLowChance(m: Mechanism, places: readonly number[], value: number, report: Report): Fraction {
  const d = labelsOf(m);
  const [s, rank] = [places.length, ranks(d, places)[value] as number];
  const odds = m.odds as Odds;
  if (typeof report !== "number") {
    return m.name === "HighLowRappor" ? rapporChance(odds, s, rank, report) : subsetChance(m, odds, s, rank, report);
  }
  if (m.name === "HighLowHadamard") return hadamardChance(odds, s, rank, report);
  if (m.name === "HighLowCyclic") return residueChance(m, odds, s, rank, report);
  const [bonus, hidden] = [odds.above - odds.below, odds.below];
  const own = (report === rank ? bonus : 0n) + (report < s ? hidden : 0n);
  return fraction(own, bonus + BigInt(s) * hidden);
}

/** Noise, and the bonus of the own half or the own report. */
function hadamardChance({ above, below }: Odds, s: number, rank: number, output: number): Fraction {
  const [size, bonus, total] = [powerAbove(s), above - below, above + below];
  if (output >= size) return output === size + rank - s ? fraction(bonus, total) : NEVER;
  const own = rank < s && !isOdd(output & (rank + 1));
  return fraction(2n * below + (own ? 2n * bonus : 0n), total * BigInt(size));
}

/** Products over the bits; of another label's report either its coin, or none of its bits. */
function rapporChance({ above, below }: Odds, s: number, rank: number, report: Uint8Array): Fraction {
  const high = placesOf(report).filter((place) => place >= s);
  const flip = fraction(below, WORD);
  const low = bitsChance(report, s, (place) => (place === rank ? not(flip) : flip));
  if (rank < s) return high.length ? NEVER : low;
  const told = fraction(above - below, above);
  if (!high.length) return times(not(told), low);
  return high[0] === rank ? times(told, low) : NEVER;
}

/** Of sets as in Subset; of others the coin, or the mean of all sets. */
function subsetChance(m: Mechanism, odds: Odds, s: number, rank: number, report: Uint8Array): Fraction {
  const [block, size] = [fromLittleEndian(report.subarray(0, HEAD)), numberOf(m, "size")];
  if (rank < s) return block ? NEVER : ownSet(s, size, odds, hasBit(report.subarray(HEAD), rank));
  const told = toldOf(odds, size, s);
  if (block) return block === rank - s + 1 ? told : NEVER;
  return times(not(told), [1n, choose(s, size)]);
}

/** Of residues as in Cyclic; of others the coin, or any residue. */
function residueChance(m: Mechanism, odds: Odds, s: number, rank: number, output: number): Fraction {
  const { length, block } = readDesign(m.parameters["q"], m.parameters["t"], s);
  const told = toldOf(odds, block, length);
  if (output >= length) return rank >= s && output === length + rank - s ? told : NEVER;
  if (rank >= s) return times(not(told), [1n, BigInt(length)]);
  return s === 1 ? ALWAYS : cyclicChance(m.parameters, s, odds, rank, output);
}

/** How often a label that is not sensitive is told. */
function toldOf({ above, below }: Odds, size: number, places: number): Fraction {
  const bonus = BigInt(size) * (above - below);
  return fraction(bonus, bonus + BigInt(places) * below);
}

function ownSet(d: number, size: number, odds: Odds, held: boolean): Fraction {
  return d === 1 ? ALWAYS : setChance(d, size, odds, held);
}

/** Of a mechanism that tells the block, for a label and a report. */
export function blockChance(m: Mechanism, places: Places, value: number, report: Report): Fraction {
  const block = places.findIndex((labels) => labels.includes(value));
  const own = places[block] as readonly number[];
  const number = own.indexOf(value);
  const sizes = places.map((labels) => labels.length);
  if (typeof report !== "number") {
    if (fromLittleEndian(report.subarray(0, HEAD)) !== block) return NEVER;
    const weight = Number((m.parameters["weights"] as readonly bigint[])[block]);
    const { odds } = sets(own.length, levelOf(m), weight);
    return ownSet(own.length, weight, odds, hasBit(report.subarray(HEAD), number));
  }
  return m.name === "BlockCyclic"
    ? blockCyclicChance(m, sizes, block, number, report)
    : blockHadamardChance(m.odds as Odds, sizes, block, number, report);
}

function blockHadamardChance(
  odds: Odds,
  sizes: readonly number[],
  block: number,
  number: number,
  report: number,
): Fraction {
  const widths = sizes.map(powerAbove);
  const [width, output] = [widths[block] as number, report - (startsOf(widths)[block] as number)];
  if (output < 0 || output >= width) return NEVER;
  return times(weighted(odds, !isOdd(output & (number + 1)), 1, 1), [2n, BigInt(width)]);
}

function blockCyclicChance(
  m: Mechanism,
  sizes: readonly number[],
  block: number,
  number: number,
  report: number,
): Fraction {
  const designs = readDesigns(m.parameters["designs"], sizes);
  const design = designs[block];
  const residue = report - (startsOf(designs.map(({ length }) => length))[block] as number);
  if (!design || residue < 0 || residue >= design.length) return NEVER;
  const labels = sizes[block] as number;
  if (labels === 1) return ALWAYS;
  return cyclicChance(named(design), labels, residues(labels, levelOf(m), design).odds, number, residue);
}
