/** The privacy label of a survey in plain sentences, for the person asked. */

import { label } from "../languages/english.js";
import type { LabelLanguage } from "../languages/language.js";
import { sentencesIn } from "./labelStatements.js";
import type { Survey } from "./survey.js";

/** The sentences, in English unless asked otherwise. */
export function sentences(survey: Survey, language: LabelLanguage = label): string[] {
  return sentencesIn(survey, language);
}
