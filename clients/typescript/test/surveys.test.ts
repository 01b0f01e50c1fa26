/** Surveys: documents, answers, labels and periods; every vector. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { hex } from "../src/bytes.js";
import { DenialError, FormatError, LabelError, ReportError } from "../src/errors.js";
import { facts, outcomes } from "../src/label.js";
import { checkAnswerBytes } from "../src/reports.js";
import { complete } from "../src/surveys/answers.js";
import { placeOf, readGrid } from "../src/surveys/grid.js";
import { boundsOf, periodAt } from "../src/surveys/periods.js";
import { newId, uploadOf } from "../src/surveys/upload.js";
import { answerFrom, givenWords } from "../src/testing.js";
import { documents, survey, vectors } from "./vectors.js";

type Vector = Record<string, string>;

interface Placed {
  low: string;
  high: string;
  step: string;
  answers: unknown[];
  places: (number | null)[];
}

interface Given {
  document: string;
  answers: Record<string, unknown>;
  complete: Record<string, unknown> | null;
}

interface Drawn {
  name: string;
  answers: Record<string, unknown>;
  words: string[][];
  hex: string;
}

test("good documents", () => {
  for (const { name, document, sha256, level, charge } of vectors<Vector>("surveys.json", "good")) {
    const read = survey(document as string);
    assert.deepEqual([read.toJson(), read.digest], [document, sha256], name);
    const own = facts(read);
    assert.deepEqual([own.level === Infinity ? "inf" : own.level, own.charge], [level, charge], name);
  }
});

test("other writings of a document", () => {
  for (const { name, text, document, sha256 } of vectors<Vector>("surveys.json", "equivalent")) {
    const read = survey(text as string);
    assert.deepEqual([read.toJson(), read.digest], [document, sha256], name);
  }
});

test("bad documents", () => {
  for (const { why, document } of vectors<Vector>("surveys.json", "bad")) {
    assert.throws(() => survey(document as string), { name: "FormatError", message: /^a survey must/ }, why);
  }
});

test("answers", () => {
  const bytes = (text = "") => Uint8Array.from(Buffer.from(text, "hex"));
  for (const { document, hex: answer } of vectors<Vector>("surveys.json", "answers")) {
    assert.doesNotThrow(() => checkAnswerBytes(survey(document as string), bytes(answer)));
  }
  for (const { why, document, hex: answer } of vectors<Vector>("surveys.json", "bad_answers")) {
    assert.throws(() => checkAnswerBytes(survey(document as string), bytes(answer)), ReportError, why);
  }
});

test("uploads of one answer", () => {
  const single = vectors<{ document: string; hex: string; id: string; answers: string[] }>("uploads.json", "good");
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));
  const own = single.filter(({ answers }) => answers.length === 1);
  assert.ok(own.length > 0);
  for (const { document, hex: wanted, id, answers } of own) {
    assert.equal(hex(uploadOf(survey(document), bytes(id), bytes(answers[0] as string))), wanted);
  }
  assert.equal(newId().length, 16);
  assert.notDeepEqual(newId(), newId());
});

test("an answer is drawn from the words of its arm, then from those of its parts", () => {
  const texts = documents();
  for (const { name, answers, words, hex: wanted } of vectors<Drawn>("surveys.json", "draws")) {
    const tape = givenWords(words.flat().map(BigInt));
    assert.equal(hex(answerFrom(survey(texts.get(name) as string), answers, tape)), wanted, name);
    assert.equal(tape.left(), 0, name);
  }
});

test("who is asked which question follows from the answers, and nobody else answers it", () => {
  const plain = (_: string, value: unknown) => (typeof value === "bigint" ? Number(value) : value);
  for (const { document, answers, complete: wanted } of vectors<Given>("surveys.json", "given")) {
    const read = survey(document);
    if (wanted) {
      assert.deepEqual(JSON.parse(JSON.stringify(Object.fromEntries(complete(read, answers)), plain)), wanted);
    } else assert.throws(() => complete(read, answers), LabelError);
  }
});

const ONE = vectors<Vector>("surveys.json", "equivalent")[0]?.["document"] as string;

test("places of numbers on their scales", () => {
  for (const { low, high, step, answers, places } of vectors<Placed>("surveys.json", "places")) {
    const scale = readGrid({ low, high, step });
    assert.deepEqual(
      answers.map((answer) => placeOf(scale, answer) ?? null),
      places,
      low,
    );
  }
});

test("periods", () => {
  for (const { period, moment, name, begins, ends } of vectors<Vector>("surveys.json", "periods")) {
    const read = survey(ONE.replace('"period":"once"', `"period":"${period}"`));
    assert.equal(periodAt(read, new Date(moment as string)), name);
    const bounds = boundsOf(read, name as string).map((each) => each?.toISOString().replace(".000Z", "Z") ?? null);
    assert.deepEqual(bounds, [begins, ends], `${period} ${moment}`);
  }
});

test("a strange period is refused", () => {
  for (const name of ["2026-13", "2026-W54", "2026-8", "once", "2026-08-01 ", "2026-08-01", "٢٠٢٦-08", ""]) {
    assert.throws(() => boundsOf(survey(ONE.replace('"period":"once"', '"period":"month"')), name), DenialError, name);
  }
  for (const name of ["2026-W00", "2026-W54", "2026-W1", "2025-W53"]) {
    assert.throws(() => boundsOf(survey(ONE.replace('"period":"once"', '"period":"week"')), name), DenialError, name);
  }
});

test("an answer is one of its outcomes, whose probabilities add up to 1", () => {
  const read = survey(ONE);
  const { payloads, count, sentence } = outcomes(read, { way: "bus" });
  assert.equal(sentence, `One of ${count} payloads of 1 bytes is sent.`);
  const total = payloads.reduce((sum, { chance: [n, d] }) => sum + (n * 10n ** 40n) / d, 0n);
  assert.ok(10n ** 40n - total < 4n);
  const known = new Set(payloads.map(({ bytes }) => hex(bytes)));
  for (let k = 0; k < 30; k++) assert.ok(known.has(hex(read.answer({ way: "bus" }))));
});

test("what is no answer is refused and never shown", () => {
  const read = survey(ONE);
  for (const given of [{}, { way: "a secret" }, { way: ["bus"] }, { way: "bus", secret: 1 }, null, ["a secret"]]) {
    for (const answered of [read.answer.bind(read), (answers: object) => outcomes(read, answers as never)]) {
      assert.throws(
        () => answered(given as never),
        (error: Error) => error instanceof DenialError && !error.message.includes("secret"),
      );
    }
  }
});

test("a document with a byte changed is refused or has another digest", () => {
  const { digest } = survey(ONE);
  for (let at = 0; at < ONE.length; at++) {
    for (const other of ["0", "x", " ", '"']) {
      if (ONE[at] === other) continue;
      try {
        const text = ONE.slice(0, at) + other + ONE.slice(at + 1);
        const read = survey(text);
        assert.ok(read.digest !== digest, text);
      } catch (error) {
        assert.ok(error instanceof FormatError, `${error}`);
      }
    }
  }
});
