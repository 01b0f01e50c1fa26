/** What a device draws once and keeps, where reports are remembered, and what it sends of that in a round. */

import { response, uniformBelow } from "../draws.js";
import { type Report, widthOf } from "../layouts.js";
import type { Odds } from "../odds.js";
import { systemWords, type Words } from "../randomWords.js";
import type { Index } from "../values.js";
import { hashing } from "./hashed.js";
import { patternOf, patternReport } from "./lists.js";
import { Mechanism } from "./mechanism.js";
import { cellsOf, labelsOf, mixed, numberOf, placesOf, roundReportFrom } from "./remembered.js";

/** The permanent reports that a device draws once and keeps, of every cell, so that none tells of an answer. */
export function enrol(m: Mechanism): Report[] {
  return enrolFrom(m, systemWords);
}

/** The same, each report from words of its own. */
export function enrolFrom(m: Mechanism, source: () => Words): Report[] {
  const permanent = permanentOf(m);
  const odds = permanent.odds as Odds;
  if (permanent.name === "HashedResponse") {
    const [cohort, symbols] = [uniformBelow(source(), numberOf(permanent, "cohorts")), placesOf(permanent)];
    return counted(symbols, (symbol) => cohort * symbols + response(source(), symbol, symbols, odds));
  }
  if (permanent.name === "AskedItems") {
    const [together, d] = [numberOf(permanent, "together"), labelsOf(permanent)];
    const first = uniformBelow(source(), together === d ? 1 : d);
    return counted(
      cellsOf(permanent),
      (own) => first * placesOf(permanent) + patternReport(source(), own, together, odds),
    );
  }
  const cells: Index[] = counted(cellsOf(permanent), (label) => label);
  const lists: Index[] = [new Set<number>(), new Set(counted(labelsOf(permanent), (label) => label))];
  return (permanent.name === "ItemResponse" ? lists : cells).map((value) => Mechanism.draw(permanent, value, source()));
}

/** Whether these can be the permanent reports of a device: as many as it draws, each of this mechanism. */
export function mayKeep(m: Mechanism, reports: readonly Report[]): boolean {
  const permanent = permanentOf(m);
  const hashed = permanent.name === "HashedResponse" ? placesOf(permanent) : cellsOf(permanent);
  const { layout } = permanent;
  return (
    reports.length === (permanent.name === "ItemResponse" ? 2 : hashed) &&
    reports.every((report) =>
      layout.kind === "index"
        ? Number.isInteger(report) && (report as number) >= 0 && (report as number) < layout.outputs
        : (report as Uint8Array).length === widthOf(layout),
    )
  );
}

/** The permanent report of a value among those that were drawn at enrolment. */
export function recall(m: Mechanism, reports: readonly Report[], value: unknown): Report {
  const permanent = permanentOf(m);
  const index = permanent.domain.index(value);
  const [first, second] = reports as [Report, Report];
  if (typeof index === "object" && typeof first !== "number" && typeof second !== "number") {
    return mixed(second, first, index, labelsOf(permanent));
  }
  return reports[cellOf(permanent, index, first as number)] as Report;
}

/** What a round sends of a permanent report. */
export function roundReport(m: Mechanism, report: Report): Report {
  return roundReportOf(m, report, systemWords());
}

/** The same, from given words. */
export function roundReportOf(m: Mechanism, report: Report, words: Words): Report {
  return roundReportFrom(permanentOf(m), m.parameters["u"] as bigint, report, words);
}

/** The cell of a value: its label, or its symbol or pattern in the cohort or window of the reports that are kept. */
function cellOf(permanent: Mechanism, index: Index, first: number): number {
  const drawn = Math.floor(first / placesOf(permanent));
  if (typeof index === "object") return patternOf(index, drawn, numberOf(permanent, "together"), labelsOf(permanent));
  if (permanent.name !== "HashedResponse") return index as number;
  const { own } = hashing({ domain: permanent.domain.write(), ...permanent.parameters }, false);
  return own(index, drawn)[0] as number;
}

function permanentOf(m: Mechanism): Mechanism {
  if (!m.permanent) throw new TypeError("only reports that are remembered are kept");
  return m.permanent;
}

function counted<T>(count: number, make: (place: number) => T): T[] {
  return Array.from({ length: count }, (_, place) => make(place));
}
