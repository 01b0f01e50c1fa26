/** Made-up people who answer by the real device, with the words of a seed; and one person, with those of the system. */

import { readSpec } from "../src/index.js";
import type { Mechanism } from "../src/mechanisms/mechanism.js";
import type { Odds } from "../src/odds.js";
import { privatizeFrom } from "../src/testing.js";
import type { Trial } from "./lines.js";
import { seededWords } from "./philox.js";
import { type Reading, reading } from "./shares.js";

const LABELS = ["yes", "no"];
const LEVEL = 0.95;
const BANDS = [0.8, 0.5];

/** What made-up people answered and sent, in the order of the lines of Python: those who answer yes come first. */
export interface Asked {
  readonly trial: Trial;
  /** Whether each sent yes. */
  readonly sent: readonly boolean[];
  readonly count: number;
  readonly reading: Reading;
  /** Where the truth lies in 80 and in 50 of 100 such surveys. */
  readonly bands: readonly Reading[];
}

/** The device's coin at a level. */
export function coinAt(epsilon: number): Mechanism {
  return readSpec(JSON.stringify({ version: 1, mechanism: "RandomizedResponse", domain: LABELS, epsilon }));
}

/** Whether one person's device sends yes this time. */
export function sends(coin: Mechanism, answer: boolean): boolean {
  return coin.privatize(LABELS[Number(!answer)]) === 0;
}

/** How often chance turns an answer round. */
export function turnedShare(coin: Mechanism): number {
  const { above, below } = oddsOf(coin);
  return Number(below) / Number(above + below);
}

/** All of them answer. */
export function ask(coin: Mechanism, trial: Trial): Asked {
  const words = seededWords(BigInt(trial.seed));
  const sent = Array.from({ length: trial.people }, (_, person) => {
    return privatizeFrom(coin, LABELS[Number(person >= trial.yes)], words) === 0;
  });
  const count = sent.filter(Boolean).length;
  const told = (level: number) => reading(count, trial.people, oddsOf(coin), level);
  return { trial, sent, count, reading: told(LEVEL), bands: BANDS.map(told) };
}

function oddsOf({ odds }: Mechanism): Odds {
  if (!odds) throw new TypeError("a coin has odds");
  return odds;
}
