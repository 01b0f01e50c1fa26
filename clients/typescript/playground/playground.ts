/**
 * The playground: choose a question and a strength, see what one person would send, and let made-up people answer by the
 * real device. Nothing is sent, nothing stored; the seed and all choices stand in the address.
 */

import type { Mechanism } from "../src/mechanisms/mechanism.js";
import { evenGuess, gradeOf } from "../src/numberFormats.js";
import { button, element, line } from "../src/question/nodes.js";
import { question as said } from "../src/wire/en.js";
import { addressOf, type Choices, CROWDS, chosen, LEVELS, QUESTIONS } from "./choices.js";
import { bar, dots } from "./drawings.js";
import { printed, pythonOf, type Trial } from "./lines.js";
import { type Asked, ask, coinAt, sends, turnedShare } from "./survey.js";

const [FULL, HOLLOW] = ["●", "○"];

class Playground {
  readonly #host: HTMLElement;
  #choices: Choices;
  #answer = false;
  #shown = false;
  /** The crowds that stand beside each other, and for which choices they were asked. */
  #asked: { readonly of: string; readonly crowds: readonly Asked[] } = { of: "", crowds: [] };

  constructor(host: HTMLElement) {
    [this.#host, this.#choices] = [host, chosen(location.hash)];
    addEventListener("hashchange", () => {
      this.#choices = chosen(location.hash);
      this.#draw();
    });
    this.#draw();
  }

  /** All of it anew; who changes something stays where they are. */
  #draw(): void {
    const focused = document.activeElement?.id;
    const coin = coinAt(this.#choices.level);
    const crowds = this.#crowds(coin);
    const own = crowds.find(({ trial }) => trial.people === this.#choices.people) as Asked;
    this.#host.replaceChildren(
      this.#finding(own),
      element("div", { class: "choices" }, this.#question(), this.#strength(), this.#people()),
      ...this.#one(coin),
      ...this.#all(coin, own),
      element("div", { class: "columns" }, this.#read(crowds), this.#lines(own)),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  #trial(people: number): Trial {
    const { share, level, seed } = this.#choices;
    return { epsilon: level, people, yes: Math.round((share * people) / 100), seed };
  }

  /** All crowds: asked anew only where a share, a level or a seed is another. */
  #crowds(coin: Mechanism): readonly Asked[] {
    const { share, level, seed } = this.#choices;
    const of = `${share} ${level} ${seed}`;
    if (this.#asked.of !== of) this.#asked = { of, crowds: CROWDS.map((people) => ask(coin, this.#trial(people))) };
    return this.#asked.crowds;
  }

  #choose(change: Partial<Choices>): void {
    this.#choices = { ...this.#choices, ...change };
    history.replaceState(null, "", addressOf(this.#choices));
    this.#draw();
  }

  #finding({ reading, trial }: Asked): HTMLElement {
    const [low, high] = [Math.floor(100 * reading.low), Math.ceil(100 * reading.high)];
    const { did } = this.#choices.question;
    const truth = Math.round((100 * trial.yes) / trial.people);
    return element(
      "h2",
      { class: "finding", "aria-live": "polite" },
      `Between ${low} and ${high} in 100 ${did}. In truth ${truth} did.`,
    );
  }

  // --- what is chosen

  #question(): HTMLElement {
    const { question, share } = this.#choices;
    const options = QUESTIONS.map(({ key, wording }) =>
      element("option", { value: key, selected: key === question.key }, wording),
    );
    const select = element("select", { id: "pg-question" }, ...options);
    select.onchange = () => this.#choose({ question: QUESTIONS[select.selectedIndex] ?? question });
    const truth = element("input", { id: "pg-share", type: "number", min: "0", max: "100", value: `${share}` });
    truth.onchange = () => this.#choose({ share: Math.min(Math.max(Math.round(Number(truth.value)) || 0, 0), 100) });
    return element(
      "div",
      {},
      element("label", { for: "pg-question" }, "Question"),
      select,
      element("label", { class: "note", for: "pg-share" }, "Yes or no. Of 100 made-up people so many answer yes:"),
      truth,
    );
  }

  #strength(): HTMLElement {
    const { level } = this.#choices;
    const told = said.hint_guess.replace("{hint}", said[`hint_${gradeOf(level)}`]).replace("{share}", evenGuess(level));
    const picks = Object.entries(LEVELS).map(([name, each]) => [name, each] as const);
    return this.#picks("Protection", "pg-level", picks, level, (each) => this.#choose({ level: each }), told);
  }

  #people(): HTMLElement {
    const picks = CROWDS.map((people) => [people.toLocaleString("en"), people] as const);
    const told = "The real device draws for each of them.";
    return this.#picks("People", "pg-people", picks, this.#choices.people, (people) => this.#choose({ people }), told);
  }

  /** A row of buttons of which one is pressed. */
  #picks(
    legend: string,
    name: string,
    picks: readonly (readonly [string, number])[],
    value: number,
    act: (value: number) => void,
    note: string,
  ): HTMLElement {
    const buttons = picks.map(([words, each]) => {
      const node = button(words, () => act(each));
      node.id = `${name}-${each}`;
      node.setAttribute("aria-pressed", `${each === value}`);
      return node;
    });
    return element(
      "fieldset",
      {},
      element("legend", {}, legend),
      element("div", { class: "picks" }, ...buttons),
      element("p", { class: "note" }, note),
    );
  }

