/** The privacy label of a survey in statements and sentences, for the person asked: none says more than is proven. */

import type { LabelLanguage, Statement, Values } from "../languages/language.js";
import { say } from "../languages/statements.js";
import type { Mechanism } from "../mechanisms/mechanism.js";
import { composed, implies } from "../privacy/composition.js";
import { type Guarantee, ldp } from "../privacy/guaranteeKinds.js";
import { plainLevel } from "../privacy/guarantees.js";
import { widthOfAnswer } from "./answers.js";
import { type Arm, levelOfAll, questionsOf } from "./arms.js";
import { crowdOpen, crowdStatements } from "./crowdStatements.js";
import { beliefStatements, promiseStatement, unprotectedStatements } from "./guaranteeStatements.js";
import { roundStatements, roundsOf, shownChanges } from "./rounds.js";
import type { Survey } from "./survey.js";
import { languagesOf } from "./translations.js";

/** The label as statements: none of them is more than is proven. */
export function statements(survey: Survey): Statement[] {
  return [
    ...inField(survey, "field_beside"),
    ...drawn(survey),
    [levelOfAll(survey.arms) < Infinity ? "changed" : "changed_part"],
    ...promises(survey),
    sent(survey),
    ...again(survey),
    ...inLanguages(survey),
    ...openStatements(survey),
  ];
}

/** All of them as sentences. */
export function sentencesIn(survey: Survey, language: LabelLanguage): string[] {
  return statements(survey).map((each) => say(language, each));
}

/** Those of the sentences that a page may fold: of weaker guesses. The one on an even guess says how far one can move. */
export function lesser(survey: Survey, language: LabelLanguage): string[] {
  const weaker = statements(survey).filter(([, values]) => Number(values?.["before"]) < 0.5);
  return weaker.map((each) => say(language, each));
}

/** The least and the most bytes that an answer takes. */
export function sentBytes(survey: Survey): { least: number; most: number } {
  const sizes = bytesOf(survey);
  return { least: Math.min(...sizes), most: Math.max(...sizes) };
}

/** The bytes that an answer of each arm takes. */
function bytesOf(survey: Survey): number[] {
  return survey.arms.map((_, arm) => widthOfAnswer(survey, arm));
}

/** What the promise does not cover. */
export function openStatements(survey: Survey): Statement[] {
  const open = [...survey.questions.keys()].flatMap((name) => openOf(survey, name));
  const branched = [...survey.questions.values()].some((question) => "onlyIf" in question);
  const ways: Statement[] = branched ? [["paths"], ["paths_time"]] : [];
  const shown = roundsOf(survey) ? shownChanges(mechanismsOf(survey)) : [];
  const used = (["kiosk", "lan"] as const).filter((term) => survey[term]);
  const field = inField(survey, "field_same", "field_again");
  const crowd = survey.crowd ? crowdOpen(survey, survey.crowd) : [];
  return [...open, ...ways, ...shown, ...used.map((term): Statement => [term]), ...field, ...crowd, ["taking_part"]];
}

/** Of a report that stands in a field of somebody else's form these statements. */
function inField({ carrier }: Survey, ...keys: Statement[0][]): Statement[] {
  return carrier ? keys.map((key): Statement => [key]) : [];
}

/** Of one question; where arms differ in which of its answers they protect, only that some can be told apart. */
function openOf({ arms }: Survey, name: string): Statement[] {
  const guarantees = promisesAbout(arms, name);
  const apart = guarantees.length > 1 && guarantees.some((guarantee) => plainLevel(guarantee) === Infinity);
  return apart
    ? [["open_pairs", { of: ["question", { name }] }]]
    : guarantees.flatMap((guarantee) => unprotectedStatements(guarantee, name));
}

function mechanismsOf({ arms }: Survey): Mechanism[] {
  return arms.flatMap((arm) => arm.parts.map((part) => part.mechanism));
}

/** On how many of the questions a device reports; nothing where every arm reports on all. */
function drawn({ arms, questions }: Survey): Statement[] {
  const [sizes, count] = [arms.map(questionsOf), questions.size];
  return Math.min(...sizes) < count ? [["drawn", { asked: spanned(sizes), count }]] : [];
}

function promises(survey: Survey): Statement[] {
  const [level, rounds] = [levelOfAll(survey.arms), roundsOf(survey)];
  if (rounds) return roundStatements(rounds);
  if (level === Infinity) return [["differs"], ...byQuestion(survey, level)];
  const { repeat, period } = survey;
  const during: Statement | "" = repeat === "fresh" && period !== "once" ? [`during_${period}`] : "";
  const crowd = survey.crowd ? crowdStatements(survey, survey.crowd, during) : [];
  const whole: Statement[] = [["whole", { during, level }], ...beliefStatements("belief", level, { during })];
  return [...whole, ...crowd, ...byQuestion(survey, level)];
}

/** Of each question that no level of whole answers covers, or that is protected label by label or by distance. */
function byQuestion(survey: Survey, level: number): Statement[] {
  return [...survey.questions.keys()].flatMap((name): Statement[] => {
    const [guarantee, more] = promisesAbout(survey.arms, name);
    if (!guarantee || more || (level < Infinity && guarantee.kind !== "eachItem" && guarantee.kind !== "distance"))
      return [];
    return [["about", { of: ["question", { name }], promise: promiseStatement(guarantee) }]];
  });
}

function sent(survey: Survey): Statement {
  const sizes = bytesOf(survey);
  return ["bytes", { count: Math.max(...sizes), length: spanned(sizes) }];
}

/** From the least to the most, if they differ. */
function spanned(sizes: number[]): Values[string] {
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return least === most ? most : ["range", { least, most }];
}

function again({ repeat, period, cap, topic }: Survey): Statement[] {
  if (repeat === "once" || period === "once") return [];
  const every: Statement = [`every_${period}`];
  return repeat === "fresh" ? [["fresh", { every, cap, topic }]] : [["remembered", { every }]];
}

function inLanguages(survey: Survey): Statement[] {
  const tags = languagesOf(survey);
  return tags.length > 1 ? [["languages", { count: tags.length, tags: tags.join(", ") }]] : [];
}

/** The guarantee of one report; of reports that are remembered that of a whole life of them. */
function promiseOf({ permanent, guarantee, cover }: Mechanism): Guarantee {
  return permanent ? ldp(cover.level()) : guarantee;
}

/** What is promised about one question whatever the arm: of the guarantees of those that ask it, the weakest. */
function promisesAbout(arms: readonly Arm[], question: string): Guarantee[] {
  let weakest: Guarantee[] = [];
  for (const arm of arms) {
    const promise = promiseAbout(arm, question);
    if (promise && !weakest.some((other) => implies(promise, other))) {
      weakest = [...weakest.filter((other) => !implies(other, promise)), promise];
    }
  }
  return weakest;
}

/** What an arm promises about one question, the answers to all others being equal; undefined if it does not ask. */
function promiseAbout(arm: Arm, question: string): Guarantee | undefined {
  const own = arm.parts.filter((part) => part.names.includes(question));
  const guarantees = own.map((part) => {
    return part.names.length === 1 ? promiseOf(part.mechanism) : ldp(part.mechanism.cover.level());
  });
  return guarantees.length ? composed(guarantees) : undefined;
}
