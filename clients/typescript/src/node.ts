/** What only Node has: a store in files. */

export { fileStore } from "./device/fileStore.js";
