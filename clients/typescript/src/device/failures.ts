/** What becomes of answers that a collector did not take: which of its replies are final, and when to come back. */

import { clock } from "./clock.js";
import { type Outcome, pause } from "./retries.js";
import { objectIn, type Reply } from "./transport.js";

/** Problems that no retry mends, if they are the collector's own and name no time to come back. */
const FINAL = [400, 409, 410, 413, 415, 422];
const PROBLEM = "urn:deniable:problem:";

/** Of an answer that was sent, by a reply that is no receipt. */
export function afterUpload(reply: Reply): Outcome {
  const reason = finalProblem(reply);
  return (record, now) => {
    if (reason === undefined) return { reason: `status ${reply.status}`, ...pause(record, now, retryAfter(reply)) };
    const unsure = reply.status === 410 && record.attempts > 1; // an attempt before may have been counted
    return { state: unsure ? "unknown" : "refused", reason };
  };
}

/** Of an answer that no period takes now: it waits, unless the survey is over. */
export function afterDoor(door: Reply): Outcome {
  const reason = door.status === 410 ? finalProblem(door) : undefined;
  if (reason !== undefined) return () => ({ state: "refused", reason });
  return (record, now) => ({ reason: "no open period", ...pause(record, now, retryAfter(door)) });
}

/** The kind of a problem of the collector's own that ends all trying, such as `closed`; undefined for all else. */
function finalProblem(reply: Reply): string | undefined {
  const problem = reply.headers.get("content-type")?.startsWith("application/problem+json") && objectIn(reply);
  if (!problem || problem["status"] !== reply.status || !FINAL.includes(reply.status)) return undefined;
  if (reply.headers.has("retry-after") || typeof problem["type"] !== "string") return undefined;
  return problem["type"].startsWith(PROBLEM) ? problem["type"].slice(PROBLEM.length) : undefined;
}

/** In how many seconds to come back, if that is said. */
function retryAfter({ headers }: Reply): number | undefined {
  const written = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(written)) return Number(written.slice(0, 12));
  const moment = /^\w{3}, /.test(written) ? Date.parse(written) / 1000 : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - clock());
}
