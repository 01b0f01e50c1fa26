/** What was sent, as a dot or in words, and how little that says: from the survey's own chances. */

import { fitsOf } from "../mechanisms/fits.js";
import { evenGuess } from "../privacy/levels.js";
import { HEAD } from "../surveys/answers.js";
import type { Part } from "../surveys/arms.js";
import { shareOf } from "../surveys/essentials.js";
import { levelOfAll } from "../surveys/levels.js";
import type { Survey } from "../surveys/survey.js";
import { textOf } from "./controls.js";
import { dots } from "./dots.js";
import { machine } from "./machine.js";
import { element, line, type Say } from "./nodes.js";

/** Bytes of an upload that say how many answers it holds. */
const COUNT = 4;

/** What the bytes after the random ones mean. */
export function meaningOf(survey: Survey, sent: Uint8Array, say: Say): HTMLElement[] {
  const parts = survey.arms[(sent[0] ?? 0) + 256 * (sent[1] ?? 0)]?.parts ?? [];
  const [part, more] = parts;
  const own = survey.arms.length > 1 && part && !more ? usedOf(part, say) : [];
  if (levelOfAll(survey.arms) === Infinity)
    return [line(say("sent_plain", of(say))), ...own, line(say("certain_part"))];
  const fits = part && !more && part.encoder.kind === "label" ? fitsOf(part.mechanism) : undefined;
  if (!part || !fits) return [line(say("sent_plain", of(say))), ...own, claim(guess(survey, say))];
  const share = hundredth(shareOf(fits[1]));
  const { layout, domain } = part.mechanism;
  if (layout.kind === "index" && layout.outputs === 2 && domain.kind === "labels") {
    const report = sent[HEAD + COUNT] ?? 0;
    const answer = textOf(domain.at(1 - report), say);
    const told = say("certain_dot", { share, answer });
    return [
      dotted(report, say),
      ...own,
      claim(told),
      dots(report ? 100 - share : share, say(report ? "dots_hollow" : "dots_full", { answer })),
    ];
  }
  const told = say("certain_fits", { share });
  return [line(say("sent_mark", of(say))), ...own, claim(told), dots(share, say("dots_fits"))];
}

function of(say: Say) {
  return { device: say(machine()) };
}

function usedOf({ questions: [question] }: Part, say: Say): HTMLElement[] {
  return question ? [line(say("used", { name: question.wording || question.name }))] : [];
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

function guess(survey: Survey, say: Say): string {
  return say("certain_guess", { share: evenGuess(levelOfAll(survey.arms)) });
}

function hundredth(share: number): number {
  return Math.round(100 * share);
}
