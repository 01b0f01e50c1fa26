/** Randomize values under local differential privacy, on the device that holds them: the core of deniable. */

export {
  CapacityError,
  DenialError,
  FormatError,
  LabelError,
  ParameterError,
  ReportError,
} from "./errors.js";
export type { Layout, Report } from "./layouts.js";
export { stored } from "./layouts.js";
export type { Mechanism } from "./mechanisms/mechanism.js";
export { core, type Families, readSpec, readStoredSpec } from "./mechanisms/registry.js";
export type { Odds } from "./odds.js";
