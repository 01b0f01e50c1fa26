/** What a device draws once and keeps, where reports are remembered, and what it sends of that in a round. */

import { response, uniformBelow } from "../draws.js";
import { type Report, widthOf } from "../layouts.js";
import type { Odds } from "../odds.js";
import type { Index } from "../values.js";
import { systemWords, type Words } from "../words.js";
import { hashing } from "./hashed.js";
import { patternOf, patternReport } from "./lists.js";
import { Mechanism } from "./mechanism.js";
import { againFrom, cellsOf, labelsOf, mixed, numberOf, placesOf } from "./remembered.js";

/** The permanent reports that a device draws once and keeps, of every cell, so that none tells of an answer. */
export function enrol(m: Mechanism): Report[] {
  return enrolFrom(m, systemWords);
}

/** The same, each report from words of its own. */
export function enrolFrom(m: Mechanism, source: () => Words): Report[] {
  const ever = permanentOf(m);
  const odds = ever.odds as Odds;
  if (ever.name === "HashedResponse") {
    const [cohort, symbols] = [uniformBelow(source(), numberOf(ever, "cohorts")), placesOf(ever)];
    return counted(symbols, (symbol) => cohort * symbols + response(source(), symbol, symbols, odds));
  }
  if (ever.name === "AskedItems") {
    const [together, d] = [numberOf(ever, "together"), labelsOf(ever)];
    const first = uniformBelow(source(), together === d ? 1 : d);
    return counted(cellsOf(ever), (own) => first * placesOf(ever) + patternReport(source(), own, together, odds));
  }
  const cells: Index[] = counted(cellsOf(ever), (label) => label);
  const lists: Index[] = [new Set<number>(), new Set(counted(labelsOf(ever), (label) => label))];
  return (ever.name === "ItemResponse" ? lists : cells).map((value) => Mechanism.draw(ever, value, source()));
}

/** Whether these can be the permanent reports of a device: as many as it draws, each of this mechanism. */
export function mayKeep(m: Mechanism, kept: readonly Report[]): boolean {
  const ever = permanentOf(m);
  const hashed = ever.name === "HashedResponse" ? placesOf(ever) : cellsOf(ever);
  const { layout } = ever;
  return (
    kept.length === (ever.name === "ItemResponse" ? 2 : hashed) &&
    kept.every((report) =>
      layout.kind === "index"
        ? Number.isInteger(report) && (report as number) >= 0 && (report as number) < layout.outputs
        : (report as Uint8Array).length === widthOf(layout),
    )
  );
}

/** The permanent report of a value among those that were drawn at enrolment. */
export function recall(m: Mechanism, kept: readonly Report[], value: unknown): Report {
  const ever = permanentOf(m);
  const index = ever.domain.index(value);
  const [first, second] = kept as [Report, Report];
  if (typeof index === "object" && typeof first !== "number" && typeof second !== "number") {
    return mixed(second, first, index, labelsOf(ever));
  }
  return kept[cellOf(ever, index, first as number)] as Report;
}

/** What a round sends of a permanent report. */
export function again(m: Mechanism, report: Report): Report {
  return againOf(m, report, systemWords());
}

/** The same, from given words. */
export function againOf(m: Mechanism, report: Report, words: Words): Report {
  return againFrom(permanentOf(m), m.parameters["u"] as bigint, report, words);
}

/** The cell of a value: its label, or its symbol or pattern in the cohort or window of the reports that are kept. */
function cellOf(ever: Mechanism, index: Index, first: number): number {
  const drawn = Math.floor(first / placesOf(ever));
  if (typeof index === "object") return patternOf(index, drawn, numberOf(ever, "together"), labelsOf(ever));
  if (ever.name !== "HashedResponse") return index as number;
  const { own } = hashing({ domain: ever.domain.write(), ...ever.parameters }, false);
  return own(index, drawn)[0] as number;
}

function permanentOf(m: Mechanism): Mechanism {
  if (!m.ever) throw new TypeError("only reports that are remembered are kept");
  return m.ever;
}

function counted<T>(count: number, make: (place: number) => T): T[] {
  return Array.from({ length: count }, (_, place) => make(place));
}
