/** The ledger of the account: a row for each topic, as a table. */

import type { Account } from "../device/account.js";
import type { Tongue } from "../languages/language.js";
import { general } from "../numbers.js";
import { element, type Heading, heading, own } from "../question/nodes.js";
import type { Tell } from "./words.js";

/** What was spent, topic by topic and in all. */
export function ledgerOf({ topics, total }: Account, language: Tongue, tell: Tell, level: Heading): HTMLElement {
  const number = (level: number) => general(level).replace(".", language.point);
  const heads = (["topic", "spent", "cap", "odds"] as const).map((key) => element("th", { scope: "col" }, tell(key)));
  const rows = [...topics].map(([topic, { spent, cap }]) => {
    const name = own("th", topic);
    name.scope = "row";
    const odds = tell("times", { level: spent });
    return element("tr", {}, name, ...[number(spent), number(cap), odds].map((text) => element("td", {}, text)));
  });
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  return element(
    "section",
    {},
    heading(level, tell("ledger")),
    element("p", {}, tell("ledger_text")),
    ...(rows.length ? [table, element("p", { class: "hint" }, tell("odds_text"))] : []),
    element("p", {}, tell("total", { total })),
    element("p", { class: "hint" }, tell("forget")),
  );
}
