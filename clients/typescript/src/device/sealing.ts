/** Sealing on a device: how an answer that waits becomes one that its collector alone can open; see wire/crowd.md. */

import { bytesOf, hex, joined } from "../bytes.js";
import { INNER_ID, readKey, sealAnswer } from "../crowd.js";
import { ParameterError } from "../errors.js";
import { HEAD, widthOfAnswer } from "../surveys/answers.js";
import type { Crowd } from "../surveys/crowd.js";
import type { Survey } from "../surveys/survey.js";
import { COUNT, ID, newId, uploadOfOne } from "../surveys/upload.js";
import type { AnswerRecord } from "./records.js";
import { altered, type Store, type Work } from "./store.js";
import { checkEndpoint } from "./transport.js";

/**
 * Seals an answer that waits for the period that is offered now, and gives what its step writes in place of the upload:
 * undefined if the answer or the period is another by then. WebCrypto takes time, for which no step can wait.
 */
export type Sealing = (
  record: AnswerRecord,
  store: Store,
  offered: Work<string | undefined>,
) => Promise<(current: AnswerRecord, period: string) => string | undefined>;

/** Where the answers to a survey with a crowd go, and how they are sealed; refused where nothing can be sealed. */
export async function mixing(survey: Survey, crowd: Crowd, given: string) {
  const endpoint = checkEndpoint(crowd.mixer);
  if (given && given !== endpoint) {
    throw new ParameterError(
      `endpoint must be the mixer of a survey with a crowd, ${endpoint}, or left out, got another; its collector takes no answers of devices`,
    );
  }
  const { key } = crowd;
  if (key === undefined) {
    throw new ParameterError("a survey with a crowd must have the key of its collector to be answered, got none");
  }
  await readKey(key);
  const longest = Math.max(...survey.arms.map((_, arm) => widthOfAnswer(survey, arm)));
  const head = survey.arms.length > 1 ? HEAD : 0;
  const seal = async (waiting: string, period: string) => {
    const upload = bytesOf(waiting);
    const answer = joined(upload.subarray(ID, ID + head), upload.subarray(ID + HEAD + COUNT));
    const sealed = await sealAnswer({ key, digest: survey.digest, period, longest }, newId(), answer);
    return hex(uploadOfOne(upload.subarray(0, ID), sealed));
  };
  const sealing: Sealing = async (record, store, offered) => {
    const open = record.period === null;
    const period = open ? await store.update(offered) : undefined;
    const sealed = period && (await seal(record.upload, period));
    return (current, fixed) => {
      if (current.period === null)
        return open && current.upload === record.upload && fixed === period ? sealed : undefined;
      if (current.upload.length === 2 * (ID + HEAD + COUNT + OVERHEAD + longest)) return current.upload;
      throw altered("sealed answers once they have a period");
    };
  };
  return { endpoint, sealing };
}

/** Bytes of a sealed answer beside the longest answer: a point, an id, and a tag. */
const OVERHEAD = 65 + INNER_ID + 16;
