/** What people call what they hold, as far as a page can see that. */

export type Machine = "phone" | "computer" | "device";

/** A narrow screen and a finger: a phone. A mouse: a computer. All else is a device. */
export function machine(): Machine {
  if (matchMedia("(pointer: fine)").matches) return "computer";
  return Math.min(screen.width, screen.height) < 600 ? "phone" : "device";
}
