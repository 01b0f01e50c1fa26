/** Languages: every table has the same keys and the same places, and German is said of every label of wire/. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { lesser, sentences } from "../src/label.js";
import { label } from "../src/languages/english.js";
import { type Language, type Wording, worded } from "../src/languages/language.js";
import * as languages from "../src/languages.js";
import { ROOT, survey, vectors } from "./vectors.js";

const { english, german } = languages;
const ALL: Language[] = Object.values(languages);

/** The forms of a wording, or its one. */
function formsOf(wording: Wording): Record<string, string> {
  return typeof wording === "string" ? { other: wording } : wording;
}

/** The places of a form; `count` may be left out of one that says it in words. */
function placesOf(form: string): string[] {
  const found = form.match(/\{\w+\}/g) ?? [];
  return [...new Set(found)].filter((place) => place !== "{count}").sort();
}

test("there is a file for each language, and its code is a language's", () => {
  const files = readdirSync(`${ROOT}src/languages`).map((name) => name.slice(0, -3));
  assert.deepEqual(files.filter((name) => name !== "language").sort(), Object.keys(languages).sort());
  for (const { code } of ALL) assert.equal(Intl.getCanonicalLocales(code)[0], code);
});

for (const language of ALL) {
  test(`all is said in ${language.code}, with the same places and the plural forms of the language`, () => {
    const wanted = new Intl.PluralRules(language.code).resolvedOptions().pluralCategories.sort();
    for (const table of ["sentences", "page"] as const) {
      const [own, reference] = [language[table], english[table]] as Record<string, Wording>[];
      assert.deepEqual(Object.keys(own ?? {}), Object.keys(reference ?? {}), table);
      for (const [key, wording] of Object.entries(own ?? {})) {
        const said = formsOf((reference as Record<string, Wording>)[key] as Wording);
        const forms = formsOf(wording);
        if (typeof wording !== "string") assert.deepEqual(Object.keys(forms).sort(), wanted, key);
        for (const form of Object.values(forms)) {
          assert.ok(form.trim(), key);
          assert.deepEqual(placesOf(form), placesOf(said["other"] as string), key);
        }
      }
    }
  });
}

test("English is the label of wire/, and German says the same things in other words", () => {
  for (const { document, sentences: wanted } of vectors<{ document: string; sentences: string[] }>(
    "surveys.json",
    "labels",
  )) {
    const read = survey(document);
    assert.deepEqual(sentences(read, english), wanted);
    assert.deepEqual(sentences(read, label), wanted);
    const said = sentences(read, german);
    const folded = lesser(read, english);
    const weaker = wanted.filter((each) => /was 10?% sure/.test(each));
    assert.deepEqual(folded, weaker, "of guesses but for the even one");
    assert.deepEqual(
      lesser(read, german),
      said.filter((_, place) => folded.includes(wanted[place] ?? "")),
    );
    assert.equal(said.length, wanted.length);
    for (const [place, sentence] of said.entries()) {
      assert.notEqual(sentence, wanted[place]);
      assert.doesNotMatch(sentence, /[{}]|undefined|\d\.\d|\d %/, "numbers have commas, and keep their signs");
      assert.deepEqual(figures(sentence), figures(wanted[place] as string), sentence);
    }
  }
});

/** The numbers of a sentence, in one way of writing. */
function figures(sentence: string): string[] {
  return (sentence.match(/\d+(?:[.,]\d+)?/g) ?? []).map((number) => number.replace(",", ".")).sort();
}

test("the form of a plural is that of its language", () => {
  const days = { one: "{count} dzień", few: "{count} dni", many: "{count} dni", other: "{count} dnia" };
  assert.equal(worded("pl", days, { count: 1 }), "1 dzień");
  assert.equal(worded("pl", days, { count: 3 }), "3 dni");
  assert.equal(worded("en", { one: "{count} day", other: "{count} days" }, { count: 0 }), "0 days");
  assert.equal(worded("en", "{a}{a}{b}", { a: "{b}", b: 1 }), "{b}{b}1", "values are not read again");
});
