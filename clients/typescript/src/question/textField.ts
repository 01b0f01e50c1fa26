/** An answer in one's own words. */

import { isText } from "../checks.js";
import { characters } from "../surveys/fields.js";
import { END, type Text } from "../surveys/questionKinds.js";
import type { Controls } from "./control.js";
import { element, type Say } from "./nodes.js";

/** A line of text. Its length is counted in characters, which browsers count otherwise, and so nothing is cut off. */
export function textField({ longest }: Text, id: string, say: Say): Controls {
  const input = element("input", { type: "text", dir: "auto", autocomplete: "off", "aria-labelledby": `${id}-legend` });
  return {
    nodes: [input],
    hint: longest === null ? say("text") : say("text_most", { count: longest }),
    value: () => input.value,
    restore: (value) => {
      input.value = `${value}`;
    },
    answer: () => input.value,
    fault: () => {
      if (!isText(input.value) || input.value.includes(END)) return say("strange");
      return longest !== null && characters(input.value).length > longest ? say("too_long", { count: longest }) : "";
    },
    summary: () => input.value || say("none"),
  };
}
