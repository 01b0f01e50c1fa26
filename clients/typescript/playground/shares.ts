/** The share of yes that reports tell, with its interval: what `RandomizedResponse.estimate` works out of two labels. */

import type { Odds } from "../src/odds.js";

/** A share, and where the truth lies in so many of 100 such surveys. */
export interface Reading {
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** The standard error. */
  readonly error: number;
}

/** Halvings until the bounds of an interval are those that a number of 64 bits can tell. */
const HALVINGS = 60;

/** What `sent` reports of yes among `people` tell: the exact interval of the reports' share, with chance taken out. */
export function reading(sent: number, people: number, odds: Odds, level: number): Reading {
  const total = Number(odds.above + odds.below);
  const [told, turned] = [Number(odds.above) / total, Number(odds.below) / total];
  const without = (share: number) => Math.min(Math.max((share - turned) / (told - turned), 0), 1);
  const [low, high] = exactInterval(sent, people, 1 - level);
  const share = without(sent / people);
  const expected = turned + (told - turned) * share;
  const error = Math.sqrt((expected * (1 - expected)) / people) / (told - turned);
  return { share, low: without(low), high: without(high), error };
}

/** Clopper and Pearson's interval (1934): the shares at which neither tail is rarer than half of what may go wrong. */
function exactInterval(count: number, people: number, alpha: number): readonly [number, number] {
  const logs = logChoices(people);
  const low = count === 0 ? 0 : solved((share) => tail(logs, count, people, share) - alpha / 2);
  const high = count === people ? 1 : solved((share) => alpha / 2 - tail(logs, 0, count, share));
  return [low, high];
}

/** Logs of how many ways there are to choose so many of all people. */
function logChoices(people: number): Float64Array {
  const logs = new Float64Array(people + 1);
  for (let k = 1; k <= people; k++) logs[k] = (logs[k - 1] as number) + Math.log((people - k + 1) / k);
  return logs;
}

/** The chance of a count between two, both of them included. */
function tail(logs: Float64Array, first: number, last: number, share: number): number {
  const people = logs.length - 1;
  const [yes, no] = [Math.log(share), Math.log1p(-share)];
  let sum = 0;
  for (let k = first; k <= last; k++) sum += Math.exp((logs[k] as number) + k * yes + (people - k) * no);
  return sum;
}

/** Where a function that rises with the share is 0. */
function solved(rises: (share: number) => number): number {
  let [low, high] = [0, 1];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (rises(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
