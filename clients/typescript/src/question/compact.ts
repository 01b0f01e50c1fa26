/** A survey within somebody else's questionnaire: its question, how strong a hint a report is, its odds, and the choice. */

import type { PageLanguage, Values } from "../languages/language.js";
import { worded } from "../languages/language.js";
import { evenGuess, gradeOf } from "../numberFormats.js";
import { levelInAll } from "../surveys/arms.js";
import { essentialsOf } from "../surveys/essentials.js";
import type { Survey } from "../surveys/survey.js";
import type { Wordings } from "../surveys/translations.js";
import { field as german } from "../wire/de.js";
import { field as english } from "../wire/en.js";
import { textOf } from "./control.js";
import { machine } from "./machine.js";
import { ofHundred } from "./meaning.js";
import { authorText, element, type Heading, heading, line, type Nodes, type Say, saying } from "./nodes.js";

const WORDS: Readonly<Record<string, typeof english>> = { en: english, de: german };

/** Says things of a field. */
export type SayField = (key: keyof typeof english, values?: Values) => string;

export function sayingField(language: PageLanguage): SayField {
  return (key, values) => worded(language, (WORDS[language.code] ?? english)[key], values);
}

/** What stands above the choice. */
export function shortOf(survey: Survey, words: Wordings, language: PageLanguage, level: Heading): Nodes {
  const [say, page] = [sayingField(language), saying(language)];
  const asked = Object.values(words.questions).map(({ wording }) => wording);
  const [only = "", more] = asked;
  const head = heading(level, more === undefined ? only : words.title || survey.name);
  head.setAttribute("dir", "auto");
  if (words.lang) head.setAttribute("lang", words.lang);
  const items = asked.map((wording) => authorText("li", wording, words.lang));
  const all = levelInAll(survey);
  const grade = say(all < Infinity ? `grade_${gradeOf(all)}` : "grade_part");
  return [
    head,
    ...(more === undefined ? [] : [element("ul", {}, ...items)]),
    line(`${say("mixed", { device: page(machine()) })} ${grade}`),
    ...(all < Infinity ? [line(oddsOf(survey, words, say, page))] : []),
  ];
}

/** All else, behind one fold; a person agrees to that too. */
export function foldOf(sentences: readonly string[], language: PageLanguage): HTMLElement {
  const list = element("ul", {}, ...sentences.map((sentence) => element("li", {}, sentence)));
  return element("details", {}, element("summary", {}, sayingField(language)("more")), list);
}

/** Of one question how often a report fits; of several what becomes of a guess. */
function oddsOf(survey: Survey, words: Wordings, say: SayField, page: Say): string {
  const { own, other } = essentialsOf(survey);
  const [question, more] = Object.values(words.questions);
  if (own === null || other === null || more) return say("odds_guess", { share: evenGuess(levelInAll(survey)) });
  const shares = { own: ofHundred(own, page), other: ofHundred(other, page) };
  const [one, another, third] = question?.labels ?? [];
  const isDot = survey.arms[0]?.parts[0]?.mechanism.name === "RandomizedResponse" && third === undefined;
  if (one === undefined || another === undefined || !isDot) return say("odds_fits", shares);
  return say("odds_dot", { ...shares, one: apart(textOf(one, page)), another: apart(textOf(another, page)) });
}

/** Words in a sentence that may run in the other direction. */
function apart(words: string): string {
  return `\u2068${words}\u2069`;
}
