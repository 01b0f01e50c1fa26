/** The element on a page without a consent that a collector wrote: one of its collector's own, or one of others. */

import { mountGuest } from "./guest.js";
import type { QuestionOptions } from "./mount.js";
import { mountQuestion } from "./standalone.js";

/** Ask in an element; the function that is returned ends it. */
export function mountElement(host: HTMLElement, options: QuestionOptions): () => void {
  const isOwn = new URL(options.endpoint ?? "", location.href).origin === location.origin;
  return isOwn && host.getAttribute("carry") === null ? mountQuestion(host, options) : mountGuest(host, options);
}
