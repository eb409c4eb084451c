// npm run check: the checks that take under two minutes. All static checks, and the unit tests of what changed since the last commit.
import { resolve } from "node:path";
import { checks } from "./checks.mjs";
import { ensureInstalled } from "./install.mjs";
import { sideBySide } from "./side-by-side.mjs";

process.chdir(resolve(import.meta.dirname, ".."));
ensureInstalled();

const changed = {
  title: "tests of what changed",
  script: "node_modules/vitest/vitest.mjs",
  args: ["run", "--changed", "--passWithNoTests", "--reporter=dot"],
};
const all = [...checks, changed];
const passed = await sideBySide(all);
const failed = all.filter((_, at) => passed[at] !== true).map(({ title }) => title);
console.log(failed.length === 0 ? "\nAll checks passed." : `\nFailed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
