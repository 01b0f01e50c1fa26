/** A survey on a page, from the first sight to the receipt: one stage at a time, each of which takes the focus. */

import type { Client } from "../device/client.js";
import { flushWhenPossible } from "../device/flushing.js";
import type { Receipt } from "../device/records.js";
import type { Language } from "../languages/language.js";
import type { Answers } from "../surveys/answers.js";
import { isOver, periodAt } from "../surveys/periods.js";
import { formOf } from "./form.js";
import { choice, fold, type Heading, intro } from "./intro.js";
import { button, element, type Say, saying } from "./nodes.js";
import { type Note, noteAbout, noteOf } from "./notes.js";
import { receiptOf } from "./receipts.js";
import { type Wordings, wordingsFor } from "./wordings.js";

/** Milliseconds between attempts to send what waits, as far as they are due. */
const PATIENCE = 60_000;

type Nodes = readonly HTMLElement[];

/** The client of a survey, and the part of the page that is its. */
export class Asking {
  readonly #client: Client;
  readonly #language: Language;
  readonly #level: Heading;
  readonly #closed: boolean;
  readonly #say: Say;
  readonly #words: Wordings;
  readonly #stage = element("section", {});
  readonly #status = element("p", { role: "status" });
  #sentences: readonly string[] = [];
  #waits = false;
  #label: HTMLElement | undefined;

  constructor(client: Client, language: Language, level: Heading, closed = false, wanted: readonly string[] = []) {
    this.#client = client;
    this.#language = language;
    this.#level = level;
    this.#closed = closed;
    this.#say = saying(language);
    this.#words = wordingsFor(client.survey, wanted);
  }

  /** Show who asks what, the label, and the stage that is due. Nothing is stored, and nothing drawn. */
  async show(host: Element): Promise<void> {
    const { lesser, sentences } = await import("../label.js");
    const { survey } = this.#client;
    this.#sentences = sentences(survey, this.#language);
    const top = intro(survey, this.#words, this.#sentences, lesser(survey, this.#language), this.#say, this.#level);
    this.#label = top.at(-1);
    const aside = this.#client.rehearsed && element("p", { class: "rehearsal", role: "note" }, this.#say("rehearsal"));
    host.replaceChildren(...(aside ? [aside] : []), ...top, this.#stage, this.#status);
    await this.#attempt(() => this.#due(), false);
  }

  /** Send what waits, now and whenever that is possible, until the function that is returned is called. */
  keepSending(): () => void {
    const stop = flushWhenPossible(this.#client);
    const look = () => void this.#look();
    const timer = setInterval(look, PATIENCE);
    look();
    addEventListener("online", look);
    return () => {
      stop();
      clearInterval(timer);
      removeEventListener("online", look);
    };
  }

  /** Send what waits; only if something came of it does the stage change under the eyes of who looks at it. */
  async #look(): Promise<void> {
    if (!this.#waits || !navigator.onLine) return;
    const receipts = await this.#client.flush().catch(() => []);
    if (receipts.at(-1)?.state !== "waiting") await this.#attempt(() => this.#sent(), false);
  }

  /** The stage that is due: the receipt of this period, else the choice, or the questions once they chose. */
  async #due(): Promise<Nodes> {
    const receipts = await this.#client.receipts();
    const last = receipts.at(-1);
    if (last && this.#stands(last)) return this.#receipt(last, true);
    if (this.#closed || isOver(this.#client.survey, this.#moment())) return this.#note("over");
    return (await this.#client.consent().granted()) ? this.#form() : this.#choice();
  }

  /** Whether an answer stands for this period, so that no other one is asked for. */
  #stands({ state, reason, period }: Receipt): boolean {
    const { survey } = this.#client;
    const final = survey.repeat === "once" || state === "waiting" || reason === "closed";
    return final || period === periodAt(survey, this.#moment());
  }

  #choice(): Nodes {
    const agree = () => this.#attempt(() => this.#agreed());
    return choice(this.#client.survey, this.#say, this.#level, agree, () => this.#enter(this.#declined()));
  }

  #declined(): Nodes {
    const again = button(this.#say("reconsider"), () => this.#enter(this.#choice()));
    return [...this.#note("declined"), element("p", {}, again)];
  }

  #form(): Nodes {
    if (this.#label) fold(this.#label);
    return formOf(this.#client.survey, this.#words, this.#say, this.#level, {
      submit: (answers) => this.#attempt(() => this.#answered(answers)),
      faulty: (count) => this.#tell(count ? this.#say("attention", { count }) : ""),
      stop: () => this.#attempt(() => this.#stopped()),
    });
  }

  #receipt(receipt: Receipt, before: boolean): Nodes {
    const { survey } = this.#client;
    this.#waits = receipt.state === "waiting";
    const send = button(this.#say("send"), () => this.#attempt(() => this.#sent()));
    const stop = button(this.#say("stop"), () => this.#attempt(() => this.#stopped()));
    const stoppable = this.#waits || (survey.repeat !== "once" && receipt.state === "sent");
    return [
      ...receiptOf(this.#client, receipt, this.#say, this.#level, before),
      element("p", { class: "choice" }, this.#waits && send, stoppable && stop),
    ];
  }

  #note(note: Note): Nodes {
    return noteOf(note, this.#say, this.#level, this.#client.survey.topic);
  }

  async #agreed(): Promise<Nodes> {
    await this.#client.consent().grant(this.#sentences, this.#language);
    return this.#form();
  }

  /** Without a network nothing is tried, so that no pause keeps the answer once there is one again. */
  async #answered(answers: Answers): Promise<Nodes> {
    const drawn = await this.#client.answer(answers);
    return navigator.onLine ? this.#sent() : this.#receipt(drawn, false);
  }

  async #sent(): Promise<Nodes> {
    const last = (await this.#client.flush()).at(-1);
    return last ? this.#receipt(last, false) : this.#due();
  }

  async #stopped(): Promise<Nodes> {
    await this.#client.consent().withdraw();
    const last = (await this.#client.receipts()).at(-1);
    return last?.state === "withdrawn" ? this.#receipt(last, false) : this.#note("withdrawn");
  }

  /** Do something, one thing at a time, and enter the stage that follows, or say what went wrong. */
  async #attempt(act: () => Promise<Nodes>, focus = true): Promise<void> {
    if (this.#stage.inert) return;
    this.#stage.inert = true;
    this.#tell(this.#say("working"));
    const nodes = await act().catch((error) => this.#note(noteAbout(error)));
    this.#stage.inert = false;
    this.#enter(nodes, focus);
  }

  /** Show a stage; who asked for it is taken to its heading, and others hear of it. */
  #enter(nodes: Nodes, focus = true): void {
    this.#stage.replaceChildren(...nodes);
    this.#tell(focus ? "" : (nodes[0]?.textContent ?? ""), true);
    if (focus) nodes[0]?.focus();
  }

  /** Say something beneath the stage; where it is `quiet`, to screen readers alone, for everybody else sees it. */
  #tell(text: string, quiet = false): void {
    this.#status.classList.toggle("quiet", quiet);
    this.#status.textContent = text;
  }

  #moment(): Date {
    return new Date(1000 * this.#client.now());
  }
}
