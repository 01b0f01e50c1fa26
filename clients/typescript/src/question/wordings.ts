/** The words of a survey in the language that a person reads. */

import type { Survey } from "../surveys/survey.js";
import { languagesOf, nearest, type SurveyTexts, texts } from "../surveys/translations.js";

/** What a person reads, and the tag of its language, if the survey says it. */
export interface Wordings extends SurveyTexts {
  readonly lang: string | undefined;
}

/** The words for somebody who reads these languages, the dearest first. */
export function wordingsFor(survey: Survey, wanted: readonly string[]): Wordings {
  const lang = nearest(languagesOf(survey), wanted);
  return { ...texts(survey, lang), lang };
}
