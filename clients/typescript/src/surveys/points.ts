/** How a number becomes a value: the block of the scale that it lies in, or a point that is drawn; see wire/survey.md. */

import type { Spec } from "../canonical.js";
import { checkInt } from "../checks.js";
import { uniformBelow } from "../draws.js";
import { ParameterError } from "../errors.js";
import type { Source } from "../randomWords.js";
import { MOST_STEPS } from "./grid.js";
import type { Numeric } from "./questionKinds.js";

const MOST_POINTS = 33;
const MOST_LEVELS = 64;

/** Blocks of `size` places, the first of which begins `offset` places below the scale. */
export interface Block {
  readonly size: number;
  readonly offset: number;
}

/** Points that divide the scale evenly, by thresholds of a level; or that of squared distances from a place. */
export interface Point {
  readonly points: number;
  readonly levels: number;
  readonly level: number;
  readonly about: number | null;
}

/** Of a number either end of its scale, as a pair has it. */
export const HALF: Point = { points: 2, levels: 1, level: 0, about: null };

export function readBlock(fields: Spec): Block {
  const size = checkInt("size", fields["size"], 1, MOST_STEPS);
  return { size, offset: checkInt("offset", fields["offset"], 0, size - 1) };
}

export function readPoint(fields: Spec): Point {
  const points = checkInt("points", fields["points"], 2, MOST_POINTS);
  const levels = checkInt("levels", fields["levels"], 1, MOST_LEVELS);
  const level = checkInt("level", fields["level"], 0, levels - 1);
  const about = fields["about"] === null ? null : checkInt("about", fields["about"], 0, MOST_STEPS);
  return { points, levels, level, about };
}

/** How many blocks a scale has. */
export function blocksOf({ size, offset }: Block, { scale }: Numeric): number {
  return Math.floor((scale.steps + offset) / size) + 1;
}

/** How many points there are; one about a place that is not on the scale is refused. */
export function pointsOf(point: Point, { scale }: Numeric): number {
  if (point.about !== null && point.about > scale.steps) {
    throw new ParameterError(`about must be a place on the scale, got one of more than ${scale.steps}`);
  }
  return point.points;
}

/** The point below a number or the one above, from words of their own. */
export function drawPoint(question: Numeric, point: Point, place: number, source: Source): bigint {
  const [below, ups, reach] = split(question, point, place);
  return BigInt(below + Number(uniformBelow(source(), reach) < ups));
}

/** The point below, and in how many of how many equally likely cases the one above is drawn. */
export function split({ scale }: Numeric, point: Point, place: number): [number, number, number] {
  const { points, levels, level, about } = point;
  const number = about === null ? place : (place - about) ** 2;
  const reach = about === null ? scale.steps : Math.max(about, scale.steps - about) ** 2;
  const scaled = number * (points - 1);
  const rest = scaled % reach;
  return [(scaled - rest) / reach, Math.min(Math.max(rest * levels - level * reach, 0), reach), reach];
}
