/** What a device has spent, topic by topic, and the caps that it never exceeds. */

import { checkPositive } from "../checks.js";
import { BudgetError } from "../errors.js";
import { added } from "../privacy/levels.js";
import type { Survey } from "../surveys/survey.js";
import { altered, type Entries } from "./store.js";

const PREFIX = "topic/";

/** The app's own caps: of topics by their names, and of all topics together. */
export interface Caps {
  readonly topics: ReadonlyMap<string, number>;
  readonly total: number;
}

/** What was spent on a topic, and the cap of the first document that had it. */
export interface Topic {
  readonly spent: number;
  readonly cap: number;
}

/** The caps that an app gives, if any. */
export function readCaps(topics: Readonly<Record<string, number>> = {}, total?: number): Caps {
  const checked = Object.entries(topics).map(([name, level]) => [name, checkPositive("caps", level)] as const);
  return { topics: new Map(checked), total: total === undefined ? Infinity : checkPositive("totalCap", total) };
}

/**
 * Write down what an answer costs, before it is drawn; refused if a cap would be exceeded. A topic's cap is the least
 * of the app's, of that of the first document with the topic, and of this one's: no later document raises it.
 */
export function charge(
  entries: Entries,
  { topic, cap, charge: cost }: Pick<Survey, "topic" | "cap" | "charge">,
  caps: Caps,
): number {
  const topics = spentOn(entries);
  const own = topics.get(topic) ?? { spent: 0, cap };
  const after = added(own.spent, cost);
  if (after > Math.min(own.cap, cap, caps.topics.get(topic) ?? Infinity)) {
    throw new BudgetError(`answers on '${topic}' must stay within their cap, got one more that would exceed it`);
  }
  if (added(cost, ...levelsOf(topics)) > caps.total) {
    throw new BudgetError(
      "all answers together must stay within the cap of this app, got one more that would exceed it",
    );
  }
  entries.put(PREFIX + topic, JSON.stringify({ spent: after, cap: own.cap }));
  return cost;
}

/** What was spent on each topic. */
export function spentOn(entries: Entries): ReadonlyMap<string, Topic> {
  return new Map(entries.keys(PREFIX).map((key) => [key.slice(PREFIX.length), topicIn(entries.get(key) ?? "")]));
}

function topicIn(text: string): Topic {
  try {
    const topic: Topic = JSON.parse(text);
    if ([topic.spent, topic.cap].every((level) => Number.isFinite(level) && level >= 0)) return topic;
  } catch {}
  throw altered("levels");
}

/** The levels that were spent, topic by topic. */
export function levelsOf(topics: ReadonlyMap<string, Topic>): number[] {
  return [...topics.values()].map(({ spent }) => spent);
}
