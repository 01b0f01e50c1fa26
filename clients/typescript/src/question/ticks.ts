/** Which labels of a checklist are ticked after a click, where some of them stand alone. */

import type { AnyOf } from "../surveys/questions.js";

/** The places that are ticked, and those that a click cleared beside its own: all that was ticked, should it come back. */
interface Clicked {
  readonly ticked: ReadonlySet<number>;
  readonly cleared: readonly number[];
}

/** Ticking a label that stands alone clears all others, and ticking another clears one that stands alone. */
export function ticksAfter({ exclusive }: AnyOf, before: ReadonlySet<number>, place: number): Clicked {
  const others = [...before].filter((each) => each !== place);
  if (before.has(place)) return { ticked: new Set(others), cleared: [] };
  const goes = (each: number) => exclusive?.includes(place) || exclusive?.includes(each);
  return { ticked: new Set([...others.filter((each) => !goes(each)), place]), cleared: others.filter(goes) };
}
