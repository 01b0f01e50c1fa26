/** A survey that is tried out: in place of a collector something takes the answers that sends and keeps nothing. */

import { periodAt } from "../surveys/periods.js";
import type { Survey } from "../surveys/survey.js";
import { clock } from "./clock.js";
import type { Surroundings } from "./outbox.js";
import { memoryStore } from "./store.js";

/** Surroundings in which a survey can be answered at any time: the clock stands still in the time that it is open. */
export function rehearsal(survey: Survey): Surroundings {
  const now = Math.max(Math.min(clock(), at(survey.closes, Infinity) - 1), at(survey.opens, 0));
  const door = { periods: [{ period: periodAt(survey, new Date(1000 * now)) }] };
  return {
    store: memoryStore(),
    clock: () => now,
    request: async (_, path) => {
      const text = JSON.stringify(path.endsWith("/door") ? door : { answers: 1 });
      return { status: 200, headers: new Headers(), text };
    },
  };
}

function at(moment: string | null, otherwise: number): number {
  return moment === null ? otherwise : Date.parse(moment) / 1000;
}
