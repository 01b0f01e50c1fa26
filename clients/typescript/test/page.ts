/** Devices in a page for a test in another language, which calls `perform`. */

import { indexedDbStore } from "../src/device/indexedDbStore.js";
import { type Command, type Place, perform } from "./devices.js";

const page: Place = {
  storeOf: indexedDbStore,
  exists: async (name) => (await indexedDB.databases()).some((found) => found.name === name),
  wipe: (name) =>
    new Promise((resolve, reject) => {
      const asked = indexedDB.deleteDatabase(name);
      asked.onsuccess = () => resolve(null);
      asked.onerror = () => reject(asked.error);
    }),
  // Global Privacy Control stands for it in browsers
  track: (wish) => {
    const globalPrivacyControl = !["", "0"].includes(wish);
    Object.defineProperty(navigator, "globalPrivacyControl", { value: globalPrivacyControl, configurable: true });
  },
};

Object.assign(globalThis, { perform: (command: Command) => perform(command, page) });
