/** What the attributes of an element say, and which language the page around it has. */

import type { Heading } from "./nodes.js";

/** The languages of pages. */
const LANGUAGES = {
  en: () => import("../languages/englishPage.js"),
  de: () => import("../languages/germanPage.js"),
};

/** The language of a page's part, by the nearest `lang`; English for those that there is no table for. */
export async function languageOf(host: Element) {
  const wanted = host.closest("[lang]")?.getAttribute("lang")?.toLowerCase().split("-")[0];
  const { spoken } = await (wanted === "de" ? LANGUAGES.de : LANGUAGES.en)();
  host.setAttribute("lang", spoken.code);
  host.setAttribute("dir", spoken.direction);
  return spoken;
}

export function headingOf(host: Element): Heading {
  const level = Number(host.getAttribute("heading"));
  return level === 1 || level === 3 ? level : 2;
}

/** The languages of the person, the dearest first: the one chosen for this element, then those of the browser. */
function wantedBy(host: Element): string[] {
  return [host.getAttribute("language") ?? "", ...navigator.languages];
}

/** The collector that is answered to. */
export function endpointOf(host: Element): string {
  return host.getAttribute("endpoint") ?? location.origin;
}

/**
 * The invitation: the attribute, else that of the page's address, in the part of it that no browser sends. On pages of
 * other hosts that part is theirs: a code there may be that of somebody who signs in to them. A collector's own page says
 * so by `mixed` where answers go to a mixer, which is another host.
 */
export function codeOf(host: Element): string | null {
  const own = host.hasAttribute("mixed") || new URL(endpointOf(host), location.href).origin === location.origin;
  return host.getAttribute("code") ?? (own ? new URLSearchParams(location.hash.slice(1)).get("code") : null);
}

/** All that the attributes say. */
export async function optionsOf(host: Element, code: string | null) {
  const result = host.getAttribute("result");
  return {
    survey: host.getAttribute("survey") ?? "",
    endpoint: endpointOf(host),
    ...(code === null ? {} : { code }),
    ...(result === null ? {} : { result }),
    rehearse: host.hasAttribute("rehearse"),
    closed: host.hasAttribute("closed"),
    language: await languageOf(host),
    wanted: wantedBy(host),
    heading: headingOf(host),
  };
}
