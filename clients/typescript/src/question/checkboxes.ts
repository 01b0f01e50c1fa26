/** The controls of a checklist. */

import type { AnyOf } from "../surveys/questionKinds.js";
import { type Box, box, type Controls, check, type LabelTexts } from "./control.js";
import { button, element, type Say } from "./nodes.js";

/** Boxes to tick; those that stand alone come after all others, and clear them. */
export function checkboxes(question: AnyOf, shown: LabelTexts, id: string, say: Say): Controls {
  const { labels, most, exclusive } = question;
  const boxes = shown.texts.map((_, place) => box("checkbox", id, shown, place));
  const chosen = () => boxes.filter(({ input }) => input.checked);
  const places = () => chosen().map(({ place }) => place);
  const limit = most !== null && most < labels.size ? most : undefined;
  const note = element("p", { class: "hint", role: "status", dir: "auto" });
  const tick = (clicked: number, before: readonly number[]) => {
    const { ticked, cleared } = ticksAfter(question, new Set(before), clicked);
    check(boxes, [...ticked]);
    const names = cleared.map((place) => shown.texts[place] ?? "").join(", ");
    const back = button(
      say("bring_back"),
      () => {
        check(boxes, cleared);
        note.replaceChildren();
        boxes[clicked]?.input.dispatchEvent(new Event("input", { bubbles: true }));
        boxes[cleared[0] ?? 0]?.input.focus();
      },
      "link",
    );
    note.replaceChildren(...(names ? [say("cleared", { last: shown.texts[clicked] ?? "", names }), " ", back] : []));
  };
  for (const { input, place } of boxes) {
    // at the event that is heard first, so that whoever hears it later reads what is shown
    input.addEventListener("input", () => {
      tick(place, input.checked ? places().filter((each) => each !== place) : [...places(), place]);
    });
  }
  const alone = boxes.filter(({ place }) => exclusive?.includes(place));
  const others = boxes.filter((each) => !alone.includes(each));
  const rows = (some: readonly Box[]) => some.map(({ row }) => row);
  return {
    nodes: [
      ...rows(others),
      ...(alone.length ? [element("p", { class: "hint" }, say("or"))] : []),
      ...rows(alone),
      note,
    ],
    hint: limit !== undefined ? say("some", { count: limit }) : say(exclusive ? "all_true" : "any"),
    value: places,
    restore: (given) => check(boxes, given),
    answer: () => places().map((place) => labels.at(place)),
    fault: () => {
      if (exclusive && !places().length) return say("missing");
      return limit !== undefined && places().length > limit ? say("too_many", { count: limit }) : "";
    },
    summary: () =>
      places()
        .map((place) => shown.texts[place])
        .join(", ") || say("none"),
  };
}

/** The places that are ticked, and those that a click cleared beside its own: all that was ticked, should it come back. */
interface Clicked {
  readonly ticked: ReadonlySet<number>;
  readonly cleared: readonly number[];
}

/** Ticking a label that stands alone clears all others, and ticking another clears one that stands alone. */
export function ticksAfter({ exclusive }: AnyOf, before: ReadonlySet<number>, place: number): Clicked {
  const others = [...before].filter((each) => each !== place);
  if (before.has(place)) return { ticked: new Set(others), cleared: [] };
  const goes = (each: number) => exclusive?.includes(place) || exclusive?.includes(each);
  return { ticked: new Set([...others.filter((each) => !goes(each)), place]), cleared: others.filter(goes) };
}
