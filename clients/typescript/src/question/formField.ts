/** The element as a control of somebody else's form: what the form gets of it, which is in the element's own store first. */

import type { Client } from "../device/client.js";
import { indexedDbStore } from "../device/indexedDbStore.js";
import { spentOn } from "../device/ledger.js";
import type { Receipt } from "../device/records.js";
import { RespondentStore } from "../device/respondents.js";
import type { LoadedLanguage } from "../languages/language.js";
import { ID } from "../surveys/fieldValue.js";
import { uploadOf } from "../surveys/upload.js";
import { type SayField, sayingField } from "./compact.js";
import { meaningOf } from "./meaning.js";
import type { Guest, QuestionOptions } from "./mount.js";
import { button, element, type Heading, heading, line, type Nodes, saying } from "./nodes.js";
import { details } from "./receipts.js";

/** What outlives a field while its element moves: internals can be had once, and what was sent is no secret any more. */
const known = new WeakMap<HTMLElement, { readonly internals: ElementInternals; sent: boolean }>();
/** All topics together may cost so many answers to the survey, unless the page says less. */
const MOST_ANSWERS = 2;

/** A control of a form. */
export class Field {
  readonly #host: HTMLElement;
  readonly #inner: HTMLElement;
  readonly #own: { readonly internals: ElementInternals; sent: boolean };
  readonly #mirror: HTMLInputElement | undefined;
  readonly #store: RespondentStore;
  readonly #tell: Guest["told"];
  readonly #ending = new AbortController();
  #language: LoadedLanguage | undefined;
  #level: Heading = 2;
  #client: Client | undefined;
  #due = () => {};
  #hadForm = false;
  #isHanded = false;
  #value = "";

