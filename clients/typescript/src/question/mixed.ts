/**
 * A survey with a crowd on a page. All that can be needed is loaded before anybody takes part, since the host that asks would
 * see by requests when they answer; and a receipt says no more than the mixer's door does, with both levels together.
 */

import type { Client } from "../device/client.js";
import type { Receipt } from "../device/records.js";
import { objectIn, request } from "../device/transport.js";
import type { Values } from "../languages/language.js";
import { wordedInNumbers } from "../languages/statements.js";
import { evenGuess, gradeOf } from "../numberFormats.js";
import { levelInAll } from "../surveys/arms.js";
import type { Crowd } from "../surveys/crowd.js";
import { crowd as german } from "../wire/de.js";
import { crowd as english } from "../wire/en.js";
import type { PageSettings } from "./choice.js";
import { machine } from "./machine.js";
import { element, heading, line, linked, momentOf, saying } from "./nodes.js";

const WORDS: Readonly<Record<string, typeof english>> = { en: english, de: german };

/** Says things of a crowd. */
type SayMixed = (key: keyof typeof english, values?: Values) => string;

/** What the page has otherwise; all that a receipt can need is there then. */
export async function mixedSettings(client: Client, crowd: Crowd, page: PageSettings): Promise<Partial<PageSettings>> {
  await Promise.all([page.language.seldom(), import("../device/failures.js")]);
  return { endpoint: crowd.collector ?? "", next: (receipt) => nextOf(client, crowd, receipt, page) };
}

/** What was sent and how much it tells, and what happens next. */
function nextOf({ survey }: Client, crowd: Crowd, { state, period }: Receipt, page: PageSettings): HTMLElement[] {
  const { language, result } = page;
  const say = saying(language);
  const least = Number(crowd.least);
  const values = { owner: survey.owner, operator: crowd.operator, least, device: say(machine()) };
  const tell: SayMixed = (key, more) =>
    wordedInNumbers(language, (WORDS[language.code] ?? english)[key], { ...values, ...more });
  const told = line(tell("told"));
  void isEnough(crowd, survey.digest, period).then((enough) => {
    if (enough !== undefined) told.textContent = tell(enough ? "enough" : "not_enough");
  });
  const once = survey.period === "once" && survey.closes;
  const read = once ? tell("read_closes", { moment: momentOf(once, language.code) }) : tell("read_open");
  const link = result && linked(say("next_result", { link: "{link}" }), result, say("next_link"));
  const hints = line(element("strong", {}, hintsOf(crowd, levelInAll(survey), duringOf(survey, tell), tell)));
  return [
    ...(state === "sent" ? [line(tell("sealed", { count: survey.questions.size })), hints] : []),
    heading(page.level, say("next_step")),
    told,
    line(read, ...(link ? [" ", ...link] : [result === "" && ` ${say("next_unread")}`])),
  ];
}

/** Both levels, of which none is ever said without the other. */
function hintsOf({ belief }: Crowd, level: number, during: string, tell: SayMixed): string {
  const clues = { alone: tell(`clue_${gradeOf(belief)}`), together: tell(`clue_${gradeOf(level)}`) };
  return tell("crowd_hints", { during, before: 0.5, ...clues, most: evenGuess(belief), all: evenGuess(level) });
}

/** The stretch of time that the level of the mixed answers is about, where there are several. */
function duringOf({ repeat, period }: Client["survey"], tell: SayMixed): string {
  return repeat === "fresh" ? tell(`during_${period as Exclude<typeof period, "once">}`) : "";
}

/** Whether a period had enough answers at midnight; undefined where the mixer does not say. */
async function isEnough({ mixer }: Crowd, digest: string, period: string | null): Promise<boolean | undefined> {
  const reply = await request(mixer, `/v1/surveys/${digest}/door`);
  const periods = reply?.status === 200 ? objectIn(reply)?.["enough"] : undefined;
  const found = (periods as Readonly<Record<string, unknown>> | null | undefined)?.[period ?? ""];
  return typeof found === "boolean" ? found : undefined;
}
