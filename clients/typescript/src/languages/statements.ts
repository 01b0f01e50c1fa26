/** How statements are said, whose places take other statements and numbers of several kinds. */

import { factor, general, hundred } from "../numberFormats.js";
import {
  type LabelLanguage,
  type Locale,
  plainly,
  type Statement,
  type Values,
  type Wording,
  worded,
} from "./language.js";

/** A statement of the label. */
export function say(language: LabelLanguage, [key, values]: Statement): string {
  return worded(language, language.sentences[key], values, (_, value, kind) => {
    return typeof value === "object" ? say(language, value) : valueText(language, value, kind);
  });
}

/** A wording with numbers of several kinds. */
export function wordedInNumbers(language: Locale, wording: Wording, values?: Values): string {
  return worded(language, wording, values, (_, value, kind) => valueText(language, value, kind));
}

const WRITERS: Readonly<Record<string, (value: number) => string>> = { factor, percent: hundred, hundred };

/** A value in its place. */
function valueText(language: Locale, value: Values[string], kind: string): string {
  if (typeof value !== "number" || !kind) return plainly(language, value);
  const shown = (WRITERS[kind] ?? general)(value).replace(".", language.point);
  return kind === "percent" ? language.percent.replace("{number}", shown) : shown;
}
