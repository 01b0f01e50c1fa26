/** One person after another on one device: what is shown between two of them, once nothing of the first is left. */

import type { Client } from "../device/client.js";
import { type PageSayings, type Values, worded } from "../languages/language.js";
import { kiosk as german } from "../sentences/de.js";
import { kiosk as english } from "../sentences/en.js";
import { button, element, type Heading, heading, line } from "./nodes.js";

const WORDS: Readonly<Record<string, typeof english>> = { en: english, de: german };
/** How long a receipt stands when nobody presses anything. */
const SECONDS = 20;

type Nodes = readonly HTMLElement[];

/** What happens between two people. */
export interface Turn {
  /** What stands beneath a final receipt: the way to the next person, which takes itself after a while. */
  readonly ending: () => Nodes;
  /** What stands beneath an answer that waits: it must go first. */
  readonly waiting: () => Nodes;
  /** Forget who answered, and ask for the next person. */
  readonly next: () => Promise<Nodes>;
}

/** The turns of a kiosk; `enter` shows what is next, and `begin` the choice. */
export function turnOf(
  client: Client,
  language: PageSayings,
  level: Heading,
  enter: (act: () => Promise<Nodes>) => void,
  begin: () => void,
): Turn {
  const words = WORDS[language.code] ?? english;
  const say = (key: keyof typeof english, values?: Values) => worded(language, words[key], values);
  const next = async () => {
    await client.nextPerson();
    return [heading(level, say("next_person")), line(say("next_person_text")), line(button(say("begin"), begin))];
  };
  const ending = () => {
    const done = button(say("done"), () => {
      clearTimeout(timer);
      enter(next);
    });
    const timer = setTimeout(() => done.isConnected && enter(next), SECONDS * 1000);
    const clears = element("p", { class: "hint" }, say("clears", { count: SECONDS }));
    return [element("p", { class: "choice" }, done), clears];
  };
  return { ending, waiting: () => [line(say("still_here"))], next };
}
