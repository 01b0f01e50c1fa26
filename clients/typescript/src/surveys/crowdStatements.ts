/** What a label states of a crowd: the two levels, what each party sees, and what neither level covers. */

import type { Statement } from "../languages/language.js";
import { levelOfAll } from "./arms.js";
import type { Crowd } from "./crowd.js";
import { beliefStatements } from "./guaranteeStatements.js";
import type { Survey } from "./survey.js";

const DAY = 86400000;

/** What each party sees and can conclude, the two levels beside each other. */
export function crowdStatements(survey: Survey, crowd: Crowd, during: Statement | ""): Statement[] {
  const { owner } = survey;
  const { operator, level } = crowd;
  const chance = Math.round(1 / crowd.delta);
  const periods: Statement[] = during ? [["crowd_periods", { during, count: periodsOf(survey) }]] : [];
  return [
    ["crowd_counts", { honest: Number(crowd.least - crowd.made_up) }],
    ["crowd_mixer", { operator }],
    ["crowd_collector", { owner, least: Number(crowd.least), level, chance, during }],
    ...beliefStatements("crowd_belief", crowd.belief, { owner, chance, during }),
    ["crowd_together", { level: levelOfAll(survey.arms), during, owner, operator }],
    ...periods,
    ["crowd_stated", { owner }],
  ];
}

/** What the levels of a crowd do not cover. */
export function crowdOpen({ owner }: Survey, { operator, made_up }: Crowd): Statement[] {
  return [
    ["crowd_apart", { owner, operator }],
    ["crowd_made_up", { made_up: Number(made_up), owner, operator }],
    ["crowd_codes"],
    ["crowd_opened", { owner }],
  ];
}

/** How many periods a survey has that opens and closes. */
function periodsOf(survey: Survey): number {
  const [first, last] = [new Date(survey.opens as string), new Date(Date.parse(survey.closes as string) - 1000)];
  return placeOf(survey.period, last) - placeOf(survey.period, first) + 1;
}

/** Days, weeks from Monday or months since 1970. */
function placeOf(period: Survey["period"], moment: Date): number {
  if (period === "month") return 12 * moment.getUTCFullYear() + moment.getUTCMonth();
  const day = Math.floor(moment.getTime() / DAY);
  return period === "week" ? Math.floor((day + 3) / 7) : day;
}
