/** Handing over: an answer becomes the value of a field in somebody else's form, once and for all; see wire/field.md. */

import { bytesOf, hex, joined } from "../bytes.js";
import { ConsentError, ParameterError } from "../errors.js";
import type { Answers } from "../surveys/answers.js";
import { fieldId, ID, writeDeclined, writeField } from "../surveys/fieldValue.js";
import { checkNotOver } from "../surveys/periods.js";
import type { Survey } from "../surveys/survey.js";
import { type Caps, charge } from "./ledger.js";
import type { Outbox } from "./outbox.js";
import { type AnswerRecord, addRecord, isGranted, recordsOf } from "./records.js";
import type { Entries } from "./store.js";

interface Handing extends Outbox {
  readonly caps: Caps;
}

/** The value of an answer: the one that was handed over, else a new one, which the store has before anybody else. */
export async function handOver(terms: Handing, answers: Answers): Promise<string> {
  const { survey, store } = terms;
  checkCarried(survey);
  const { upload } = await store.update((entries) => {
    if (!isGranted(entries, survey.digest)) {
      throw new ConsentError("an answer must follow consent, got one before; grant it first");
    }
    const last = recordsOf(entries, survey.digest).at(-1);
    if (!last && entries.isTaken?.(survey.digest)) {
      throw new ParameterError("a device must answer a survey for one respondent, got another after the first");
    }
    return last ?? drawn(entries, terms, answers);
  });
  if (!upload) {
    throw new ConsentError("an answer must be handed over once, got one that was withdrawn after that");
  }
  const body = bytesOf(upload);
  return writeField(survey.digest, body.subarray(0, ID), body.subarray(ID));
}

/** The value of somebody who would rather not answer, or has not answered yet. */
export function declined(survey: Survey): string {
  checkCarried(survey);
  return writeDeclined(survey.digest);
}

function checkCarried({ carrier }: Survey): void {
  if (!carrier) {
    throw new ParameterError(
      "a survey that is handed over must have carrier field, got one that is sent; use answer for it",
    );
  }
}

/** The topic in the ledger: authors who share a host share no topics. */
function ownTopic({ topic, owner }: Survey): string {
  return owner ? `${topic} (${owner})` : topic;
}

/** A new answer, charged before it is drawn. */
function drawn(entries: Entries, { survey, caps, clock }: Handing, answers: Answers): AnswerRecord {
  const { digest, name, title, topic } = survey;
  checkNotOver(survey, new Date(1000 * clock()));
  const own = ownTopic(survey);
  const topics = new Map([[own, caps.topics.get(topic) ?? Infinity]]);
  const cost = charge(entries, { topic: own, cap: survey.cap, charge: survey.charge }, { ...caps, topics });
  return addRecord(entries, {
    ...{ survey: digest, name, title, topic, charge: cost, endpoint: "", askedIn: "once" },
    upload: hex(joined(fieldId(), survey.answer(answers))),
    ...{ state: "handed over", reason: "", period: null, attempts: 0, failures: 0, notBefore: 0 },
  });
}
