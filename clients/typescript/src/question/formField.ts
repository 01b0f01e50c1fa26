/** The element as a control of somebody else's form: what the form gets of it, which is in the element's own store first. */

import type { Client } from "../device/client.js";
import type { Options } from "../device/open.js";
import type { Receipt } from "../device/records.js";
import type { LoadedLanguage } from "../languages/language.js";
import type { QuestionOptions } from "./mount.js";
import { element, saying } from "./nodes.js";

/** What the form's own page knows of an element; internals can be had once. */
const known = new WeakMap<HTMLElement, ElementInternals>();
/** All topics together may cost so many answers to the survey, unless the page says less. */
const MOST_ANSWERS = 2;

/** A control of a form. */
export class Field {
  readonly #host: HTMLElement;
  readonly #inner: HTMLElement;
  readonly #internals: ElementInternals;
  readonly #mirror: HTMLInputElement | undefined;
  #client: Client | undefined;
  #receipts: Client["receipts"] = async () => [];
  #value = "";

  constructor(host: HTMLElement, inner: HTMLElement) {
    [this.#host, this.#inner] = [host, inner];
    this.#internals = known.get(host) ?? host.attachInternals();
    known.set(host, this.#internals);
    if (host.hasAttribute("mirror")) {
      this.#mirror = element("input", { type: "hidden", name: host.getAttribute("name") ?? undefined });
      host.replaceChildren(this.#mirror);
    }
    Object.defineProperty(host, "value", { get: () => this.#value, configurable: true });
  }

  /** The options of the survey: it has no collector, and says what becomes of it in the form. */
  optionsOf({ endpoint: _, code: __, ...options }: QuestionOptions): QuestionOptions {
    const { page: often, ...language } = options.language as LoadedLanguage;
    const page = { ...often };
    const seldom = async () => {
      await language.seldom();
      const { form_submit: submit, form_stop_text: text } = Object.assign(page, often);
      Object.assign(page, { submit, declined_text: text, withdrawn_text: text });
    };
    this.#require(saying({ ...language, page })("missing"));
    return { ...options, language: { ...language, page, seldom } };
  }

  /** The client that is asked: it keeps within the cap, hands over instead of sending, and shows no bytes. */
  async prepared({ survey }: Client, opened: (more: Partial<Options>) => Promise<Client>): Promise<Client> {
    const most = MOST_ANSWERS * survey.charge;
    const client = await opened({ totalCap: Math.min(most, Number(this.#host.getAttribute("total-cap") ?? most)) });
    const receipts = client.receipts.bind(client);
    const shown = async () => (await receipts()).map(shownOf);
    [this.#client, this.#receipts] = [client, receipts];
    return Object.assign(client, {
      receipts: shown,
      flush: shown,
      answer: async (answers: Parameters<Client["answer"]>[0]) => {
        await client.handOver(answers);
        return (await shown()).at(-1);
      },
    });
  }

  /** Hold what belongs to a state; what was handed over stays. */
  async hold(state: string): Promise<void> {
    if (state !== "reading") this.#require();
    const last = (await this.#receipts().catch(() => [])).at(-1);
    const handed = last?.state === "handed over" && !this.#client?.rehearsed;
    if (handed) this.#keep((await this.#client?.handOver({})) ?? "");
    else if (state === "refused") this.#keep("");
    else if (this.#value === "") this.#keep((await this.#client?.declined()) ?? "");
  }

  #keep(value: string): void {
    this.#value = value;
    if (this.#mirror) this.#mirror.value = value;
    else this.#internals.setFormValue(value);
  }

  /** The form waits for a choice while there are words for why. */
  #require(missing?: string): void {
    if (missing && this.#host.hasAttribute("required")) {
      this.#internals.setValidity({ valueMissing: true }, missing, this.#inner);
    } else this.#internals.setValidity({});
  }
}

/** A receipt without its bytes, which nobody sees before the form is sent, and with its state as the words have it. */
function shownOf(receipt: Receipt): Receipt {
  return { ...receipt, state: receipt.state.replace(" ", "_") as Receipt["state"], bytes: new Uint8Array() };
}
