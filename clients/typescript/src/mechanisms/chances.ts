/** The exact probability of each report, given a value; nothing is drawn. */

import { hasBit, isOdd, placesOf } from "../draws.js";
import { ALWAYS, type Fraction, fraction, NEVER, not, plus, times } from "../fractions.js";
import { HEAD, type Report } from "../layouts.js";
import type { Odds } from "../odds.js";
import type { Places } from "../privacy/places.js";
import { WORD } from "../randomWords.js";
import { choose, everyReport, fromLittleEndian, outputsOf } from "../reports.js";
import type { Index } from "../values.js";
import { readDesigns, startsOf } from "./blocks.js";
import { ranks } from "./context.js";
import { type Design, designSpec, pointsOf, readDesign, residues } from "./cyclic.js";
import { bitShare, weighted } from "./fits.js";
import { hashing } from "./hashed.js";
import { type Held, patternOf } from "./lists.js";
import { powerAbove } from "./manyLabels.js";
import type { Mechanism } from "./mechanism.js";
import { inBits, labelsOf, levelOf, numberOf, PARTS } from "./remembered.js";
import { sets } from "./sets.js";

/** Every report that may be sent for a value, with its exact probability. */
export function* chances(m: Mechanism, value: unknown): Generator<[Report, Fraction]> {
  const index = m.domain.index(value);
  for (const report of everyReport(m.layout)) {
    const chance = chanceOf(m, index, report);
    if (chance[0]) yield [report, chance];
  }
}

/** The probability of a report, given the index of a value. */
export function chanceOf(m: Mechanism, value: Index, report: Report): Fraction {
  if (m.permanent) return rememberedChance(m, m.permanent, value, report);
  if (m.rows) {
    const row = m.rows[value as number] as readonly bigint[];
    return fraction(
      row[report as number] as bigint,
      row.reduce((a, b) => a + b, 0n),
    );
  }
  if (typeof value === "object") return listChance(m, value, report);
  if (m.name.startsWith("Hashed")) return hashedChance(m, value, report);
  if (m.guarantee.kind === "highLow") return highLowChance(m, m.guarantee.places, value as number, report);
  if (m.guarantee.kind === "distance") return distanceChance(m, value as number, report as number);
  if (m.guarantee.kind === "blocks") return blockChance(m, m.guarantee.places, value as number, report);
  return plainChance(m, value as number, report);
}

function plainChance(m: Mechanism, value: number, report: Report): Fraction {
  const [d, odds] = [labelsOf(m), m.odds as Odds];
  if (typeof report !== "number") {
    return m.name === "Subset"
      ? setChance(d, numberOf(m, "size"), odds, hasBit(report, value))
      : bitsChance(report, d, (place) => bitShare(m, place === value));
  }
  if (m.name === "Hadamard") return hadamardChance(numberOf(m, "parts"), d, odds, value, report);
  if (m.name === "Cyclic") return cyclicChance(m.parameters, d, odds, value, report);
  return weighted(odds, report === value, 1, d - 1);
}

/** A power of B/A, of reports at an end that of all beyond it. */
function distanceChance(m: Mechanism, value: number, report: number): Fraction {
  const { above, below } = m.odds as Odds;
  const [away, high] = [BigInt(Math.abs(value - report)), labelsOf(m) - 1];
  const own = report === 0 || report === high ? above : above - below;
  return fraction(own * below ** away, (above + below) * above ** away);
}

/** Of one set of `size` of d labels that holds the value, or of one that does not. */
function setChance(d: number, size: number, { above, below }: Odds, held: boolean): Fraction {
  const [inside, outside] = [BigInt(size) * above, BigInt(d - size) * below];
  const sets = held ? choose(d - 1, size - 1) : choose(d - 1, size);
  return fraction(held ? inside : outside, (inside + outside) * sets);
}

/** A or B for each residue. */
function cyclicChance(own: Mechanism["parameters"], d: number, odds: Odds, value: number, report: number): Fraction {
  const design = readDesign(own["q"], own["t"], d);
  const shift = (report - value + design.length) % design.length;
  return weighted(odds, pointsOf(design).includes(shift), design.block, design.length - design.block);
}

/** A or B for each output, in units of half a part. */
function hadamardChance(parts: number, d: number, { above, below }: Odds, value: number, report: number): Fraction {
  const size = powerAbove(Math.ceil(d / parts));
  const same = Math.floor(report / size) === Math.floor(value / (size - 1));
  const own = same && !isOdd((report % size) & ((value % (size - 1)) + 1));
  return fraction(2n * (own ? above : below), (above + BigInt(2 * parts - 1) * below) * BigInt(size));
}

/** The probability of independent bits, each set as often as its share says. */
function bitsChance(bits: Uint8Array, symbols: number, share: (place: number) => Fraction): Fraction {
  let [numerator, denominator] = ALWAYS;
  for (let place = 0; place < symbols; place++) {
    const [n, d] = hasBit(bits, place) ? share(place) : not(share(place));
    [numerator, denominator] = [numerator * n, denominator * d];
  }
  return fraction(numerator, denominator);
}

