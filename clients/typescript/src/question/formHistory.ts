/** The questions in the history of the browser, so that its Back and Forward go from one to the next and not off the page. */

/** The place of the choice, which is before all questions. */
export const CHOICE = -1;

/** What an entry of the history holds, and nothing of any answer. */
interface Entry {
  readonly place: number;
  /** The place from which somebody came here. */
  readonly from: number;
  /** How many entries there are since the choice. */
  readonly depth: number;
}

/** The entries of one survey on a page that is the survey's own. */
export class FormHistory {
  readonly #heard: () => void;
  #ended = false;

  /** `visit` hears which place the browser went to. */
  constructor(visit: (place: number) => void) {
    this.#heard = () => visit(here()?.place ?? CHOICE);
    addEventListener("popstate", this.#heard);
  }

  /** A place is shown; it is the one of this entry after a reload. */
  enter(place: number): void {
    const { place: from = CHOICE, depth = 0 } = here() ?? {};
    this.#ended = false;
    if (place !== from) history.pushState({ deniable: { place, from, depth: depth + 1 } satisfies Entry }, "");
  }

  /** Another place than that of this entry is shown. */
  correct(place: number): void {
    history.replaceState({ deniable: { ...here(), place } }, "");
  }

  /** Go back to a place by the browser's history, if somebody came from there. */
  back(place: number): boolean {
    const came = here()?.from === place;
    if (came) history.back();
    return came;
  }

  /** Nothing is asked any more: leave all places behind, so that the browser's Back leaves the page. */
  end(): void {
    const { depth = 0 } = here() ?? {};
    if (depth && !this.#ended) history.go(-depth);
    this.#ended = true;
  }

  close(): void {
    removeEventListener("popstate", this.#heard);
  }
}

function here(): Entry | undefined {
  return history.state?.deniable;
}
