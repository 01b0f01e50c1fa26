/**
 * What somebody has ticked so far, which a reload must not lose and no disk may ever hold.
 *
 * It is the name of the window. Browsers keep that for as long as the tab is open, through a reload, and give it to no
 * other host; they do not write it down. sessionStorage and history.state they do write down, to bring tabs back after a
 * crash: within seconds a true answer is in a file. It is forgotten when it is sent, when the person would rather not, when
 * they go elsewhere, and after ten minutes.
 */

import { isList } from "../canonical.js";
import { clock } from "../device/clock.js";

/** What a question holds: the places of what is ticked, or what was typed. */
export type FieldValue = readonly number[] | string;

/** Where somebody is, and what they ticked so far. */
export interface Draft {
  readonly place: number;
  readonly values: readonly FieldValue[];
}

const MARK = "deniable:";
/** Seconds. */
export const PATIENCE = 600;

/** Keeps the ticks of one survey. */
export class Drafts {
  readonly #digest: string;

  constructor(digest: string) {
    this.#digest = digest;
    const { navigation } = globalThis as { navigation?: EventTarget };
    navigation?.addEventListener("navigate", (event) => this.#left(event as unknown as Navigation));
  }

  /** What was ticked here within the last minutes. */
  read(): Draft | undefined {
    if (!window.name.startsWith(MARK)) return undefined;
    const [digest, moment, place, values] = JSON.parse(window.name.slice(MARK.length));
    const fresh = digest === this.#digest && clock() - moment < PATIENCE && isList(values);
    return fresh ? { place, values: values as unknown as readonly FieldValue[] } : undefined;
  }

  write({ place, values }: Draft): void {
    window.name = MARK + JSON.stringify([this.#digest, clock(), place, values]);
  }

  forget(): void {
    if (window.name.startsWith(MARK)) window.name = "";
  }

  /** Somebody goes elsewhere, and not to this page again, be it in another language. */
  #left({ destination }: Navigation): void {
    if (new URL(destination.url).pathname !== location.pathname) this.forget();
  }
}

interface Navigation {
  readonly destination: { readonly url: string };
}
