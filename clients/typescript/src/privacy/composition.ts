/** Which guarantee implies which, and what several reports about one value promise together. */

import { ParameterError } from "../errors.js";
import { type Domain, sameValues } from "../values.js";
import { LARGEST } from "./channelRows.js";
import type { Cover, EachItem, Guarantee, UnderPrior } from "./guaranteeKinds.js";
import { chargeOf, pairLevels, plainLevel } from "./guarantees.js";
import { added, closed, UP } from "./levels.js";
import { pairTerms, raisedLevel, rarest, supportOf, weightsOf } from "./priorLevels.js";

/** Up to so many labels guarantees of different kinds are compared pair by pair. */
const MOST_COMPARED = 512;

/** Of any guarantee. Plain LDP has its own, so that an app without other mechanisms does not load what these need. */
export function coverOf(guarantee: Guarantee): Cover {
  const level = () => plainLevel(guarantee);
  return {
    level,
    charge: () => (level() < Infinity ? level() : chargeOf(guarantee)),
    protects: (wanted) => protects(guarantee, wanted),
  };
}

/** Whether every pair of labels with a finite level under `wanted` has one under `given`. */
export function protects(given: Guarantee, wanted: Guarantee): boolean {
  if (given.kind === "ldp" || given.kind === "distance") return true;
  if (given.kind === "highLow" && wanted.kind === "highLow") {
    const sensitive = new Set(given.places);
    return wanted.places.every((place) => sensitive.has(place));
  }
  if (given.kind === "blocks" && wanted.kind === "blocks") {
    const blocks = given.places.map((block) => new Set(block));
    return wanted.places.every((block) => blocks.some((own) => block.every((place) => own.has(place))));
  }
  const domain = domainOf(given);
  if (!domain || domain.size > MOST_COMPARED || given.kind === "eachItem" || wanted.kind === "eachItem") {
    return given.kind === wanted.kind && (given.kind !== "prior" || sameSide(given, wanted));
  }
  const [have, want] = [pairLevels(given), pairLevels(wanted)];
  return everyPair(domain, (x, z) => have(x, z) < Infinity || want(x, z) === Infinity);
}

/** The guarantee that several reports on one value, each with its own guarantee, keep together. */
export function composed(parts: readonly Guarantee[]): Guarantee {
  const [first] = parts as [Guarantee];
  if (parts.length === 1) return first;
  const informed = parts.filter((part) => part.kind === "prior");
  if (informed.length) return informedSum(parts, informed);
  if (first.kind !== "pairwise" && parts.every((part) => sameKind(first, part))) {
    return { ...first, epsilon: added(...parts.map((part) => (part.kind === "pairwise" ? Infinity : part.epsilon))) };
  }
  const domain = commonDomain(parts);
  if (!domain) throw new ParameterError("guarantees must be about labels to be added, got others");
  if (domain.size > MOST_COMPARED && parts.some((part) => part.kind === "distance")) {
    return { kind: "ldp", epsilon: added(...parts.map(plainLevel)) };
  }
  const levels = parts.map((part) => levelsOf(part, domain));
  const matrix = square(domain, (x, z) => finite(added(...levels.map((level) => level[x]?.[z] as number))));
  return { kind: "pairwise", domain, matrix };
}

/** Whether every channel that keeps the first is proven to keep the second. */
export function implies(stronger: Guarantee, weaker: Guarantee): boolean {
  if (stronger.kind !== "pairwise" && weaker.kind !== "pairwise" && sameKind(stronger, weaker)) {
    return stronger.epsilon <= weaker.epsilon;
  }
  if (weaker.kind === "prior") return impliedUnder(stronger, weaker) <= weaker.epsilon;
  if (stronger.kind === "ldp" && (weaker.kind === "ldp" || weaker.kind === "eachItem" || weaker.kind === "distance")) {
    return stronger.epsilon <= weaker.epsilon;
  }
  if (stronger.kind === "distance" && weaker.kind === "ldp") return plainLevel(stronger) <= weaker.epsilon;
  if (stronger.kind === "eachItem") return impliedByItems(stronger, weaker);
  const domain = domainOf(stronger) ?? domainOf(weaker);
  if (!domain || weaker.kind === "eachItem" || !sameValues(domainOf(weaker) ?? domain, domain)) return false;
  const [have, want] = [levelsOf(stronger, domain), pairLevels(weaker)];
  const wanted = square(domain, (x, z) => (want(x, z) < Infinity ? Math.min(finite(want(x, z)), LARGEST) : Infinity));
  return atMost(have, wanted) || (stronger.kind === "pairwise" && atMost(closed(have), wanted));
}

/** Whether two guarantees differ in their level alone. */
function sameKind(first: Guarantee, other: Guarantee): boolean {
  if (first.kind === "eachItem") {
    return other.kind === "eachItem" && sameValues(first.labels, other.labels) && first.oneSided === other.oneSided;
  }
  if (first.kind === "prior") return other.kind === "prior" && samePrior(first, other) && sameSide(first, other);
  if (first.kind === "ldp") return other.kind === "ldp";
  if (first.kind === "distance") return other.kind === "distance" && sameValues(first.domain, other.domain);
  if (first.kind === "pairwise" || (other.kind !== "highLow" && other.kind !== "blocks")) return false;
  const places = JSON.stringify([first.kind, first.places]) === JSON.stringify([other.kind, other.places]);
  return places && sameValues(first.domain, other.domain);
}

