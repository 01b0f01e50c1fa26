/** Languages of a survey, answers that stand alone, and which lists are answers. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readObject, type Spec } from "../src/canonical.js";
import { ticksAfter } from "../src/question/checkboxes.js";
import type { AnyOf } from "../src/surveys/questionKinds.js";
import { checkAnswer, readQuestion } from "../src/surveys/questions.js";
import { languagesOf, nearest, texts } from "../src/surveys/translations.js";
import { documents, survey, vectors } from "./vectors.js";

const DOCUMENTS = documents();

function read(name: string) {
  return survey(DOCUMENTS.get(name) as string);
}

test("lists are answers if the question takes them", () => {
  const labels = new Set(["labels", "exclusive"]);
  const lists = vectors<{ question: string; answers: unknown[]; taken: boolean[] }>("surveys.json", "lists");
  for (const { question: text, answers, taken } of lists) {
    const question = readQuestion(readObject(text, "a question", labels) as Spec, new Map());
    const takes = (answer: unknown) => {
      try {
        checkAnswer(question, answer);
        return true;
      } catch (error) {
        assert.equal((error as Error).name, "LabelError");
        return false;
      }
    };
    assert.deepEqual(answers.map(takes), taken, text);
  }
});

test("a survey says its texts in each of its languages", () => {
  const asked = read("languages");
  assert.deepEqual(languagesOf(asked), ["en", "de", "de-CH"]);
  assert.deepEqual(texts(asked), {
    title: "Breaks",
    purpose: "",
    questions: {
      breaks: { wording: "Where do you take breaks?", labels: ["at my desk", "outside", "none", "no answer"] },
      long: { wording: "How long are they?", unit: "min" },
      paid: { wording: "", labels: [true, false] },
      note: { wording: "Where else?" },
    },
  });
  const german = texts(asked, "de");
  assert.deepEqual([german.title, german.questions["long"]?.unit], ["Pausen", "Min."]);
  assert.deepEqual(german.questions["paid"]?.labels, ["ja", "nein"]);
  assert.equal(texts(asked, "de-CH").title, "Pausen (mit ss)");
  assert.deepEqual(texts(asked, "constructor"), texts(asked, "en"));
  assert.deepEqual([languagesOf(read("one question")), texts(read("one question")).title], [[], ""]);
});

test("the nearest language is the reader's, or one of its kind, or the survey's own", () => {
  const own = ["en", "de-CH", "de", "zh-Hant"];
  const cases = [
    [["de"], "de"],
    [["DE"], "de"],
    [["de-AT", "en"], "de-CH"],
    [["tr", "zh-TW"], "zh-Hant"],
    [["tr"], "en"],
    [["e"], "en"],
    [[], "en"],
  ] as const;
  for (const [wanted, found] of cases) assert.equal(nearest(own, wanted), found, `${wanted}`);
  assert.equal(nearest([], ["de"]), undefined);
});

test("a tick clears what cannot stand beside it", () => {
  const question = read("answers that stand alone").questions.get("breaks") as AnyOf;
  assert.deepEqual(question.exclusive, [2, 3]);
  const after = (before: number[], place: number) => {
    const { ticked, cleared } = ticksAfter(question, new Set(before), place);
    return [[...ticked].sort(), cleared];
  };
  assert.deepEqual(after([], 0), [[0], []]);
  assert.deepEqual(after([0], 1), [[0, 1], []]);
  assert.deepEqual(after([0, 1], 2), [[2], [0, 1]]);
  assert.deepEqual(after([2], 3), [[3], [2]]);
  assert.deepEqual(after([3], 1), [[1], [3]]);
  assert.deepEqual(after([0, 1], 1), [[0], []]);
  assert.deepEqual(after([2], 2), [[], []]);
  const plain = { ...question, exclusive: null };
  assert.deepEqual([...ticksAfter(plain, new Set([0, 1]), 2).ticked].sort(), [0, 1, 2]);
});
