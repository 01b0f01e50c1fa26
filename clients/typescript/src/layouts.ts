/** How reports are stored; see wire/reports.md. */

import { byteCount } from "./draws.js";

/** A report: an integer, or packed bits. */
export type Report = number | Uint8Array;

/** An integer below `outputs`; `silent` ones that no value sends are refused. */
export interface IndexLayout {
  readonly kind: "index";
  readonly outputs: number;
  readonly silent?: ReadonlySet<number>;
}

/** One bit per symbol: `weight` of them are set, if given; at most one from `singleFrom` on. */
export interface BitsLayout {
  readonly kind: "bits";
  readonly symbols: number;
  readonly weight?: number;
  readonly singleFrom?: number;
}

/** A block in two bytes, then one bit per label of the largest block, of which `weights[block]` are set. */
export interface BlockLayout {
  readonly kind: "block";
  readonly sizes: readonly number[];
  readonly weights: readonly number[];
}

/** A cohort in two bytes, then one bit per symbol. */
export interface CohortLayout {
  readonly kind: "cohort";
  readonly cohorts: number;
  readonly symbols: number;
}

export type Layout = IndexLayout | BitsLayout | BlockLayout | CohortLayout;

/** Bytes that name a block or a cohort. */
export const HEAD = 2;

/** Reports that are integers below `outputs`. */
export function index(outputs: number): IndexLayout {
  return { kind: "index", outputs };
}

/** The bytes that a stored report takes. */
export function widthOf(layout: Layout): number {
  if (layout.kind === "index") return [1, 2, 4].find((width) => layout.outputs <= 256 ** width) ?? 8;
  if (layout.kind === "bits") return byteCount(layout.symbols);
  return HEAD + byteCount(layout.kind === "block" ? layout.sizes.reduce((a, b) => Math.max(a, b)) : layout.symbols);
}

/** A report as it travels: integers little-endian in their width, bits as they are. */
export function stored(layout: Layout, report: Report): Uint8Array {
  if (typeof report !== "number") return report;
  return littleEndian(report, widthOf(layout));
}

/** A number in so many bytes, the lowest first. */
export function littleEndian(number: number, width: number): Uint8Array {
  return Uint8Array.from({ length: width }, (_, place) => Math.floor(number / 256 ** place));
}

/** A block or a cohort, and bits, in the bytes of the layout. */
export function withHead(layout: Layout, head: number, bits: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(widthOf(layout));
  bytes.set(littleEndian(head, HEAD));
  bytes.set(bits, HEAD);
  return bytes;
}
