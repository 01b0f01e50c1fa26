/** Reads cases, one JSON a line, and writes what this client makes of each: another language's is set beside it. */

import { createInterface } from "node:readline";
import { hex } from "../src/bytes.js";
import { DenialError } from "../src/errors.js";
import { facts, outcomes } from "../src/label.js";
import { enrolFrom, recall, roundReportOf } from "../src/mechanisms/enrolment.js";
import { answerFrom, givenWords, privatizeFrom } from "../src/testing.js";
import { spec, survey, valueAt, written } from "./vectors.js";

interface Case {
  readonly spec?: string;
  readonly survey?: string;
  readonly value: number | string | number[];
  readonly answers: Record<string, unknown>;
  readonly words: string[];
}

function replayed({ spec: text, survey: document, value, answers, words }: Case): object {
  const tape = givenWords(words.map(BigInt));
  if (text !== undefined) {
    const m = spec(text);
    const given = valueAt(m, value);
    const report = written(privatizeFrom(m, given, tape));
    const kept = m.permanent ? enrolFrom(m, () => tape) : [];
    const sent = m.permanent ? [recall(m, kept, given)].map((own) => written(roundReportOf(m, own, tape))) : [];
    return { text: m.toJson(), report, kept: kept.map(written), sent, left: tape.left() };
  }
  const read = survey(document ?? "");
  const { level, charge, sentences } = facts(read);
  const told = { digest: read.digest, level: level === Infinity ? "inf" : level, charge, sentences };
  const { count, payloads, shapes } = outcomes(read, answers);
  const chances = payloads.map(({ bytes, chance }) => [hex(bytes), ...chance.map(String)]);
  const sent = read.repeat === "remembered" ? null : hex(answerFrom(read, answers, tape));
  return { ...told, count: `${count}`, chances, shapes, answer: sent, left: tape.left() };
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(JSON.stringify(replayed(JSON.parse(line) as Case)));
  } catch (error) {
    if (!(error instanceof DenialError)) throw error;
    console.log(JSON.stringify({ refused: error.name }));
  }
}
