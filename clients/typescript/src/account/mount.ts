/** The account on a page: read from the browser's own store, with a way to stop taking part. */

import { type Account, accountIn, withdrawIn } from "../device/account.js";
import { indexedDbStore } from "../device/indexedDbStore.js";
import type { Store } from "../device/store.js";
import type { PageSayings } from "../languages/language.js";
import { element, type Heading, heading, own, saying } from "../question/nodes.js";
import { noteAbout, noteOf } from "../question/notes.js";
import { ledgerOf } from "./ledger.js";
import { partOf } from "./parts.js";
import { type Tell, telling } from "./words.js";

/** What an account needs to be shown. */
export interface Shown {
  /** That of this page's host unless given. */
  readonly store?: Store;
  readonly language: PageSayings;
  readonly level: Heading;
}

/** Show what a store holds in a part of the page, whatever was there before. Nothing is stored or sent. */
export async function mountAccount(host: Element, shown: Shown): Promise<void> {
  const { store = indexedDbStore(), language, level } = shown;
  const tell = telling(language);
  const status = element("p", { role: "status" });
  const show = (account: Account) => host.replaceChildren(...nodesOf(account, shown, tell, stop), status);
  const fail = (error: unknown) =>
    host.replaceChildren(own(`h${level}`, tell("account")), ...noteOf(noteAbout(error), saying(language), level));
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
  { language, level }: Shown,
  tell: Tell,
  stop: (digest: string, title: string) => void,
) {
  const head = element("header", {}, own(`h${level}`, tell("account")));
  const told = element("p", {}, tell("account_text"));
  if (!account.parts.length && !account.topics.size) {
    return [head, told, element("section", {}, heading(level, tell("empty")), element("p", {}, tell("empty_text")))];
  }
  const parts = account.parts.map((part) => partOf(part, language.code, tell, saying(language), level, stop));
  const sent = element("section", {}, heading(level, tell("answers")), ...parts);
  return [head, told, sent, ledgerOf(account, tell, level)];
}
