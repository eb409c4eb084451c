// npm run bench [part of a name …]: builds each bench/*.bench.ts and runs it in its own Node process, one after the other.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import { build } from "vite";

process.chdir(resolve(import.meta.dirname, ".."));
const wanted = process.argv.slice(2);
const files = readdirSync("bench")
  .filter((name) => name.endsWith(".bench.ts"))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .toSorted();
if (files.length === 0) {
  console.error(`No benchmark's name holds ${wanted.join(" or ")}.`);
  process.exit(1);
}

await build({
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  build: {
    ssr: true,
    outDir: ".cache/bench",
    emptyOutDir: true,
    target: "node20",
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(files.map((name) => [basename(name, ".ts"), `bench/${name}`])),
      output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
    },
  },
});

let failed = 0;
for (const name of files) {
  console.log(`\n── ${name}`);
  const script = `.cache/bench/${basename(name, ".ts")}.mjs`;
  const { status } = spawnSync(process.execPath, ["--expose-gc", "--max-old-space-size=4096", script], { stdio: "inherit" });
  if (status !== 0) failed += 1;
}
console.log(failed === 0 ? "\nEvery goal is met." : `\n${failed} of ${files.length} missed a goal; see above.`);
process.exit(failed === 0 ? 0 : 1);
