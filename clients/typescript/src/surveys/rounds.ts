/** What remembered reports promise: one round, all rounds about unchanged answers, and a life of changing answers. */

import type { Statement } from "../languages/language.js";
import type { Mechanism } from "../mechanisms/mechanism.js";
import { plainLevel } from "../privacy/guarantees.js";
import { added } from "../privacy/levels.js";
import { moved } from "./statements.js";
import type { Survey } from "./survey.js";

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
export function roundStatements({ each, unchanged, life }: RoundLevels): Statement[] {
  return [
    ["round", { level: each }],
    ...moved("round_belief", each),
    ["unchanged", { level: unchanged }],
    ["life", { level: life }],
    ...moved("life_belief", life),
  ];
}

/** What anybody sees who links the rounds of one device. */
export function shownChanges(mechanisms: readonly Mechanism[]): Statement[] {
  const listed = mechanisms.some((m) => m.ever?.name === "ItemResponse");
  return listed ? [["changes"], ["changed_labels"]] : [["changes"]];
}
