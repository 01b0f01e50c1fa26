/** The client of one survey on one device: it asks for consent, draws an answer once, keeps it, and sends it. */

import { hex } from "../bytes.js";
import { ConsentError, ParameterError } from "../errors.js";
import type { LabelLanguage } from "../languages/language.js";
import { added } from "../privacy/levels.js";
import type { Answers } from "../surveys/answers.js";
import { type Essentials, isAsTold } from "../surveys/essentials.js";
import type { Facts } from "../surveys/label.js";
import type { Outcomes } from "../surveys/outcomes.js";
import { checkNotOver, periodAt } from "../surveys/periods.js";
import type { Survey } from "../surveys/survey.js";
import { newId, uploadOf } from "../surveys/upload.js";
import { type Caps, charge, levelsOf, spentOn, type Topic } from "./ledger.js";
import { type Outbox, send } from "./outbox.js";
import {
  type AnswerRecord,
  addRecord,
  grant,
  isGranted,
  keysOf,
  type Receipt,
  receiptOf,
  recordsOf,
  withdraw,
} from "./records.js";
import type { Entries } from "./store.js";

/** What this device has spent: of each topic, with its cap, and in all. */
export interface Spent {
  readonly topics: Readonly<Record<string, Topic>>;
  readonly total: number;
}

/** Whether somebody agreed to a survey, after they were shown what follows from it. */
export interface Consent {
  /** Whether they agreed and have not withdrawn. */
  granted(): Promise<boolean>;
  /**
   * They were shown these sentences, which must be the survey's in that language, and agreed; of a page that a collector
   * wrote, these numbers, which must be the survey's. Of a remembered survey all that will ever be sent is drawn now, and
   * charged now.
   */
  grant(shown: Iterable<string> | Essentials, language?: LabelLanguage): Promise<void>;
  /** They no longer agree: nothing more is drawn or sent. What has been spent stays written down. */
  withdraw(): Promise<void>;
}

/** How a client behaves. */
export interface Terms extends Outbox {
  readonly caps: Caps;
  readonly mode: "asked" | "background";
  readonly rehearsed: boolean;
}

