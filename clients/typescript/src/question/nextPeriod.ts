/** When one can answer again, of surveys that ask more than once. */

import type { Client } from "../device/client.js";
import { beginOfNext } from "../surveys/calendar.js";
import { periodAt } from "../surveys/periods.js";
import { line, linked, momentOf, type Say } from "./nodes.js";

/** The moment, if there is one, with its place in a calendar. */
export function nextPeriodOf(client: Client, answered: string | null, say: Say, endpoint: string): HTMLElement[] {
  const { survey } = client;
  const again = beginOfNext(survey, answered ?? periodAt(survey, new Date(1000 * client.now())));
  if (!again) return [];
  const sentence = say("next_again", { moment: momentOf(again, say.code), link: "{link}" });
  return [line(...linked(sentence, `${endpoint}/q/${survey.digest}.ics?lang=${say.code}`, say("next_calendar")))];
}
