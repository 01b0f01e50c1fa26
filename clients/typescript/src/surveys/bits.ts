/** How much a report tells at most. */

import type { Layout } from "../layouts.js";

/** The information of one report in bits. */
export function bitsOf(layout: Layout): number {
  if (layout.kind === "index") return numberBits(layout.outputs);
  if (layout.kind === "bits") return layout.symbols;
  if (layout.kind === "cohort") return numberBits(layout.cohorts) + layout.symbols;
  return numberBits(layout.sizes.length) + Math.max(...layout.sizes);
}

/** The bits that name one of so many. */
function numberBits(count: number): number {
  return count > 1 ? (count - 1).toString(2).length : 0;
}

/** What a report looks like, in words. */
export function shapeOf(layout: Layout): string {
  if (layout.kind === "index") return `one of ${layout.outputs} numbers`;
  if (layout.kind === "cohort") return `one of ${layout.cohorts} cohorts, and ${layout.symbols} bits`;
  if (layout.kind === "block") return `one of ${layout.sizes.length} blocks, and ${Math.max(...layout.sizes)} bits`;
  const { symbols, weight, singleFrom } = layout;
  if (weight !== undefined) return `${symbols} bits, ${weight} of them set`;
  return `${symbols} bits${singleFrom === undefined ? "" : `, at most one of them set from bit ${singleFrom} on`}`;
}
