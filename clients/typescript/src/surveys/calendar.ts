/** The days, weeks (ISO 8601) and months in which a survey is answered again, in UTC. */

import type { Survey } from "./survey.js";

type Period = Exclude<Survey["period"], "once">;

const DAY = 86400000;
/** The end of the year 9999. */
const LAST = 253402300800000;

/** The name of the period that a moment belongs to. */
export function nameOf(period: Period, now: Date): string {
  const day = now.toISOString().slice(0, 10);
  if (period === "day") return day;
  return period === "month" ? day.slice(0, 7) : weekOf(now);
}

/** The calendar's bounds of a period; undefined if its name is not in the survey's own form. */
export function spanOf(period: Period, name: string): [number, number] | undefined {
  const begins = firstMoment(name);
  const ends = endOf(period, begins);
  return ends < LAST && nameOf(period, new Date(begins)) === name ? [begins, ends] : undefined;
}

/** When the period after one begins, or null if the survey has closed by then. */
export function beginOfNext({ closes, period }: Survey, name: string): Date | null {
  const [, ends] = spanOf(period as Period, name) as [number, number]; // every name in a store has been checked
  return closes !== null && ends >= Date.parse(closes) ? null : new Date(ends);
}

/** The first moment of the next period; not a number if this one is none. */
function endOf(period: Period, begins: number): number {
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
