/** Made-up people who answer by the real device, with the words of a seed; and one person, with those of the system. */

import { readSpec } from "../src/index.js";
import type { Mechanism } from "../src/mechanisms/mechanism.js";
import { privatizeFrom } from "../src/testing.js";
import type { Trial } from "./lines.js";
import { seededWords } from "./philox.js";
import { type Reading, reading } from "./shares.js";

const LABELS = ["yes", "no"];

/** What made-up people answered and sent, in the order of the lines of Python: those who answer yes come first. */
export interface Asked {
  readonly trial: Trial;
  /** Whether each sent yes. */
  readonly sent: readonly boolean[];
  readonly count: number;
  readonly reading: Reading;
}

/** The device's coin at a level. */
export function coinAt(epsilon: number): Mechanism {
  return readSpec(JSON.stringify({ version: 1, mechanism: "RandomizedResponse", domain: LABELS, epsilon }));
}

/** Whether one person's device sends yes this time. */
export function sends(coin: Mechanism, answer: boolean): boolean {
  return coin.privatize(LABELS[Number(!answer)]) === 0;
}

/** All of them answer. */
export function ask(coin: Mechanism, trial: Trial, level = 0.95): Asked {
  const words = seededWords(BigInt(trial.seed));
  const sent = Array.from({ length: trial.people }, (_, person) => {
    return privatizeFrom(coin, LABELS[Number(person >= trial.yes)], words) === 0;
  });
  const count = sent.filter(Boolean).length;
  return { trial, sent, count, reading: readingAt(coin, count, trial.people, level) };
}

/** What a count of reports tells, at a level. */
export function readingAt(coin: Mechanism, count: number, people: number, level: number): Reading {
  if (!coin.odds) throw new TypeError("a coin has odds");
  return reading(count, people, coin.odds, level);
}
