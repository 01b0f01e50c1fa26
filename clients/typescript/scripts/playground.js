// Builds the playground of the documentation: one script and one stylesheet, which load nothing more and work from a file.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The script of the page, and the modules that tests hold against Python. */
export async function buildPlayground() {
  const shared = { absWorkingDir: root, bundle: true, target: "es2022", loader: { ".csv": "text" } };
  mkdirSync(`${root}build/playground`, { recursive: true });
  await build({
    ...shared,
    entryPoints: ["playground/playground.ts", "playground/playground.css"],
    format: "iife",
    minify: true,
    outdir: "build/playground",
  });
  await build({
    ...shared,
    entryPoints: ["playground/survey.ts", "playground/lines.ts"],
    format: "esm",
    outdir: "build/playground",
  });
}
