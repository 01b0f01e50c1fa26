/** The pictures of the playground: reports as dots, and intervals as bars on one axis. */

import { element } from "../src/question/nodes.js";
import type { Asked } from "./survey.js";

const SVG = "http://www.w3.org/2000/svg";
const ACROSS = 50;
const STEP = 12;
/** Where the axis ends, in people of 100. */
const MOST = 100;

/** An element of a drawing. */
function drawn(tag: string, attributes: Readonly<Record<string, string>>, ...children: readonly Node[]): SVGElement {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** People in an order that tells nothing of their answers: the lines of Python name first all who answer yes. */
function mixed(people: number): number[] {
  const hash = (person: number) => {
    const once = Math.imul(person ^ (person >>> 15), 0x2c1b_3c6d);
    return Math.imul(once ^ (once >>> 12), 0x297a_2d39) >>> 0;
  };
  return Array.from({ length: people }, (_, person) => person).sort((one, other) => hash(one) - hash(other));
}

/** What each device sent: full for yes. With `turned` those are ringed whose answer chance turned round. */
export function dots({ trial, sent }: Asked, turned: boolean): SVGElement {
  const [full, hollow, ringed]: string[][] = [[], [], []];
  mixed(trial.people).forEach((person, seat) => {
    const yes = sent[person] === true;
    const place = `M${(seat % ACROSS) * STEP + STEP / 2} ${Math.floor(seat / ACROSS) * STEP + STEP / 2}h0`;
    (yes ? full : hollow)?.push(place);
    if (turned && yes !== person < trial.yes) ringed?.push(place);
  });
  const rows = Math.ceil(trial.people / ACROSS);
  const path = (kind: string, places: readonly string[] | undefined) =>
    drawn("path", { class: kind, d: places?.join("") ?? "" });
  return drawn(
    "svg",
    {
      class: "dots",
      viewBox: `0 0 ${ACROSS * STEP} ${rows * STEP}`,
      role: "img",
      "aria-label": "What each device sent",
    },
    ...[path("ring", ringed), path("rim", [...(full ?? []), ...(hollow ?? [])]), path("hole", hollow)],
  );
}

/** A line where the truth lies in 95 of 100 such surveys, with what is likelier thicker, and the truth beside it. */
export function bar({ trial, reading, bands }: Asked): HTMLElement {
  const at = (share: number) => `${((100 * share) / MOST) * 100}%`;
  const span = (kind: string, low: number, high: number) =>
    element("span", { class: kind, style: `left:${at(low)};width:${at(high - low)}` });
  return element(
    "span",
    { class: "bar" },
    span("most", reading.low, reading.high),
    ...bands.map(({ low, high }, k) => span(`band band-${k}`, low, high)),
    element("span", { class: "point", style: `left:${at(reading.share)}` }),
    element("span", { class: "truth", style: `left:${at(trial.yes / trial.people)}` }),
  );
}
