/** Reports: which bytes a mechanism can send. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ReportError } from "../src/errors.js";
import { checkReport, everyReport, outputsOf, readReport, stored, widthOf } from "../src/reports.js";
import { spec, vectors, written } from "./vectors.js";

interface Batch {
  spec: string;
  why: string;
  reports: (number | string)[];
}

const read = (report: number | string | null) =>
  typeof report === "string" ? Uint8Array.from(Buffer.from(report, "hex")) : report;

test("good reports", () => {
  for (const { spec: text, reports } of vectors<Batch>("reports.json", "good")) {
    const { layout } = spec(text);
    for (const report of reports) {
      const bytes = stored(layout, checkReport(layout, read(report)));
      assert.equal(bytes.length, widthOf(layout));
      assert.equal(written(readReport(layout, bytes)), report);
    }
  }
});

test("bad reports", () => {
  for (const { spec: text, why, reports } of vectors<Batch>("reports.json", "bad")) {
    const { layout } = spec(text);
    const bad = reports[1] as number | string | null;
    const given = layout.kind === "index" && typeof bad === "string" ? bad : read(bad);
    assert.throws(() => checkReport(layout, given), { name: "ReportError", message: /^a report must/ }, why);
  }
  const { layout } = spec('{"version": 1, "mechanism": "RandomizedResponse", "domain": 3, "epsilon": 1}');
  assert.throws(() => readReport(layout, Uint8Array.of(1, 1)), ReportError);
});

test("as many reports are listed as there are, and all of them are well-formed", () => {
  for (const { spec: text } of vectors<{ spec: string }>("specs.json", "good")) {
    const { layout, name } = spec(text);
    if (outputsOf(layout) > 5000n) continue;
    const every = [...everyReport(layout)];
    assert.equal(new Set(every.map(written)).size, Number(outputsOf(layout)), name);
    const sent = layout.kind === "index" ? every.filter((report) => !layout.silent?.has(report as number)) : every;
    for (const report of sent) checkReport(layout, report);
  }
});
