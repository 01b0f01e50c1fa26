/** Values of a field in somebody else's form: every good vector to the byte; Python alone reads them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldLength, writeDeclined, writeField } from "../src/surveys/fieldValue.js";
import { survey, vectors } from "./vectors.js";

test("values are those of the vectors, in the only writing of their bytes", () => {
  const bytes = (text = "") => Uint8Array.from(Buffer.from(text, "hex"));
  for (const { name, document, id, answer, value, declined } of vectors<Record<string, string>>(
    "fields.json",
    "good",
  )) {
    const { digest } = survey(document as string);
    const written = writeField(digest, bytes(id), bytes(answer));
    assert.deepEqual([written, writeDeclined(digest)], [value, declined], name);
    assert.equal(written.length, fieldLength(bytes(answer).length));
    const [body = ""] = written.split(":").slice(-1);
    assert.equal(Buffer.from(body, "base64url").toString("base64url"), body);
  }
});
