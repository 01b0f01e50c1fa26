/** Sealing by WebCrypto: RFC 9180's own vector, every good one to the byte, and keys that are none. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { infoOf, readKey, sealAnswer } from "../src/crowd.js";
import { CURVE, sealed } from "../src/hpke.js";
import { widthOfAnswer } from "../src/surveys/answers.js";
import { survey, vectors } from "./vectors.js";

type Vector = Record<string, string>;
const bytes = (text = "") => Uint8Array.from(Buffer.from(text, "hex"));
const hex = (given: Uint8Array) => Buffer.from(given).toString("hex");

/** A pair of keys from its number, which a device never has: its own are new each time, and do not leave the browser. */
async function pairOf(scalar: string, point: Uint8Array): Promise<CryptoKeyPair> {
  const [x, y] = [point.slice(1, 33), point.slice(33)].map((part) => Buffer.from(part).toString("base64url"));
  const jwk = { kty: "EC", crv: "P-256", x, y, d: Buffer.from(scalar, "hex").toString("base64url") } as JsonWebKey;
  const privateKey = await crypto.subtle.importKey("jwk", jwk, CURVE, true, ["deriveBits"]);
  const { d: _, ...open } = jwk;
  return { privateKey, publicKey: await crypto.subtle.importKey("jwk", open, CURVE, true, []) };
}

test("the vector of RFC 9180", async () => {
  const [vector] = vectors<Vector>("crowd.json", "rfc") as [Vector];
  const { ephemeral = "", point, recipient, info, plain, sealed: expected } = vector;
  const key = await crypto.subtle.importKey("raw", bytes(recipient), CURVE, true, []);
  const found = await sealed(key, bytes(info), bytes(plain), await pairOf(ephemeral, bytes(point)));
  assert.equal(hex(found), expected);
});

test("answers are sealed to the byte", async () => {
  for (const { name, key = "", document, ...vector } of vectors<Vector>("crowd.json", "good")) {
    const { digest } = survey(document as string);
    const info = infoOf(digest, vector["period"] ?? "");
    assert.equal(hex(info), vector["info"], name);
    const pair = await pairOf(vector["ephemeral"] ?? "", bytes(vector["sealed"]).slice(0, 65));
    const found = await sealed(await readKey(key), info, bytes(vector["plain"]), pair);
    assert.equal(hex(found), vector["sealed"], name);
  }
});

test("an answer is sealed in one length, in other bytes each time", async () => {
  for (const { key = "", document, id, answer, period = "", sealed: expected } of vectors<Vector>(
    "crowd.json",
    "good",
  )) {
    const plan = survey(document as string);
    const longest = Math.max(...plan.arms.map((_, arm) => widthOfAnswer(plan, arm)));
    const seal = { key, digest: plan.digest, period, longest };
    const found = await Promise.all([1, 2, 3].map(() => sealAnswer(seal, bytes(id), bytes(answer))));
    assert.equal(new Set(found.map(hex)).size, 3);
    for (const each of found) assert.equal(each.length, bytes(expected).length);
  }
});

test("what is no id and no answer is not sealed", async () => {
  const [{ key = "" }] = vectors<Vector>("crowd.json", "good") as [Vector];
  const seal = { key, digest: "ab".repeat(32), period: "once", longest: 2 };
  for (const [id, answer] of [
    [15, 2],
    [17, 2],
    [16, 3],
  ] as const) {
    await assert.rejects(sealAnswer(seal, new Uint8Array(id), new Uint8Array(answer)), { name: "ReportError" });
  }
});

test("keys that are none are refused", async () => {
  for (const { why, key = "" } of vectors<Vector>("crowd.json", "keys")) {
    await assert.rejects(readKey(key), { name: "ParameterError", message: /^key must be/ }, why);
  }
});
