/** Randomize values under local differential privacy, on the device that holds them: the core of deniable. */

export {
  CapacityError,
  DenialError,
  FormatError,
  LabelError,
  ParameterError,
  ReportError,
} from "./errors.js";
export { type Layout, type Report, stored } from "./layouts.js";
export type { Families, Mechanism } from "./mechanisms/mechanism.js";
export { core, readSpec, readStoredSpec } from "./mechanisms/registry.js";
export type { Odds } from "./odds.js";
