/** The ledger of the account: of each topic, how far all that was sent on it can move a guess. */

import type { Account, Part } from "../device/account.js";
import type { Topic } from "../device/ledger.js";
import { evenGuess } from "../privacy/grades.js";
import { element, type Heading, heading, own } from "../question/nodes.js";
import type { Tell } from "./words.js";

/** What was spent, topic by topic and in all, as what it does to an even guess. */
export function ledgerOf({ parts, topics, total }: Account, tell: Tell, level: Heading): HTMLElement {
  return element(
    "section",
    {},
    heading(level, tell("ledger")),
    element("p", {}, tell("ledger_text")),
    ...[...topics].map(([name, topic]) => topicOf(titleOf(parts, name), topic, tell, level)),
    ...(topics.size > 1 ? [element("p", {}, tell("total", { share: evenGuess(total) }))] : []),
    element("p", { class: "hint" }, tell("forget")),
  );
}

/** A topic as people know it: one that has the name of a survey, for none was given, has the survey's title. */
function titleOf(parts: readonly Part[], topic: string): string {
  const own = parts.filter(({ receipts }) => receipts.some((each) => each.topic === topic && each.name === topic));
  return own.at(-1)?.title || topic;
}

function topicOf(name: string, { spent, cap }: Topic, tell: Tell, level: Heading): HTMLElement {
  const left = spent < cap ? tell("topic_more", { share: evenGuess(cap) }) : tell("topic_full");
  return element(
    "article",
    {},
    own(`h${(level + 2) as 3 | 4 | 5}`, name),
    element("p", {}, element("strong", {}, tell("topic_guess", { share: evenGuess(spent) }))),
    element("p", {}, left),
  );
}
