/** Sending what waits: the period from the door, the same bytes until a final reply, and longer and longer pauses. */

import { bytesOf } from "../bytes.js";
import { DenialError } from "../errors.js";
import { boundsOf } from "../surveys/periods.js";
import type { Survey } from "../surveys/survey.js";
import { type AnswerRecord, recordAt, recordsOf, settle } from "./records.js";
import { FARTHEST, type Outcome, pause } from "./retries.js";
import type { Sealing } from "./sealing.js";
import type { Entries, Store } from "./store.js";
import { objectIn, type Reply, type request } from "./transport.js";

/** What a client has around it: a store, a network and a clock; the real ones, or those of a rehearsal. */
export interface Surroundings {
  readonly store: Store;
  readonly request: typeof request;
  /** Seconds since the beginning of 1970; never sent. */
  readonly clock: () => number;
}

/** Where the answers to a survey wait, and where they go. */
export interface Outbox extends Surroundings {
  readonly survey: Survey;
  readonly digest: string;
  readonly endpoint: string;
  readonly code: string | undefined;
  /** Of a survey with a crowd: how its answers are sealed. */
  readonly sealing?: Sealing | undefined;
}

/** Try to send an answer, if it waits and is due. */
export async function send(outbox: Outbox, key: string, now: number): Promise<void> {
  const record = await outbox.store.update((entries) => recordAt(entries, key));
  if (record?.state !== "waiting" || (now < record.notBefore && record.notBefore < now + FARTHEST)) return;
  const begun = await begin(outbox, key, record, now);
  if (!begun) return;
  const path = `/v1/surveys/${begun.survey}/periods/${begun.period}/answers`;
  const code = begun.endpoint === outbox.endpoint ? outbox.code : undefined; // it is for its own collector
  const reply = await outbox.request(begun.endpoint, path, { body: bytesOf(begun.upload), code });
  await settleBy(outbox, key, await outcomeOf(reply), now);
}

/** The answer with its period, counted as tried before it is; undefined if it cannot be sent now. */
async function begin(outbox: Outbox, key: string, record: AnswerRecord, now: number) {
  const door =
    record.period === null ? await outbox.request(record.endpoint, `/v1/surveys/${record.survey}/door`) : null;
  const found = (entries: Entries) => offered(outbox, door, entries, now);
  const sealed = await outbox.sealing?.(record, outbox.store, found);
  const begun = await outbox.store.update((entries) => {
    const current = recordAt(entries, key);
    if (current?.state !== "waiting") return undefined;
    const period = current.period ?? found(entries);
    const upload = period && (sealed ? sealed(current, period) : current.upload);
    if (!period || !upload) return undefined;
    const { notBefore } = pause(current, now); // should this page or process end before the reply
    return settle(entries, key, { period, upload, attempts: current.attempts + 1, notBefore });
  });
  if (!begun) await settleBy(outbox, key, await failedOutcome(door, "afterDoor"), now);
  return begun;
}

/**
 * Change the answer as it is now: another tab or process may have tried meanwhile. Of a sealed one nothing is kept once
 * that is final.
 */
function settleBy({ store, sealing }: Outbox, key: string, outcome: Outcome, now: number): Promise<void> {
  return store.update((entries) => {
    const current = recordAt(entries, key);
    if (!current) return;
    const changes = outcome(current, now);
    settle(entries, key, sealing && changes.state ? { ...changes, upload: "" } : changes);
  });
}

/**
 * The last period behind the door that has begun, if it is later than those that have been answered. Doors of periods
 * that are over stay open for a while; who answers now answers about now. One that has not begun by this device's
 * clock is taken if none has, for the clock may be slow.
 */
function offered({ survey, digest }: Outbox, door: Reply | null, entries: Entries, now: number): string | undefined {
  const listed = door?.status === 200 ? objectIn(door)?.["periods"] : [];
  const names = Array.isArray(listed) ? listed.map((each) => each?.period) : [];
  const by = (moment: number) => names.filter((name) => beginsBy(survey, name, moment));
  const [begun, near] = [by(now), by(now + survey.skew + FARTHEST)];
  const newest = last(begun.length ? begun : near);
  return newest > last(recordsOf(entries, digest).map(({ period }) => period ?? "")) ? newest : undefined;
}

/** Whether a period is one of the survey's, and begins by then: a door that offers others is not believed. */
function beginsBy(survey: Survey, name: unknown, moment: number): boolean {
  try {
    const [begins] = boundsOf(survey, `${name}`);
    return typeof name === "string" && (begins === null || begins.getTime() <= moment * 1000);
  } catch (error) {
    if (error instanceof DenialError) return false;
    throw error;
  }
}

/** The last of names of periods, which sort by time. */
function last(names: readonly string[]): string {
  return [...names].sort().at(-1) ?? "";
}

const NO_REPLY: Outcome = (record, now) => ({ reason: "no reply", ...pause(record, now) });

/** What becomes of an answer that was sent: a final state, or another attempt later. */
async function outcomeOf(reply: Reply | null): Promise<Outcome> {
  if (reply?.status === 200 && objectIn(reply)?.["answers"] === 1) return () => ({ state: "sent", reason: "" });
  return failedOutcome(reply, "afterUpload");
}

/** What becomes of one that was not received. Few need these rules: where they cannot be loaded, there was no reply. */
async function failedOutcome(reply: Reply | null, kind: "afterUpload" | "afterDoor"): Promise<Outcome> {
  if (!reply) return NO_REPLY;
  return import("./failures.js").then(
    (failing) => failing[kind](reply),
    () => NO_REPLY,
  );
}
