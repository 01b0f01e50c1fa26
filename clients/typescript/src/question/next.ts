/** What happens after an answer: when it is read, how many are needed, whether one may read the result, when one can answer again. */

import type { Survey } from "../surveys/survey.js";
import { element, type Heading, heading, line, type Say } from "./nodes.js";

/** What happens next, as far as the survey and its collector say. */
export function nextOf(survey: Survey, say: Say, level: Heading, result: string | undefined): HTMLElement[] {
  const { repeat, period, closes, minimum } = survey;
  const values = { count: Number(minimum), moment: closes === null ? "" : momentOf(closes, say.code) };
  const read = say(closes === null || period !== "once" ? "next_open" : "next_closes", values);
  const [before, after] = say("next_result", { link: "{link}" }).split("{link}");
  const link = result && element("a", { href: result }, say("next_link"));
  return [
    heading(level, say("next_step")),
    line(read, ...(link ? [` ${before}`, link, after] : [result === "" && ` ${say("next_unread")}`])),
    ...(repeat !== "once" && period !== "once" ? [line(say(`next_${period}`))] : []),
  ];
}

/** A moment in the person's own time. */
function momentOf(moment: string, code: string): string {
  return new Date(moment).toLocaleString(code, { dateStyle: "long", timeStyle: "short" });
}
