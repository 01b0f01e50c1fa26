/** Reading reports back: which bytes and numbers a mechanism can send. */

import { byteCount, placesOf, setBit } from "./draws.js";
import { ReportError } from "./errors.js";
import { HEAD, type Layout, type Report, widthOf } from "./layouts.js";
import { headOf, widthOfAnswer } from "./surveys/answers.js";
import type { Survey } from "./surveys/survey.js";

export { type Layout, type Report, stored, widthOf } from "./layouts.js";

/** The report that was stored, checked. */
export function readReport(layout: Layout, bytes: Uint8Array): Report {
  if (layout.kind !== "index") return checkReport(layout, bytes);
  if (bytes.length !== widthOf(layout)) {
    throw new ReportError(`a report must be ${widthOf(layout)} bytes, got another length`);
  }
  return checkReport(layout, fromLittleEndian(bytes));
}

/** A number from bytes, the lowest first. */
export function fromLittleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((found, byte) => 256 * found + byte, 0);
}

/** `report` if it is one of this layout; anything else is refused. */
export function checkReport(layout: Layout, report: unknown): Report {
  if (layout.kind === "index") {
    const sent = typeof report === "number" && Number.isInteger(report) && report >= 0 && report < layout.outputs;
    if (sent && !layout.silent?.has(report)) return report;
    throw new ReportError(`a report must be an integer from 0 to ${layout.outputs - 1} that is sent, got another`);
  }
  const width = widthOf(layout);
  if (!(report instanceof Uint8Array) || report.length !== width) {
    throw new ReportError(`a report must be ${width} bytes, got something else`);
  }
  const head = fromLittleEndian(report.subarray(0, HEAD));
  if (layout.kind === "bits") checkBits(report, layout.symbols, layout.weight, layout.singleFrom);
  else if (head >= (layout.kind === "block" ? layout.sizes.length : layout.cohorts)) {
    throw new ReportError(`a report must name one of its ${layout.kind}s, got another`);
  } else if (layout.kind === "cohort") checkBits(report.subarray(HEAD), layout.symbols);
  else checkBits(report.subarray(HEAD), layout.sizes[head] as number, layout.weights[head]);
  return report;
}

function checkBits(bits: Uint8Array, symbols: number, weight?: number, singleFrom = symbols): void {
  const places = placesOf(bits);
  if (places.some((place) => place >= symbols)) {
    throw new ReportError(`a report must have no bits beyond its ${symbols} symbols, got one that has`);
  }
  if (weight !== undefined && places.length !== weight) {
    throw new ReportError(`a report must have ${weight} bits set, got another number`);
  }
  if (places.filter((place) => place >= singleFrom).length > 1) {
    throw new ReportError(`a report must have at most one bit set from ${singleFrom} on, got more`);
  }
}

/** How many reports there are. */
export function outputsOf(layout: Layout): bigint {
  if (layout.kind === "index") return BigInt(layout.outputs);
  if (layout.kind === "cohort") return BigInt(layout.cohorts) << BigInt(layout.symbols);
  if (layout.kind === "block") {
    return layout.sizes.reduce((sum, size, block) => sum + choose(size, layout.weights[block] as number), 0n);
  }
  if (layout.weight !== undefined) return choose(layout.symbols, layout.weight);
  const { symbols, singleFrom } = layout;
  return singleFrom === undefined ? 1n << BigInt(symbols) : BigInt(1 + symbols - singleFrom) << BigInt(singleFrom);
}

/** All reports, where they are few enough to be listed. */
export function* everyReport(layout: Layout): Generator<Report> {
  if (layout.kind === "index") for (let output = 0; output < layout.outputs; output++) yield output;
  else if (layout.kind === "bits") yield* everySet(layout.symbols, layout.weight, layout.singleFrom);
  else {
    const heads = layout.kind === "block" ? layout.sizes.length : layout.cohorts;
    for (let head = 0; head < heads; head++) {
      const symbols = layout.kind === "block" ? (layout.sizes[head] as number) : layout.symbols;
      for (const set of everySet(symbols, layout.kind === "block" ? layout.weights[head] : undefined)) {
        const report = new Uint8Array(widthOf(layout));
        report.set([head & 255, head >> 8]);
        report.set(set, HEAD);
        yield report;
      }
    }
  }
}

/** All sets of symbols, or those of a weight, or those of at most one symbol from a place on. */
function* everySet(symbols: number, weight?: number, singleFrom = symbols): Generator<Uint8Array> {
  function* grown(set: Uint8Array, from: number, left: number): Generator<Uint8Array> {
    if (!(weight && left)) yield set;
    if (!left) return;
    for (let symbol = from; symbol < symbols; symbol++) {
      const more = set.slice();
      setBit(more, symbol, true);
      yield* grown(more, symbol >= singleFrom ? symbols : symbol + 1, left - 1);
    }
  }
  yield* grown(new Uint8Array(byteCount(symbols)), 0, weight ?? symbols);
}

/** How many sets of k there are among n. */
export function choose(n: number, k: number): bigint {
  if (k > n) return 0n;
  let count = 1n;
  for (let j = 1; j <= Math.min(k, n - k); j++) count = (count * BigInt(n - j + 1)) / BigInt(j);
  return count;
}

/** Refuse bytes that are no answer: of another length, of an arm that is not there, or that no mechanism sends. */
export function checkAnswerBytes(survey: Survey, answer: Uint8Array): void {
  let start = headOf(survey, 0).length;
  const number = fromLittleEndian(answer.subarray(0, start));
  const arm = survey.arms[number];
  if (!arm || answer.length !== widthOfAnswer(survey, number)) {
    throw new ReportError("an answer must name an arm and be as long as one of it, got something else");
  }
  for (const { mechanism } of arm.parts) {
    const end = start + widthOf(mechanism.layout);
    readReport(mechanism.layout, answer.subarray(start, end));
    start = end;
  }
}
