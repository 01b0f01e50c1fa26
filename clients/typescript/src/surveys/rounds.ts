/** What remembered reports promise: one round, all rounds about unchanged answers, and a life of changing answers. */

import type { Statement } from "../languages/language.js";
import type { Mechanism } from "../mechanisms/mechanism.js";
import { plainLevel } from "../privacy/guarantees.js";
import { added } from "../privacy/levels.js";
import { beliefStatements } from "./guaranteeStatements.js";
import type { Survey } from "./survey.js";

/** The levels of one round, of all rounds as long as answers stay the same, and of a life of all answers. */
export interface RoundLevels {
  readonly each: number;
  readonly unchanged: number;
  readonly life: number;
}

/** Those of mechanisms that report together; null unless their reports are remembered. */
export function roundLevels(mechanisms: readonly Mechanism[]): RoundLevels | null {
  const remembered = mechanisms.flatMap((m) => (m.permanent ? [{ m, permanent: m.permanent }] : []));
  if (!remembered.length) return null;
  return {
    each: added(...remembered.map(({ m }) => plainLevel(m.guarantee))),
    unchanged: added(...remembered.map(({ permanent }) => plainLevel(permanent.guarantee))),
    life: added(...remembered.map(({ m }) => m.cover.level())),
  };
}

/** Each level at its largest among arms, one of which a device keeps for life; null if nothing is remembered. */
export function roundsOf(survey: Survey): RoundLevels | null {
  const arms = survey.arms.map((arm) => roundLevels(arm.parts.map((part) => part.mechanism)));
  const remembered = arms.filter((levels) => levels !== null);
  const most = (level: keyof RoundLevels) => Math.max(...remembered.map((levels) => levels[level]));
  return remembered.length ? { each: most("each"), unchanged: most("unchanged"), life: most("life") } : null;
}

/** What is promised about a whole answer. */
export function roundStatements({ each, unchanged, life }: RoundLevels): Statement[] {
  return [
    ["round", { level: each }],
    ...beliefStatements("round_belief", each),
    ["unchanged", { level: unchanged }],
    ["life", { level: life }],
    ...beliefStatements("life_belief", life),
  ];
}

/** What anybody sees who links the rounds of one device. */
export function shownChanges(mechanisms: readonly Mechanism[]): Statement[] {
  const listed = mechanisms.some((m) => m.permanent?.name === "ItemResponse");
  return listed ? [["changes"], ["changed_labels"]] : [["changes"]];
}