/** A survey on this device; made by `open`. */
export class Client {
  readonly survey: Survey;
  readonly mode: "asked" | "background";
  /** Whether it is only tried out: nothing is stored or sent. */
  readonly rehearsed: boolean;
  readonly #terms: Terms;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(terms: Terms) {
    this.survey = terms.survey;
    this.mode = terms.mode;
    this.rehearsed = terms.rehearsed;
    this.#terms = terms;
  }

  /** The privacy label as numbers and sentences; it is loaded when it is first asked for, as `outcomes` are. */
  async facts(): Promise<Facts> {
    const { facts } = await import("../label.js");
    return facts(this.survey);
  }

  /** Every payload that these answers may become; nothing is drawn, stored or sent. */
  async outcomes(answers: Answers): Promise<Outcomes> {
    const { outcomes } = await import("../label.js");
    return outcomes(this.survey, answers);
  }

  /** Whether the person agreed, and how they do. */
  consent(): Consent {
    const { store, digest } = this.#terms;
    return {
      granted: () => store.update((entries) => isGranted(entries, digest)),
      grant: (shown, language) => this.#grant(shown, language),
      withdraw: () => store.update((entries) => withdraw(entries, digest)),
    };
  }

  /** Draw an answer and keep it with what it costs, in one step; asked again in the same period, the same one. */
  async answer(answers: Answers): Promise<Receipt> {
    checkMaySend(this.mode);
    if (this.survey.carrier) {
      throw new ParameterError("an answer to a survey with carrier field must be handed over, got one to send");
    }
    const { store, digest } = this.#terms;
    const draw = await this.#drawing();
    return store.update((entries) => {
      if (!isGranted(entries, digest)) {
        throw new ConsentError("an answer must follow consent, got one before; grant it first");
      }
      return receiptOf(this.#again(entries) ?? this.#drawn(entries, () => draw(entries, answers)));
    });
  }

  /**
   * The value of an answer for a field in somebody else's form, of a survey with carrier field. It is drawn and kept with
   * what it costs in one step, and is final from then on: asked again, it is the same one.
   */
  async handOver(answers: Answers): Promise<string> {
    const { handOver } = await import("./handingOver.js");
    return handOver(this.#terms, answers);
  }

  /** The value for the same field of somebody who would rather not answer, or has not answered yet. */
  async declined(): Promise<string> {
    const { declined } = await import("./handingOver.js");
    return declined(this.survey);
  }

  /**
   * Send what waits and is due, one answer at a time; the receipts of all answers to this survey, as they are then. Of a
   * browser that knows it is offline nothing is tried, so that nothing has to pause once it is back.
   */
  flush(): Promise<Receipt[]> {
    const sent = this.#turn.then(() => this.#sendAll());
    this.#turn = sent.catch(() => {});
    return sent;
  }

  /** What became of every answer to this survey, the oldest first. */
  receipts(): Promise<Receipt[]> {
    const { store, digest } = this.#terms;
    return store.update((entries) => recordsOf(entries, digest).map(receiptOf));
  }

  /** What this device has spent. */
  spent(): Promise<Spent> {
    return this.#terms.store.update((entries) => {
      const topics = spentOn(entries);
      return { topics: Object.fromEntries(topics), total: added(...levelsOf(topics)) };
    });
  }

  /**
   * Begin anew for somebody else, of a survey for a kiosk: of the person before nothing is kept, in one step. Their
   * consent, what they spent and their receipts go; it is refused while their answer waits to be sent.
   */
  async nextPerson(): Promise<void> {
    const { nextPerson } = await import("./kiosk.js");
    await nextPerson(this.#terms);
  }

  /** Whether a new answer could be sent: none to a mixer without an invitation of its own. */
  get isInvited(): boolean {
    return !this.#terms.sealing || this.#terms.code !== undefined;
  }

  /** This device's clock, which decides when to try again and what counts as asked again; it is never sent. */
  now(): number {
    return this.#terms.clock();
  }

  async #grant(shown: Iterable<string> | Essentials, language?: LabelLanguage): Promise<void> {
    const { survey, mode } = this;
    const { store, digest } = this.#terms;
    if (!(await this.#follows(shown, language))) {
      throw new ConsentError("what was shown must be the survey's sentences, got others");
    }
    checkMaySend(mode);
    const enrol = survey.repeat === "remembered" ? (await import("./permanentReports.js")).enrolOnce : undefined;
    await store.update((entries) => {
      enrol?.(entries, this.#terms, this.#moment());
      grant(entries, digest);
    });
  }

  /** Whether what was shown is what follows from the document. */
  async #follows(shown: Iterable<string> | Essentials, language?: LabelLanguage): Promise<boolean> {
    if ("level" in shown) return isAsTold(this.survey, shown);
    const { sentences } = await import("../surveys/sentences.js");
    return JSON.stringify([...shown]) === JSON.stringify(sentences(this.survey, language));
  }

  async #sendAll(): Promise<Receipt[]> {
    const { store, digest } = this.#terms;
    if (maySend(this.mode) && globalThis.navigator?.onLine !== false) {
      const granted = (entries: Entries) => (isGranted(entries, digest) ? keysOf(entries, digest) : []);
      for (const key of await store.update(granted)) await send(this.#terms, key, this.now());
    }
    return this.receipts();
  }

  /** The answer that stands for this period, or that still waits; undefined if a new one is due. */
  #again(entries: Entries): AnswerRecord | undefined {
    const last = recordsOf(entries, this.#terms.digest).at(-1);
    const closed = last?.state === "refused" && last.period === null; // the door said that the survey is over
    if (!last || this.survey.repeat === "once" || last.state === "waiting" || closed) return last;
    return [last.askedIn, last.period].includes(this.#period()) ? last : undefined;
  }

  /** A new answer, charged before it is drawn. */
  #drawn(entries: Entries, draw: () => Uint8Array): AnswerRecord {
    const { survey } = this;
    const { digest, caps, endpoint } = this.#terms;
    checkNotOver(survey, this.#moment());
    if (!this.isInvited) {
      throw new ParameterError("code must be an invitation of the mixer's for a survey with a crowd, got none");
    }
    const cost = survey.repeat === "remembered" ? 0 : charge(entries, survey, caps);
    return addRecord(entries, {
      ...{ survey: digest, name: survey.name, title: survey.title, topic: survey.topic, charge: cost, endpoint },
      ...(survey.crowd && { collector: survey.crowd.collector }),
      askedIn: this.#period(),
      upload: hex(uploadOf(survey, newId(), draw())),
      ...{ state: "waiting", reason: "", period: null, attempts: 0, failures: 0, notBefore: 0 },
    });
  }

  /** How an answer is drawn: anew, or from the reports that are remembered. */
  async #drawing(): Promise<(entries: Entries, answers: Answers) => Uint8Array> {
    const { survey } = this;
    if (survey.repeat !== "remembered") return (_, answers) => survey.answer(answers);
    const { answerFromReports } = await import("./permanentReports.js");
    return (entries, answers) => answerFromReports(entries, survey, answers);
  }

  #period(): string {
    return periodAt(this.survey, this.#moment());
  }

  #moment(): Date {
    return new Date(this.now() * 1000);
  }
}

/** Whether anything may be sent: nothing in the background of somebody who asked not to be tracked. */
function maySend(mode: Client["mode"]): boolean {
  const { navigator, process } = globalThis as {
    navigator?: { globalPrivacyControl?: boolean };
    process?: { env?: Record<string, string> };
  };
  const track = process?.env?.["DO_NOT_TRACK"] ?? "";
  return mode !== "background" || !(navigator?.globalPrivacyControl || !["", "0"].includes(track));
}

function checkMaySend(mode: Client["mode"]): void {
  if (!maySend(mode)) {
    throw new ConsentError(
      "nothing may be answered in the background under Global Privacy Control or DO_NOT_TRACK, got an answer",
    );
  }
}

/**
 * Flush now, whenever the browser comes back online, and whenever the page is hidden, which may be its end. Whether
 * anything is sent is in the receipts; a store that fails then says so again when the next answer needs it. The
 * function that is returned stops all that.
 */
export function flushWhenPossible(client: Client): () => void {
  const flush = () => void client.flush().catch(() => {});
  const hidden = () => document.visibilityState === "hidden" && flush();
  addEventListener("online", flush);
  document.addEventListener("visibilitychange", hidden);
  flush();
  return () => {
    removeEventListener("online", flush);
    document.removeEventListener("visibilitychange", hidden);
  };
}
