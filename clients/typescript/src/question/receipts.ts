/** What became of an answer, in plain words. */

import type { Client } from "../device/client.js";
import type { Receipt } from "../device/records.js";
import type { Page } from "../languages/english.js";
import { hex } from "../sha256.js";
import { type Heading, heading } from "./intro.js";
import { element, own, type Say } from "./nodes.js";

/** The random bytes before a report, by which a collector counts it once. */
const ID = 16;

/** Why an answer still waits, where there is more to say than that the collector was not reached. */
const WAITING: Readonly<Record<string, Page>> = { "no open period": "waiting_door", "status 401": "waiting_code" };

/** The headline and the sentence on a receipt. */
function told({ state, reason }: Receipt, rehearsed: boolean): readonly [headline: Page, text: Page] {
  if (rehearsed && state === "sent") return ["rehearsed", "rehearsed_text"];
  const headline = state === "refused" && reason === "closed" ? "over" : state;
  const tried = state === "withdrawn" && reason !== "";
  return [headline, tried ? "withdrawn_tried" : (WAITING[reason] ?? `${headline}_text`)];
}

/** A receipt on the page; `before` says that the person had answered earlier. */
export function receiptOf(
  { survey: { repeat, period }, rehearsed }: Client,
  receipt: Receipt,
  say: Say,
  level: Heading,
  before: boolean,
): HTMLElement[] {
  const [headline, text] = told(receipt, rehearsed);
  const comes = repeat !== "once" && period !== "once" && receipt.state === "sent";
  return [
    heading(level, say(headline)),
    element("p", {}, say(text, { reason: receipt.reason })),
    ...(before && receipt.state !== "withdrawn" ? [element("p", {}, say("before"))] : []),
    ...(comes ? [element("p", {}, say(`next_${period}`))] : []),
    ...(receipt.bytes.length ? [details(receipt, say(rehearsed ? "details_rehearsed" : "details"), say)] : []),
  ];
}

/** What left the device, to the byte. It is shown once that is final, as nobody may choose among draws. */
export function details({ bytes, period, survey }: Receipt, summary: string, say: Say): HTMLElement {
  const rows: (readonly [Page, string])[] = [
    ["random", spaced(hex(bytes.subarray(0, ID)))],
    ["report", spaced(hex(bytes.subarray(ID)))],
    ...(period === null || period === "once" ? [] : [["period", period] as const]),
    ["survey", survey],
  ];
  const list = rows.flatMap(([key, text]) => [element("dt", {}, say(key)), element("dd", {}, own("code", text))]);
  return element("details", {}, element("summary", {}, summary), element("dl", {}, ...list));
}

function spaced(digits: string): string {
  return digits.replace(/.{4}(?=.)/g, "$& ");
}
