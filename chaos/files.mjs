import { readdirSync } from "node:fs";

/** @param {string} folder @param {readonly string[]} names */
const tests = (folder, names) => names.map((name) => `tests/${folder}/${name}`);

/** Tests that repeat what other tests already cover, found by their names. */
const second = readdirSync("tests", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.long\./.test(name))
  .map((name) => `tests/${name.replaceAll("\\", "/")}`);

/** The unit test files that each campaign runs. */
export const unitFiles = {
  faults: tests("cases", ["faults.test.ts", "points.test.ts", "tab-points.test.ts"]),
  shown: [...tests("app/calls", ["exact.chromium.test.tsx", "cell.test.ts", "visible.test.ts"]), ...tests("shell", ["parts.test.ts"])],
  network: tests("engine/network", ["outgoing.test.ts"]),
  export: tests("engine/project/outgoing", ["campaign.test.ts"]),
  isolation: tests("shell", ["isolation.test.ts", "shared-files.test.ts", "policy.test.ts"]),
  recovery: tests("engine/project/recovery", ["damage.test.ts", "fuzz.test.ts", "merge-copy.test.ts", "ordinary.test.ts"]),
  units: [
    ...second,
    ...tests("shell", [
      "node/against-node.chromium.test.ts",
      "transcripts/transcripts.test.ts",
      "npm/packages.test.ts",
      "git/against-git.test.ts",
      "git/lines.test.ts",
    ]),
  ],
};

/** @param {readonly string[]} names */
const journeys = (names) => names.map((name) => `${name}.spec.ts`);

/** The journeys that each campaign runs, in `e2e`. */
export const journeyFiles = {
  lists: journeys(["hostile-lists"]),
  reload: journeys(["reload", "many-files", "webcontainer-kills"]),
  quota: journeys(["storage", "quota"]),
  profile: journeys(["profile"]),
  leaks: journeys(["preview-leaks", "preview-frames"]),
  isolation: journeys(["isolation"]),
  engines: journeys(["engines/attacks", "engines/leaks"]),
  bare: journeys([
    "trust",
    "isolation",
    "keys",
    "session-keys",
    "network",
    "approval",
    "sandbox",
    "python",
    "profile",
    "zip",
    "hostile-lists",
  ]),
};
