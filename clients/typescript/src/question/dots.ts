/** 100 people as dots, as the page before consent draws them. */

import { element } from "./nodes.js";

const ACROSS = 25;
const STEP = 16;
const SVG = "http://www.w3.org/2000/svg";

/** 100 dots, of which so many are full, with what they are beneath. */
export function dots(full: number, told: string): HTMLElement {
  const picture = document.createElementNS(SVG, "svg");
  const set = (shape: Element, values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) shape.setAttribute(name, value);
    return shape;
  };
  const path = (kind: string, first: number, last: number) => {
    const places = Array.from({ length: last - first }, (_, k) => first + k).map(
      (k) => `M${(k % ACROSS) * STEP + STEP / 2} ${Math.floor(k / ACROSS) * STEP + STEP / 2}h0`,
    );
    return set(document.createElementNS(SVG, "path"), { class: kind, d: places.join("") });
  };
  set(picture, { class: "dots", viewBox: `0 0 ${ACROSS * STEP} ${(100 / ACROSS) * STEP}`, "aria-hidden": "true" });
  picture.append(path("dot", 0, 100), path("hole hollow", full, 100));
  return element("figure", {}, picture, element("figcaption", {}, told));
}
