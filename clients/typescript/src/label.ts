/** What follows from a survey for the person asked: the privacy label, and every payload before anything is drawn. */

export type { Fraction } from "./fractions.js";
export type { Statement } from "./languages/language.js";
export { chances } from "./mechanisms/chances.js";
export type { Belief } from "./surveys/guaranteeStatements.js";
export { type Facts, facts, type PartFacts, unprotected } from "./surveys/label.js";
export { lesser, statements } from "./surveys/labelStatements.js";
export { type Outcomes, outcomes, type Payload } from "./surveys/outcomes.js";
export type { RoundLevels } from "./surveys/rounds.js";
export { sentences } from "./surveys/sentences.js";
