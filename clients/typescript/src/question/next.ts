/** What happens after an answer: when it is read, how many are needed, whether one may read the result, when one can answer again. */

import type { Client } from "../device/client.js";
import { againOf } from "./again.js";
import { element, type Heading, heading, line, type Say } from "./nodes.js";

/** Where a page leads after an answer. */
export interface Links {
  /** Where those who were asked may read the result; empty where they may not, undefined where nobody said. */
  readonly result: string | undefined;
  /** The address of the collector, which has a calendar of each survey that is asked again. */
  readonly endpoint: string;
}

/** What happens next, as far as the survey and its collector say. */
export function nextOf(client: Client, answered: string | null, say: Say, level: Heading, links: Links): HTMLElement[] {
  const { survey } = client;
  const { period, closes, minimum } = survey;
  const values = { count: Number(minimum), moment: closes === null ? "" : momentOf(closes, say.code) };
  const read = say(closes === null || period !== "once" ? "next_open" : "next_closes", values);
  const result = links.result && linked(say("next_result", { link: "{link}" }), links.result, say("next_link"));
  return [
    heading(level, say("next_step")),
    line(read, ...(result ? [" ", ...result] : [links.result === "" && ` ${say("next_unread")}`])),
    ...(survey.repeat === "once" ? [] : againOf(client, answered, say, links)),
  ];
}

/** A sentence with a link in its place. */
export function linked(sentence: string, href: string, text: string) {
  const [before, after] = sentence.split("{link}");
  return [before, element("a", { href }, text), after];
}

/** A moment in the person's own time. */
export function momentOf(moment: string | Date, code: string): string {
  return new Date(moment).toLocaleString(code, { dateStyle: "long", timeStyle: "short" });
}
