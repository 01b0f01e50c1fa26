/** Mechanisms whose channel is written out: a weight for each value and report. */

import { isObject, type Json, type Spec } from "../canonical.js";
import { checkChoice, checkEpsilon, checkFlag, checkList, checkPrior, isNumber } from "../checks.js";
import { uniform } from "../draws.js";
import { CapacityError, ParameterError } from "../errors.js";
import { index } from "../layouts.js";
import { BITS, ceilDiv, exact, expLower } from "../odds.js";
import { divisorOf, levelOf, reduced, totalOf, type Weights, worstRatio } from "../privacy/channelRows.js";
import { coverOf } from "../privacy/composition.js";
import { readGuarantee, writeGuarantee, writeLevel } from "../privacy/guaranteeJson.js";
import { type Guarantee, ldp } from "../privacy/guaranteeKinds.js";
import { describe, judge } from "../privacy/guarantees.js";
import { WORD } from "../randomWords.js";
import { Domain, labelsOf } from "../values.js";
import { type Families, type Family, Mechanism } from "./mechanism.js";

/** The sum of the weights of a row of BinaryResponse, before common divisors are removed. */
const TOTAL = 0x8000_0000_0000_0000n;
/** Weights of a Channel add up to less than 2 to this. */
const WIDEST = 1000n;
/** The most labels times reports of InformedResponse. */
const MOST_WEIGHTS = 2 ** 25;
/** How far below its level a pair of BinaryResponse may stay, relative to the level. */
const CLOSE = 1e-6;
/** The largest absolute value of a number that is added up. */
const LARGEST_LABEL = 1e100;

/** A mechanism with a table of weights; a report is the index of a column. */
function explicit(name: string, domain: Domain, rows: Weights, guarantee: Guarantee, parameters: Spec): Mechanism {
  const total = totalOf(rows);
  const columns = (rows[0] ?? []).map((_, y) => y);
  const silent = new Set(columns.filter((y) => rows.every((row) => !row[y])));
  return new Mechanism({
    name,
    domain,
    parameters,
    guarantee,
    cover: coverOf(guarantee),
    layout: { ...index(columns.length), silent },
    rows,
    draw: (value, words) => {
      if (total >= WORD) {
        throw new CapacityError("a channel's weights must add up to less than 2^64 to be drawn from, got more");
      }
      const drawn = uniform(words, total);
      let [end, column] = [0n, 0];
      for (const weight of rows[value as number] as readonly bigint[]) {
        end += weight;
        column += Number(end <= drawn);
      }
      return column;
    },
  });
}

/** Any channel, with a guarantee that is proven, or the least level of plain LDP that it keeps. */
export const channel: Family = (spec) => {
  const domain = Domain.read(spec["domain"]);
  const given = checkList(spec["weights"]).map((row) =>
    checkList(row).map((weight) => checkWhole(weight, "weights must be rows")),
  );
  if (totalOf(given) >= 1n << WIDEST) {
    throw new ParameterError("weights must be rows that add up to less than 2^1000, got others");
  }
  const rows = reduced(given);
  const claim = isObject(spec["guarantee"]) ? readGuarantee(spec["guarantee"], domain) : undefined;
  if (rows.length !== domain.size) {
    throw new ParameterError(`weights must be ${domain.size} rows, one per label, got others`);
  }
  if (claim && !judge(claim, rows)) {
    throw new ParameterError(`weights must keep the guarantee, got some that are not ${describe(claim)}`);
  }
  const everybody = rows.map((_, x) => x);
  const promise = claim ?? ldp(levelOf(worstRatio(rows, everybody, everybody)));
  const own: Spec = claim ? { guarantee: writeGuarantee(claim, domain.write()) } : {};
  return explicit("Channel", domain, rows, promise, { weights: rows, ...own });
};

/** Two labels, each with its own level: no channel with these levels is more informative (acharya2019). */
export const binaryResponse: Family = (spec) => {
  const domain = Domain.read(spec["domain"]);
  if (domain.size !== 2) {
    throw new ParameterError(`domain must be two labels for BinaryResponse, got ${domain.size}`);
  }
  const [first, second] = [readLevel(spec, "epsilon_first"), readLevel(spec, "epsilon_second")];
  if (first + second === Infinity && first === second) {
    throw new ParameterError("epsilon_first and epsilon_second must not both be infinite, got no privacy");
  }
  const rows = binaryRows(first, second);
  const reached = [levelOf(worstRatio(rows, [0], [1])), levelOf(worstRatio(rows, [1], [0]))];
  if ([first, second].some((level, k) => level < Infinity && (reached[k] as number) < level * (1 - CLOSE))) {
    throw new CapacityError("epsilon_first and epsilon_second must leave room for both in 64 bits, got others");
  }
  const matrix = [[0, first], [second, 0]]; // biome-ignore format: a matrix
  const parameters = { epsilon_first: writeLevel(first), epsilon_second: writeLevel(second) };
  return explicit("BinaryResponse", domain, rows, { kind: "pairwise", domain, matrix }, parameters);
};

