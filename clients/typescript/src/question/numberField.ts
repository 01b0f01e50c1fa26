/** A number or a date: what was typed, and what it counts as. */

import { type Grid, numberAt, placeOf } from "../surveys/grid.js";
import type { Numeric } from "../surveys/questionKinds.js";
import type { Controls } from "./control.js";
import { button, element, type Say } from "./nodes.js";

/** Digits of Arabic scripts, which count as the usual ones. */
const ARABIC = /[\u0660-\u0669\u06f0-\u06f9]/g;
/** Digits with a sign, and one point or comma. */
const TYPED = /^([-+]?)(\d*)(?:[.,](\d*))?$/;

/** What may be a thousand or a fraction, by the habits of who typed it. */
const THOUSANDS = /[.,]\d{3}$/;

/** Bounds are told and not enforced, since what lies beyond them counts as the bound: that is said at once. */
export function numberField({ scale }: Numeric, unit: string, id: string, say: Say): Controls {
  const typed = scale.dated ? { type: "date" } : { type: "text", inputmode: "decimal" };
  const input = element("input", { ...typed, autocomplete: "off", "aria-labelledby": `${id}-legend` });
  const note = element("p", { class: "counts", role: "status", dir: "auto" });
  const { low, high } = scale.written;
  const within = { low: shown(`${low}`, say), high: shown(`${high}`, say), unit: unit && `\u00a0${unit}` };
  const answer = () => (scale.dated ? input.value : numberIn(input.value));
  const counted = () => countsAs(scale, answer(), input.value, say);
  const use = (number: number) => {
    input.value = shown(`${number}`, say);
    note.replaceChildren();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.focus();
  };
  const tell = () => note.replaceChildren(...offered(scale, answer(), counted(), say, use));
  input.addEventListener("input", tell);
  return {
    nodes: [input, note],
    hint: say("number", within),
    value: () => input.value,
    restore: (value) => {
      input.value = `${value}`;
      tell();
    },
    answer,
    fault: () => (placeOf(scale, answer()) === undefined ? say(scale.dated ? "no_date" : "no_number") : ""),
    summary: () => counted() || `${input.value}${unit && `\u00a0${unit}`}`,
  };
}

/** The number that somebody typed, with a point or a comma; not a number where it is none. */
function numberIn(text: string): number {
  const digits = text.replace(ARABIC, (digit) => `${digit.charCodeAt(0) & 15}`).replace("\u066b", ".");
  const [, sign, whole = "", after = ""] = TYPED.exec(digits.replace(/[\s'_\u066c]/g, "").replace("\u2212", "-")) ?? [];
  return sign === undefined || !(whole + after) ? Number.NaN : Number(`${sign}${whole || 0}.${after || 0}`);
}

/** What a number counts as, in words, where that is not what it is. */
function countsAs(scale: Grid, answer: unknown, typed: string, say: Say): string {
  const place = placeOf(scale, answer);
  if (place === undefined || scale.dated) return "";
  const counted = numberAt(scale, place);
  if (counted === answer && !THOUSANDS.test(typed)) return "";
  const bound = place === 0 ? "counts_low" : place === scale.steps ? "counts_high" : "counts";
  return say(bound, { typed, place: shown(`${counted}`, say) });
}

/** The words, and what to press: the bound, and a number that has a digit less. */
function offered(scale: Grid, answer: unknown, words: string, say: Say, use: (number: number) => void) {
  if (!words) return [];
  const [counted, less] = [numberAt(scale, placeOf(scale, answer) as number), (answer as number) / 10];
  const place = placeOf(scale, less) as number;
  const meant = place > 0 && place < scale.steps && numberAt(scale, place) === less && counted < (answer as number);
  const numbers = meant ? [counted, less] : [counted];
  return [
    element("strong", {}, words),
    meant ? ` ${say("meant", { number: shown(`${less}`, say) })} ` : " ",
    ...numbers.map((number) => button(say("use", { number: shown(`${number}`, say) }), () => use(number), "link")),
  ];
}

/** A number as the page's language writes it. */
function shown(number: string, say: Say): string {
  return number.replace(".", say.point);
}
