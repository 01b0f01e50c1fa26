/** What was sent, as a dot or in words, and how little that says: from the survey's own chances. */

import { fitsOf } from "../mechanisms/fits.js";
import { evenGuess, gradeOf } from "../numberFormats.js";
import { HEAD } from "../surveys/answers.js";
import { levelInAll, type Part } from "../surveys/arms.js";
import { shareOf } from "../surveys/essentials.js";
import type { Survey } from "../surveys/survey.js";
import { COUNT } from "../surveys/upload.js";
import { textOf } from "./control.js";
import { machine } from "./machine.js";
import { element, line, type Say } from "./nodes.js";

/** 100 people as dots, as the page before consent draws them. */
const ACROSS = 25;
const STEP = 16;
const SVG = "http://www.w3.org/2000/svg";

/** What the bytes after the random ones mean. */
export function meaningOf(survey: Survey, sent: Uint8Array, say: Say): HTMLElement[] {
  const parts = survey.arms[(sent[0] ?? 0) + 256 * (sent[1] ?? 0)]?.parts ?? [];
  const [part, more] = parts;
  const own = survey.arms.length > 1 && part && !more ? usedOf(part, say) : [];
  const level = levelInAll(survey);
  if (level === Infinity) return [line(say("sent_plain", of(say))), ...own, line(say("hint_part"))];
  const hint = say(`hint_${gradeOf(level)}`);
  const fits = part && !more && part.encoder.kind === "label" ? fitsOf(part.mechanism) : undefined;
  if (!part || !fits)
    return [line(say("sent_plain", of(say))), ...own, claim(say("hint_guess", { hint, share: evenGuess(level) }))];
  const share = shareOf(fits[1]);
  const few = { hint, share: ofHundred(share, say) };
  const { layout, domain } = part.mechanism;
  if (layout.kind === "index" && layout.outputs === 2 && domain.kind === "labels") {
    const report = sent[HEAD + COUNT] ?? 0;
    const answer = textOf(domain.at(1 - report), say);
    const sentence = say("hint_dot", { ...few, answer });
    return [
      dotted(report, say),
      ...own,
      claim(sentence),
      dots(report ? 100 - fullDots(share) : fullDots(share), say(report ? "dots_hollow" : "dots_full", { answer })),
    ];
  }
  const sentence = say("hint_fits", few);
  return [line(say("sent_mark", of(say))), ...own, claim(sentence), dots(fullDots(share), say("dots_fits"))];
}

function of(say: Say) {
  return { device: say(machine()) };
}

function usedOf({ questions }: Part, say: Say): HTMLElement[] {
  const names = questions.map((question) => question.wording || question.name);
  return [line(say("used", { name: names.join(" / ") }))];
}

/** The one bit, as the dot that the page before consent drew. */
function dotted(report: number, say: Say): HTMLElement {
  const [before, after] = say("sent_dot", { ...of(say), mark: "{mark}" }).split("{mark}");
  const mark = element("span", { class: "mark", role: "img", "aria-label": say(report ? "hollow" : "full") });
  mark.textContent = report ? "○" : "●";
  return line(before, mark, after);
}

function claim(text: string): HTMLElement {
  return line(element("strong", {}, text));
}

/** How many of 100 people a share is: never none and never all of them unless it is so. */
export function ofHundred(share: number, say: Say): string {
  const count = Math.round(100 * share);
  if (count === 0 && share > 0) return say("fewer_than_one");
  return count === 100 && share < 1 ? say("more_than_99") : `${count}`;
}

/** How many dots of 100 are full: one at least, and one at most left hollow, unless all are alike. */
function fullDots(share: number): number {
  return share === 0 || share === 1 ? 100 * share : Math.min(Math.max(Math.round(100 * share), 1), 99);
}

/** 100 dots, of which so many are full, with what they are beneath. */
function dots(full: number, caption: string): HTMLElement {
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
  return element("figure", {}, picture, element("figcaption", {}, caption));
}
