/**
 * Every error that the client raises on purpose. A message says what is wanted, then what came; a respondent's value
 * is never part of one.
 */

/** The base class of every error that the client raises on purpose. */
export class DenialError extends Error {
  override name = "DenialError";
}

/** An argument has the wrong type, shape or range. */
export class ParameterError extends DenialError {
  override name = "ParameterError";
}

/** An answer is none to its question. The message never shows it. */
export class LabelError extends DenialError {
  override name = "LabelError";
}

/** A report or an answer is malformed. */
export class ReportError extends DenialError {
  override name = "ReportError";
}

/** A spec, a survey or another text is not in deniable's format. */
export class FormatError extends DenialError {
  override name = "FormatError";
}

/** Something is too large to compute, or needs more than 64 bits. */
export class CapacityError extends DenialError {
  override name = "CapacityError";
}

/** One more answer would exceed the cap of its topic; nothing was drawn or recorded. */
export class BudgetError extends DenialError {
  override name = "BudgetError";
}

/** Nothing may be answered, because nobody has agreed. */
export class ConsentError extends DenialError {
  override name = "ConsentError";
}

/** A store is damaged, of another version, full or denied. */
export class StoreError extends DenialError {
  override name = "StoreError";
}
