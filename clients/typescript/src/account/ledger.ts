/** The ledger of the account: of each topic, how far all that was sent on it can move a guess. */

import type { Account } from "../device/account.js";
import type { Topic } from "../device/ledger.js";
import { evenGuess } from "../privacy/grades.js";
import { element, type Heading, heading, own } from "../question/nodes.js";
import type { Tell } from "./words.js";

/** What was spent, topic by topic and in all, as what it does to an even guess. */
export function ledgerOf({ topics, total }: Account, tell: Tell, level: Heading): HTMLElement {
  return element(
    "section",
    {},
    heading(level, tell("ledger")),
    element("p", {}, tell("ledger_text")),
    ...[...topics].map(([name, topic]) => topicOf(name, topic, tell, level)),
    ...(topics.size > 1 ? [element("p", {}, tell("total", { share: evenGuess(total) }))] : []),
    element("p", { class: "hint" }, tell("forget")),
  );
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
