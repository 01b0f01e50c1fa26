/** Surveys: read from their text, answered on the device. What follows for the person asked is in `deniable/label`. */

export type { Answers } from "./surveys/answers.js";
export type { Arm, Part } from "./surveys/arms.js";
export type { Encoder } from "./surveys/encoders.js";
export { boundsOf, periodAt } from "./surveys/periods.js";
export type { AnyOf, OneOf, Question, Text } from "./surveys/questionKinds.js";
export { readSurvey, type Survey } from "./surveys/survey.js";
export { languagesOf, nearest, type QuestionTexts, type SurveyTexts, texts } from "./surveys/translations.js";
export { newId, uploadOf } from "./surveys/upload.js";
