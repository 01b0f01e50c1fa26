/** The survey as a device holds it: its questions, arms and terms, as its text says. */

import { canonical, type Fields, isObject, type Json, readObject, type Spec } from "../canonical.js";
import { checkChoice, checkCount, checkInt, checkPositive } from "../checks.js";
import { CapacityError, FormatError, ParameterError } from "../errors.js";
import type { Layout } from "../layouts.js";
import type { Families } from "../mechanisms/mechanism.js";
import { core, LABELS, verified } from "../mechanisms/registry.js";
import { systemWords } from "../randomWords.js";
import { digest } from "../sha256.js";
import { type Answers, answerFrom } from "./answers.js";
import { type Arm, chargeOfAll, MOST_WEIGHT, type Plan, readArm, totalWeight, writeArm } from "./arms.js";
import { checkMixed, readCrowd } from "./crowd.js";
import { checkCarrier, checkField } from "./fieldCarrier.js";
import { checkSurveyName, checkTime, checkWords } from "./fields.js";
import type { Question } from "./questionKinds.js";
import { objects, readQuestion, writeQuestion } from "./questions.js";
import { checkTranslations, readTranslations } from "./translationChecks.js";
import { checkLanguage } from "./translations.js";

const VERSION = 1n;
const MOST_ARMS = 2 ** 12;
const MOST_QUESTIONS = 2 ** 10;
/** The most counts of a survey's tally. */
const MOST_CELLS = 2 ** 28;
const MOST_SECONDS = 10 * 366 * 86400;
/** The fields of a document whose lists hold labels. */
const LISTS: Fields = /* @__PURE__ */ new Set([
  "questions.labels",
  "questions.sensitive",
  "questions.blocks",
  "questions.exclusive",
  "questions.only_if.is",
  ...[...LABELS].map((field) => `arms.parts.spec.${field}`),
]);
/** The fields that hold a label. */
const SINGLE: Fields = /* @__PURE__ */ new Set(["questions.no_answer", "arms.parts.encoder.label"]);

/** What an author may state of who answers for a survey before the law. */
const RESPONSIBLE = /^(controller|officer|authority|legal_basis|host|rights)$/;

/** The terms of a survey, and how each is read. */
const TERMS = {
  name: checkSurveyName,
  title: checkWords,
  purpose: checkWords,
  owner: checkWords,
  contact: checkWords,
  topic: checkSurveyName,
  cap: checkPositive,
  period: /* @__PURE__ */ oneOf("once", "day", "week", "month"),
  opens: checkTime,
  closes: checkTime,
  skew: checkSeconds,
  grace: checkSeconds,
  keep: checkSeconds,
  minimum: checkCount,
  mode: /* @__PURE__ */ oneOf("asked", "background"),
  repeat: /* @__PURE__ */ oneOf("once", "fresh", "remembered"),
  population: checkCount,
  language: checkLanguage,
  translations: readTranslations,
  kiosk: checkTrue,
  lan: checkTrue,
  carrier: checkCarrier,
  responsible: checkResponsible,
  crowd: readCrowd,
};
/** The terms that a document has only where they are used, never as null. */
const OPTIONAL = ["population", "language", "translations", "kiosk", "lan", "carrier", "responsible", "crowd"] as const;
type Optional = (typeof OPTIONAL)[number];

/** What the document says besides its questions and arms; `skew`, `grace` and `keep` are seconds. */
export type Terms = {
  readonly [F in Exclude<keyof typeof TERMS, Optional>]: ReturnType<(typeof TERMS)[F]>;
} & { readonly [F in Optional]?: ReturnType<(typeof TERMS)[F]> };

/** A survey, made by `readSurvey`. It cannot be changed: a changed document is another survey. */
export interface Survey extends Terms, Plan {
  /** What a device's ledger counts for the survey, whatever arm it draws. */
  readonly charge: number;
  /** One person's answer as bytes: the arm is drawn first, then each of its parts reports at random. */
  answer(answers: Answers): Uint8Array;
  /** The document as canonical JSON. */
  toJson(): string;
  /** SHA-256 of the canonical JSON: answers of one digest belong together, and only those. */
  readonly digest: string;
}

/** A survey before it is known which one it is. */
export type Unnamed = Omit<Survey, "digest">;

/** The survey of a document's text, in any writing of its JSON; an unknown or missing field is refused. */
export function readSurvey(text: string, families: Families = core): Survey {
  const read = readUnnamed(text, families);
  return withDigest(read, digest(read.toJson()));
}

/** The same, for those who have another way to the digest, which takes time. */
export function readUnnamed(text: string, families: Families): Unnamed {
  const fields = readObject(text, "a survey", LISTS, SINGLE);
  if (fields["version"] !== VERSION) {
    throw new FormatError(`a survey must be of version ${VERSION}, got another one; a newer release may read it`);
  }
  return verified("a survey must be one that can be asked", fields, () => {
    const terms = readTerms(fields);
    const questions = readQuestions(fields["questions"]);
    const arms = readArms(fields["arms"], questions, families);
    const read = { ...terms, questions, arms, charge: chargeOfAll(arms) };
    checkTerms(read);
    const document = documentOf(terms, questions, arms);
    return [answering(read, canonical(document)), document];
  });
}