  constructor(host: HTMLElement, inner: HTMLElement, tell: Guest["told"]) {
    [this.#host, this.#inner, this.#tell] = [host, inner, tell];
    this.#own = known.get(host) ?? { internals: host.attachInternals(), sent: false };
    known.set(host, this.#own);
    this.#store = new RespondentStore(indexedDbStore(), host.getAttribute("respondent") ?? undefined);
    if (host.hasAttribute("mirror")) {
      this.#mirror = element("input", { type: "hidden", name: host.getAttribute("name") ?? undefined });
      host.replaceChildren(this.#mirror);
    }
    Object.defineProperty(host, "value", { get: () => this.#value, configurable: true });
    const sent = ({ target }: Event) => target === this.#own.internals.form && this.#release();
    const heard = { capture: true, signal: this.#ending.signal };
    for (const name of ["submit", "formdata"]) host.getRootNode().addEventListener(name, sent, heard);
  }

  /** The options of the survey: it has no collector, and says what becomes of it in the form. */
  optionsOf({ endpoint: _, code: __, ...options }: QuestionOptions): QuestionOptions {
    const { page: often, ...language } = options.language as LoadedLanguage;
    const page = { ...often };
    const say = sayingField({ ...language, page });
    const seldom = async () => {
      await language.seldom();
      const stopped = say("stopped");
      const ended = { declined_text: stopped, withdrawn_text: stopped };
      const buttons = { submit: say("submit"), leave: say("leave"), leave_text: say("leave_text") };
      Object.assign(page, often, buttons, ended, { cap_text: say("capped", { topics: await this.#topics() }) });
    };
    this.#language = { ...language, page, seldom };
    this.#level = options.heading ?? this.#level;
    this.#require(saying(this.#language)("missing"));
    const totalCapOf = (charge: number) => {
      const most = MOST_ANSWERS * charge;
      return Math.min(most, Number(this.#host.getAttribute("total-cap") ?? most));
    };
    return { ...options, language: this.#language, store: this.#store, totalCapOf };
  }

  /** What the session does of this in another way. */
  get guest(): Pick<Guest, "receipt" | "shown"> {
    return {
      receipt: (receipt) => this.#receipt(receipt),
      shown: (due) => {
        this.#due = due;
      },
    };
  }

  /** The client that is asked hands over instead of sending. */
  prepared(client: Client): void {
    this.#client = client;
    Object.assign(client, {
      answer: async (answers: Parameters<Client["answer"]>[0]) => {
        await client.handOver(answers);
        return (await client.receipts()).at(-1);
      },
    });
  }

  /** Hold what belongs to a state; what was handed over stays. */
  async hold(state: string): Promise<void> {
    this.#hadForm ||= this.#own.internals.form !== null;
    if (state !== "reading") this.#require();
    const last = (await this.#client?.receipts().catch(() => []))?.at(-1);
    const handed = last?.state === "handed over" && !this.#client?.rehearsed;
    this.#isHanded ||= handed;
    if (handed) this.#keep((await this.#client?.handOver({})) ?? "");
    else if (state === "refused") this.#keep("");
    else if (this.#value === "") this.#keep((await this.#client?.declined()) ?? "");
  }

  /** The element is taken from the page; where there is no form, that is how it is sent. */
  end(): void {
    if (!this.#hadForm) this.#own.sent = this.#isHanded;
    this.#ending.abort();
  }

  /** The form has what it gets, so that nobody can choose among draws any more by leaving. */
  #release(): void {
    if (this.#own.sent || !this.#isHanded) return; // a page may save what is there before anything is
    this.#own.sent = true;
    this.#due();
  }

  /** Of what was handed over neither dot nor bytes before the form has it. */
  #receipt(receipt: Receipt): Nodes | undefined {
    if (receipt.state !== "handed over" || !this.#client) return undefined;
    const [words, say] = [this.#say, saying(this.#language as LoadedLanguage)];
    const head = heading(this.#level, words("handed_over"));
    if (!this.#own.sent) return [head, line(words("handed_over_text"))];
    const { survey } = this.#client;
    const meaning = meaningOf(survey, uploadOf(survey, new Uint8Array(), receipt.bytes.subarray(ID)), say);
    return [head, ...meaning, details(receipt, words("held"), say, ID)];
  }

  /** Ask who is here, where the survey was answered for another respondent; ends once they say that it was them. */
  async whoever(host: Element, { survey, rehearsed }: Client): Promise<void> {
    const asked = !rehearsed && !survey.kiosk && (await this.#store.isTaken(survey.digest).catch(() => false));
    if (!asked) return;
    const say = this.#say;
    await new Promise<void>((same) => {
      const show = (...nodes: Nodes) => host.replaceChildren(element("section", {}, ...nodes));
      const no = () => {
        this.#tell("declined");
        const back = line(button(say("before_back"), same));
        const head = heading(this.#level, say("before_declined"));
        show(head, line(say("stopped")), back);
        head.focus();
      };
      const ask = () => {
        const choice = element("p", { class: "choice" }, button(say("before_yes"), same), button(say("before_no"), no));
        show(heading(this.#level, say("before")), line(say("before_text")), choice);
      };
      ask();
    });
    await this.#store.join(survey.digest);
  }

  get #say(): SayField {
    return sayingField(this.#language as LoadedLanguage);
  }

  /** The topics on which this host has had answers. */
  async #topics(): Promise<string> {
    const topics = await this.#store.update((entries) => [...spentOn(entries).keys()]).catch(() => []);
    return topics.map((name) => `‘${name}’`).join(", ");
  }

  #keep(value: string): void {
    this.#value = value;
    if (this.#mirror) this.#mirror.value = value;
    else this.#own.internals.setFormValue(value);
  }

  /** The form waits for a choice while there are words for why. */
  #require(missing?: string): void {
    if (missing && this.#host.hasAttribute("required")) {
      this.#own.internals.setValidity({ valueMissing: true }, missing, this.#inner);
    } else this.#own.internals.setValidity({});
  }
}
