/** The lines of Python that do the same, and what they print. */

import type { Reading } from "./shares.js";

const GAP = "   ";

/** What is asked of how many made-up people. */
export interface Trial {
  readonly epsilon: number;
  readonly people: number;
  /** How many of them answer yes. */
  readonly yes: number;
  readonly seed: number;
}

/** The lines. */
export function pythonOf({ epsilon, people, yes, seed }: Trial): string {
  return [
    "import deniable as dn",
    "",
    `coin = dn.RandomizedResponse(["yes", "no"], epsilon=${epsilon.toFixed(1)})`,
    `reports = coin.privatize_many(["yes"] * ${yes} + ["no"] * ${people - yes}, seed=${seed})`,
    "print(coin.estimate(coin.tally(reports)))",
  ].join("\n");
}

/** What they print. */
export function printed({ epsilon, people }: Trial, { share, low, high, error }: Reading): string {
  const digits = Math.max(1 - Math.floor(Math.log10(100 * error)), 1); // two digits of the error are kept
  const percent = (part: number) => `${(100 * part).toFixed(digits)}%`;
  const rows = [
    ["label", "share", "95% interval", "people"],
    ["yes", percent(share), `${percent(low)} to ${percent(high)}`, counted(share * people)],
    ["no", percent(1 - share), `${percent(1 - high)} to ${percent(1 - low)}`, counted((1 - share) * people)],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length))) ?? [];
  const [head, ...lines] = rows.map(
    (row) => ` ${row.map((cell, k) => aligned(cell, widths[k] as number, k)).join(GAP)}`,
  );
  const rule = ` ${"─".repeat(widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)))}`;
  const title = `RandomizedResponse(2 labels, epsilon=${epsilon.toFixed(1)}): ${counted(people)} people, decoder projected`;
  return [title, head, rule, ...lines].join("\n");
}

const counted = (people: number) => Math.round(people).toLocaleString("en");
const aligned = (cell: string, width: number, column: number) => (column ? cell.padStart(width) : cell.padEnd(width));
