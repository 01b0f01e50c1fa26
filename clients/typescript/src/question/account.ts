/** The account on a page: what a browser's store holds of each survey and has spent on each topic, with a way to stop. */

import { type Account, accountIn, type Part, withdrawIn } from "../device/account.js";
import { indexedDbStore } from "../device/indexedDbStore.js";
import type { Topic } from "../device/ledger.js";
import type { Receipt } from "../device/records.js";
import type { Store } from "../device/store.js";
import type { PageLanguage, Values, Wording } from "../languages/language.js";
import { wordedInNumbers } from "../languages/statements.js";
import { evenGuess } from "../numberFormats.js";
import { ID as FIELD_ID } from "../surveys/fieldValue.js";
import { account as german } from "../wire/de.js";
import { account as english } from "../wire/en.js";
import { authorText, button, element, type Heading, heading, type Say, saying } from "./nodes.js";
import { noteAbout, noteOf } from "./notes.js";
import { details } from "./receipts.js";

/** By the codes of the languages. */
export const WORDS: Readonly<Record<string, Readonly<Record<Words, Wording>>>> = { en: english, de: german };

type Words = keyof typeof english;

/** Says things of the account in a language. */
type SayAccount = (key: Words, values?: Values) => string;

/** What an account needs to be shown. */
export interface AccountOptions {
  /** That of this page's host unless given. */
  readonly store?: Store;
  readonly language: PageLanguage;
  readonly level: Heading;
}

/** Show what a store holds in a part of the page, whatever was there before. Nothing is stored or sent. */
export async function mountAccount(host: Element, shown: AccountOptions): Promise<void> {
  const { store = indexedDbStore(), language, level } = shown;
  const words = WORDS[language.code] ?? english;
  const tell: SayAccount = (key, values) => wordedInNumbers(language, words[key], values);
  const status = element("p", { role: "status" });
  const show = (account: Account) => host.replaceChildren(...nodesOf(account, shown, tell, stop), status);
  const fail = (error: unknown) =>
    host.replaceChildren(
      authorText(`h${level}`, tell("account")),
      ...noteOf(noteAbout(error), saying(language), level),
    );
  const stop = (digest: string, title: string) =>
    withdrawIn(store, digest).then((account) => {
      show(account);
      status.textContent = tell("stopped", { name: title });
      host.querySelector<HTMLElement>("[tabindex]")?.focus();
    }, fail);
  host.classList.add("deniable");
  host.setAttribute("lang", language.code);
  host.setAttribute("dir", language.direction);
  await accountIn(store).then(show, fail);
}

function nodesOf(
  account: Account,
  { language, level }: AccountOptions,
  tell: SayAccount,
  stop: (digest: string, title: string) => void,
) {
  const head = element("header", {}, authorText(`h${level}`, tell("account")));
  const text = element("p", {}, tell("account_text"));
  if (!account.parts.length && !account.topics.size) {
    return [head, text, element("section", {}, heading(level, tell("empty")), element("p", {}, tell("empty_text")))];
  }
  const parts = account.parts.map((part) => partOf(part, language.code, tell, saying(language), level, stop));
  const sent = element("section", {}, heading(level, tell("answers")), ...parts);
  return [head, text, sent, ledgerOf(account, tell, level)];
}

/** A survey on the page. */
function partOf(
  part: Part,
  code: string,
  tell: SayAccount,
  say: Say,
  level: Heading,
  stop: (digest: string, title: string) => void,
) {
  const { survey, endpoint, granted, receipts, isMixed } = part;
  const title = part.title || `${tell("untitled")} (${survey.slice(0, 12)})`;
  const state = tell(granted ? "taking" : "not_taking");
  const end = button(tell("stop"), () => stop(survey, title));
  end.setAttribute("aria-label", tell("stop_about", { name: title }));
  return element(
    "article",
    {},
    authorText(`h${(level + 2) as 3 | 4 | 5}`, title),
    ...(receipts.length
      ? receipts.flatMap((each) => receiptOf(each, isMixed, tell, say))
      : [element("p", {}, tell("none"))]),
    element("p", {}, state),
    ...(endpoint
      ? [element("p", {}, element("a", { href: `${endpoint}/label/${survey}?lang=${code}` }, tell("label")))]
      : []),
    ...(granted ? [element("p", {}, end)] : []),
  );
}

function receiptOf(receipt: Receipt, isMixed: boolean, tell: SayAccount, say: Say): HTMLElement[] {
  const { state, reason, period, bytes } = receipt;
  const when = period === null || period === "once" ? "" : `${period}: `;
  const found = state === "handed over" ? "handed_over" : isMixed && state === "sent" ? "sealed" : state;
  const text = element("p", {}, when + tell(`state_${found}`, { reason }));
  const id = state === "handed over" ? FIELD_ID : undefined;
  return bytes.length ? [text, details(receipt, say("details"), say, id)] : [text];
}

/** What was spent, topic by topic and in all, as what it does to an even guess. */
function ledgerOf({ parts, topics, total }: Account, tell: SayAccount, level: Heading): HTMLElement {
  return element(
    "section",
    {},
    heading(level, tell("ledger")),
    element("p", {}, tell("ledger_text")),
    ...[...topics].map(([name, topic]) => topicOf(titleOf(parts, name), topic, tell, level)),
    ...(topics.size > 1 ? [element("p", {}, tell("total", { share: evenGuess(total) }))] : []),
    element("p", { class: "hint" }, tell("forget")),
  );
}

/** A topic as people know it: one that has the name of a survey, for none was given, has the survey's title. */
function titleOf(parts: readonly Part[], topic: string): string {
  const own = parts.filter(({ receipts }) => receipts.some((each) => each.topic === topic && each.name === topic));
  return own.at(-1)?.title || topic;
}

function topicOf(name: string, { spent, cap }: Topic, tell: SayAccount, level: Heading): HTMLElement {
  const left = spent < cap ? tell("topic_more", { share: evenGuess(cap) }) : tell("topic_full");
  return element(
    "article",
    {},
    authorText(`h${(level + 2) as 3 | 4 | 5}`, name),
    element("p", {}, element("strong", {}, tell("topic_guess", { share: evenGuess(spent) }))),
    element("p", {}, left),
  );
}
