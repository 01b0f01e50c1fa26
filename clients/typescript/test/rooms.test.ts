/** Plain HTTP is for a page of the collector's own, in the same room, and for addresses of private networks alone. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkEndpoint, isInRoom } from "../src/device/transport.js";

const PRIVATE = [
  "10.0.0.1",
  "172.16.0.1:8080",
  "172.31.255.255",
  "192.168.1.24:8080",
  "169.254.7.7",
  "[fd00::2]:8080",
  "[fc12:3::4]",
  "[fe80::1]",
  "[febf::1]",
];
const OTHERS = [
  "8.8.8.8",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "11.0.0.1",
  "110.0.0.1",
  "[2001:db8::1]",
  "[fbff::1]",
  "[fec0::1]",
  "[ff02::1]",
  "classroom.local",
  "10.0.0.1.example",
  "fd00.example",
];

function from(origin: string | undefined, endpoint: string): string {
  Object.defineProperty(globalThis, "location", { value: origin && { origin }, configurable: true });
  try {
    return checkEndpoint(endpoint);
  } finally {
    Reflect.deleteProperty(globalThis, "location");
  }
}

for (const host of PRIVATE) {
  test(`${host} is asked by its own pages alone`, () => {
    const endpoint = `http://${host}`;
    assert.equal(from(endpoint, endpoint), endpoint);
    assert.ok(isInRoom(endpoint));
    for (const origin of [undefined, "null", "http://127.0.0.1:8080", `https://${host}`, "http://10.9.9.9"]) {
      assert.throws(() => from(origin, endpoint), { message: /^endpoint must be https/ });
    }
    assert.ok(!isInRoom(`https://${host}`));
  });
}

for (const host of OTHERS) {
  test(`${host} is not in the same room`, () => {
    assert.throws(() => from(`http://${host}`, `http://${host}`), { message: /^endpoint must be https/ });
    assert.ok(!isInRoom(`http://${host}`));
  });
}
