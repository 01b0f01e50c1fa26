/** Every mechanism of the registry, for `readSpec(text, families)` and `readSurvey(text, families)`. */

import { families as blocks } from "./mechanisms/blocks.js";
import { families as channels } from "./mechanisms/channels.js";
import { families as cyclic } from "./mechanisms/cyclic.js";
import { families as distance } from "./mechanisms/distance.js";
import { families as hashed } from "./mechanisms/hashed.js";
import { families as highLow } from "./mechanisms/highLow.js";
import { families as items } from "./mechanisms/itemResponse.js";
import { families as lists } from "./mechanisms/lists.js";
import { families as manyLabels } from "./mechanisms/manyLabels.js";
import type { Families } from "./mechanisms/mechanism.js";
import { core } from "./mechanisms/registry.js";
import { families as remembered } from "./mechanisms/remembered.js";

/** All mechanisms. */
export const families: Families = /* @__PURE__ */ Object.freeze({
  ...core,
  ...blocks,
  ...channels,
  ...cyclic,
  ...distance,
  ...hashed,
  ...highLow,
  ...items,
  ...lists,
  ...manyLabels,
  ...remembered,
});
