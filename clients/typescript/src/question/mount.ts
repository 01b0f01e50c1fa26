/** A survey in a part of a page, behind what a collector wrote there; see standalone.ts for all other pages. */

import { hex, utf8 } from "../bytes.js";
import type { Client } from "../device/client.js";
import { type Options, open } from "../device/open.js";
import type { Receipt } from "../device/records.js";
import type { Language, LoadedLanguage } from "../languages/language.js";
import type { Essentials } from "../surveys/essentials.js";
import { loadParts } from "../surveys/partLoader.js";
import type { PageSettings } from "./choice.js";
import type { Heading, Nodes } from "./nodes.js";
import { Session } from "./session.js";

/** What `open` takes, and how it looks on the page. */
export interface QuestionOptions extends Options {
  /** English unless given. */
  readonly language?: Language | LoadedLanguage;
  /** The languages of the person, the dearest first, by which one of the survey's is shown; that of the page unless given. */
  readonly wanted?: readonly string[];
  /** How deep the title stands among the headings of the page around it; 2 unless given. */
  readonly heading?: Heading;
  /** Whether the survey takes no new answers, only those that were given before and still wait here. */
  readonly closed?: boolean;
  /** Where those who were asked may read the result; empty where they may not. */
  readonly result?: string;
  /** On pages of others: what is done beside, and who hears what becomes of the survey. */
  readonly guest?: Guest;
}

/** A survey on a page of others. */
export interface Guest {
  readonly told: (state: string, reason?: string) => void;
  readonly entered?: NonNullable<PageSettings["entered"]>;
  /** Of a survey in a form: what stands on a receipt, if there is more to it. */
  readonly receipt?: (receipt: Receipt) => Nodes | undefined;
  /** Done once the survey is opened, before anything is shown in this part of the page. */
  readonly before: (host: Element, client: Client) => Promise<void>;
  /** Gets what shows the stage that is due, once there is one. */
  readonly shown?: (due: () => void) => void;
  /** Whether only the least is shown, and all else behind a fold. */
  readonly compact: boolean;
}

/** A part of a page that a collector wrote: the numbers that it shows, and what shows it or hides it. */
export interface Consent {
  readonly essentials: Essentials;
  readonly show: (shown: boolean) => void;
}

/** What is due behind a page's consent, which may be the consent. */
export async function mountAfter(
  host: Element,
  options: QuestionOptions,
  { essentials, show }: Consent,
  signal: AbortSignal,
): Promise<Session> {
  const session = await openSession(options, await languageOf(options));
  const view = () => {
    show(true);
    return [];
  };
  await session.show(host, { shown: essentials, view, chosen: () => show(false) });
  sendUntil(signal, session);
  return session;
}

/** The survey, and the part of the page that is its. */
export async function openSession(options: QuestionOptions, language: LoadedLanguage): Promise<Session> {
  const { heading: level = 2, closed = false, wanted = [language.code], result, endpoint = "", guest } = options;
  const client = await open(options, { prepare: loadParts, digestOf });
  const { crowd } = client.survey;
  const page = { language, wanted, level, closed, result, endpoint, ...guest };
  if (!crowd || client.rehearsed) return new Session(client, page);
  const { mixedSettings } = await import("./mixed.js");
  return new Session(client, { ...page, ...(await mixedSettings(client, crowd, page)) });
}

/** Send what waits until a page or a part of it ends. */
export function sendUntil(signal: AbortSignal, session: Session): void {
  const stop = session.keepSending();
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop);
}

/** The language of the page. */
export async function languageOf({ language }: QuestionOptions): Promise<LoadedLanguage> {
  if (!language) return (await import("../languages/englishPage.js")).spoken;
  return "label" in language ? language : { ...language, label: async () => language, seldom: async () => {} };
}

/** SHA-256 by the browser, which is faster, or by ourselves where a page in one room came over plain HTTP. */
async function digestOf(text: string): Promise<string> {
  if (!globalThis.isSecureContext) return (await import("../sha256.js")).digest(text);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(text))));
}
