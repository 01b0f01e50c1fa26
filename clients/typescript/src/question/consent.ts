/**
 * The consent of a page that a collector wrote: its words and its picture are there before any script. This waits for the
 * choice, looks at the invitation first where one is needed, and loads all else once somebody takes part, or has before.
 */

import { machine } from "./machine.js";
import type { QuestionOptions } from "./mount.js";
import type { Session } from "./session.js";

/** The parts of the page, of which one is shown; without any, the survey's own stage is. */
type Part = "consent" | "declined" | "invitation" | "used" | "insecure" | "failed";

/** Gives what the element's attributes say, and the language, which is loaded. */
type Wanted = (code: string | null) => Promise<QuestionOptions>;

/** Where a survey is asked, and how. */
interface Place {
  readonly code: string | null;
  readonly endpoint: string;
  readonly wanted: Wanted;
  readonly signal: AbortSignal;
}

/** The consent within an element; undefined where the page has none. */
export function consentIn(host: HTMLElement): PageConsent | undefined {
  return host.querySelector("[data-part=consent]") ? new PageConsent(host) : undefined;
}

/** A page's own consent. */
export class PageConsent {
  readonly #host: HTMLElement;
  readonly #stage = document.createElement("div");
  #place: Place | undefined;
  #asked: Promise<Session> | undefined;
  /** Whether they have chosen to take part. */
  #agreed = false;
  #counted = () => {};

  constructor(host: HTMLElement) {
    this.#host = host;
    host.append(this.#stage);
    for (const word of host.querySelectorAll<HTMLElement>("[data-phone]")) {
      word.textContent = word.dataset[machine()] ?? word.textContent;
    }
    for (const link of document.querySelectorAll<HTMLAnchorElement>("[data-hash]")) {
      link.addEventListener("click", () => {
        link.hash = location.hash; // an invitation, which the server must not see, goes along
      });
    }
    this.#when("agree", () => this.#agree());
    this.#when("decline", () => this.#show("declined", true));
    this.#when("reconsider", () => this.#show("consent", true));
    this.#when("another", () => this.#show("invitation", true));
    this.#when("retry", () => (this.#agreed ? this.#agree() : this.ask(this.#place as Place)));
    host.querySelector("[data-part=invitation] form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#typed();
    });
  }

  /**
   * Ask: whoever has been here before meets what is due, everybody else the choice. Of a survey with a crowd all is loaded
   * before anything can be pressed, so that this host does not see when somebody answers.
   */
  async ask(place: Place): Promise<void> {
    [this.#place, this.#asked, this.#agreed] = [place, undefined, false];
    this.#stage.replaceChildren();
    const host = this.#host; // a rehearsal knows of nobody
    if (!globalThis.isSecureContext && !host.hasAttribute("lan")) return this.#show("insecure");
    const mixed = host.hasAttribute("mixed");
    if (mixed) this.#wait(true);
    const known = () => mixed || isKnown(host.getAttribute("survey") ?? "");
    if (!host.hasAttribute("rehearse") && (await known())) await this.#mounted();
    else await this.#offer();
  }

  /** The choice, once the invitation is known to be good where one is needed. */
  async #offer(): Promise<void> {
    const { code, endpoint } = this.#place as Place;
    const digest = this.#host.getAttribute("survey") ?? "";
    const needed = this.#host.hasAttribute("invited");
    const state = needed ? await stateOf(endpoint, digest, code) : "unused";
    this.#host.toggleAttribute("data-unknown", state === "unknown");
    this.#host.toggleAttribute("data-coded", code !== null); // the server was asked about it
    this.#show(state === "unused" ? "consent" : state === "spent" ? "used" : "invitation");
  }

