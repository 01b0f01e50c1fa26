/** The exact probabilities of high-low and block mechanisms, composed over those of the labels that hide. */

import { hasBit, isOdd, placesOf } from "../draws.js";
import { ALWAYS, type Fraction, fraction, NEVER, not, times } from "../fractions.js";
import { HEAD, type Report } from "../layouts.js";
import type { Odds } from "../odds.js";
import type { Places } from "../privacy/places.js";
import { choose, fromLittleEndian } from "../reports.js";
import { WORD } from "../words.js";
import { readDesigns, startsOf } from "./blocks.js";
import { bitsChance, cyclicChance, setChance } from "./chances.js";
import { ranks } from "./context.js";
import { residues } from "./cyclic.js";
import { type Design, named, readDesign } from "./designs.js";
import { weighted } from "./fits.js";
import { powerAbove } from "./manyLabels.js";
import type { Mechanism } from "./mechanism.js";
import { labelsOf, levelOf, numberOf } from "./remembered.js";
import { sets } from "./sets.js";

/** Reports of labels that hide among each other: the layout's cells, how many of them one holds, and its chance. */
interface Inner {
  readonly cells: number;
  readonly size: number;
  readonly chance: (label: number, report: Report) => Fraction;
}

/** Sets of labels; a label alone has one. */
function innerSets(d: number, size: number, odds: Odds): Inner {
  const chance = (label: number, set: Report) => setChance(d, size, odds, hasBit(set as Uint8Array, label));
  return { cells: d, size, chance: d === 1 ? () => ALWAYS : chance };
}

/** Residues; a label alone has one. */
function innerResidues(d: number, design: Design, odds: Odds): Inner {
  const chance = (label: number, output: Report) => cyclicChance(named(design), d, odds, label, output as number);
  return { cells: design.length, size: design.block, chance: d === 1 ? () => ALWAYS : chance };
}

/** Outputs in halves of rows of a Hadamard matrix. */
function innerRows(d: number, odds: Odds): Inner {
  const size = powerAbove(d);
  const half = (row: number, output: Report) => weighted(odds, !isOdd((output as number) & row), 1, 1);
  const chance = (label: number, output: Report) => times(half(label + 1, output), [2n, BigInt(size)]);
  return { cells: size, size: size / 2, chance };
}

/** Of a mechanism that protects some labels, for a label and a report. */
export function highLowChance(m: Mechanism, places: readonly number[], value: number, report: Report): Fraction {
  const [s, odds] = [places.length, m.odds as Odds];
  const rank = ranks(labelsOf(m), places)[value] as number;
  if (m.name === "HighLowRappor") return rapporChance(odds, s, rank, report as Uint8Array);
  const inner = innerOf(m, s, odds);
  const [block, inside] = typeof report === "number" ? [Math.max(report - inner.cells + 1, 0), report] : split(report);
  if (rank < s) return block ? NEVER : inner.chance(rank, inside);
  const bonus = BigInt(inner.size) * (odds.above - odds.below);
  const told = fraction(bonus, bonus + BigInt(inner.cells) * odds.below);
  if (block) return block === rank - s + 1 ? told : NEVER;
  return times(not(told), [1n, typeof report === "number" ? BigInt(inner.cells) : choose(s, inner.size)]);
}

/** What the sensitive labels report among themselves. */
function innerOf(m: Mechanism, s: number, odds: Odds): Inner {
  if (m.name === "HighLowSubset") return innerSets(s, numberOf(m, "size"), odds);
  if (m.name === "HighLowCyclic") return innerResidues(s, readDesign(m.parameters["q"], m.parameters["t"], s), odds);
  if (m.name === "HighLowHadamard") return innerRows(s, odds);
  return { cells: s, size: 1, chance: (label, report) => weighted(odds, report === label, 1, s - 1) };
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

/** Of a mechanism that tells the block, for a label and a report. */
export function blockChance(m: Mechanism, places: Places, value: number, report: Report): Fraction {
  const block = places.findIndex((labels) => labels.includes(value));
  const sizes = places.map((labels) => labels.length);
  const [d, label] = [sizes[block] as number, (places[block] as readonly number[]).indexOf(value)];
  if (typeof report !== "number") {
    const [told, set] = split(report);
    const weight = Number((m.parameters["weights"] as readonly bigint[])[block]);
    return told === block ? innerSets(d, weight, sets(d, levelOf(m), weight).odds).chance(label, set) : NEVER;
  }
  const designs = m.name === "BlockCyclic" ? readDesigns(m.parameters["designs"], sizes) : [];
  const starts = startsOf(designs.length ? designs.map(({ length }) => length) : sizes.map(powerAbove));
  const [start, end] = [starts[block] as number, starts[block + 1] as number];
  if (report < start || report >= end) return NEVER;
  const design = designs[block];
  const inner = design ? innerResidues(d, design, residues(d, levelOf(m), design).odds) : innerRows(d, m.odds as Odds);
  return inner.chance(label, report - start);
}

/** The block of a report, and the bits of its labels. */
function split(report: Uint8Array): [block: number, set: Uint8Array] {
  return [fromLittleEndian(report.subarray(0, HEAD)), report.subarray(HEAD)];
}
