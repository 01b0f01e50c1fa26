/** How an app gets the client of a survey. */

import { checkChoice, checkPositive } from "../checks.js";
import { FormatError, ParameterError } from "../errors.js";
import { familiesOf } from "../mechanisms/familyLoader.js";
import type { Families } from "../mechanisms/mechanism.js";
import { digest } from "../sha256.js";
import { levelOfAll } from "../surveys/arms.js";
import { readUnnamed, type Survey, withDigest } from "../surveys/survey.js";
import { Client } from "./client.js";
import { clock } from "./clock.js";
import { indexedDbStore } from "./indexedDbStore.js";
import { readCaps } from "./ledger.js";
import { memoryStore, type Store } from "./store.js";
import { checkEndpoint, isInRoom, LARGEST_BODY, request } from "./transport.js";

/** What an app says of a survey that it asks. */
export interface Options {
  /** The address of the collector, or of a survey with a crowd its mixer; a survey with carrier field has none. */
  readonly endpoint?: string;
  /** The text of the survey or, where it may be fetched, its digest. */
  readonly survey: string;
  /** The mechanisms that a survey may use; unless given all, of which those beyond the core are loaded when named. */
  readonly families?: Families;
  /** An invitation. */
  readonly code?: string;
  /** The app's own caps, by topic. */
  readonly caps?: Readonly<Record<string, number>>;
  /** The app's cap of all topics together. */
  readonly totalCap?: number;
  /** The same, by what the survey costs. */
  readonly totalCapOf?: (charge: number) => number;
  /** A survey that promises less than this level is refused. */
  readonly limit?: number;
  readonly mode?: "asked" | "background";
  /** IndexedDB in browsers, and elsewhere memory, unless given. */
  readonly store?: Store;
  /** Try the survey out: nothing is stored, and nothing sent but to ask for the survey of a digest. */
  readonly rehearse?: boolean;
}

const MODES = ["asked", "background"] as const;

/** What a page does in ways of its own. */
export interface OpenHooks {
  /** Load what a document needs before it is read. */
  readonly prepare?: (text: string) => Promise<unknown>;
  /** SHA-256 of a text's UTF-8, in hexadecimal. */
  readonly digestOf?: (text: string) => string | Promise<string>;
}

/** The client of a survey. Nothing is stored or read, and in background mode nothing fetched. */
export async function open(options: Options, ways: OpenHooks = {}): Promise<Client> {
  const given = options.endpoint === undefined ? "" : checkEndpoint(options.endpoint);
  if (options.mode !== undefined) checkChoice("mode", options.mode, MODES);
  const survey = await surveyOf(given, options, ways);
  const mixed =
    survey.crowd && !options.rehearse && (await (await import("./sealing.js")).mixing(survey, survey.crowd, given));
  const endpoint = mixed ? mixed.endpoint : given;
  if (!endpoint !== !!survey.carrier) {
    throw new ParameterError(
      "endpoint must be given but for a survey with carrier field, which takes none, got another",
    );
  }
  if (endpoint && isInRoom(endpoint) && !survey.lan) {
    throw new ParameterError("endpoint must be https but for a survey with lan, got http for another survey");
  }
  const { limit, caps, totalCap, totalCapOf, code, mode = survey.mode, rehearse: rehearsed = false } = options;
  const level = levelOfAll(survey.arms);
  if (limit !== undefined && level > checkPositive("limit", limit)) {
    throw new ParameterError(
      `the survey must promise a level of at most ${limit}, got ${level === Infinity ? "inf" : level}`,
    );
  }
  const careful = survey.mode === "background" ? "background" : mode;
  const terms = {
    caps: readCaps(caps, totalCapOf?.(survey.charge) ?? totalCap),
    mode: careful,
    code: checkCode(code),
    sealing: mixed ? mixed.sealing : undefined,
  };
  const own = rehearsed
    ? (await import("./rehearsal.js")).rehearsal(survey)
    : { store: options.store ?? defaultStore(), request, clock };
  const store = survey.kiosk ? (await import("./kiosk.js")).kioskStore(own.store, survey.digest) : own.store;
  return new Client({ survey, digest: survey.digest, endpoint, rehearsed, ...terms, ...own, store });
}

/** A document in one writing, by which one sees what it names; what is no JSON is left for its reader to refuse. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The survey of a text, or the collector's of a digest. */
async function surveyOf(endpoint: string, { survey, mode, families }: Options, ways: OpenHooks): Promise<Survey> {
  const { prepare, digestOf = digest } = ways;
  const read = async (text: string) => {
    const written = compact(text);
    const [mechanisms] = await Promise.all([families ?? familiesOf(written), prepare?.(written)]);
    const unnamed = readUnnamed(text, mechanisms);
    return withDigest(unnamed, await digestOf(unnamed.toJson()));
  };
  if (!/^[0-9a-f]{64}$/.test(survey)) return read(survey);
  if (mode === "background" || !endpoint) {
    throw new ParameterError("in background mode, or without an endpoint, the survey must be its text, got a digest");
  }
  const reply = await request(endpoint, `/v1/surveys/${survey}`, { most: LARGEST_BODY });
  if (!reply) throw new FormatError("the collector must answer with the survey's document, got no reply");
  if (reply.status !== 200) {
    throw new FormatError("the survey must be one that the collector has, got no document of this digest");
  }
  const received = await read(reply.text);
  if (received.digest !== survey) throw new FormatError("the survey must be the one of this digest, got another");
  if (received.mode === "background") {
    throw new ParameterError("a survey of background mode must come with the app as its text, got a digest");
  }
  return received;
}

/** An invitation that can stand in a header. */
function checkCode(code: string | undefined): string | undefined {
  if (code === undefined || /^[!-~]*$/.test(code)) return code;
  throw new ParameterError("code must be an invitation in printable ASCII without blanks, got something else");
}

function defaultStore(): Store {
  return "indexedDB" in globalThis ? indexedDbStore() : memoryStore();
}
