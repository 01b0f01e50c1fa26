/** SHA-256 and HMAC (FIPS 180-4, RFC 2104). WebCrypto has both, but answers later; reading a spec should not wait. */
import { hex, joined, utf8 } from "./bytes.js";

const BLOCK = 64;

interface Constants {
  readonly start: readonly number[];
  readonly rounds: readonly number[];
}

let cached: Constants | undefined;

/** SHA-256 of a text's UTF-8, in hexadecimal. */
export function digest(text: string): string {
  return hex(sha256(utf8(text)));
}

/** HMAC-SHA-256 of a message under a key. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? sha256(key) : key);
  const under = (mask: number, text: Uint8Array) =>
    sha256(
      joined(
        padded.map((byte) => byte ^ mask),
        text,
      ),
    );
  return under(0x5c, under(0x36, message));
}

/** SHA-256 of bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new DataView(new ArrayBuffer((bytes.length + 8 + BLOCK) & -BLOCK));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n);
  cached ??= constants();
  let state = cached.start;
  for (let at = 0; at < padded.byteLength; at += BLOCK) state = compressed(state, padded, at, cached.rounds);
  const sum = new DataView(new ArrayBuffer(32));
  for (const [place, word] of state.entries()) sum.setInt32(4 * place, word);
  return new Uint8Array(sum.buffer);
}

function compressed(state: readonly number[], bytes: DataView, at: number, rounds: readonly number[]): number[] {
  const words = scheduled(bytes, at);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let k = 0; k < BLOCK; k++) {
    const choice = (e & f) ^ (~e & g);
    const first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (rounds[k] ?? 0) + (words[k] ?? 0);
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  return [a, b, c, d, e, f, g, h].map((word, place) => (word + (state[place] ?? 0)) | 0);
}

/** The words of a block, and 48 that follow from them. */
function scheduled(bytes: DataView, at: number): Int32Array {
  const words = new Int32Array(BLOCK);
  for (let k = 0; k < 16; k++) words[k] = bytes.getInt32(at + 4 * k);
  for (let k = 16; k < BLOCK; k++) {
    const [first, last] = [words[k - 15] as number, words[k - 2] as number];
    const low = turned(first, 7) ^ turned(first, 18) ^ (first >>> 3);
    const high = turned(last, 17) ^ turned(last, 19) ^ (last >>> 10);
    words[k] = (words[k - 16] as number) + low + (words[k - 7] as number) + high;
  }
  return words;
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/**
 * The first 32 bits behind the point of the square roots of 8 primes and the cube roots of 64. None of them lies within
 * 2^-40 of another one, so that no rounding of a root changes it; a test looks at that.
 */
function constants(): Constants {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const bits = (root: number) => ((root % 1) * 2 ** 32) | 0;
  return { start: primes.slice(0, 8).map((p) => bits(Math.sqrt(p))), rounds: primes.map((p) => bits(Math.cbrt(p))) };
}
