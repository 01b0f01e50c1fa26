/** What a survey must be whose report is the value of a field in somebody else's form. */

import type { Json } from "../canonical.js";
import { checkChoice } from "../checks.js";
import { CapacityError, ParameterError } from "../errors.js";
import { widthOfAnswer } from "./answers.js";
import type { Plan } from "./arms.js";
import { fieldLength } from "./fieldValue.js";

/** Characters of a value: what is longer many hosts cut. */
const MOST = 2000;

/** What has the report in place of a collector. */
export function checkCarrier(field: string, value: Json | undefined): "field" {
  return checkChoice(field, value, ["field"]);
}

/** What is asked in a field is asked once, of whoever fills it in. */
export function checkField(
  survey: Plan & { readonly period: string; readonly mode: string; readonly lan?: true },
): void {
  const { repeat, period, mode, lan } = survey;
  if (repeat !== "once" || period !== "once" || mode !== "asked" || lan) {
    throw new ParameterError(
      "a survey with carrier field must have period once, repeat once, mode asked and no lan, got another",
    );
  }
  const longest = fieldLength(Math.max(...survey.arms.map((_, arm) => widthOfAnswer(survey, arm))));
  if (longest > MOST) {
    throw new CapacityError(`a value of a field must have at most ${MOST} characters, got a survey with more`);
  }
}
