/** Devices in a page for a test in another language, which calls `perform`. */

import { indexedDbStore } from "../src/device/indexedDbStore.js";
import { type Command, perform } from "./devices.js";

Object.assign(globalThis, { perform: (command: Command) => perform(command, indexedDbStore) });
