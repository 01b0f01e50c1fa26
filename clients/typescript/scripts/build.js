// Builds dist/ (the package's modules, with source maps and types, and its stylesheet), build/page (what collectors serve:
// see page.js) and build/test (the tests).

import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import "./sentences.js";
import { buildPage } from "./page.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = readdirSync(`${root}src`, { recursive: true }).filter((name) => /(?<!\.d)\.ts$/.test(name));
const shared = { absWorkingDir: root, bundle: true, format: "esm", target: "es2022", loader: { ".csv": "text" } };

for (const folder of ["dist", "build"]) rmSync(`${root}${folder}`, { recursive: true, force: true });
// One module for each source file, its statements as they are: an app's bundler drops or loads later what stands apart.
await build({
  ...shared,
  entryPoints: modules.map((name) => `src/${name}`),
  outdir: "dist",
  sourcemap: true,
  platform: "neutral",
  external: ["*.js", "node:*"],
});
await build({ ...shared, entryPoints: ["src/question.css"], outdir: "dist", minify: true });
await build({
  ...shared,
  entryPoints: [{ in: "src/question.css", out: "deniable" }],
  outdir: "build/page",
  minify: true,
});
await buildPage();
await build({
  ...shared,
  entryPoints: readdirSync(`${root}test`).map((name) => `test/${name}`),
  outdir: "build/test",
  packages: "external",
  platform: "node",
});
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json"], {
  cwd: root,
  stdio: "inherit",
});
