/** The device: consent, what has been spent, answers that are drawn once, and how they are sent. */

export { type Client, type Consent, flushWhenPossible, type Spent } from "./device/client.js";
export { indexedDbStore } from "./device/indexedDbStore.js";
export type { Topic } from "./device/ledger.js";
export { type Options, open } from "./device/open.js";
export type { Receipt, State } from "./device/records.js";
export { RespondentStore } from "./device/respondents.js";
export { type Entries, memoryStore, type Store, type Work } from "./device/store.js";
export { BudgetError, ConsentError, StoreError } from "./errors.js";
export type { Answers } from "./surveys/answers.js";
