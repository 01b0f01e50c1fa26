/** A survey on a page, from the choice to the receipt: one stage at a time, each of which takes the focus. */

import { type Client, flushWhenPossible } from "../device/client.js";
import type { Receipt } from "../device/records.js";
import type { Answers } from "../surveys/answers.js";
import { isOver, periodAt } from "../surveys/periods.js";
import { wordingsFor } from "../surveys/translations.js";
import type { Choice, PageSettings } from "./choice.js";
import { Drafts, PATIENCE } from "./drafts.js";
import { QuestionForm } from "./form.js";
import { CHOICE, FormHistory } from "./formHistory.js";
import type { KioskTurns } from "./kiosk.js";
import { button, element, line, type Nodes, type Say, saying } from "./nodes.js";
import { type Note, noteAbout, noteOf } from "./notes.js";
import { receiptOf } from "./receipts.js";
import { Tabs } from "./tabs.js";

/** Milliseconds between attempts to send what waits, as far as they are due. */
const PAUSE = 60_000;
/** What is said where the words for it cannot be loaded. */
const UNSAID = (): Note => "failed";
/** States of a receipt, with their reasons, of which little is said from the start. */
const RARE = /^(refused|unknown|withdrawn .|waiting (no open|status 401))/;

/** The client of a survey, and the part of the page that is its. */
export class Session {
  readonly client: Client;
  readonly #page: PageSettings;
  readonly #say: Say;
  readonly #stage = element("section", {});
  readonly #status = element("p", { role: "status" });
  readonly #drafts: Drafts | undefined;
  readonly #tabs: Tabs | undefined;
  /** On a page of the survey's own. */
  #history: FormHistory | undefined;
  #turns: KioskTurns | undefined;
  #choice: Choice | undefined;
  #waits = false;
  /** Whether what was ticked here was forgotten for what another tab sent. */
  #lost = false;
  #forgetting: ReturnType<typeof setTimeout> | undefined;
  #form: QuestionForm | undefined;

  constructor(client: Client, page: PageSettings) {
    [this.client, this.#page, this.#say] = [client, page, saying(page.language)];
    const { digest } = client.survey;
    const alone = client.rehearsed || client.survey.kiosk; // nothing is kept of whom others follow
    this.#drafts = alone || page.told ? undefined : new Drafts(digest); // nor of anybody where others' scripts run
    this.#tabs = alone ? undefined : new Tabs(digest, () => void this.#heard());
  }

  /** Show the stage that is due, in a part of the page. Nothing is stored, and nothing drawn. */
  async show(host: Element, choice: Choice): Promise<void> {
    this.#choice = choice;
    if ("level" in choice.shown) this.#history = new FormHistory((place) => this.#visit(place));
    if (this.client.rehearsed) await this.#page.language.seldom();
    const { survey } = this.client;
    if (survey.kiosk && !survey.carrier) await this.#takeTurns();
    host.append(this.#stage, this.#status);
    await this.#attempt(() => this.#due(), false);
  }

  /** The person agrees to what they were shown. */
  agree(): Promise<void> {
    return this.#attempt(async () => {
      const { shown, sayings } = this.#choice as Choice;
      const last = (await this.client.receipts()).at(-1);
      if (last && this.#stands(last)) return this.#receipt(last, true);
      await this.client.consent().grant(shown, sayings);
      return this.#showForm();
    });
  }

  /** Send what waits, now and whenever that is possible, until the function that is returned is called. */
  keepSending(): () => void {
    const stop = flushWhenPossible(this.client);
    const look = () => void this.#look();
    const timer = setInterval(look, PAUSE);
    look();
    addEventListener("online", look);
    return () => {
      stop();
      clearInterval(timer);
      removeEventListener("online", look);
      this.#tabs?.close();
      this.#history?.close();
    };
  }

  /** Send what waits; only if something came of it does the stage change under the eyes of who looks at it. */
  async #look(): Promise<void> {
    if (!this.#waits || !navigator.onLine) return;
    const receipts = await this.client.flush().catch(() => []);
    if (receipts.at(-1)?.state !== "waiting") await this.#attempt(() => this.#sent(), false);
  }

  /** Another tab has answered, sent what waited, or would rather not. */
  async #heard(): Promise<void> {
    const last = (await this.client.receipts().catch(() => [])).at(-1);
    if (!last || !this.#stands(last)) {
      const consent = this.client.consent();
      const left = this.#form && !(await consent.granted().catch(() => true));
      return left ? this.#attempt(() => this.#withdrawn(), false) : undefined;
    }
    const delivered = this.#waits && last.state !== "waiting";
    this.#lost ||= !!this.#form;
    if (this.#form || delivered) {
      await this.#attempt(async () => (this.#lost ? this.#elsewhere(last) : this.#receipt(last, false)), false);
    }
  }

