/** When one can answer again, of surveys that ask more than once. */

import type { Client } from "../device/client.js";
import { beginOfNext } from "../surveys/calendar.js";
import { periodAt } from "../surveys/periods.js";
import { type Links, linked, momentOf } from "./next.js";
import { line, type Say } from "./nodes.js";

/** The moment, if there is one, with its place in a calendar. */
export function againOf(client: Client, answered: string | null, say: Say, { endpoint }: Links): HTMLElement[] {
  const { survey } = client;
  const again = beginOfNext(survey, answered ?? periodAt(survey, new Date(1000 * client.now())));
  if (!again) return [];
  const told = say("next_again", { moment: momentOf(again, say.code), link: "{link}" });
  return [line(...linked(told, `${endpoint}/q/${survey.digest}.ics?lang=${say.code}`, say("next_calendar")))];
}
