/** Questions of which some labels need more protection than others: sensitive ones, blocks of them, or a prior. */

import type { Json, Spec } from "../canonical.js";
import { checkPrior } from "../checks.js";
import { ParameterError } from "../errors.js";
import type { Label } from "../labels.js";
import { type Guarantee, ldp } from "../privacy/guaranteeKinds.js";
import { labelsAt, readBlocks, readPlaces } from "../privacy/places.js";
import type { Domain } from "../values.js";
import type { OneOf } from "./questionKinds.js";

type Protection = Pick<OneOf, "sensitive" | "blocks" | "prior">;

/** What is to be protected; the answer that stands for none is then as sensitive as any. */
export function readProtection(question: Spec, labels: Domain, skipped: Label): Protection {
  const fields = ["sensitive", "blocks", "prior"].map((field) => question[field] as Json);
  const [sensitive = null, blocks = null, prior = null] = fields;
  if (fields.filter((field) => field !== null).length > 1) {
    throw new ParameterError("at most one of sensitive, blocks and prior must be given, got more");
  }
  const places = sensitive === null ? null : readPlaces("sensitive", labels, sensitive);
  if (places && skipped !== null && !places.includes(labels.index(skipped))) throw strayAnswer();
  return {
    sensitive: places,
    blocks: blocks === null ? null : readBlocks(labels, blocks),
    prior: prior === null ? null : checkPrior(prior, labels.size),
  };
}

/** It as a document holds it. */
export function writeProtection({ labels, sensitive, blocks, prior }: OneOf) {
  return {
    sensitive: sensitive && labelsAt(labels, sensitive),
    blocks: blocks?.map((block) => labelsAt(labels, block)) ?? null,
    prior,
  };
}

export function strayAnswer(): ParameterError {
  return new ParameterError("no_answer must be one of the labels, and of sensitive ones where some are, got another");
}

/** What a mechanism for the answer must promise, at a level of 1. */
export function wantedFor(question: OneOf): Guarantee {
  const { labels: domain, sensitive, blocks, prior } = question;
  if (sensitive) return { kind: "highLow", epsilon: 1, domain, places: sensitive };
  if (blocks) return { kind: "blocks", epsilon: 1, domain, places: blocks };
  return prior ? { kind: "prior", epsilon: 1, domain, prior, oneSided: false } : ldp(1);
}