  async #agree(): Promise<void> {
    this.#agreed = true;
    this.#wait(true);
    const session = await this.#mounted();
    await session?.agree();
  }

  /** The survey behind the consent, which is loaded once. */
  async #mounted(): Promise<Session | undefined> {
    const { code, wanted, signal } = this.#place as Place;
    const { level, belief, own, other } = this.#host.dataset;
    const share = (written = "") => (written ? Number(written) : null);
    const essentials = { level: Number(level), belief: share(belief), own: share(own), other: share(other) };
    const show = (shown: boolean) => (shown ? void this.#offer() : this.#show());
    this.#asked ??= Promise.all([import("./mount.js"), wanted(code)]).then(([{ mountAfter }, options]) =>
      mountAfter(this.#stage, options, { essentials, show }, signal),
    );
    try {
      return await this.#asked;
    } catch (error) {
      console.error(error);
      this.#asked = undefined;
      this.#stage.replaceChildren();
      this.#show("failed", true);
      return undefined;
    }
  }

  /** A code from a letter: it goes where a link has it, so that it is still there after a reload. */
  #typed(): void {
    const code = this.#host.querySelector<HTMLInputElement>("[data-part=invitation] input")?.value.trim();
    if (!code) return;
    const hash = `#${new URLSearchParams({ code })}`;
    if (hash === location.hash) void this.#offer();
    else location.hash = hash; // the element sees that and asks again
  }

  /** Show one part of the page alone, or none of them: then the survey's own stage is there. */
  #show(part?: Part, focus = false): void {
    for (const each of this.#host.querySelectorAll<HTMLElement>("[data-part]"))
      each.hidden = each.dataset["part"] !== part;
    this.#host.toggleAttribute("data-going", !part);
    this.#wait(false);
    if (focus) this.#host.querySelector<HTMLElement>(`[data-part=${part}] [tabindex]`)?.focus();
  }

  /** While something is loaded that is said, with how much has come, and nothing can be pressed twice. */
  #wait(waiting: boolean): void {
    this.#counted();
    if (waiting) this.#counted = counting(this.#host);
    for (const each of this.#host.querySelectorAll<HTMLButtonElement>("[data-act]")) each.disabled = waiting;
    for (const each of this.#host.querySelectorAll<HTMLElement>("[data-loading]")) each.hidden = !waiting;
  }

  #when(act: string, done: () => unknown): void {
    for (const each of this.#host.querySelectorAll(`[data-act=${act}]`))
      each.addEventListener("click", () => void done());
  }
}

/** Whether this browser's store knows of a survey; none is made by looking. Where nobody may look, what is due says so. */
function isKnown(survey: string): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open("deniable");
      request.onupgradeneeded = () => request.transaction?.abort(); // and so the database is not made
      request.onerror = () => resolve(request.error?.name !== "AbortError");
      request.onsuccess = () => {
        const keys = request.result.transaction("entries").objectStore("entries").getAllKeys();
        keys.onsuccess = () => resolve(keys.result.some((key) => `${key}`.includes(survey)));
        keys.onerror = () => resolve(true);
        request.result.close();
      };
    } catch {
      resolve(true);
    }
  });
}

/** What a collector says of a code. */
type State = "unused" | "spent" | "unknown" | "missing";

/** The state of a code. Where nobody says, it counts as good: what is sent then waits, and says why. */
async function stateOf(endpoint: string, survey: string, code: string | null): Promise<State> {
  if (code === null) return "missing";
  try {
    const reply = await fetch(`${endpoint}/v1/surveys/${survey}/invitation`, {
      headers: { Authorization: `Invitation ${code}` },
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    });
    const { state } = await reply.json();
    return state === "spent" || state === "unknown" ? state : "unused";
  } catch {
    return "unused";
  }
}

/** Say how much has come of what is being loaded, until the function that is returned is called. */
function counting(host: Element): () => void {
  const loaded = () => performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const before = loaded().length;
  const counter = host.querySelector<HTMLElement>("[data-came]");
  const look = () => {
    const bytes = loaded()
      .slice(before)
      .reduce((sum, each) => sum + each.encodedBodySize, 0);
    if (counter && bytes)
      counter.textContent = (counter.dataset["came"] ?? "").replace("#", `${Math.ceil(bytes / 1000)}`);
  };
  const observer = new PerformanceObserver(look);
  observer.observe({ type: "resource" });
  return () => observer.disconnect();
}
