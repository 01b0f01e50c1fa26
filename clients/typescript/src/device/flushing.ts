/** When a page sends what waits. */

import type { Client } from "./client.js";

/**
 * Flush now, whenever the browser comes back online, and whenever the page is hidden, which may be its end. Whether
 * anything is sent is in the receipts; a store that fails then says so again when the next answer needs it. The
 * function that is returned stops all that.
 */
export function flushWhenPossible(client: Client): () => void {
  const flush = () => void client.flush().catch(() => {});
  const hidden = () => document.visibilityState === "hidden" && flush();
  addEventListener("online", flush);
  document.addEventListener("visibilitychange", hidden);
  flush();
  return () => {
    removeEventListener("online", flush);
    document.removeEventListener("visibilitychange", hidden);
  };
}
