/** All that a page needs in one file, which a collector serves: the device, every mechanism and language, the element. */

import "./element.js";

export * from "./device.js";
export { families } from "./families.js";
export * from "./label.js";
export * from "./languages.js";
export * from "./question.js";
export * from "./survey.js";
