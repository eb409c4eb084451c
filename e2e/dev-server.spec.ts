import { say } from "../tests/stand-in/claude.ts";
import { allowHost, startRegistry } from "./registry.ts";
import { expect, newDialog, openWithKey, putDeed, results, test } from "./steps.ts";

/** Servers in the background show the changes that an agent makes while they run. */

const call = (id: string, command: string, background = false) => ({
  blocks: [{ call: "run_command", id, input: { command, ...(background ? { background } : {}) } }],
});

const site: Readonly<Record<string, string>> = {
  "server.js": 'require("http").createServer((q, r) => r.end(require("fs").readFileSync("page.txt"))).listen(3000);\n',
  "page.txt": "first\n",
  // Uses one connection for both requests.
  "twice.mjs": `import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";
const agent = new Agent({ keepAlive: true });
const get = () => new Promise((done) => request({ port: 3000, agent }, (r) => r.setEncoding("utf8").on("data", done)).end());
console.log(await get());
while ((await get()) === "second\\n") await setTimeout(50);
console.log(await get());
`,
};

test("a server of node in the background reads what other commands and the person wrote", async ({ app, claude }) => {
  await openWithKey(app, claude);
  for (const [path, text] of Object.entries(site)) await putDeed(app, path, text);
  const id = await newDialog(app, "server");
  claude.play(
    call("toolu_1", "node server.js", true),
    call("toolu_2", "until curl -sf localhost:3000; do sleep 0.1; done"),
    call("toolu_3", "echo second > page.txt"),
    call("toolu_4", "curl -s localhost:3000"),
    call("toolu_5", "node twice.mjs"),
    say("Done."),
  );
  const turn = app.ask("PUT", "dialog", { dialogId: id, prompt: "Go", authorizations: ["run_command"] });
  await expect.poll(async () => (await results(app, id))[3]?.stdout).toBe("second\n");
  // The last command may or may not have sent its first request by then.
  await putDeed(app, "page.txt", "third\n");
  await turn;
  expect((await results(app, id)).slice(1).map(({ stdout }) => stdout)).toEqual([
    "first\n",
    "",
    "second\n",
    expect.stringMatching(/^(?:second|third)\n\nthird\n\n$/),
  ]);
});

const project: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "p", "version": "1.0.0", "type": "module" }\n',
  "index.html": '<div id="app"></div><script type="module" src="/src/main.ts"></script>\n',
  "src/main.ts": 'import { title } from "./title";\ndocument.querySelector("#app")!.textContent = title as string;\n',
  "src/title.ts": 'export const title: string = "First";\n',
};

test("vite's dev server in the background serves what was edited after it started", { tag: "@long" }, async ({ app, claude }) => {
  test.setTimeout(600_000);
  const registry = await startRegistry();
  test.skip(registry === null, "there is no network");
  if (registry === null) return;
  await openWithKey(app, claude);
  await app.json("POST", "file/doc-main.md", { content: "# Main\n> Limit: command 300\n" });
  for (const [path, text] of Object.entries(project)) await putDeed(app, path, text);
  const id = await newDialog(app, "vite");
  const until = (pattern: string) => `until curl -sf localhost:5173/src/title.ts | grep '${pattern}'; do sleep 0.2; done`;
  claude.play(
    call("toolu_1", `npm install -D vite@7 --registry=http://${registry.host}/`),
    call("toolu_2", "npx vite --port 5173 --strictPort", true),
    call("toolu_3", until("^export")),
    call("toolu_4", "sed -i 's/First/Second/' src/title.ts && echo 'export const more = 1;' > src/more.ts"),
    call("toolu_5", until("Second")),
    call("toolu_6", "curl -sf localhost:5173/src/more.ts | grep more"),
    say("Done."),
  );
  const turn = app.ask("PUT", "dialog", { dialogId: id, prompt: "Go", authorizations: ["run_command"] });
  await allowHost(app, id, registry.host);
  await turn;
  const [installed, , first, , second, more] = await results(app, id);
  expect(installed).toMatchObject({ success: true });
  expect(first?.stdout).toMatch(/^export const title = "First";/);
  expect(second?.stdout).toMatch(/^export const title = "Second";/);
  expect(more?.stdout).toMatch(/^export const more = 1;/);
  registry.server.close();
});
