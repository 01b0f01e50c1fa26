/** Parts of the reader that few surveys need. An app has them from the start; pages load those that a document names. */

/** More labels than there are rows for: a run of numbers, or a list with so many commas outside its texts. */
const MANY = /"labels":(?:[\d{]|\[(?:(?:"(?:[^"\\]|\\.)*"|[^",\]])*,){12})/;
const PARTS: readonly (readonly [named: RegExp, id: string])[] = [
  [/"kind":"(?:number|any_of)"|"mechanism":"Subset"/, "surveys/often"],
  [MANY, "surveys/seldom"],
  [
    /"period":"[dwm]|"(?:translations|heading|tuple|date|datetime|bytes)":|"kind":"(?:text|pair|prefix)"/,
    "surveys/seldom",
  ],
  [/"(?:sensitive|blocks|prior)":[^n]/, "surveys/rare"],
  [/"carrier"/, "surveys/field"],
  [/"crowd":/, "surveys/mixed"],
];

/** Load what a text names, on a page. A text that is no document names nothing that it can be read by. */
export async function loadParts(text: string): Promise<void> {
  const late = (globalThis as Record<symbol, unknown>)[Symbol.for("deniable.late")] as Late | undefined;
  if (late) await Promise.all(PARTS.filter(([named]) => named.test(text)).map(([, id]) => late(id)));
}

/** How pages load a module: see pageLoader.ts. */
type Late = (id: string) => Promise<unknown>;
