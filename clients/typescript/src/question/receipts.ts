/** What became of an answer, in plain words, and what that says of the person who answered. */

import { hex } from "../bytes.js";
import type { Client } from "../device/client.js";
import type { Receipt } from "../device/records.js";
import type { Page } from "../languages/language.js";
import { ID } from "../surveys/upload.js";
import type { PageSettings } from "./choice.js";
import { meaningOf } from "./meaning.js";
import { nextPeriodOf } from "./nextPeriod.js";
import { authorText, element, heading, line, linked, momentOf, type Say } from "./nodes.js";

/** Why an answer still waits, where there is more to say than that the collector was not reached. */
const WAITING: Readonly<Record<string, Page>> = { "no open period": "waiting_door", "status 401": "waiting_code" };

/** What there is to know beside the receipt. */
export interface Beside extends Pick<PageSettings, "level" | "result" | "endpoint" | "next"> {
  /** Whether the person had answered earlier. */
  readonly before: boolean;
}

/** States as the words for them are called; a receipt of what was handed over is in formField.ts. */
type Word = Exclude<Receipt["state"], "sent" | "handed over">;

/** The headline and the sentence on a receipt; the sentence on one that was sent stands in what it means. */
function told({ state, reason }: Receipt, rehearsed: boolean): readonly [headline: Page, text?: Page] {
  if (rehearsed && state === "sent") return ["rehearsed", "rehearsed_text"];
  if (state === "sent") return ["sent"];
  const headline = state === "refused" && reason === "closed" ? "over" : (state as Word);
  const tried = state === "withdrawn" && reason !== "";
  return [headline, tried ? "withdrawn_tried" : (WAITING[reason] ?? `${headline}_text`)];
}

/** A receipt on the page. */
export function receiptOf(client: Client, receipt: Receipt, say: Say, beside: Beside): HTMLElement[] {
  const { survey, rehearsed } = client;
  const earlier = beside.before && receipt.state === "sent";
  const [headline, text] = earlier ? (["before", "before_else"] as const) : told(receipt, rehearsed);
  const said = !/^(withdrawn|refused)/.test(receipt.state);
  const contact = ["refused", "unknown"].includes(receipt.state) && survey.contact;
  const meaning = receipt.bytes.length && said ? meaningOf(survey, receipt.bytes.subarray(ID), say) : [];
  const bytes = receipt.bytes.length ? [details(receipt, say(rehearsed ? "details_rehearsed" : "details"), say)] : [];
  const again = () => (survey.repeat === "once" ? [] : nextPeriodOf(client, receipt.period, say, beside.endpoint));
  const next = said && !rehearsed ? [...(beside.next?.(receipt) ?? nextOf(survey, say, beside)), ...again()] : [];
  return [
    heading(beside.level, say(headline)),
    ...(text ? [line(say(text, { reason: receipt.reason }))] : []),
    ...(contact ? [line(say("refused_ask", { contact }))] : []),
    ...(beside.before && bytes.length
      ? [...next, folded(say("before_show"), meaning, bytes)]
      : [...meaning, ...next, ...bytes]),
  ];
}

/** Whoever comes next to a device that others use too sees what was sent only after a tap. */
function folded(summary: string, ...shown: HTMLElement[][]): HTMLElement {
  return element("details", {}, element("summary", {}, summary), ...shown.flat());
}

/** What happens next, as far as the survey and its collector say. */
function nextOf({ period, closes, minimum }: Client["survey"], say: Say, links: Beside): HTMLElement[] {
  const values = { count: Number(minimum), moment: closes === null ? "" : momentOf(closes, say.code) };
  const read = say(closes === null || period !== "once" ? "next_open" : "next_closes", values);
  const result = links.result && linked(say("next_result", { link: "{link}" }), links.result, say("next_link"));
  return [
    heading(links.level, say("next_step")),
    line(read, ...(result ? [" ", ...result] : [links.result === "" && ` ${say("next_unread")}`])),
  ];
}

/** What left the device, to the byte. It is shown once that is final, as nobody may choose among draws. */
export function details({ bytes, period, survey }: Receipt, summary: string, say: Say, id = ID): HTMLElement {
  const rows: (readonly [Page, string])[] = [
    ["random", spaced(hex(bytes.subarray(0, id)))],
    ["report", spaced(hex(bytes.subarray(id)))],
    ...(period === null || period === "once" ? [] : [["period", period] as const]),
    ["survey", survey],
  ];
  const list = rows.flatMap(([key, text]) => [
    element("dt", {}, say(key)),
    element("dd", {}, authorText("code", text)),
  ]);
  return element("details", {}, element("summary", {}, summary), element("dl", {}, ...list));
}

function spaced(digits: string): string {
  return digits.replace(/.{4}(?=.)/g, "$& ");
}