function hashedChance(m: Mechanism, value: Index, report: Report): Fraction {
  const { symbols, cohorts, own } = hashing({ domain: m.domain.write(), ...m.parameters });
  const odds = m.odds as Odds;
  if (typeof report === "number") {
    const fits = own(value, Math.floor(report / symbols))[0] === report % symbols;
    return times(weighted(odds, fits, 1, symbols - 1), [1n, BigInt(cohorts)]);
  }
  const symbolSet = new Set(own(value, fromLittleEndian(report.subarray(0, HEAD))));
  const share = (place: number) => fraction(symbolSet.has(place) ? odds.above : odds.below, WORD);
  return times(bitsChance(report.subarray(HEAD), symbols, share), [1n, BigInt(cohorts)]);
}

function listChance(m: Mechanism, held: Held, report: Report): Fraction {
  const [d, odds] = [labelsOf(m), m.odds as Odds];
  if (typeof report === "number") {
    const together = numberOf(m, "together");
    const [patterns, windows] = [2 ** together, together === d ? 1 : d];
    const own = patternOf(held, Math.floor(report / patterns), together, d) === report % patterns;
    return times(weighted(odds, own, 1, patterns - 1), [1n, BigInt(windows)]);
  }
  if (m.name === "ItemResponse") return bitsChance(report, d, (place) => bitShare(m, held.has(place)));
  return privateSetChance(d, numberOf(m, "most"), numberOf(m, "size"), odds, held, report);
}

/** A or B, by how probably the set meets what is left of the list. */
function privateSetChance(d: number, most: number, size: number, odds: Odds, held: Held, report: Uint8Array): Fraction {
  const { above, below } = odds;
  const count = Math.min(held.size, most);
  const members = placesOf(report);
  const outside = held.size - members.filter((place) => held.has(place)).length;
  const meetsSpare = members.some((place) => place >= d && place < d + most - count);
  const missed = meetsSpare ? NEVER : fraction(choose(outside, count), choose(held.size, count));
  const never = fraction(choose(d + most - size, most), choose(d + most, most));
  const letIn = ([n, e]: Fraction): Fraction => fraction(above * e - (above - below) * n, e);
  const [[n, e], [k, f]] = [letIn(missed), letIn(never)];
  return fraction(n * f, e * k * choose(d + most, size));
}

/** That of the permanent report where it is kept, and of a uniform one. */
function rememberedChance(m: Mechanism, permanent: Mechanism, value: Index, report: Report): Fraction {
  const keepShare = fraction(m.parameters["u"] as bigint, PARTS);
  if (inBits(permanent) && typeof report !== "number") {
    const holds = (place: number) => (typeof value === "object" ? value.has(place) : value === place);
    const share = (place: number) => mixture(keepShare, bitShare(permanent, holds(place)), [1n, 2n], true);
    return bitsChance(report, labelsOf(permanent), share);
  }
  return mixture(keepShare, chanceOf(permanent, value, report), [1n, outputsOf(permanent.layout)], false);
}

/** What is kept so often, and else inverted, if it is a bit, or as likely as any. */
export function mixture(keepShare: Fraction, own: Fraction, any: Fraction, inverted: boolean): Fraction {
  return plus(times(keepShare, own), times(not(keepShare), inverted ? not(own) : any));
}

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
  const chance = (label: number, output: Report) => cyclicChance(designSpec(design), d, odds, label, output as number);
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
function highLowChance(m: Mechanism, places: readonly number[], value: number, report: Report): Fraction {
  const [s, odds] = [places.length, m.odds as Odds];
  const rank = ranks(labelsOf(m), places)[value] as number;
  if (m.name === "HighLowRappor") return rapporChance(odds, s, rank, report as Uint8Array);
  const inner = innerOf(m, s, odds);
  const [block, inside] = typeof report === "number" ? [Math.max(report - inner.cells + 1, 0), report] : split(report);
  if (rank < s) return block ? NEVER : inner.chance(rank, inside);
  const bonus = BigInt(inner.size) * (odds.above - odds.below);
  const alone = fraction(bonus, bonus + BigInt(inner.cells) * odds.below);
  if (block) return block === rank - s + 1 ? alone : NEVER;
  return times(not(alone), [1n, typeof report === "number" ? BigInt(inner.cells) : choose(s, inner.size)]);
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
  const alone = fraction(above - below, above);
  if (!high.length) return times(not(alone), low);
  return high[0] === rank ? times(alone, low) : NEVER;
}

/** Of a mechanism that tells the block, for a label and a report. */
function blockChance(m: Mechanism, places: Places, value: number, report: Report): Fraction {
  const block = places.findIndex((labels) => labels.includes(value));
  const sizes = places.map((labels) => labels.length);
  const [d, label] = [sizes[block] as number, (places[block] as readonly number[]).indexOf(value)];
  if (typeof report !== "number") {
    const [head, set] = split(report);
    const weight = Number((m.parameters["weights"] as readonly bigint[])[block]);
    return head === block ? innerSets(d, weight, sets(d, levelOf(m), weight).odds).chance(label, set) : NEVER;
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
