/** A list that unfolds, for more labels than a screen has room for. */

import type { OneOf } from "../surveys/questionKinds.js";
import { type LabelTexts, orderOf, single } from "./control.js";
import type { FieldValue } from "./drafts.js";
import { element, type Say } from "./nodes.js";

/** Its controls. */
export function dropdown(question: OneOf, shown: LabelTexts, id: string, say: Say) {
  const { labels } = question;
  const named = (place: number) => element("option", { value: `${place}`, lang: shown.lang }, shown.texts[place]);
  const empty = element("option", { value: "" }, say("pick"));
  const names = { "aria-labelledby": `${id}-legend`, autocomplete: "off", required: true };
  const select = element("select", names, empty, ...orderOf(question).map(named));
  const chosen = () => (select.value === "" ? undefined : Number(select.value));
  const restore = ([place]: FieldValue) => {
    select.value = `${place ?? ""}`;
  };
  return { nodes: [select], restore, ...single(labels, shown, chosen, say) };
}
