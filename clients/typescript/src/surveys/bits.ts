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
