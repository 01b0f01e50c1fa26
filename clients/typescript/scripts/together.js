// Modules that are imported late, several in one file, so that nobody loads many small ones.

/** What an import of a module becomes. */
export const LATE = /\bimport\("(\.[^"]+)\.js"\)/g;

/** The file that has a late module, and as what, by the modules of each file. */
export function placesOf(files) {
  const named = ([file, ids]) => ids.map((id, place) => [id, [file, `late${place}`]]);
  return new Map(Object.entries(files).flatMap(named));
}

/** The lines of a file that has late modules; `from` is the way to their folder. */
export function wholeOf(ids, from) {
  return ids.map((id, place) => `export * as late${place} from "${from}${id}.js";\n`).join("");
}
