/** The vectors of wire/, and words that a test chooses. */

import { createCipheriv, createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hex } from "../src/bytes.js";
import type { Json } from "../src/canonical.js";
import { families } from "../src/families.js";
import type { Report } from "../src/layouts.js";
import type { Mechanism } from "../src/mechanisms/mechanism.js";
import { readSpec } from "../src/mechanisms/registry.js";
import type { Words } from "../src/randomWords.js";
import { readSurvey } from "../src/surveys/survey.js";

/** The folder of the package: tests run from build/test. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const ZEROS = Buffer.alloc(2 ** 13);

/** The vectors of one section of one file. */
export function vectors<T>(file: string, section: string): T[] {
  const { [section]: listed = [] } = JSON.parse(readFileSync(`${ROOT}../../wire/vectors/${file}`, "utf8"));
  if (!listed.length) throw new Error(`there must be vectors ${section} in ${file}`);
  return listed;
}

/** The documents of all good surveys, by the names of their vectors. */
export function documents(): Map<string, string> {
  const good = vectors<{ name: string; document: string }>("surveys.json", "good");
  return new Map(good.map(({ name, document }) => [name, document]));
}

export const spec = (text: string) => readSpec(text, families);
export const survey = (text: string) => readSurvey(text, families);

/** A report as vectors write it. */
export function written(report: Report): string | number {
  return typeof report === "number" ? report : hex(report);
}

/** The value of an index or of a list of them; texts are themselves. */
export function valueAt({ domain }: Mechanism, given: number | string | number[]): Json {
  if (typeof given === "string") return given;
  if (domain.kind === "labels") return domain.at(given as number);
  return domain.kind === "lists" ? (given as number[]).map((place) => domain.labels.at(place)) : null;
}

/** The same words every time, so that a test that fails fails again: AES in counter mode under a key from the seed. */
export function seededWords(seed: string): Words {
  const cipher = createCipheriv("aes-256-ctr", createHash("sha256").update(seed).digest(), Buffer.alloc(16));
  let [next, words] = [0, new BigUint64Array()];
  return () => {
    if (next === words.length) [next, words] = [0, new BigUint64Array(Uint8Array.from(cipher.update(ZEROS)).buffer)];
    return words[next++] as bigint;
  };
}
