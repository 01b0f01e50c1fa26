// Builds dist/ (the package's modules, with source maps and types, and its stylesheet), build/page (what collectors serve:
// see page.js) and build/test (the tests).

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import "./wire.js";
import { buildPage } from "./page.js";
import { buildPlayground } from "./playground.js";
import { LATE, placesOf, wholeOf } from "./together.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = readdirSync(`${root}src`, { recursive: true }).filter((name) => /(?<!\.d)\.ts$/.test(name));
const shared = { absWorkingDir: root, bundle: true, format: "esm", target: "es2022", loader: { ".csv": "text" } };

/**
 * What an app loads late: what the label says, with families that few surveys name and that the label knows anyhow, and
 * what seals, of surveys that nobody is asked without their label; and all else. A bundler makes a file for all that some of these share, so of more than two there would be a dozen files and more.
 */
const TOGETHER = {
  "late/often": [
    "mechanisms/lists",
    "mechanisms/hashed",
    "mechanisms/manyLabels",
    "mechanisms/remembered",
    "device/permanentReports",
    "device/failures",
    "device/rehearsal",
    "device/kiosk",
    "device/handingOver",
  ],
  "late/seldom": [
    "mechanisms/blocks",
    "mechanisms/highLow",
    "mechanisms/itemResponse",
    "mechanisms/cyclic",
    "mechanisms/distance",
    "mechanisms/channels",
    "label",
    "surveys/sentences",
    "device/sealing",
  ],
};
const places = placesOf(TOGETHER);
/** Late imports become those of the files that have several. */
const together = {
  name: "together",
  setup(building) {
    building.onLoad({ filter: /src\/.*\.ts$/ }, ({ path }) => {
      const late = (whole, to) => {
        const [file, name] = places.get(relative(`${root}src`, resolve(path, "..", to))) ?? [];
        const from = relative(resolve(path, ".."), `${root}src/${file}`);
        return file
          ? `import("${from.startsWith(".") ? from : `./${from}`}.js").then((found) => found.${name})`
          : whole;
      };
      return { contents: readFileSync(path, "utf8").replace(LATE, late), loader: "ts" };
    });
  },
};

for (const folder of ["dist", "build"]) rmSync(`${root}${folder}`, { recursive: true, force: true });
// One module for each source file, its statements as they are: an app's bundler drops or loads later what stands apart.
mkdirSync(`${root}dist/late`, { recursive: true });
for (const [file, ids] of Object.entries(TOGETHER)) writeFileSync(`${root}dist/${file}.js`, wholeOf(ids, "../"));
await build({
  ...shared,
  entryPoints: modules.map((name) => `src/${name}`),
  outdir: "dist",
  plugins: [together],
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
await buildPlayground();
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
