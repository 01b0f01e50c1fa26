/** HPKE (RFC 9180) in base mode, sealing alone, by WebCrypto: HKDF's halves are HMACs there, for it has only both together. */

import { joined, utf8 } from "./bytes.js";

/** The curve P-256, as WebCrypto calls it. */
export const CURVE = { name: "ECDH", namedCurve: "P-256" } as const;
const HASH = 32;
/** What stands before a label: of DHKEM(P-256, HKDF-SHA256), and of the suite with HKDF-SHA256 and AES-128-GCM. */
const KEM = [...utf8("HPKE-v1KEM"), 0, 16];
const SUITE = [...utf8("HPKE-v1HPKE"), 0, 16, 0, 1, 0, 1];
const NOTHING = new Uint8Array(0);

/** One message for whoever has the private key, under a pair of keys that is used once and comes first; a test may give it. */
export async function sealed(
  key: CryptoKey,
  info: Uint8Array,
  plain: Uint8Array,
  pair?: CryptoKeyPair,
): Promise<Uint8Array> {
  const { subtle } = crypto;
  const own = pair ?? (await subtle.generateKey(CURVE, false, ["deriveBits"]));
  const shared = await subtle.deriveBits({ name: "ECDH", public: key }, own.privateKey, 8 * HASH);
  const [point, theirs] = await Promise.all([own.publicKey, key].map((each) => subtle.exportKey("raw", each)));
  const begun = new Uint8Array(point as ArrayBuffer);
  const parties = joined(begun, new Uint8Array(theirs as ArrayBuffer));
  const found = await extracted(KEM, NOTHING, "eae_prk", new Uint8Array(shared));
  const secret = await expanded(KEM, found, "shared_secret", parties, HASH);
  const none = await extracted(SUITE, NOTHING, "psk_id_hash", NOTHING);
  const schedule = joined(Uint8Array.of(0), none, await extracted(SUITE, NOTHING, "info_hash", info));
  const root = await extracted(SUITE, secret, "secret", NOTHING);
  const secretKey = await subtle.importKey("raw", await expanded(SUITE, root, "key", schedule, 16), "AES-GCM", false, [
    "encrypt",
  ]);
  const iv = await expanded(SUITE, root, "base_nonce", schedule, 12);
  const hidden = await subtle.encrypt({ name: "AES-GCM", iv }, secretKey, new Uint8Array(plain));
  return joined(begun, new Uint8Array(hidden));
}

/** LabeledExtract of RFC 9180: HKDF's first half alone, which is one HMAC; an empty salt is one of zeros. */
async function extracted(suite: number[], salt: Uint8Array, label: string, input: Uint8Array): Promise<Uint8Array> {
  return hmac(salt.length ? salt : new Uint8Array(HASH), joined(Uint8Array.from(suite), utf8(label), input));
}

/** LabeledExpand of RFC 9180, of at most 32 bytes: one HMAC more. */
async function expanded(
  suite: number[],
  key: Uint8Array,
  label: string,
  input: Uint8Array,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const told = joined(Uint8Array.of(0, length, ...suite), utf8(label), input, Uint8Array.of(1));
  return (await hmac(key, told)).slice(0, length);
}

async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { subtle } = crypto;
  const made = await subtle.importKey("raw", new Uint8Array(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", made, new Uint8Array(message)));
}
