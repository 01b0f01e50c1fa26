/** The families that a document needs: those beyond the core are loaded when it names them. */

import type { Families } from "./mechanism.js";
import { core } from "./registry.js";

/** Which module has a family that is not of the core. */
const MODULES: readonly (readonly [names: RegExp, load: () => Promise<{ families: Families }>])[] = [
  [/^Block/, () => import("./blocks.js")],
  [/^HighLow/, () => import("./highLow.js")],
  [/^(AskedItems|PrivateSet)$/, () => import("./lists.js")],
  [/^ItemResponse$/, () => import("./itemResponse.js")],
  [/^(Hadamard|Rappor|OptimizedUnary)$/, () => import("./manyLabels.js")],
  [/^Hashed/, () => import("./hashed.js")],
  [/^(Channel|InformedResponse|BinaryResponse)$/, () => import("./channels.js")],
  [/^Cyclic$/, () => import("./cyclic.js")],
  [/^Geometric$/, () => import("./distance.js")],
  [/^Remembered$/, () => import("./remembered.js")],
];

/** The core, and whatever else a text without spaces between its signs names as a mechanism; its reader refuses others. */
export async function familiesOf(text: string): Promise<Families> {
  const named = [...text.matchAll(/"mechanism":"(\w+)"/g)].map(([, name = ""]) => name);
  const loaded = MODULES.map(async ([names, load]) =>
    named.some((name) => names.test(name)) ? (await load()).families : {},
  );
  return Object.assign({}, core, ...(await Promise.all(loaded)));
}
