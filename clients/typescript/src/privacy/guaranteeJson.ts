/** Guarantees as specs hold them; see wire/guarantee.md. */

import { isList, type Json, type Spec } from "../canonical.js";
import { checkPrior, isNumber, listed } from "../checks.js";
import { FormatError, ParameterError } from "../errors.js";
import { Domain, sameValues } from "../values.js";
import { type Guarantee, ldp } from "./kinds.js";
import { readBlocks, readSome, written } from "./places.js";
import { LARGEST } from "./rows.js";

/** Kinds about averages, crowds and lists, which are not proven here: a channel that claims one is refused. */
const UNPROVEN = ["mutual_information", "people", "each_item"];

/** The guarantee that a channel over this domain claims, at a level that may have been computed. */
export function readGuarantee(written: Spec, own: Domain): Guarantee {
  if (UNPROVEN.some((kind) => kind in written)) {
    throw new FormatError("a channel's guarantee must be one that bounds every report, got one that does not");
  }
  const domain = "domain" in written ? Domain.read(written["domain"]) : own;
  if (!sameValues(own, domain)) {
    throw new ParameterError("guarantee must be about the channel's domain, got one about another");
  }
  if ("matrix" in written) return { kind: "pairwise", domain, matrix: readMatrix(domain, written["matrix"]) };
  const epsilon = readLevel(written["epsilon"]);
  if ("sensitive" in written) {
    return { kind: "highLow", epsilon, domain, places: readSome("sensitive", domain, written["sensitive"]) };
  }
  if ("blocks" in written) return { kind: "blocks", epsilon, domain, places: readBlocks(domain, written["blocks"]) };
  if ("per_unit" in written) return { kind: "distance", epsilon, domain };
  if (!("prior" in written)) return ldp(epsilon);
  const prior = checkPrior(written["prior"], domain.size);
  return { kind: "prior", epsilon, domain, prior, oneSided: "one_sided" in written };
}

/** The guarantee as a spec holds it. */
export function writeGuarantee(guarantee: Guarantee, domain: Json): Spec {
  if (guarantee.kind === "pairwise") return { domain, matrix: guarantee.matrix.map((row) => row.map(writeLevel)) };
  const epsilon = writeLevel(guarantee.epsilon);
  if (guarantee.kind === "highLow") return { domain, epsilon, sensitive: written(guarantee.domain, guarantee.places) };
  if (guarantee.kind === "blocks") {
    return { domain, epsilon, blocks: guarantee.places.map((block) => written(guarantee.domain, block)) };
  }
  if (guarantee.kind === "distance") return { domain, epsilon, per_unit: true };
  if (guarantee.kind !== "prior") return { epsilon };
  const side: Spec = guarantee.oneSided ? { one_sided: true } : {};
  return { domain, epsilon, prior: guarantee.prior, ...side };
}

/** A level as a spec holds it. */
export function writeLevel(level: number): Json {
  return level === Infinity ? "inf" : level;
}

/** A level, which may have been computed: any number from 0 up, or infinity. */
function readLevel(given: Json | undefined): number {
  if (given === "inf") return Infinity;
  if (!isNumber(given) || given < 0) {
    throw new FormatError("epsilon must be a number of at least 0, or inf, got another");
  }
  return Number(given);
}

function readMatrix(domain: Domain, given: Json | undefined): number[][] {
  const d = domain.size;
  const rows = listed(given).map((row) => (isList(row) ? row.map(readLevel) : []));
  if (rows.length !== d || rows.some((row) => row.length !== d)) {
    throw new ParameterError(`matrix must be ${d} rows of ${d} levels, got another shape`);
  }
  if (rows.flat().some((level) => level > LARGEST && level < Infinity)) {
    throw new ParameterError(`each level must be from 0 to ${LARGEST}, or infinity, got one that is not`);
  }
  return rows.map((row, x) => row.map((level, z) => (x === z ? 0 : level)));
}
