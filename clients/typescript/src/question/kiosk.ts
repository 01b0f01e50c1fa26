/** One person after another on one device: what is shown between two of them, once nothing of the first is left. */

import type { Client } from "../device/client.js";
import { type PageLanguage, type Values, worded } from "../languages/language.js";
import { kiosk as german } from "../wire/de.js";
import { kiosk as english } from "../wire/en.js";
import { button, element, type Heading, heading, line, type Nodes } from "./nodes.js";

const WORDS: Readonly<Record<string, typeof english>> = { en: english, de: german };
/** How long a receipt stands when nobody presses anything. */
const SECONDS = 20;
/** How long a question stands without a touch, and how many of these seconds are counted down. */
const IDLE = 60;
const COUNTED = 15;
const TOUCHES = ["pointerdown", "keydown", "input"] as const;

/** What happens between two people. */
export interface KioskTurns {
  /** What stands beneath a final receipt: last the way to the next person, which takes itself after a while. */
  readonly ending: () => Nodes;
  /** What stands beneath an answer that waits: it must go first. */
  readonly waiting: () => Nodes;
  /** Forget what stands in a stage that nobody touches any more; what counts down the last seconds stands beneath it. */
  readonly watched: (stage: HTMLElement, clear: () => void) => void;
  /** Forget who answered, and ask for the next person. */
  readonly next: () => Promise<Nodes>;
}

/** The turns of a kiosk; `enter` shows what is next, and `begin` the choice. */
export function kioskTurns(
  client: Client,
  language: PageLanguage,
  level: Heading,
  enter: (act: () => Promise<Nodes>) => void,
  begin: () => void,
): KioskTurns {
  const words = WORDS[language.code] ?? english;
  const say = (key: keyof typeof english, values?: Values) => worded(language, words[key], values);
  const next = async () => {
    await client.nextPerson();
    const beginning = element("p", { class: "choice" }, button(say("begin"), begin));
    return [heading(level, say("next_person")), line(say("next_person_text")), beginning];
  };
  const ending = () => {
    const done = button(say("done"), () => {
      clearTimeout(timer);
      enter(next);
    });
    const timer = setTimeout(() => done.isConnected && enter(next), SECONDS * 1000);
    const clears = element("p", { class: "hint" }, say("clears", { count: SECONDS }));
    return [clears, element("p", { class: "choice" }, done)];
  };
  const watched = (stage: HTMLElement, clear: () => void) => {
    const bar = element("div", { class: "idle", role: "timer", hidden: true });
    const countdown = line("");
    let left = IDLE;
    const touched = () => {
      left = IDLE;
      bar.hidden = true;
    };
    const end = (act: () => void) => {
      clearInterval(ticking);
      for (const each of TOUCHES) removeEventListener(each, touched);
      bar.remove();
      act();
    };
    const ticking = setInterval(() => {
      if (!stage.isConnected) return end(() => {});
      left--;
      if (left <= 0) return end(clear);
      if (!bar.isConnected) stage.after(bar);
      bar.hidden = left > COUNTED;
      countdown.textContent = say("idle", { count: left });
    }, 1000);
    for (const each of TOUCHES) addEventListener(each, touched);
    bar.append(
      countdown,
      button(say("forget_now"), () => end(clear)),
    );
  };
  return { ending, waiting: () => [line(say("still_here"))], watched, next };
}
