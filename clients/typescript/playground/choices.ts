/** What is chosen on the playground: it stands in the page's address, so that a link leads to the same picture. */

/** A question with two answers, and what is said of those who answer yes. */
export interface Question {
  readonly key: string;
  readonly wording: string;
  readonly did: string;
}

export const QUESTIONS: readonly Question[] = [
  { key: "copied", wording: "Did you copy from somebody in the last test?", did: "copied" },
  { key: "threatened", wording: "Were you threatened or hit at work this year?", did: "were threatened" },
  { key: "skipped", wording: "Did you skip a medicine because of what it costs?", did: "skipped one" },
];
export const LEVELS = { Strong: 1, Middling: 2, Weak: 3 } as const;
export const CROWDS = [100, 1000, 10000] as const;

export interface Choices {
  readonly question: Question;
  /** How many of 100 answer yes. */
  readonly share: number;
  readonly level: number;
  readonly people: number;
  readonly seed: number;
}

const USUAL = { question: QUESTIONS[0] as Question, share: 30, level: 2, people: 1000, seed: 3 };
const MOST_SEED = 1_000_000;

/** What an address says, and what is usual where it says nothing that can be chosen. */
export function chosen(hash: string): Choices {
  const told = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (name: string, least: number, most: number, usual: number) => {
    const text = told.get(name) ?? "";
    const value = Number(text);
    return /^\d{1,7}$/.test(text) && value >= least && value <= most ? value : usual;
  };
  const [level, people] = [number("level", 1, 3, USUAL.level), number("people", 1, 10000, USUAL.people)];
  return {
    question: QUESTIONS.find(({ key }) => key === told.get("question")) ?? USUAL.question,
    share: number("share", 0, 100, USUAL.share),
    level,
    people: CROWDS.find((crowd) => crowd === people) ?? USUAL.people,
    seed: number("seed", 0, MOST_SEED, USUAL.seed),
  };
}

/** The same as part of an address. */
export function addressOf({ question, share, level, people, seed }: Choices): string {
  return `#question=${question.key}&share=${share}&level=${level}&people=${people}&seed=${seed}`;
}
