/** Whether bytes are an answer to a survey. */

import { ReportError } from "../errors.js";
import { widthOf } from "../layouts.js";
import { fromLittleEndian, readReport } from "../reports.js";
import { headOf, widthOfAnswer } from "./answers.js";
import type { Survey } from "./survey.js";

/** Refuse bytes that are no answer: of another length, of an arm that is not there, or that no mechanism sends. */
export function checkAnswerBytes(survey: Survey, answer: Uint8Array): void {
  let start = headOf(survey, 0).length;
  const number = fromLittleEndian(answer.subarray(0, start));
  const arm = survey.arms[number];
  if (!arm || answer.length !== widthOfAnswer(survey, number)) {
    throw new ReportError("an answer must name an arm and be as long as one of it, got something else");
  }
  for (const { mechanism } of arm.parts) {
    const end = start + widthOf(mechanism.layout);
    readReport(mechanism.layout, answer.subarray(start, end));
    start = end;
  }
}
