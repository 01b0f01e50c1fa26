/** Certified odds: every vector, to the last bit. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { CapacityError } from "../src/errors.js";
import { dyadicOdds, weightedOdds } from "../src/odds.js";
import { vectors } from "./vectors.js";

interface Vector {
  epsilon: number;
  aboves: number;
  belows: number;
  hashes?: number;
  above: string;
  below: string;
}

test("weighted odds", () => {
  for (const { epsilon, aboves, belows, above, below } of vectors<Vector>("odds.json", "weighted")) {
    const odds = { above: BigInt(above), below: BigInt(below) };
    assert.deepEqual(weightedOdds(epsilon, aboves, belows), odds, `${epsilon} ${aboves} ${belows}`);
  }
});

test("dyadic odds, of quotients too", () => {
  for (const section of ["dyadic", "hashes"]) {
    for (const { epsilon, hashes, above, below } of vectors<Vector>("odds.json", section)) {
      const odds = { above: BigInt(above), below: BigInt(below) };
      assert.deepEqual(dyadicOdds(epsilon, 2 * (hashes ?? 0.5)), odds, `${epsilon} ${hashes}`);
    }
  }
});

test("odds that there are not", () => {
  for (const { epsilon, aboves, belows } of vectors<Vector>("odds.json", "bad")) {
    assert.throws(() => weightedOdds(epsilon, aboves, belows), CapacityError, `${epsilon} ${aboves} ${belows}`);
  }
});
