/** What a client has around it: a store, a network and a clock. */

import { clock } from "./clock.js";
import type { Store } from "./store.js";
import { request } from "./transport.js";

/** The real ones, or those of a rehearsal. */
export interface Surroundings {
  readonly store: Store;
  readonly request: typeof request;
  /** Seconds since the beginning of 1970; never sent. */
  readonly clock: () => number;
}

/** A store, and the network and the clock of this device. */
export function around(store: Store): Surroundings {
  return { store, request, clock };
}
