import { afterEach, expect, test } from "vitest";
import { loopbackWorker } from "../loopback.ts";
import { project, type TestProject } from "../project.ts";
import { packagesOf, standIn } from "./stand-in.ts";

let here: TestProject | null = null;
afterEach(() => here?.sandbox.dispose());

/** In a project above 16 MB, the shell gets files above 64 KB only when a command reads them. */
const large = { "data.bin": new Uint8Array(17_000_000) };
/** Two packages whose package.json, and so the lock file, is large. */
const long = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`key-with-a-long-name-${i}`, "x".repeat(60)]));

test("npm installs, runs, removes and installs again in a large project with a large lock file", async () => {
  const registry = standIn();
  const [d, e] = packagesOf("d 1.0.0 [bin]\ne 1.0.0");
  if (d === undefined || e === undefined) throw new Error("two packages");
  registry.add(
    { manifest: { ...d.manifest, engines: long }, files: () => ({ ...d.files(), "bin.js": `console.log("ran");${" ".repeat(100_000)}` }) },
    { ...e, manifest: { ...e.manifest, engines: long } },
  );
  here = await project({
    createWorker: loopbackWorker,
    contents: { ...large, "package.json": '{ "name": "p", "version": "1.0.0", "scripts": { "build": "echo built" } }\n' },
  });
  const { runAndKeep, files } = here;
  const network = async (request: Parameters<typeof registry.answer>[0]) => registry.answer(request);
  const run = async (command: string) => {
    const { stdout, stderr, exitCode } = await runAndKeep(command, { network });
    return `${exitCode} ${stdout.trim().split("\n").at(-1)}${stderr}`.replaceAll(/ in \d+m?s/g, "");
  };
  expect(await run("npm install d")).toBe("0 added 1 package");
  const lock = (await files.list("")).find(({ path }) => path === "package-lock.json");
  expect(lock?.size).toBeGreaterThan(64_000);
  expect(await run("npm ls")).toBe("0 └── d@1.0.0");
  expect(await run("npm i e")).toBe("0 added 1 package");
  expect(await run("npm run -s build")).toBe("0 built");
  expect(await run("npm ci")).toBe("0 added 2 packages");
  expect(await run("rm -rf node_modules; npm ls")).toMatch(/^1 .*missing: d@\^1.0.0/s);
  expect(await run("npm ci && ls node_modules")).toBe("0 e");
  expect(await run("npm version patch; npm uninstall e; npm pkg get version")).toBe('0 "1.0.1"');
});
