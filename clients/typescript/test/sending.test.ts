/** Requests that end in time, and pauses that grow; all else about sending is tried against the strict collector. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { AnswerRecord } from "../src/device/records.js";
import { FARTHEST, pause } from "../src/device/retries.js";
import { MOST_REPLY, request } from "../src/device/transport.js";

/** The address of a server that answers like this. */
async function served(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  t.after(() => server.close().closeAllConnections());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a reply that drips is none once the time is over", async (t) => {
  const endpoint = await served(t, (_, reply) => {
    const dripping = setInterval(() => reply.write("a"), 50);
    reply.on("close", () => clearInterval(dripping));
  });
  const begun = process.hrtime.bigint();
  assert.equal(await request(endpoint, "/", { patience: 400 }), null);
  assert.ok(process.hrtime.bigint() - begun < 3_000_000_000n);
});

test("a reply is read no further than it may be long", async (t) => {
  let written = 0;
  const endpoint = await served(t, (_, reply) => {
    const more = () => {
      written += MOST_REPLY;
      return !reply.destroyed && reply.write("a".repeat(MOST_REPLY), () => setImmediate(more));
    };
    more();
  });
  assert.equal(await request(endpoint, "/"), null);
  assert.ok(written < 1000 * MOST_REPLY);
});

test("nobody there is no reply", async () => {
  assert.equal(await request("http://127.0.0.1:1", "/"), null);
});

test("pauses are twice as long each time, by chance between half of that and all of it, up to a day", () => {
  for (const [failures, longest] of [
    [0, 60],
    [1, 120],
    [5, 1920],
    [11, 86400],
    [1000, 86400],
  ] as const) {
    const waits = Array.from({ length: 200 }, () => pause({ failures } as AnswerRecord, 0));
    assert.ok(waits.every(({ notBefore }) => notBefore >= longest / 2 && notBefore < longest));
    assert.ok(waits.every((each) => each.failures === failures + 1));
    const least = Math.min(...waits.map(({ notBefore }) => notBefore));
    const most = Math.max(...waits.map(({ notBefore }) => notBefore));
    assert.ok(most - least > longest / 4); // 200 uniform ones are nearer together less than once in 1e57
  }
});

test("a time to come back is kept, up to a week, and the devices come one after another", () => {
  for (const [said, least] of [
    [0, 0],
    [3600, 3600],
    [1e12, 7 * 86400],
  ] as const) {
    const waits = Array.from({ length: 200 }, () => pause({ failures: 9 } as AnswerRecord, 0, said).notBefore);
    assert.ok(waits.every((wait) => wait >= least && wait < least + 60 && wait < FARTHEST));
    assert.ok(new Set(waits).size > 150);
  }
});
