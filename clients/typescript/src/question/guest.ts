/**
 * The element on a page of others. Nothing of the page reaches into it but what its attributes say, and nothing of it gets
 * out but one event, `deniable`, and what a form is to hold. It stands in a closed shadow root, which inherits nothing.
 */

import type { Client } from "../device/client.js";
import { guest as compact, question as style } from "../wire/styles.js";
import type { QuestionForm } from "./form.js";
import { Field } from "./formField.js";
import type { Guest, QuestionOptions } from "./mount.js";
import { mountQuestion } from "./standalone.js";

/** What a page hears: `refused` says that nothing can be asked, and why. */
type State = "reading" | "answered" | "declined" | "refused";

/** Pixels for what is said of something wrong, or of what was cleared. */
const SPARE = 96;
/** Marks by which those who record sessions leave a part of a page out. */
const MASKS = ["rr-block", "fs-exclude"];
const MASKED = { "data-hj-suppress": "", "data-clarity-mask": "true" };
/** Events that leave a shadow root, beside those that elements have a handler for. */
const MORE = [
  "focusin",
  "focusout",
  "beforeinput",
  "compositionstart",
  "compositionupdate",
  "compositionend",
  "textInput",
];
/** States of receipts, and notes, by what the page hears of them; all others are refusals. */
const HEARD: Readonly<Record<string, State>> = {
  ...{ waiting: "answered", sent: "answered", unknown: "answered", "handed over": "answered" },
  ...{ withdrawn: "declined", declined: "declined", reading: "reading" },
};

const roots = new WeakMap<HTMLElement, ShadowRoot>();

/** Ask in an element of somebody else's page; the function that is returned ends it. */
export function mountGuest(host: HTMLElement, options: QuestionOptions): () => void {
  const inner = document.createElement("div");
  const compact = host.hasAttribute("compact");
  inner.classList.toggle("compact", compact);
  for (const name of ["lang", "dir"]) inner.setAttribute(name, host.getAttribute(name) ?? "");
  host.classList.remove("deniable"); // its rules are of what is within
  host.classList.add(...MASKS);
  for (const [name, value] of Object.entries(MASKED)) host.setAttribute(name, value);
  rootOf(host).replaceChildren(inner);
  let turn = Promise.resolve();
  const told = (state: string, reason = "") => {
    turn = turn.then(() => tell(HEARD[state] ?? "refused", reason || state)).catch((error) => console.error(error));
  };
  const field = host.getAttribute("carry") === "field" ? new Field(host, inner, told) : undefined;
  const tell = async (state: State, reason: string) => {
    await field?.hold(state);
    const detail = state === "refused" ? { state, reason } : { state };
    host.dispatchEvent(new CustomEvent("deniable", { detail, bubbles: true, composed: true }));
  };
  const before = async (within: Element, client: Client) => {
    field?.prepared(client);
    told("reading");
    await field?.whoever(within, client);
  };
  let fit = () => {};
  const entered: Guest["entered"] = (stage, form) => {
    fit = () => form && holdHeight(stage, form);
    fit();
  };
  const heading = compact && options.heading === 3 ? 2 : compact ? 1 : options.heading; // no title stands above the others
  const asked = { ...options, ...(heading && { heading }) };
  const end = mountQuestion(inner, {
    ...(field?.optionsOf(asked) ?? asked),
    guest: { compact, told, before, entered, ...field?.guest },
  });
  const resized = () => fit();
  addEventListener("resize", resized);
  return () => {
    end();
    removeEventListener("resize", resized);
    field?.end();
  };
}

/**
 * Where questions follow from answers, the stage has one height from the first of them to the receipt, which is that of all
 * together: or a page could read from the element's size which were asked.
 */
function holdHeight(stage: HTMLElement, { element, everything }: QuestionForm): void {
  if (!element.isConnected || !everything.length) return;
  const heights = everything.map((nodes) => {
    const copy = document.createElement("form");
    copy.append(...nodes.map((node) => node.cloneNode(true)));
    for (const each of copy.querySelectorAll<HTMLElement>("[hidden]")) each.hidden = false;
    element.after(copy);
    const height = copy.offsetHeight;
    copy.remove();
    return height;
  });
  stage.classList.add("held");
  stage.style.blockSize = `${Math.max(...heights) + SPARE}px`;
}

/** The closed root of an element, which is made once and stops what happens within. */
function rootOf(host: HTMLElement): ShadowRoot {
  const known = roots.get(host);
  if (known) return known;
  const root = host.attachShadow({ mode: "closed", delegatesFocus: true });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:host,:host>*{all:initial;display:block}${style}${compact}`);
  root.adoptedStyleSheets = [sheet];
  for (const name of heardNames(host)) root.addEventListener(name, (event) => event.stopPropagation());
  roots.set(host, root);
  return root;
}

function heardNames(host: HTMLElement): string[] {
  const handled: string[] = [];
  for (const name in host) if (name.startsWith("on")) handled.push(name.slice(2));
  return [...handled, ...MORE];
}
