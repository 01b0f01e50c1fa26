/** Sums of levels, as the decimals that people write, and levels that follow by way of third values. */

/** A bound on the rounding error of a formula in floats. */
export const UP = 1 + 2 ** -40;

/** The sum of levels, each read as the decimal that it is written as: 0.1 and 0.2 are 0.3. */
export function added(...levels: number[]): number {
  if (levels.includes(Infinity)) return Infinity;
  const terms = levels.map(decimal);
  const least = Math.min(0, ...terms.map(([, power]) => power));
  const sum = terms.reduce((total, [digits, power]) => total + digits * 10n ** BigInt(power - least), 0n);
  return Number(`${sum}e${least}`);
}

/** The sum of so many equal levels. */
export function times(level: number, count: number): number {
  if (level === Infinity) return Infinity;
  const [digits, power] = decimal(level);
  return Number(`${digits * BigInt(count)}e${power}`);
}

/** The digits and the power of ten of a number's shortest decimal. */
function decimal(level: number): [digits: bigint, power: number] {
  const [digits = "", power] = level.toExponential().split("e");
  const [whole = "", behind = ""] = digits.split(".");
  return [BigInt(whole + behind), Number(power) - behind.length];
}

/** The levels that follow by way of third values: shortest paths, raised a little to allow for rounding. */
export function closed(levels: readonly (readonly number[])[]): number[][] {
  const paths = levels.map((row) => [...row]);
  for (const [middle, through] of paths.entries()) {
    for (const row of paths) {
      const here = row[middle] as number;
      for (let z = 0; z < row.length; z++) row[z] = Math.min(row[z] as number, here + (through[z] as number));
    }
  }
  return paths.map((row, x) => row.map((path, z) => (path < (levels[x]?.[z] as number) ? path * UP : path)));
}