  /** What is due: the receipt of this period, else the choice, or the questions to who chose; at a kiosk that may be another. */
  async #due(): Promise<Nodes> {
    const last = (await this.client.receipts()).at(-1);
    if (last && this.#turns && last.state !== "waiting") return this.#turns.next(); // nobody who comes may see whose it was
    if (last && this.#stands(last)) return this.#receipt(last, true);
    if (this.#page.closed || isOver(this.client.survey, this.#moment())) return this.#note("over");
    const choice = this.#choice as Choice;
    const asksForCodes = "level" in choice.shown; // a collector's own page does
    if (!this.client.isInvited && !asksForCodes) return this.#note("uninvited");
    const agreed = !this.#turns && this.client.isInvited && (await this.client.consent().granted());
    return agreed ? this.#showForm() : choice.view();
  }

  async #takeTurns(): Promise<void> {
    const { kioskTurns } = await import("./kiosk.js");
    const enter = (act: () => Promise<Nodes>) => void this.#attempt(act);
    this.#turns = kioskTurns(this.client, this.#page.language, this.#page.level, enter, () => this.#choose());
  }

  /** Whether an answer stands for this period, so that no other one is asked for. */
  #stands({ state, reason, period }: Receipt): boolean {
    const { survey } = this.client;
    const final = survey.repeat === "once" || state === "waiting" || reason === "closed";
    return final || period === periodAt(survey, this.#moment());
  }

  #showForm(): Nodes {
    const [drafts, say] = [this.#drafts, this.#say];
    const draft = drafts?.read();
    if (draft && !this.#form) this.#forgetLater();
    this.#form ??= new QuestionForm(
      this.client.survey,
      { say, texts: wordingsFor(this.client.survey, this.#page.wanted), level: this.#page.level, keeps: !!drafts },
      {
        submit: (answers) => this.#attempt(() => this.#answered(answers)),
        changed: (draft) => {
          drafts?.write(draft);
          this.#forgetLater();
        },
        leave: () => this.#attempt(() => this.#stopped()),
        moved: (place) => this.#history?.enter(place),
        back: (place) => this.#history?.back(place) || (place === CHOICE && this.#choose()),
        tell: (text, quiet) => this.#tell(text, quiet),
      },
      draft,
    );
    this.#history?.enter(this.#form.place);
    return this.#shown(this.#form);
  }

  #shown({ element: form }: QuestionForm): Nodes {
    this.#choice?.chosen();
    this.#turns?.watched(form, () => {
      this.#forget();
      this.#choose();
    });
    return [form];
  }

  /** The browser went to a place. Once the answers are sent, or dropped, none is left to show. */
  #visit(place: number): void {
    if (!this.#form || this.#stage.inert) return;
    if (place === CHOICE) this.#choose();
    else {
      if (!this.#form.element.isConnected) this.#enter(this.#shown(this.#form), false);
      const shown = this.#form.visit(place);
      if (shown !== place) this.#history?.correct(shown);
    }
  }

  /** Show the choice again. */
  #choose(): true {
    this.#enter((this.#choice as Choice).view());
    return true;
  }

