/**
 * How a page of a collector loads what it needs later: each module from beside this one, and only with the hash that this
 * one names. A page that names the hash of this file has thereby named those of all.
 */

type Hashes = Readonly<Record<string, string>>;

/** Of each module that most surveys need, and of the table of all others, its SHA-256 in base64; by scripts/page.js. */
declare const MODULES: Hashes;
/** The table of those that few surveys need. */
const TABLE = "modules";
/** What the others take from, and so is asked for before them. */
const SHARED = "question/mount";

const requests = new Map<string, Promise<unknown>>();
/** The modules that have come, by which the shared one calls those of its functions that few surveys need. */
const known: Record<string, unknown> = {};

/** Load a module, or the file that has it as a part. The browser runs what was compared, since a file is fetched once. */
async function late(id: string, part?: string): Promise<unknown> {
  const hashes = id in MODULES ? MODULES : await table();
  await Promise.all([fetched(SHARED, MODULES), fetched(id, hashes)]);
  const module = await import(addressOf(id, hashes));
  known[id] = module;
  return part ? module[part] : module;
}

async function table(): Promise<Hashes> {
  await fetched(TABLE, MODULES);
  return (await import(addressOf(TABLE, MODULES))).MODULES;
}

function addressOf(id: string, hashes: Hashes): string {
  const digits = hashes[id]?.slice(0, 8).replace(/[+/]/g, "_");
  return new URL(`deniable-${id.replaceAll("/", "-")}-${digits}.js`, import.meta.url).href;
}

function fetched(id: string, hashes: Hashes): Promise<unknown> {
  const fetching = requests.get(id) ?? compared(addressOf(id, hashes), `sha256-${hashes[id]}`);
  requests.set(
    id,
    fetching.catch((error) => {
      requests.delete(id); // the network may come back
      throw error;
    }),
  );
  return fetching;
}

/** Fetch a module into the page's own modules, if it has the hash; older browsers compare what they then load again. */
function compared(href: string, integrity: string): Promise<unknown> {
  const link = document.createElement("link");
  if (!link.relList.supports("modulepreload")) {
    return fetch(href, { integrity }).then((reply) => {
      if (!reply.ok) throw new TypeError(href);
    });
  }
  Object.assign(link, { rel: "modulepreload", href, integrity, crossOrigin: "anonymous" });
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      reject(new TypeError(href));
    };
    document.head.append(link);
  });
}

Object.assign(globalThis, { [Symbol.for("deniable.late")]: Object.assign(late, { known }) });