/** The weights, with both mistakes rounded up, so that numerators only fall and denominators only grow. */
function binaryRows(first: number, second: number): Weights {
  const [a, b] = [first, second].map((level) => (level === Infinity ? 0n : expLower(exact(level)))) as [bigint, bigint];
  const one = 1n << BITS;
  let [alarm, miss] = [0n, 0n];
  if (a && b) {
    const product = a * b - one * one;
    alarm = ceilDiv(TOTAL * (b - one) * one, product);
    miss = ceilDiv(TOTAL * (a - one) * one, product);
  } else if (a) alarm = ceilDiv(TOTAL * one, a);
  else miss = ceilDiv(TOTAL * one, b);
  return reduced([
    [TOTAL - miss, miss],
    [alarm, TOTAL - alarm],
  ]);
}

/** Reports that tell most to those who know how common each label is (jiang2018). */
export const informedResponse: Family = (spec) => {
  const domain = Domain.read(spec["domain"]);
  const prior = checkPrior(spec["prior"], domain.size);
  const epsilon = checkEpsilon(spec["epsilon"]);
  const oneSided = checkFlag("one_sided", spec["one_sided"]);
  const promise: Guarantee = { kind: "prior", epsilon, domain, prior, oneSided };
  const rows = unpacked(spec["columns"], prior);
  if (!judge(promise, rows)) {
    throw new ParameterError("columns must be weights that keep the guarantee, got others");
  }
  const goal = checkChoice("goal", spec["goal"], ["histogram", "sum"]);
  const own: Spec = { ...readValues(domain, goal, spec["values"]), ...(oneSided ? { one_sided: true } : {}) };
  const columns = packed(rows, prior);
  return explicit("InformedResponse", domain, rows, promise, { prior, epsilon, columns, goal, ...own });
};

/** The numbers that a sum adds, where they are not the labels. */
function readValues(domain: Domain, goal: string, given: Json | undefined): Spec {
  if (goal === "histogram" && given !== undefined) {
    throw new ParameterError("values must go with the goal sum, got them with another");
  }
  const numbers = given === undefined ? (goal === "sum" ? labelsOf(domain) : []) : checkList(given);
  if (numbers.some((number) => !isNumber(number) || Math.abs(Number(number)) > LARGEST_LABEL)) {
    throw new ParameterError(`values must be numbers up to ${LARGEST_LABEL}, got others`);
  }
  if (given === undefined) return {};
  if (numbers.length !== domain.size) {
    throw new ParameterError(`values must be ${domain.size} numbers, one per label, got others`);
  }
  return { values: numbers.map(Number) };
}

function readLevel(spec: Spec, name: string): number {
  return spec[name] === "inf" ? Infinity : checkEpsilon(spec[name], name);
}

function checkWhole(weight: Json, wanted: string): bigint {
  if (typeof weight === "bigint" && weight >= 0n) return weight;
  throw new ParameterError(`${wanted} of whole numbers, got others`);
}

/**
 * The weights from the columns of InformedResponse, a row per label. Each column is runs of a weight and how many labels
 * have it, the likeliest label first.
 */
function unpacked(columns: Json | undefined, prior: readonly number[]): Weights {
  const order = likeliestFirst(prior);
  const given = checkList(columns).map(checkList);
  if (order.length * given.length > MOST_WEIGHTS) {
    throw new CapacityError(`a channel must have at most ${MOST_WEIGHTS} weights, got more`);
  }
  const spread = given.map((column) =>
    spreadOut(
      column.map((weight) => checkWhole(weight, "columns must be runs")),
      order.length,
    ),
  );
  const rows: bigint[][] = [];
  order.forEach((label, rank) => {
    rows[label] = spread.map((column) => column[rank] as bigint);
  });
  if (totalOf(rows) >= WORD || divisorOf(rows) !== 1n) {
    throw new ParameterError("columns must add up to less than 2^64 without a common divisor, got others");
  }
  return rows;
}

/** Each column as runs, neighbouring ones of different weights. */
function packed(rows: Weights, prior: readonly number[]): bigint[][] {
  const order = likeliestFirst(prior);
  return (rows[0] ?? []).map((_, y) => {
    const runs: bigint[] = [];
    for (const label of order) {
      const weight = rows[label]?.[y] as bigint;
      if (runs.length && runs.at(-2) === weight) runs.push((runs.pop() as bigint) + 1n);
      else runs.push(weight, 1n);
    }
    return runs;
  });
}

function likeliestFirst(prior: readonly number[]): number[] {
  return [...prior.keys()].sort((a, b) => (prior[b] as number) - (prior[a] as number));
}

function spreadOut(column: readonly bigint[], labels: number): bigint[] {
  const runs = column.filter((_, k) => k % 2);
  if (column.length % 2 || runs.reduce((a, b) => a + b, 0n) !== BigInt(labels)) {
    throw new ParameterError(`columns must have runs of ${labels} labels in all, got others`);
  }
  return runs.flatMap((run, k) => Array<bigint>(Number(run)).fill(column[2 * k] as bigint));
}

/** The families of this file, by the names that specs know them by. */
export const families: Families = {
  BinaryResponse: binaryResponse,
  InformedResponse: informedResponse,
  Channel: channel,
};
