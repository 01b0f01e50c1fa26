/** The only clock of the client. What it says is never sent. */

/** Seconds since the beginning of 1970, by this device. */
export function clock(): number {
  return Date.now() / 1000;
}
