/** Surveys whose answers somebody else mixes: what their documents must say of the two parties and of the crowd. */

import { isObject, type Json } from "../canonical.js";
import { checkCount, checkPositive, LARGEST } from "../checks.js";
import { ParameterError } from "../errors.js";
import { levelOfAll, type Plan } from "./arms.js";
import { checkWords } from "./fields.js";

/** An address that paths follow: of another machine only by https. */
const ADDRESS =
  /^(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\]))(?::[0-9]{1,5})?(?:\/[A-Za-z0-9._~-]+)*$/;
const LONGEST_ADDRESS = 300;
/** The 65 bytes of an uncompressed point, whose first one is 4, in base64url. */
const KEY = /^B[A-P][A-Za-z0-9_-]{84}[AEIMQUYcgkosw048]$/;
const DELTAS = Array.from({ length: 12 }, (_, place) => Number(`1e-${place + 1}`));
const FIELDS = ["mixer", "operator", "least", "level", "delta", "made_up", "belief", "collector", "key"];

/** Whom a survey's answers go through, and how many of them hide each other. */
export interface Crowd {
  readonly mixer: string;
  readonly operator: string;
  readonly collector?: string;
  readonly key?: string;
  readonly least: bigint;
  readonly made_up: bigint;
  readonly delta: number;
  readonly level: number;
  readonly belief: number;
}

/** The crowd of a document; a collector and a key are both there or neither. */
export function readCrowd(field: string, value: Json | undefined): Crowd {
  const given = isObject(value) ? value : {};
  if (!Object.keys(given).every((name) => FIELDS.includes(name)) || "collector" in given !== "key" in given) {
    throw new ParameterError(`${field} must be an object of known fields, got another`);
  }
  const least = checkCount("least", given["least"], 2n);
  const crowd = {
    mixer: checkAddress("mixer", given["mixer"]),
    operator: checkWords("operator", given["operator"]),
    least,
    made_up: checkCount("made_up", given["made_up"], 0n, least - 2n),
    delta: checkPositive("delta", given["delta"]),
    level: checkDigits("level", given["level"]),
    belief: checkDigits("belief", given["belief"]),
  };
  if (!plain(crowd.operator) || !DELTAS.includes(crowd.delta)) {
    throw new ParameterError("operator must be a text and delta a power of ten, got others");
  }
  return "key" in given ? { ...crowd, ...readOpened(given, crowd.mixer) } : crowd;
}

function readOpened(given: Readonly<Record<string, Json>>, mixer: string): { collector: string; key: string } {
  const [collector, key] = [checkAddress("collector", given["collector"]), given["key"]];
  const [near, here] = [mixer, collector].map((address) => address.startsWith("http:"));
  const apart = near ? here : !here && hostOf(collector) !== hostOf(mixer);
  if (typeof key !== "string" || !KEY.test(key) || !apart) {
    throw new ParameterError("key must be a point of P-256, and the collector on another host, got another");
  }
  return { collector, key };
}

/** What of a survey has to fit its crowd. */
interface Mixed extends Plan {
  readonly crowd?: Crowd;
  readonly owner: string;
  readonly opens: string | null;
  readonly closes: string | null;
  readonly population?: bigint;
  readonly kiosk?: true;
  readonly lan?: true;
  readonly carrier?: string;
}

/** What is passed on by somebody else comes of people who are invited, one answer each, until the survey closes. */
export function checkMixed({
  crowd,
  owner,
  opens,
  closes,
  population,
  arms,
  repeat,
  kiosk,
  lan,
  carrier,
}: Mixed): void {
  if (!crowd) return;
  const mixable = !kiosk && !lan && !carrier && repeat !== "remembered";
  const ends = closes !== null && (repeat === "once" || opens !== null);
  const parties = plain(owner) && plain(owner) !== plain(crowd.operator);
  const level = levelOfAll(arms);
  const levels = level < Infinity && crowd.level < level && crowd.belief >= crowd.level;
  if (!mixable || !ends || !parties || !levels || (population ?? LARGEST) < crowd.least) {
    throw new ParameterError(
      "a survey with a crowd must end, repeat once or fresh without kiosk, lan or carrier, and have two parties, a " +
        "level that hides and enough people, got another",
    );
  }
}

function checkDigits(field: string, value: Json | undefined): number {
  const level = checkPositive(field, value);
  if (Number(level.toPrecision(3)) === level) return level;
  throw new ParameterError(`${field} must have at most three digits, got more`);
}

function checkAddress(field: string, value: Json | undefined): string {
  if (typeof value === "string" && value.length <= LONGEST_ADDRESS && ADDRESS.test(value)) return value;
  throw new ParameterError(`${field} must be an https address without a slash at its end, got another`);
}

/** The name of a host, whatever its port. */
function hostOf(address: string): string {
  return (address.split("/")[2] as string).replace(/(?::.*|\.)*$/, "");
}

/** A name as two are compared: what can be seen of it, whatever its case. */
function plain(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/[\p{Z}\p{C}]/gu, "")
    .toLowerCase();
}