  /** After some minutes without a touch nothing is left of the answers. */
  #forgetLater(): void {
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => {
      const shown = this.#form?.element.isConnected; // or else the choice is, and stays
      this.#forget();
      if (!shown) return;
      this.#enter(this.#showForm(), false);
      this.#tell(this.#say("forgotten"));
    }, PATIENCE * 1000);
  }

  #forget(): void {
    clearTimeout(this.#forgetting);
    this.#drafts?.forget();
    this.#form = undefined;
  }

  async #receipt(receipt: Receipt, before: boolean): Promise<Nodes> {
    if (RARE.test(`${receipt.state} ${receipt.reason}`)) await this.#page.language.seldom();
    const { survey } = this.client;
    this.#forget();
    this.#history?.end();
    this.#choice?.chosen();
    this.#waits = receipt.state === "waiting";
    this.#page.told?.(receipt.state, receipt.reason);
    const send = button(this.#say("send"), () => this.#attempt(() => this.#sent()));
    const stop = button(this.#say("stop"), () => this.#attempt(() => this.#stopped()));
    const stoppable = this.#waits || (survey.repeat !== "once" && receipt.state === "sent");
    return [
      ...(this.#page.receipt?.(receipt) ?? receiptOf(this.client, receipt, this.#say, { ...this.#page, before })),
      ...(stoppable ? [element("p", { class: "choice" }, this.#waits && send, stop)] : []),
      ...((this.#waits ? this.#turns?.waiting() : this.#turns?.ending()) ?? []),
    ];
  }

  /** What another tab sent; what was ticked here goes. */
  async #elsewhere(receipt: Receipt): Promise<Nodes> {
    const [head, ...rest] = await this.#receipt(receipt, false);
    return [...(head ? [head] : []), line(this.#say("elsewhere")), ...rest];
  }

  async #note(note: Note): Promise<Nodes> {
    this.#page.told?.(note);
    this.#forget();
    this.#history?.end();
    this.#choice?.chosen();
    const said =
      note === "withdrawn" || note === "failed" ? note : await this.#page.language.seldom().then(() => note, UNSAID);
    return noteOf(said, this.#say, this.#page.level, this.client.survey.topic);
  }

  /** Without a network nothing is tried, so that no pause keeps the answer once there is one again. */
  async #answered(answers: Answers): Promise<Nodes> {
    const last = (await this.client.receipts()).at(-1);
    if (last && this.#stands(last)) return this.#elsewhere(last);
    const drawn = await this.client.answer(answers);
    this.#forget();
    this.#tabs?.tell();
    return navigator.onLine ? this.#sent() : this.#receipt(drawn, false);
  }

  async #sent(): Promise<Nodes> {
    const last = (await this.client.flush()).at(-1);
    this.#tabs?.tell();
    return last ? this.#receipt(last, false) : this.#due();
  }

  async #stopped(): Promise<Nodes> {
    await this.client.consent().withdraw();
    this.#tabs?.tell();
    return this.#withdrawn();
  }

  async #withdrawn(): Promise<Nodes> {
    this.#forget();
    const last = (await this.client.receipts()).at(-1);
    if (last?.state === "withdrawn") return this.#receipt(last, false);
    const again = button(this.#say("reconsider"), () => this.#choose());
    return [...(await this.#note("withdrawn")), line(again)];
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
    this.#page.entered?.(this.#stage, this.#form);
    const head = this.#stage.querySelector<HTMLElement>("[tabindex]");
    this.#tell(focus || head !== nodes[0] ? "" : (head?.textContent ?? ""), true);
    if (focus) head?.focus();
  }

  /** Say something beneath the stage; where it is `quiet`, to screen readers alone, for everybody else sees it. */
  #tell(text: string, quiet = false): void {
    this.#status.classList.toggle("quiet", quiet);
    this.#status.textContent = text;
  }

  #moment(): Date {
    return new Date(1000 * this.client.now());
  }
}
