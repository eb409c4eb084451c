import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Activity, DialogAnswer } from "../src/protocol/index.ts";
import { packagesOf, registryAddress, standIn } from "../tests/shell/npm/stand-in.ts";
import { say } from "../tests/stand-in/claude.ts";
import type { App } from "./app.ts";
import { startHost } from "./static-host.ts";
import { expect, newDialog, openWithKey, putDeed, test } from "./steps.ts";

/** `node` and `npm` in the production build, as an agent runs them. */

interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly success: boolean;
}

const call = (id: string, command: string) => ({ blocks: [{ call: "run_command", id, input: { command } }] });

async function results(app: App, id: string): Promise<readonly Result[]> {
  const { messages } = await app.json<DialogAnswer>("GET", `dialog/${id}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of a command's result.
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call.result as unknown as Result] : [])));
}

const askOf = (activity: Activity | null) => (activity?.kind === "running" ? (activity.ask ?? null) : null);

/** A registry that lets pages read its answers. `host` is the host that the user is asked about. */
async function startRegistry(notation: string): Promise<{ server: Server; host: string }> {
  const packages = standIn();
  packages.add(...packagesOf(notation));
  const server = createServer((request, response) => {
    const { host = "" } = request.headers;
    const answer = packages.answer({ url: `${registryAddress}${(request.url ?? "/").slice(1)}`, headers: [] });
    if (answer.kind !== "answer") throw new Error("a stand-in answers everything");
    const allowed = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    const json = !request.url?.endsWith(".tgz");
    const body = json ? new TextDecoder().decode(answer.body).replaceAll(registryAddress, `http://${host}/`) : answer.body;
    response.writeHead(request.method === "OPTIONS" ? 204 : answer.status, allowed).end(request.method === "OPTIONS" ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const project: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "p", "version": "1.0.0", "type": "module", "scripts": { "test": "node test.js" } }\n',
  "sum.ts": "export const sum = (...numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);\n",
  "test.js": [
    'import assert from "node:assert/strict";',
    'import { AsyncLocalStorage } from "node:async_hooks";',
    'import { gunzipSync, gzipSync } from "node:zlib";',
    'import { sum } from "./sum.ts";',
    "assert.equal(sum(1, 2, 3), 6);",
    'assert.equal(String(gunzipSync(gzipSync("packed"))), "packed");',
    "const store = new AsyncLocalStorage();",
    "const later = async () => { await null; await new Promise((done) => setTimeout(done, 1)); return store.getStore(); };",
    "console.log(await Promise.all([store.run(1, later), store.run(2, later)]));",
    "",
  ].join("\n"),
};

test("an agent runs tests with node, and installs a package once the human allows the registry", async ({ app, claude }) => {
  await openWithKey(app, claude);
  for (const [path, text] of Object.entries(project)) await putDeed(app, path, text);
  const registry = await startRegistry("greeting 1.2.0 word@^1\nword 1.0.3 [bin]");
  const id = await newDialog(app, "node");
  claude.play(
    call("toolu_1", "node test.js && npm test"),
    call("toolu_2", `npm install greeting --registry=http://${registry.host}/`),
    call("toolu_3", `npx word a b && node -p 'require("greeting")' && npm ls`),
    call(
      "toolu_4",
      "node -e 'let depth = 0; const f = () => { depth++; f() }; try { f() } catch (e) { console.log(e.name, depth > 500) }'",
    ),
    say("Done."),
  );
  const turn = app.ask("PUT", "dialog", { dialogId: id, prompt: "Go", authorizations: ["run_command"] });
  const asked = async () => askOf((await app.json<DialogAnswer>("GET", `dialog/${id}`)).activity);
  await expect.poll(async () => (await asked())?.host).toBe(registry.host);
  const question = (await asked())?.question;
  await app.json("PUT", "dialog", { dialogId: id, network: [{ host: registry.host, allow: true, question }] });
  await turn;
  const [tested, installed, used, deep] = await results(app, id);
  expect(tested).toMatchObject({ success: true, stderr: "", stdout: "[ 1, 2 ]\n\n> p@1.0.0 test\n> node test.js\n\n[ 1, 2 ]\n" });
  expect(installed).toMatchObject({ success: true, stdout: expect.stringMatching(/^\nadded 2 packages in \d+m?s\n$/) });
  expect(used?.stdout).toBe("word a|b\ngreeting@1.2.0\np@1.0.0 /project\n└── greeting@1.2.0\n\n");
  expect(deep?.stdout).toBe("RangeError true\n");
  expect(JSON.parse(await app.file("package.json"))).toMatchObject({ dependencies: { greeting: "^1.2.0" } });
  registry.server.close();
});

test.describe("without a network", () => {
  test.use({ serviceWorkers: "allow" });

  test("node is there, though it was never called before", { tag: "@long" }, async ({ app, claude, page }) => {
    const host = await startHost({ root: process.env.VIBEY_DIST ?? "dist" });
    // The app waits five seconds before it registers the service worker.
    await page.addInitScript(() => {
      const inner = window.setTimeout.bind(window);
      Object.assign(window, { setTimeout: (then: () => void, ms?: number) => inner(then, ms === 5_000 ? 0 : ms) });
    });
    await page.goto(host.url);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: 60_000 }).toBe(true);
    await host.stop();
    await page.reload();
    await expect(page.getByRole("tablist").first()).toBeVisible();
    await app.json("PUT", "provider/claude", { apiKey: claude.key, baseURL: claude.url });
    const { dialogId } = await app.json<{ dialogId: string }>("POST", "dialog/new", { provider: "claude", slug: "offline" });
    claude.play(call("toolu_1", "echo 'const n: number = 6; console.log(n * 7)' > a.ts && node a.ts && npm --version"), say("Done."));
    await app.ask("PUT", "dialog", { dialogId, prompt: "Go", authorizations: ["run_command"] });
    const [result] = await results(app, dialogId);
    expect(result).toMatchObject({ success: true, stderr: "", stdout: expect.stringMatching(/^42\n11\.\d+\.\d+\n$/) });
  });
});
