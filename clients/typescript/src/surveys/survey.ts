/** The survey as a device holds it: its questions, arms and terms, as its text says. */

import { canonical, type Fields, type Json, readObject, type Spec } from "../canonical.js";
import { checkChoice, checkInt, checkPositive } from "../checks.js";
import { CapacityError, FormatError, ParameterError } from "../errors.js";
import type { Layout } from "../layouts.js";
import { asked, core, type Families, LABELS } from "../mechanisms/registry.js";
import { digest } from "../sha256.js";
import { systemWords } from "../words.js";
import { type Answers, answerFrom } from "./answers.js";
import { type Arm, MOST_WEIGHT, readArm, totalWeight, writeArm } from "./arms.js";
import { checkSurveyName, checkTime, checkWords } from "./fields.js";
import { chargeOfAll } from "./promise.js";
import { objects, type Question, readQuestion, writeQuestion } from "./questions.js";

const VERSION = 1n;
const MOST_ARMS = 2 ** 12;
const MOST_QUESTIONS = 2 ** 10;
/** The most counts of a survey's tally. */
const MOST_CELLS = 2 ** 28;
const MOST_SECONDS = 10 * 366 * 86400;
/** The largest integer of a document. */
const LARGEST = 0x7fff_ffff_ffff_ffffn;
/** The fields of a document whose lists hold labels. */
const LISTS: Fields = /* @__PURE__ */ new Set([
  "questions.labels",
  "questions.sensitive",
  "questions.blocks",
  ...[...LABELS].map((field) => `arms.parts.spec.${field}`),
]);
/** The fields that hold a label. */
const SINGLE: Fields = /* @__PURE__ */ new Set(["questions.no_answer", "arms.parts.encoder.label"]);

/** A survey, made by `readSurvey`. It cannot be changed: a changed document is another survey. */
export class Survey {
  readonly name: string;
  readonly title: string;
  readonly purpose: string;
  readonly owner: string;
  readonly contact: string;
  readonly topic: string;
  readonly cap: number;
  readonly period: "once" | "day" | "week" | "month";
  readonly opens: string | null;
  readonly closes: string | null;
  /** Seconds, as `grace` and `keep`. */
  readonly skew: number;
  readonly grace: number;
  readonly keep: number;
  readonly minimum: bigint;
  readonly mode: "asked" | "background";
  readonly repeat: "once" | "fresh" | "remembered";
  readonly questions: ReadonlyMap<string, Question>;
  readonly arms: readonly Arm[];
  /** What a device's ledger counts for the survey, whatever arm it draws. */
  readonly charge: number;

  constructor(given: Spec, families: Families) {
    this.name = checkSurveyName("name", given["name"]);
    this.title = checkWords("title", given["title"]);
    this.purpose = checkWords("purpose", given["purpose"]);
    this.owner = checkWords("owner", given["owner"]);
    this.contact = checkWords("contact", given["contact"]);
    this.topic = checkSurveyName("topic", given["topic"]);
    this.questions = readQuestions(given["questions"]);
    this.arms = readArms(given["arms"], this.questions, families);
    this.charge = chargeOfAll(this.arms);
    this.cap = checkPositive("cap", given["cap"]);
    this.period = checkChoice("period", given["period"], ["once", "day", "week", "month"]);
    this.opens = checkTime("opens", given["opens"]);
    this.closes = checkTime("closes", given["closes"]);
    this.skew = checkInt("skew", given["skew"], 0, MOST_SECONDS);
    this.grace = checkInt("grace", given["grace"], 0, MOST_SECONDS);
    this.keep = checkInt("keep", given["keep"], 0, MOST_SECONDS);
    this.minimum = checkMinimum(given["minimum"]);
    this.mode = checkChoice("mode", given["mode"], ["asked", "background"]);
    this.repeat = checkChoice("repeat", given["repeat"], ["once", "fresh", "remembered"]);
    checkTerms(this);
  }

  /** One person's answer as bytes: the arm is drawn first, then each of its parts reports at random. */
  answer(answers: Answers): Uint8Array {
    return answerFrom(this, answers, systemWords);
  }

  /** The document as plain values; every field is there. */
  document(): Spec {
    const { name, title, purpose, owner, contact, topic, cap, period, opens, closes, mode, repeat, minimum } = this;
    return {
      version: VERSION,
      ...{ name, title, purpose, owner, contact, topic, cap, period, opens, closes, mode, repeat, minimum },
      skew: BigInt(this.skew),
      grace: BigInt(this.grace),
      keep: BigInt(this.keep),
      questions: [...this.questions.values()].map(writeQuestion),
      arms: this.arms.map(writeArm),
    };
  }

  /** The document as canonical JSON. */
  toJson(): string {
    return canonical(this.document());
  }

  /** SHA-256 of the canonical JSON: answers of one digest belong together, and only those. */
  get digest(): string {
    return digest(this.toJson());
  }
}

/** The survey of a document's text, in any writing of its JSON; an unknown or missing field is refused. */
export function readSurvey(text: string, families: Families = core): Survey {
  const given = readObject(text, "a survey", LISTS, SINGLE);
  if (given["version"] !== VERSION) {
    throw new FormatError(`a survey must be of version ${VERSION}, got another one; a newer release may read it`);
  }
  return asked("a survey must be one that can be asked", given, () => {
    const made = new Survey(given, families);
    return [made, made.document()];
  });
}

function readQuestions(given: Json | undefined): ReadonlyMap<string, Question> {
  const questions = objects("questions", given, MOST_QUESTIONS).map(readQuestion);
  const found = new Map(questions.map((question) => [question.name, question]));
  if (found.size < questions.length) {
    throw new ParameterError("questions must have names of their own, got one twice");
  }
  return found;
}

function readArms(given: Json | undefined, questions: ReadonlyMap<string, Question>, families: Families): Arm[] {
  const arms = objects("arms", given, MOST_ARMS).map((arm) => readArm(arm, questions, families));
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

function checkMinimum(value: Json | undefined): bigint {
  if (typeof value === "bigint" && value >= 1n && value <= LARGEST) return value;
  throw new ParameterError(`minimum must be an integer from 1 to ${LARGEST}, got another value`);
}

/** What several fields say together. */
function checkTerms({ cap, charge, opens, closes, repeat, period, questions, arms }: Survey): void {
  const parts = arms.flatMap((arm) => arm.parts);
  const names = new Set(parts.flatMap((part) => part.names));
  const silent = [...questions.keys()].find((name) => !names.has(name));
  if (cap < charge) throw new ParameterError(`cap must be at least what one answer costs, ${charge}, got cap=${cap}`);
  if (silent) throw new ParameterError(`every question must be asked in some arm, got '${silent}', which is in none`);
  if (opens !== null && closes !== null && closes <= opens) {
    throw new ParameterError(`closes must be after opens, got ${closes} and ${opens}`);
  }
  if (repeat !== "once" && period === "once") {
    throw new ParameterError("a survey that is answered again must have a period of day, week or month, got once");
  }
  if (parts.some((part) => (part.mechanism.ever !== undefined) !== (repeat === "remembered"))) {
    throw new ParameterError("with repeat remembered, and only then, every mechanism must be Remembered, got others");
  }
}
