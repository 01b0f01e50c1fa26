/** Periods: the stretches of time whose answers are counted together; their names and bounds follow from a document. */

import { ParameterError } from "../errors.js";
import { nameOf, spanOf } from "./calendar.js";
import type { Survey } from "./survey.js";

const DAY = 86400000;
/** How long after the last door of a survey nothing more is drawn for it. */
const LATE = 7 * DAY;
/** When a period begins and ends; null where the survey says nothing. */
export type Bounds = readonly [begins: Date | null, ends: Date | null];

/** The name of the period that a moment belongs to: once, 2026-08-01, 2026-W31 (ISO 8601) or 2026-08, in UTC. */
export function periodAt({ period }: Pick<Survey, "period">, now: Date): string {
  return period === "once" ? period : nameOf(period, now);
}

/** When a period begins and ends: its first and its last moment, cut off where the survey opens and closes. */
export function boundsOf(survey: Survey, name: string): Bounds {
  const [begins, ends] = spanIn(survey.period, name);
  const opens = survey.opens === null ? -Infinity : Date.parse(survey.opens);
  const closes = survey.closes === null ? Infinity : Date.parse(survey.closes);
  const [first, last] = [Math.max(begins, opens), Math.min(ends, closes)];
  if (first >= last) throw new ParameterError("the period must lie within the survey's time, got one that does not");
  return [moment(first), moment(last)];
}

/** Refuse to draw what no collector takes. */
export function checkNotOver(survey: Survey, now: Date): void {
  if (isOver(survey, now)) {
    throw new ParameterError(`the survey must be open, got a time long after it closed at ${survey.closes}`);
  }
}

/** Whether a survey has closed for good: a clock may be slow or fast by a week, but not by more. */
export function isOver({ closes, grace }: Survey, now: Date): boolean {
  return closes !== null && now.getTime() > Date.parse(closes) + grace * 1000 + LATE;
}

/** The calendar's bounds of a period; all time, of a survey that is answered once. */
function spanIn(period: Survey["period"], name: string): [number, number] {
  if (period === "once" && name === period) return [-Infinity, Infinity];
  const span = period === "once" ? undefined : spanOf(period, name);
  if (span) return span;
  throw new ParameterError(`the period must be one of the survey's, each a ${period}, got another name`);
}

function moment(time: number): Date | null {
  return Number.isFinite(time) ? new Date(time) : null;
}
