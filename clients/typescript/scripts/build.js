// Builds dist/ (the entries of the package, minified, with source maps and types) and build/test (the tests).

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const entries = ["index", "families", "survey", "label", "device", "node", "reports", "testing"];
const shared = { absWorkingDir: root, bundle: true, format: "esm", target: "es2022", loader: { ".csv": "text" } };

for (const folder of ["dist", "build"]) rmSync(`${root}${folder}`, { recursive: true, force: true });
await build({
  ...shared,
  entryPoints: entries.map((name) => `src/${name}.ts`).filter((file) => existsSync(root + file)),
  outdir: "dist",
  chunkNames: "shared/[name]-[hash]",
  splitting: true,
  minify: true,
  sourcemap: true,
  platform: "neutral",
  external: ["node:*"],
});
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
