/** Guarantees as specs hold them; see wire/guarantee.md. */

import { isList, type Json, type Spec } from "../canonical.js";
import { checkList, checkPrior, isNumber } from "../checks.js";
import { FormatError, ParameterError } from "../errors.js";
import { Domain, sameValues } from "../values.js";
import { LARGEST } from "./channelRows.js";
import { type Guarantee, ldp } from "./guaranteeKinds.js";
import { labelsAt, readBlocks, readPlaces } from "./places.js";

/** Kinds about averages, crowds and lists, which are not proven here: a channel that claims one is refused. */
const UNPROVEN = ["mutual_information", "people", "each_item"];

/** The guarantee that a channel over this domain claims, at a level that may have been computed. */
export function readGuarantee(spec: Spec, own: Domain): Guarantee {
  if (UNPROVEN.some((kind) => kind in spec)) {
    throw new FormatError("a channel's guarantee must be one that bounds every report, got one that does not");
  }
  const domain = "domain" in spec ? Domain.read(spec["domain"]) : own;
  if (!sameValues(own, domain)) {
    throw new ParameterError("guarantee must be about the channel's domain, got one about another");
  }
  if ("matrix" in spec) return { kind: "pairwise", domain, matrix: readMatrix(domain, spec["matrix"]) };
  const epsilon = readLevel(spec["epsilon"]);
  if ("sensitive" in spec) {
    return { kind: "highLow", epsilon, domain, places: readPlaces("sensitive", domain, spec["sensitive"]) };
  }
  if ("blocks" in spec) return { kind: "blocks", epsilon, domain, places: readBlocks(domain, spec["blocks"]) };
  if ("per_unit" in spec) return { kind: "distance", epsilon, domain };
  if (!("prior" in spec)) return ldp(epsilon);
  const prior = checkPrior(spec["prior"], domain.size);
  return { kind: "prior", epsilon, domain, prior, oneSided: "one_sided" in spec };
}

/** The guarantee as a spec holds it. */
export function writeGuarantee(guarantee: Guarantee, domain: Json): Spec {
  if (guarantee.kind === "pairwise") return { domain, matrix: guarantee.matrix.map((row) => row.map(writeLevel)) };
  const epsilon = writeLevel(guarantee.epsilon);
  if (guarantee.kind === "highLow") return { domain, epsilon, sensitive: labelsAt(guarantee.domain, guarantee.places) };
  if (guarantee.kind === "blocks") {
    return { domain, epsilon, blocks: guarantee.places.map((block) => labelsAt(guarantee.domain, block)) };
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
function readLevel(json: Json | undefined): number {
  if (json === "inf") return Infinity;
  if (!isNumber(json) || json < 0) {
    throw new FormatError("epsilon must be a number of at least 0, or inf, got another");
  }
  return Number(json);
}

function readMatrix(domain: Domain, json: Json | undefined): number[][] {
  const d = domain.size;
  const rows = checkList(json).map((row) => (isList(row) ? row.map(readLevel) : []));
  if (rows.length !== d || rows.some((row) => row.length !== d)) {
    throw new ParameterError(`matrix must be ${d} rows of ${d} levels, got another shape`);
  }
  if (rows.flat().some((level) => level > LARGEST && level < Infinity)) {
    throw new ParameterError(`each level must be from 0 to ${LARGEST}, or infinity, got one that is not`);
  }
  return rows.map((row, x) => row.map((level, z) => (x === z ? 0 : level)));
}
