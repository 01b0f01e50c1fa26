/** Every mechanism of the registry, for `readSpec(text, families)` and `readSurvey(text, families)`. */

import { blockCyclic, blockHadamard, blockSubset } from "./mechanisms/blocks.js";
import { binaryResponse, channel, informedResponse } from "./mechanisms/channels.js";
import { cyclicResponse } from "./mechanisms/cyclic.js";
import { geometricResponse } from "./mechanisms/distance.js";
import { highLowCyclic, highLowHadamard, highLowRappor, highLowResponse, highLowSubset } from "./mechanisms/highLow.js";
import { askedItems, itemResponse, privateSet } from "./mechanisms/lists.js";
import { core, type Families } from "./mechanisms/registry.js";
import { remembered } from "./mechanisms/remembered.js";

/** All mechanisms. Name those that an app needs one by one, and a bundler leaves out the rest. */
export const families: Families = /* @__PURE__ */ Object.freeze({
  ...core,
  Cyclic: cyclicResponse,
  BinaryResponse: binaryResponse,
  HighLowHadamard: highLowHadamard,
  HighLowResponse: highLowResponse,
  HighLowRappor: highLowRappor,
  HighLowSubset: highLowSubset,
  HighLowCyclic: highLowCyclic,
  BlockHadamard: blockHadamard,
  BlockSubset: blockSubset,
  BlockCyclic: blockCyclic,
  Geometric: geometricResponse,
  InformedResponse: informedResponse,
  Channel: channel,
  AskedItems: askedItems,
  PrivateSet: privateSet,
  ItemResponse: itemResponse,
  Remembered: remembered,
});
