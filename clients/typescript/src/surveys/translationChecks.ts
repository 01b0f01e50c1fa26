/** Translations of a survey: complete, or refused. */

import { isList, isObject, type Json } from "../canonical.js";
import { isText } from "../checks.js";
import { ParameterError } from "../errors.js";
import { characters, MOST_UNIT, MOST_WORDS } from "./fields.js";
import { checkLanguage, ownTexts, type SurveyTexts, type Worded } from "./translations.js";

/** Translations by their languages; whether they are complete shows once the questions are read. */
export function readTranslations(_: string, value: Json | undefined): Readonly<Record<string, SurveyTexts>> {
  if (isObject(value) && Object.keys(value).length) return value as unknown as Readonly<Record<string, SurveyTexts>>;
  throw incomplete();
}

/** Refuse translations that are not complete, or not into other languages. */
export function checkTranslations(survey: Worded): void {
  for (const [tag, given] of Object.entries(survey.translations ?? {})) {
    const own = ownTexts(survey) as unknown as Json;
    if (
      !survey.language ||
      checkLanguage("translations", tag) === survey.language ||
      !fits(given as unknown as Json, own)
    ) {
      throw incomplete();
    }
  }
}

function incomplete(): ParameterError {
  return new ParameterError("translations must be complete, and into other languages than the survey's, got others");
}

/** Whether a translation has what the survey's own language has, and nothing else. */
function fits(json: Json | undefined, own: Json, most = MOST_WORDS): boolean {
  if (isObject(own)) {
    const names = Object.keys(own);
    const alike = isObject(json) && Object.keys(json).length === names.length;
    return alike && names.every((name) => fits(json[name], own[name] as Json, name === "unit" ? MOST_UNIT : most));
  }
  if (isList(own)) {
    const different = isList(json) && json.length === own.length && new Set(json).size === own.length;
    return different && json.every((label) => fits(label, "a text"));
  }
  return isText(json) && characters(json).length <= most && !json === !own;
}
