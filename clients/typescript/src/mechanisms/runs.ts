/** The columns of InformedResponse: each is runs of a weight and how many labels have it, the likeliest label first. */

import type { Json } from "../canonical.js";
import { listed } from "../checks.js";
import { CapacityError, ParameterError } from "../errors.js";
import { divisorOf, totalOf, type Weights } from "../privacy/rows.js";
import { WORD } from "../words.js";

/** The most labels times reports. */
const MOST_WEIGHTS = 2 ** 25;

/** The weights from runs, a row per label. */
export function unpacked(columns: Json | undefined, prior: readonly number[]): Weights {
  const order = likeliestFirst(prior);
  const given = listed(columns).map(listed);
  if (order.length * given.length > MOST_WEIGHTS) {
    throw new CapacityError(`a channel must have at most ${MOST_WEIGHTS} weights, got more`);
  }
  const spread = given.map((column) => spreadOut(column.map(checkWhole), order.length));
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
export function packed(rows: Weights, prior: readonly number[]): bigint[][] {
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

function checkWhole(number: Json): bigint {
  if (typeof number !== "bigint" || number < 0n) {
    throw new ParameterError("columns must be runs of whole numbers, got others");
  }
  return number;
}
