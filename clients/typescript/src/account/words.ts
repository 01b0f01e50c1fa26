/** What the account says, in each language of the element. */

import { type Language, type Values, type Wording, worded } from "../languages/language.js";

const english = {
  account: "What this browser has sent and spent",
  account_text: "This is read from this browser's own memory. Nobody else gets it, not even the host of this page.",
  empty: "Nothing so far",
  empty_text:
    "Through this address this browser has answered no survey. Other browsers, and what was cleared, are not here.",
  answers: "What was sent",
  untitled: "A survey without an answer",
  taking: "You take part.",
  not_taking: "You no longer take part.",
  none: "No answer was drawn.",
  state_waiting: "An answer was drawn and waits here. Its bytes are shown once it has been sent.",
  state_sent: "Received by the collector.",
  state_refused: "Refused by the collector ({reason}), and so not counted.",
  state_unknown: "Sent, but the survey closed before a receipt came back.",
  state_withdrawn: "Withdrawn before it was known to be received.",
  label: "Privacy label",
  stop: "Stop taking part from now on",
  stop_about: "Stop taking part from now on: {name}",
  stopped: "You no longer take part in {name}. What was sent before cannot be taken back.",
  ledger: "What was spent",
  ledger_text:
    "Each answer that is sent tells a little about you, and so costs privacy. This browser adds that up for each topic, and " +
    "never goes above the limit. Withdrawing gives nothing back.",
  topic: "Topic",
  spent: "Spent (ε)",
  cap: "Limit",
  odds: "Odds change by at most",
  times: "{factor} times",
  odds_text:
    "Odds: somebody guesses at what the labels protect. All your answers to a topic together can make the odds of that " +
    "guess so many times larger or smaller.",
  total: "In all, {total} was spent.",
  forget:
    "If you clear this browser's memory, all this is forgotten, the limit too: your next visit will look like the first.",
} as const;

/** The keys of what the account says. */
export type Words = keyof typeof english;

const german: Readonly<Record<Words, Wording>> = {
  account: "Was dieser Browser gesendet und ausgegeben hat",
  account_text:
    "Das steht im Speicher dieses Browsers. Niemand sonst bekommt es, auch nicht, wer diese Seite bereitstellt.",
  empty: "Bisher nichts",
  empty_text:
    "Über diese Adresse hat dieser Browser keine Umfrage beantwortet. Andere Browser und Gelöschtes stehen nicht hier.",
  answers: "Was gesendet wurde",
  untitled: "Eine Umfrage ohne Antwort",
  taking: "Sie nehmen teil.",
  not_taking: "Sie nehmen nicht mehr teil.",
  none: "Keine Antwort wurde ausgelost.",
  state_waiting: "Eine Antwort ist ausgelost und wartet hier. Ihre Bytes sind zu sehen, sobald sie gesendet ist.",
  state_sent: "Bei der Sammelstelle angekommen.",
  state_refused: "Von der Sammelstelle abgelehnt ({reason}) und deshalb nicht gezählt.",
  state_unknown: "Gesendet, aber die Umfrage endete, bevor eine Bestätigung kam.",
  state_withdrawn: "Zurückgezogen, bevor feststand, dass sie angekommen ist.",
  label: "Was zugesagt ist",
  stop: "Ab jetzt nicht mehr teilnehmen",
  stop_about: "Ab jetzt nicht mehr teilnehmen: {name}",
  stopped: "Sie nehmen an {name} nicht mehr teil. Was vorher gesendet wurde, lässt sich nicht zurückholen.",
  ledger: "Was ausgegeben wurde",
  ledger_text:
    "Jede ausgeloste Antwort verrät ein wenig und kostet damit Privatheit. Dieser Browser zählt sie für jedes Thema zusammen " +
    "und geht nie über die Grenze. Wer nicht mehr teilnimmt, bekommt nichts zurück.",
  topic: "Thema",
  spent: "Epsilon",
  cap: "Grenze",
  odds: "Chancen ändern sich höchstens",
  times: "{factor}-fach",
  odds_text:
    "Chancen: Jemand vermutet etwas über das, was geschützt ist. Alle Ihre Antworten zu einem Thema zusammen können die " +
    "Chancen dieser Vermutung höchstens so viele Male größer oder kleiner machen.",
  total: "Insgesamt wurden {total} ausgegeben.",
  forget:
    "Wer den Speicher dieses Browsers löscht, löscht auch das, samt der Grenze: Der nächste Besuch sieht aus wie der erste.",
};

/** By the codes of the languages. */
export const WORDS: Readonly<Record<string, Readonly<Record<Words, Wording>>>> = { en: english, de: german };

/** Says things of the account in a language. */
export type Tell = (key: Words, values?: Values) => string;

export function telling({ code }: Language): Tell {
  const words = WORDS[code] ?? english;
  return (key, values) => worded(code, words[key], values);
}
