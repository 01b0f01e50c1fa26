/** HTTP to a collector: no redirects, cookies or credentials but an invitation. */

import { joined } from "../bytes.js";
import { ParameterError } from "../errors.js";

/** Milliseconds for a whole request, its reply included. */
const TIMEOUT = 30_000;
/** The most bytes of a survey's document. */
export const LARGEST_BODY = 2 ** 24;
/** The most bytes of a door or a receipt. */
export const MOST_REPLY = 2 ** 16;
/** Browsers let requests of no more bytes than this outlive their page. */
const MOST_KEPT = 60_000;
/** A scheme; a host of labels that are neither empty nor too long, and a port; a path in ASCII. */
const ADDRESS = /^https?:\/\/[^\s/?#@\\.]{1,63}(?:\.[^\s/?#@\\.]{1,63})*(?:\/[!"$->@-[\]-~]*)?$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
/** Addresses of private networks and of links, in the one way that URLs write them. */
const IN_A_ROOM =
  /^(?:10(?:\.\d+){3}|(?:172\.(?:1[6-9]|2\d|3[01])|192\.168|169\.254)(?:\.\d+){2}|\[f(?:[cd]..|e[89ab].):.*\])$/;

/** What a collector, or somebody between, answered. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * An https address, http of this very machine or, for a page that came from there, of an address in the same room, which
 * `isInRoom` tells from the others; nothing else may carry an answer.
 */
export function checkEndpoint(endpoint: unknown): string {
  const address = typeof endpoint === "string" && ADDRESS.test(endpoint) ? parsed(endpoint) : undefined;
  if (typeof endpoint !== "string" || !address || address.port === "0") {
    throw new ParameterError("endpoint must be an https address of a collector, got something else");
  }
  const isOwn = globalThis.location?.origin === address.origin && isInRoom(endpoint);
  if (address.protocol !== "https:" && !LOOPBACK.test(address.hostname) && !isOwn) {
    throw new ParameterError("endpoint must be https, or http of this machine for tests, got another address");
  }
  return endpoint.replace(/\/+$/, "");
}

/** Whether an address is one of plain HTTP in the same room, for documents with `lan` alone. */
export function isInRoom(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === "http:" && IN_A_ROOM.test(hostname);
}

/** What a request may send, and how much and how long it waits for. */
export interface RequestOptions {
  readonly body?: Uint8Array<ArrayBuffer>;
  /** An invitation. */
  readonly code?: string | undefined;
  /** The most bytes of a reply. */
  readonly most?: number;
  /** Milliseconds. */
  readonly patience?: number;
}

/** The reply to one request; null if there was none in time, or a longer one. Redirects are not followed. */
export async function request(
  endpoint: string,
  path: string,
  { body, code, most = MOST_REPLY, patience = TIMEOUT }: RequestOptions = {},
): Promise<Reply | null> {
  const headers: Record<string, string> = body ? { "Content-Type": "application/octet-stream" } : {};
  if (code !== undefined) headers["Authorization"] = `Invitation ${code}`;
  try {
    const reply = await fetch(endpoint + path, {
      ...(body && { method: "POST", body }),
      headers,
      credentials: "omit",
      redirect: "manual",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      keepalive: !body || body.length < MOST_KEPT,
      signal: AbortSignal.timeout(patience),
    });
    return { status: reply.status, headers: reply.headers, text: await textOf(reply, most) };
  } catch {
    return null; // the errors of fetch name addresses, and say no more than that there was no reply
  }
}

/** The body as a JSON object; undefined if it is none. */
export function objectIn({ text }: Reply): { readonly [field: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value instanceof Object ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function parsed(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

async function textOf({ body }: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let left = most;
  for (const reader = body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    left -= value.length;
    if (left < 0) throw new RangeError("a longer reply");
    parts.push(value);
  }
  return new TextDecoder().decode(joined(...parts));
}
