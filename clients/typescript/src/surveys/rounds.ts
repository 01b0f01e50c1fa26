/** What remembered reports promise: one round, all rounds about unchanged answers, and a life of changing answers. */

import type { Mechanism } from "../mechanisms/mechanism.js";
import { plainLevel } from "../privacy/guarantees.js";
import { added } from "../privacy/levels.js";
import { factor, plain, SEEN, said } from "./sayings.js";
import type { Survey } from "./survey.js";

const SHOWS =
  "Anybody who keeps all that your device sends can tell when your answer changed, and when an old one came back.";
const SHOWS_LABELS = "Of a list they can tell which labels changed.";

/** The levels of one round, of all rounds as long as answers stay the same, and of a life of all answers. */
export interface RoundLevels {
  readonly each: number;
  readonly unchanged: number;
  readonly life: number;
}

/** Those of mechanisms that report together; null unless their reports are remembered. */
export function roundLevels(mechanisms: readonly Mechanism[]): RoundLevels | null {
  const kept = mechanisms.flatMap((m) => (m.ever ? [{ m, ever: m.ever }] : []));
  if (!kept.length) return null;
  return {
    each: added(...kept.map(({ m }) => plainLevel(m.guarantee))),
    unchanged: added(...kept.map(({ ever }) => plainLevel(ever.guarantee))),
    life: added(...kept.map(({ m }) => m.cover.level())),
  };
}

/** Each level at its largest among arms, one of which a device keeps for life; null if nothing is remembered. */
export function roundsOf(survey: Survey): RoundLevels | null {
  const arms = survey.arms.map((arm) => roundLevels(arm.parts.map((part) => part.mechanism)));
  const kept = arms.filter((levels) => levels !== null);
  const most = (level: keyof RoundLevels) => Math.max(...kept.map((levels) => levels[level]));
  return kept.length ? { each: most("each"), unchanged: most("unchanged"), life: most("life") } : null;
}

/** What is promised about a whole answer. */
export function roundSentences({ each, unchanged, life }: RoundLevels): string[] {
  const one = plain(each, "your answers");
  const all =
    `All rounds together, as long as your answers stay the same: what is sent is at most ` +
    `${factor(unchanged)} times likelier from your answers than from any other.`;
  const ever =
    `All that your device ever sends is at most ${factor(life)} times likelier from the answers that you ` +
    "give over the years than from any that, as far as it shows, change and come back at the same times.";
  const holder = "Somebody who knows when your answers change and come back, and";
  return [
    ...said(
      `One round by itself: ${one[0]?.toLowerCase()}${one.slice(1)}`,
      each,
      "Somebody who",
      `${SEEN} in one round`,
    ),
    all,
    ...said(ever, life, holder, "after seeing all that your device ever sends"),
  ];
}

/** What anybody sees who links the rounds of one device. */
export function shownChanges(mechanisms: readonly Mechanism[]): string[] {
  return mechanisms.some((m) => m.ever?.name === "ItemResponse") ? [SHOWS, SHOWS_LABELS] : [SHOWS];
}
