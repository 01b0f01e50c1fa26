/** A list that unfolds, for more labels than a screen has room for. */

import type { OneOf } from "../surveys/questionKinds.js";
import { orderOf, type Shown, single } from "./control.js";
import type { Held } from "./drafts.js";
import { element, type Say } from "./nodes.js";

/** Its controls. */
export function unfolding(question: OneOf, shown: Shown, id: string, say: Say) {
  const { labels } = question;
  const named = (place: number) => element("option", { value: `${place}`, lang: shown.lang }, shown.texts[place]);
  const empty = element("option", { value: "" }, say("pick"));
  const names = { "aria-labelledby": `${id}-legend`, autocomplete: "off", required: true };
  const select = element("select", names, empty, ...orderOf(question).map(named));
  const chosen = () => (select.value === "" ? undefined : Number(select.value));
  const put = ([place]: Held) => {
    select.value = `${place ?? ""}`;
  };
  return { nodes: [select], put, ...single(labels, shown, chosen, say) };
}
