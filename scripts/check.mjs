// npm run check: what can be known within two minutes. All static checks, and the unit tests of what changed since the last commit.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { checks } from "./checks.mjs";
import { ensureInstalled } from "./install.mjs";

process.chdir(resolve(import.meta.dirname, ".."));
ensureInstalled();

const changed = {
  title: "tests of what changed",
  script: "node_modules/vitest/vitest.mjs",
  args: ["run", "--changed", "--passWithNoTests", "--reporter=dot"],
};
const failed = [];
for (const { title, script, args } of [...checks, changed]) {
  const started = Date.now();
  const ok = spawnSync(process.execPath, [script, ...args], { stdio: "inherit" }).status === 0;
  console.log(`── ${title}: ${ok ? "ok" : "failed"}, ${((Date.now() - started) / 1000).toFixed(0)} s`);
  if (!ok) failed.push(title);
}
console.log(failed.length === 0 ? "\nAll checks passed." : `\nFailed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
