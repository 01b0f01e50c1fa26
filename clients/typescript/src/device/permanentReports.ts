/** Remembered reports: drawn once for every answer that there is, kept for life, and sent again round after round. */

import { bytesOf, hex } from "../bytes.js";
import { StoreError } from "../errors.js";
import type { Report } from "../layouts.js";
import { enrol, mayKeep, recall, roundReport } from "../mechanisms/enrolment.js";
import { systemWords } from "../randomWords.js";
import { type Answers, answerBytes, complete, drawArm } from "../surveys/answers.js";
import { checkNotOver } from "../surveys/periods.js";
import type { Survey } from "../surveys/survey.js";
import { type Caps, charge } from "./ledger.js";
import { altered, type Entries } from "./store.js";

interface PermanentReports {
  readonly arm: number;
  /** For each part the permanent reports of every cell: numbers, or bytes in hexadecimal. */
  readonly kept: readonly (readonly (number | string)[])[];
}

/** What a device draws for, and what it may cost. */
interface Paying {
  readonly survey: Survey;
  readonly caps: Caps;
}

/**
 * Draw the arm and the permanent reports of every answer to it, unless that was done, and charge them; the store then tells
 * of no answer.
 */
export function enrolOnce(entries: Entries, { survey, caps }: Paying, now: Date): void {
  if (entries.get(keyOf(survey)) !== undefined) return;
  checkNotOver(survey, now);
  charge(entries, survey, caps);
  const arm = drawArm(survey, systemWords);
  const kept = partsOf(survey, arm).map(({ mechanism }) => enrol(mechanism).map(written));
  entries.put(keyOf(survey), JSON.stringify({ arm, kept } satisfies PermanentReports));
}

/** One round's answer, from the permanent reports. */
export function answerFromReports(entries: Entries, survey: Survey, answers: Answers): Uint8Array {
  const stored = entries.get(keyOf(survey));
  const given = complete(survey, answers);
  if (stored === undefined) {
    throw new StoreError("the permanent reports of a remembered survey must be in the store, got none");
  }
  const { arm, kept } = enrolled(stored, survey);
  const reports = partsOf(survey, arm).map(({ mechanism, value }, part) =>
    roundReport(mechanism, recall(mechanism, kept[part] ?? [], value(given, systemWords))),
  );
  return answerBytes(survey, arm, reports);
}

/** The arm, and the permanent reports of each of its parts. */
function enrolled(stored: string, survey: Survey) {
  try {
    const { arm, kept: written }: PermanentReports = JSON.parse(stored);
    const kept = written.map((reports) => reports.map(read));
    const parts = partsOf(survey, arm);
    if (
      parts.length &&
      parts.length === kept.length &&
      parts.every(({ mechanism }, k) => mayKeep(mechanism, kept[k] ?? []))
    ) {
      return { arm, kept };
    }
  } catch {}
  throw altered("reports");
}

function keyOf({ digest }: Survey): string {
  return `enrolled/${digest}`;
}

function partsOf({ arms }: Survey, arm: number) {
  return arms[arm]?.parts ?? [];
}

function written(report: Report): number | string {
  return typeof report === "number" ? report : hex(report);
}

function read(stored: number | string): Report {
  return typeof stored === "number" ? stored : bytesOf(stored);
}
