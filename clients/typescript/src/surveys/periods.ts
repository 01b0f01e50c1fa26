/** Periods: the stretches of time whose answers are counted together; their names and bounds follow from a document. */

import { ParameterError } from "../errors.js";
import type { Survey } from "./survey.js";

const DAY = 86400000;
/** How long after the last door of a survey nothing more is drawn for it. */
const LATE = 7 * DAY;
/** The end of the year 9999. */
const LAST = 253402300800000;
/** When a period begins and ends; null where the survey says nothing. */
export type Bounds = readonly [begins: Date | null, ends: Date | null];

/** The name of the period that a moment belongs to: once, 2026-08-01, 2026-W31 (ISO 8601) or 2026-08, in UTC. */
export function periodAt({ period }: Pick<Survey, "period">, now: Date): string {
  const day = now.toISOString().slice(0, 10);
  if (period === "day") return day;
  if (period === "month") return day.slice(0, 7);
  return period === "week" ? weekOf(now) : "once";
}

/** When a period begins and ends: its first and its last moment, cut off where the survey opens and closes. */
export function boundsOf(survey: Survey, name: string): Bounds {
  const [begins, ends] = span(survey.period, name);
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

/** The calendar's bounds of a period, whose name has to be in the survey's own form. */
function span(period: Survey["period"], name: string): [number, number] {
  if (period === "once" && name === "once") return [-Infinity, Infinity];
  const begins = firstMoment(name);
  const ends = endOf(period, begins);
  if (ends < LAST && periodAt({ period }, new Date(begins)) === name) return [begins, ends];
  throw new ParameterError(`the period must be one of the survey's, each a ${period}, got another name`);
}

/** The first moment of the next period; not a number if this one is none. */
function endOf(period: Survey["period"], begins: number): number {
  const month = new Date(begins);
  if (period === "month") return month.setUTCMonth(month.getUTCMonth() + 1);
  return begins + (period === "week" ? 7 : 1) * DAY;
}

/** When a day, a week or a month begins, if the name is one: then it is the name of that moment. */
function firstMoment(name: string): number {
  const [, year = "", week = ""] = /^(\d{4})-W(\d\d)$/.exec(name) ?? [];
  if (year) return firstWeek(Number(year)) + (Number(week) - 1) * 7 * DAY;
  return Date.parse(`${name}${name.length === 7 ? "-01" : ""}T00:00:00Z`);
}

/** The Monday of the week that holds the 4th of January. */
function firstWeek(year: number): number {
  const fourth = Date.parse(`${String(year).padStart(4, "0")}-01-04T00:00:00Z`);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY;
}

function weekOf(day: Date): string {
  const thursday = new Date(day.getTime() + (3 - ((day.getUTCDay() + 6) % 7)) * DAY);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((day.getTime() - firstWeek(year)) / (7 * DAY)) + 1;
  return `${String(year).padStart(4, "0")}-W${String(week).padStart(2, "0")}`;
}

function moment(time: number): Date | null {
  return Number.isFinite(time) ? new Date(time) : null;
}