/** A survey with the digest of its document. */
export function withDigest(read: Unnamed, digest: string): Survey {
  return Object.freeze({ ...read, digest });
}

function answering(read: Read, text: string): Unnamed {
  return {
    ...read,
    answer(answers: Answers) {
      return answerFrom(this, answers, systemWords);
    },
    toJson: () => text,
  };
}

type Read = Omit<Unnamed, "answer" | "toJson">;

function readTerms(fields: Spec): Terms {
  return Object.fromEntries(
    Object.entries(TERMS)
      .filter(([field]) => field in fields || !OPTIONAL.includes(field as Optional))
      .map(([field, check]) => [field, check(field, fields[field])]),
  ) as Terms;
}

/** The document as plain values; every field is there, an optional one if it is used. */
function documentOf(terms: Terms, questions: ReadonlyMap<string, Question>, arms: readonly Arm[]): Spec {
  return {
    version: VERSION,
    ...(terms as unknown as Spec),
    skew: BigInt(terms.skew),
    grace: BigInt(terms.grace),
    keep: BigInt(terms.keep),
    questions: [...questions.values()].map(writeQuestion),
    arms: arms.map(writeArm),
  };
}

function readQuestions(json: Json | undefined): ReadonlyMap<string, Question> {
  const byName = new Map<string, Question>();
  const questions = objects("questions", json, MOST_QUESTIONS);
  for (const fields of questions) {
    const question = readQuestion(fields, byName);
    byName.set(question.name, question);
  }
  if (byName.size < questions.length) {
    throw new ParameterError("questions must have names of their own, got one twice");
  }
  return byName;
}

function readArms(json: Json | undefined, questions: ReadonlyMap<string, Question>, families: Families): Arm[] {
  const arms = objects("arms", json, MOST_ARMS).map((arm) => readArm(arm, questions, families));
  if (totalWeight(arms) >= MOST_WEIGHT) {
    throw new ParameterError(`the weights of all arms must add up to less than ${MOST_WEIGHT}, got more`);
  }
  const cells = arms.flatMap((arm) => arm.parts.map((part) => cellsOf(part.mechanism.layout)));
  if (cells.reduce((a, b) => a + b, 0) > MOST_CELLS) {
    throw new CapacityError(`the counts of all parts together must be at most ${MOST_CELLS}, got more`);
  }
  return arms;
}

/** How many counts a tally of reports holds. */
function cellsOf(layout: Layout): number {
  if (layout.kind === "index") return layout.outputs;
  if (layout.kind === "bits") return layout.symbols;
  if (layout.kind === "cohort") return layout.cohorts * (1 + layout.symbols);
  return layout.sizes.reduce((a, b) => a + b, 0);
}

function oneOf<T extends string>(...choices: readonly T[]): (field: string, value: Json | undefined) => T {
  return (field, value) => checkChoice(field, value, choices);
}

function checkSeconds(field: string, value: Json | undefined): number {
  return checkInt(field, value, 0, MOST_SECONDS);
}

function checkTrue(field: string, value: Json | undefined): true {
  if (value === true) return value;
  throw new ParameterError(`${field} must be true or left out, got another value`);
}

/** Texts by what they state, none of them empty. */
function checkResponsible(field: string, value: Json | undefined): Readonly<Record<string, string>> {
  const texts = Object.entries(isObject(value) ? value : {});
  if (!texts.length || !texts.every(([name, text]) => RESPONSIBLE.test(name) && checkWords(name, text))) {
    throw new ParameterError(`${field} must hold one or more texts by known names, got others`);
  }
  return value as Readonly<Record<string, string>>;
}

/** What several fields say together. */
function checkTerms(survey: Read): void {
  const { cap, charge, opens, closes, repeat, period, questions, arms, mode, kiosk, lan, carrier } = survey;
  if (survey.translations) checkTranslations(survey);
  const parts = arms.flatMap((arm) => arm.parts);
  const names = new Set(parts.flatMap((part) => part.names));
  const silent = [...questions.keys()].find((name) => !names.has(name));
  if (cap < charge) throw new ParameterError(`cap must be at least what one answer costs, ${charge}, got cap=${cap}`);
  if (silent) throw new ParameterError(`every question must be asked in some arm, got '${silent}', which is in none`);
  if (opens !== null && closes !== null && closes <= opens) {
    throw new ParameterError(`closes must be after opens, got ${closes} and ${opens}`);
  }
  if (kiosk && (repeat !== "once" || mode !== "asked")) {
    throw new ParameterError("a survey for a kiosk must have repeat once and mode asked, got another");
  }
  if (lan && mode !== "asked") throw new ParameterError("a survey with lan must have mode asked, got another");
  if (carrier) checkField(survey);
  if (survey.crowd) checkMixed(survey);
  if (repeat !== "once" && period === "once") {
    throw new ParameterError("a survey that is answered again must have a period of day, week or month, got once");
  }
  if (repeat === "remembered" && [...questions.values()].some(({ kind }) => kind === "number")) {
    throw new ParameterError("a survey whose answers are remembered must ask for no number, got one");
  }
  if (parts.some((part) => (part.mechanism.permanent !== undefined) !== (repeat === "remembered"))) {
    throw new ParameterError("with repeat remembered, and only then, every mechanism must be Remembered, got others");
  }
}
