/** The tabs of one browser in which a survey is open: each hears when another has answered. */

/** What this tab tells the others, and hears from them: that something changed, and nothing about whom or what. */
export class Tabs {
  readonly #channel: BroadcastChannel | undefined;

  constructor(digest: string, heard: () => void) {
    if (!("BroadcastChannel" in globalThis)) return;
    this.#channel = new BroadcastChannel(`deniable/${digest}`);
    this.#channel.onmessage = heard;
  }

  tell(): void {
    this.#channel?.postMessage("changed");
  }

  close(): void {
    this.#channel?.close();
  }
}
