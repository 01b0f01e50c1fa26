/** One survey of the account: what became of each answer, its bytes, and how to stop. */

import type { Part } from "../device/account.js";
import type { Receipt } from "../device/records.js";
import { button, element, type Heading, own, type Say } from "../question/nodes.js";
import { details } from "../question/receipts.js";
import type { Tell } from "./words.js";

/** A survey on the page. */
export function partOf(
  part: Part,
  code: string,
  tell: Tell,
  say: Say,
  level: Heading,
  stop: (digest: string, title: string) => void,
) {
  const { survey, endpoint, granted, receipts } = part;
  const title = part.title || `${tell("untitled")} (${survey.slice(0, 12)})`;
  const state = tell(granted ? "taking" : "not_taking");
  const end = button(tell("stop"), () => stop(survey, title));
  end.setAttribute("aria-label", tell("stop_about", { name: title }));
  return element(
    "article",
    {},
    own(`h${(level + 2) as 3 | 4 | 5}`, title),
    ...(receipts.length ? receipts.flatMap((each) => receiptOf(each, tell, say)) : [element("p", {}, tell("none"))]),
    element("p", {}, state),
    ...(endpoint
      ? [element("p", {}, element("a", { href: `${endpoint}/label/${survey}?lang=${code}` }, tell("label")))]
      : []),
    ...(granted ? [element("p", {}, end)] : []),
  );
}

function receiptOf(receipt: Receipt, tell: Tell, say: Say): HTMLElement[] {
  const { state, reason, period, bytes } = receipt;
  const when = period === null || period === "once" ? "" : `${period}: `;
  const told = element("p", {}, when + tell(`state_${state}`, { reason }));
  return bytes.length ? [told, details(receipt, say("details"), say)] : [told];
}