function impliedByItems(stronger: EachItem, weaker: Guarantee): boolean {
  if (weaker.kind !== "eachItem") return weaker.kind === "ldp" && plainLevel(stronger) <= weaker.epsilon;
  const same = sameValues(stronger.labels, weaker.labels) && stronger.epsilon <= weaker.epsilon;
  return same && (weaker.oneSided || !stronger.oneSided);
}

/** The level of each pair; beyond the largest that can be proven it is infinite. */
function levelsOf(guarantee: Guarantee, domain: Domain): number[][] {
  if (guarantee.kind === "eachItem") throw new ParameterError("guarantees must be about labels, got one about lists");
  const level = pairLevels(guarantee);
  return square(domain, (x, z) => finite(level(x, z)));
}

function finite(level: number): number {
  return level > LARGEST ? Infinity : level;
}

function square(domain: Domain, level: (x: number, z: number) => number): number[][] {
  const each = Array.from({ length: domain.size }, (_, place) => place);
  return each.map((x) => each.map((z) => (x === z ? 0 : level(x, z))));
}

function everyPair(domain: Domain, holds: (x: number, z: number) => boolean): boolean {
  return square(domain, (x, z) => Number(!holds(x, z))).every((row) => row.every((fails) => !fails));
}

function atMost(have: readonly number[][], want: readonly number[][]): boolean {
  return have.every((row, x) => row.every((level, z) => level <= (want[x]?.[z] as number)));
}

/** The labels that a guarantee is about; undefined if it is for any. */
function domainOf(guarantee: Guarantee): Domain | undefined {
  return guarantee.kind === "ldp" || guarantee.kind === "eachItem" ? undefined : guarantee.domain;
}

function commonDomain(parts: readonly Guarantee[]): Domain | undefined {
  const domains = parts.map(domainOf).filter((domain) => domain !== undefined);
  const [first] = domains;
  if (first && !domains.every((domain) => sameValues(first, domain))) {
    throw new ParameterError("guarantees must be of one domain to be added, got others");
  }
  return first;
}

/** The level of several reports under one prior: each but one counts by its level between pairs. */
function informedSum(parts: readonly Guarantee[], informed: readonly UnderPrior[]): UnderPrior {
  const [first] = informed as [UnderPrior];
  if (!informed.every((part) => samePrior(first, part))) {
    throw new ParameterError("guarantees of information privacy must be of one prior to be added, got others");
  }
  commonDomain(parts);
  const plain = parts.filter((part) => part.kind !== "prior").map(plainLevel);
  const gains = informed.map((part) => (part.epsilon < Infinity ? added(...pairTerms(part)) - part.epsilon : 0));
  const once = gains.indexOf(Math.max(...gains));
  const pairs = informed.flatMap((part, k) => (k === once ? [] : pairTerms(part)));
  const result = informed.find((part) => part.oneSided) ?? first;
  return { ...result, epsilon: added((informed[once] as UnderPrior).epsilon, ...pairs, ...plain) };
}

/** The least level of a guarantee with a prior that another guarantee is proven to imply. */
function impliedUnder(stronger: Guarantee, weaker: UnderPrior): number {
  if (stronger.kind === "ldp") return stronger.epsilon;
  if (stronger.kind === "prior" && samePrior(stronger, weaker)) {
    const both = Math.min(added(...pairTerms(stronger)), twoSided(stronger));
    return stronger.oneSided && weaker.oneSided ? Math.min(both, stronger.epsilon) : both;
  }
  const domain = domainOf(stronger);
  if (!domain || !sameValues(domain, weaker.domain)) return Infinity;
  const support = supportOf(weightsOf(weaker));
  if (stronger.kind === "distance") return pairLevels(stronger)(Math.min(...support), Math.max(...support));
  const levels = closed(levelsOf(stronger, weaker.domain));
  return support.reduce((most, x) => support.reduce((found, z) => Math.max(found, levels[x]?.[z] as number), most), 0);
}

/** The level of two-sided information privacy that a guarantee with the same prior implies. */
function twoSided(own: UnderPrior): number {
  if (!own.oneSided || own.epsilon === Infinity) return own.epsilon;
  return Math.max(own.epsilon, (raisedLevel(own.epsilon, rarest(own)) - own.epsilon) * UP);
}

function samePrior(first: UnderPrior, other: UnderPrior): boolean {
  const same = first.prior.length === other.prior.length && first.prior.every((share, k) => share === other.prior[k]);
  return same && sameValues(first.domain, other.domain);
}

function sameSide(first: Guarantee, other: Guarantee): boolean {
  return first.kind === "prior" && other.kind === "prior" && first.oneSided === other.oneSided;
}
