/** How the text of a spec becomes a mechanism, of the families that the caller has loaded. */

import { equivalent, type Fields, isObject, type Json, readObject } from "../canonical.js";
import { DenialError, FormatError } from "../errors.js";
import { type Families, type Mechanism, VERSION } from "./mechanism.js";
import { randomizedResponse } from "./plainFamilies.js";
import { subset } from "./sets.js";

/** The mechanisms that every reader knows; the others are in `deniable/families`. */
export const core: Families = {
  RandomizedResponse: randomizedResponse,
  Subset: subset,
};

/** The fields of a spec whose lists hold labels, among which 1 and 1.0 are two; `ever` holds a spec itself. */
export const LABELS: Fields = /* @__PURE__ */ new Set([
  "domain",
  "guarantee.domain",
  "guarantee.sensitive",
  "guarantee.blocks",
  "ever.domain",
]);

/** The mechanism of a spec's text, in any writing; whatever the spec's own fields do not say is refused. */
export function readSpec(text: string, families: Families = core): Mechanism {
  return mechanismOf(readObject(text, "a spec", LABELS), families);
}

/** The mechanism of a stored spec, which is canonical to the byte. */
export function readStoredSpec(text: string, families: Families = core): Mechanism {
  const mechanism = readSpec(text, families);
  if (mechanism.toJson() !== text) {
    throw new FormatError("a spec must be in canonical form where it is stored, got another writing of it");
  }
  return mechanism;
}

/** The mechanism of a spec that has been read from its text. */
export function mechanismOf(spec: Json | undefined, families: Families): Mechanism {
  if (!isObject(spec) || spec["version"] !== VERSION) {
    throw new FormatError(`a spec must be of version ${VERSION}, got another one; a newer release may read it`);
  }
  const name = spec["mechanism"];
  const family = typeof name === "string" && Object.hasOwn(families, name) && families[name];
  if (!family) {
    throw new FormatError(
      `a spec must name one of ${Object.keys(families).join(", ")}, got another name; deniable/families has all that there are`,
    );
  }
  return verified(`a spec must describe a ${name}`, spec, () => {
    const mechanism = family(spec, (inner) => mechanismOf(inner, families));
    return [mechanism, mechanism.spec()];
  });
}

/** What is made of a document, if what it would write is what was given; all else is refused as of no known format. */
export function verified<T>(wanted: string, json: Json, make: () => readonly [made: T, written: Json]): T {
  let detail = "its own fields and values, got others";
  try {
    const [made, written] = make();
    if (equivalent(written, json)) return made;
  } catch (error) {
    if (error instanceof DenialError) detail = error.message;
  }
  throw new FormatError(`${wanted}: ${detail}`);
}
