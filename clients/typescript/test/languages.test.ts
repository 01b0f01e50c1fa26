/** Languages: every table has the same keys and the same places, and says every key and label of wire/ as it should. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { lesser, type Statement, sentences, statements } from "../src/label.js";
import { type Language, type Values, type Wording, worded } from "../src/languages/language.js";
import { say } from "../src/languages/statements.js";
import * as languages from "../src/languages.js";
import { ROOT, survey, vectors } from "./vectors.js";

const { english, german } = languages;
const ALL: Language[] = Object.values(languages);
/** A file of `wire/sentences`. */
function wire(language: string, name: string): Record<string, Wording> {
  return JSON.parse(readFileSync(`${ROOT}../../wire/sentences/${language}/${name}.json`, "utf8"));
}

/** A section as wire/ has it; those of the element stand in one file. */
function sectionOf(language: string, name: string): Record<string, Wording> {
  const element = wire(language, "element") as unknown as Record<string, Record<string, Wording>>;
  return element[name] ?? wire(language, name);
}

interface Said {
  readonly language: string;
  readonly section: string;
  readonly key: string;
  readonly values: Values;
  readonly text: string;
}

interface Label {
  readonly document: string;
  readonly statements: readonly Statement[];
}

/** The forms of a wording, or its one. */
function formsOf(wording: Wording): Record<string, string> {
  return typeof wording === "string" ? { other: wording } : wording;
}

/** The places of a form; `count` may be left out of one that says it in words. */
function placesOf(form: string): string[] {
  const found = form.match(/\{\w+(:\w+)?\}/g) ?? [];
  return [...new Set(found)].filter((place) => place !== "{count}").sort();
}

test("there is a file for each language, and its code is a language's", () => {
  const files = readdirSync(`${ROOT}src/languages`).map((name) => name.slice(0, -3));
  const whole = files.filter((name) => !/^(language|statements)$|Page$/.test(name));
  assert.deepEqual(whole.sort(), Object.keys(languages).sort());
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

test("every key of every language is said as wire/ says it", () => {
  for (const { language, section, key, values, text } of vectors<Said>("sentences.json", "said")) {
    const own = ALL.find(({ code }) => code === language) as Language;
    const wording = sectionOf(language, section)[key] as Wording;
    const said = { ...own, sentences: { ...wire(language, "mechanism"), ...own.sentences, said: wording } };
    assert.equal(say(said, ["said" as never, values]), text, `${language} ${section} ${key}`);
  }
});

/** A statement with its values, even if it has none. */
function whole([key, values = {}]: Statement): unknown {
  const given = Object.entries(values).map(([name, value]) => [name, typeof value === "object" ? whole(value) : value]);
  return [key, Object.fromEntries(given)];
}

test("the labels of wire/ are said in every language, and a page folds the weaker guesses", () => {
  for (const { document, statements: wanted } of vectors<Label>("surveys.json", "labels")) {
    const read = survey(document);
    assert.deepEqual(statements(read).map(whole), wanted);
    assert.deepEqual(sentences(read), sentences(read, english));
    for (const language of ALL) {
      const said = wanted.map((each) => say(language, each));
      assert.deepEqual(sentences(read, language), said);
      assert.deepEqual(
        lesser(read, language),
        said.filter((_, place) => [0.01, 0.1].includes(Number(wanted[place]?.[1]?.["before"]))),
        "of guesses but for the even one",
      );
    }
  }
});

test("the form of a plural is that of its language", () => {
  const days = { one: "{count} dzień", few: "{count} dni", many: "{count} dni", other: "{count} dnia" };
  const polish = { ...german, code: "pl" };
  assert.equal(worded(polish, days, { count: 1 }), "1 dzień");
  assert.equal(worded(polish, days, { count: 3 }), "3 dni");
  assert.equal(worded(english, { one: "{count} day", other: "{count} days" }, { count: 0 }), "0 days");
  assert.equal(worded(english, "{a}{a}{b}", { a: "{b}", b: 1 }), "{b}{b}1", "values are not read again");
});