  // --- what is sent

  #one(coin: Mechanism): HTMLElement[] {
    const turned = Math.round(100 * turnedShare(coin));
    const mark = sends(coin, this.#answer) ? FULL : HOLLOW;
    const picks = [true, false].map((answer) => {
      const node = button(answer ? "yes" : "no", () => {
        this.#answer = answer;
        this.#draw();
      });
      node.id = `pg-answer-${answer}`;
      node.setAttribute("aria-pressed", `${answer === this.#answer}`);
      return node;
    });
    const again = button("Send again", () => this.#draw());
    again.id = "pg-again";
    return [
      element("h3", {}, "What one person sends"),
      element(
        "div",
        { class: "one" },
        element("div", { class: "picks", role: "group", "aria-label": "This person answers" }, ...picks),
        element("span", { class: "mark", "aria-hidden": "true" }, mark),
        element(
          "p",
          { "aria-live": "polite" },
          `sends ${mark} this time. Of 100 who answer no, ${turned} send ${FULL}; of 100 who answer yes, ${100 - turned}.`,
        ),
        again,
      ),
    ];
  }

  #all(coin: Mechanism, own: Asked): HTMLElement[] {
    const { trial, count } = own;
    const alone = Math.round(trial.people * turnedShare(coin));
    const show = element("input", { type: "checkbox", id: "pg-turned", checked: this.#shown });
    show.onchange = () => {
      this.#shown = show.checked;
      this.#draw();
    };
    return [
      element("h3", {}, `What ${trial.people.toLocaleString("en")} devices send`),
      element(
        "div",
        { class: "reports" },
        element("div", {}, dots(own, this.#shown) as unknown as HTMLElement),
        element(
          "div",
          {},
          line(
            element("strong", {}, count.toLocaleString("en")),
            ` sent ${FULL}, ${(trial.people - count).toLocaleString("en")} sent ${HOLLOW}.`,
          ),
          line(
            `Were nobody to answer yes, ${alone.toLocaleString("en")} ${FULL} would come of chance alone. The rest, and the odds of the coin, give the share.`,
          ),
          element(
            "label",
            { class: "check" },
            show,
            element("span", {}, "Show whose answer chance turned round. Only here: elsewhere nobody can know."),
          ),
        ),
      ),
    ];
  }

  // --- what is read

  #read(crowds: readonly Asked[]): HTMLElement {
    const rows = crowds.map((asked) => {
      const { trial, reading } = asked;
      const told = `${Math.floor(100 * reading.low)} to ${Math.ceil(100 * reading.high)}`;
      return element(
        "tr",
        { class: trial.people === this.#choices.people && "own" },
        element("th", { scope: "row" }, trial.people.toLocaleString("en")),
        element("td", { class: "picture" }, bar(asked)),
        element("td", {}, told),
      );
    });
    const head = ["People", "", "95 of 100"].map((words) =>
      element("th", { scope: "col", "aria-label": words ? undefined : "Picture" }, words),
    );
    const axis = element(
      "p",
      { class: "axis", "aria-hidden": "true" },
      ...["0", "50", "100 in 100"].map((end) => element("span", {}, end)),
    );
    head[1]?.append(axis);
    return element(
      "section",
      {},
      element("h3", {}, "What you read"),
      element(
        "table",
        { class: "read" },
        element("thead", {}, element("tr", {}, ...head)),
        element("tbody", {}, ...rows),
      ),
      element(
        "p",
        { class: "note" },
        "Dashed: the truth. Line: where it lies in 95 of 100 such surveys. Ten times the people, a third of the error.",
      ),
    );
  }

  #lines({ trial, reading }: Asked): HTMLElement {
    const python = pythonOf(trial);
    const copy = button("Copy the lines", () => {
      void navigator.clipboard?.writeText(python).then(() => {
        copy.textContent = "Copied";
      });
    });
    copy.id = "pg-copy";
    const next = button("Other people", () => this.#choose({ seed: this.#choices.seed + 1 }));
    next.id = "pg-seed";
    return element(
      "section",
      {},
      element("h3", {}, "The same in Python"),
      element("pre", { class: "python", tabindex: "0" }, python),
      element("pre", { class: "printed", tabindex: "0" }, printed(trial, reading)),
      element("p", {}, copy, " ", next),
    );
  }
}

const host = document.getElementById("try-it");
if (host) new Playground(host);
