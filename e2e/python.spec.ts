import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { DialogAnswer } from "../src/protocol/index.ts";
import { testIndex, type TestWheel } from "../tests/shell/pip/index-stand-in.ts";
import { say } from "../tests/stand-in/claude.ts";
import { expect, newDialog, openWithKey, putDeed, results, test } from "./steps.ts";
import { main } from "./team.ts";

/** A package index that lets pages read its answers. `host` is the host that the user is asked about. */
async function startIndex(wheels: readonly TestWheel[]): Promise<{ server: Server; host: string }> {
  const index = await testIndex(wheels);
  const server = createServer((request, response) => {
    const { url = "/", headers } = request;
    const isPage = url.startsWith("/simple/");
    const wanted = isPage ? `https://pypi.org${url}` : `https://files.test${url}`;
    void (async () => {
      const answer = await index.network({ url: wanted, method: "GET", headers: [], body: null, program: "pip", follow: true });
      if (answer.kind !== "answer") throw new Error("a stand-in answers everything");
      const body = isPage ? new TextDecoder().decode(answer.body).replaceAll("https://files.test", `http://${headers.host}`) : answer.body;
      response.writeHead(answer.status, { "access-control-allow-origin": "*" }).end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The smallest possible package with a program and a dependency. */
const wheels: readonly TestWheel[] = [
  {
    name: "checks",
    version: "2.1",
    needs: ["words>=1", 'winonly; sys_platform == "win32"'],
    files: {
      "checks/__init__.py": "from words import VALUE\ndef main():\n    print('checks with words', VALUE)\n",
      "checks/__main__.py": "from checks import main\nmain()\n",
    },
    scripts: "[console_scripts]\nchecks = checks:main\n",
    separate: true,
  },
  { name: "words", version: "1.4" },
];

test("an agent installs a Python package once the user allows the index, and another dialog has it", { tag: "@long" }, async ({
  app,
  claude,
}) => {
  await openWithKey(app, claude);
  // The first command also fetches and compiles Python, which takes long on a busy machine.
  await app.json("POST", "file/doc-main.md", { content: main("Limit: command 120") });
  await putDeed(app, "app.py", "import checks\nchecks.main()\n");
  const index = await startIndex(wheels);
  const call = (id: string, command: string) => ({ blocks: [{ call: "run_command", id, input: { command } }] });
  const id = await newDialog(app, "python");
  claude.play(
    call("toolu_1", `pytest; pip install checks --index-url http://${index.host}/simple`),
    call("toolu_2", "pip freeze; git init -q; git status --short; python3 app.py"),
    call("toolu_3", ".venv/bin/checks"),
    say("Done."),
  );
  const turn = app.ask("PUT", "dialog", { dialogId: id, prompt: "Go", authorizations: ["run_command"] });
  const ask = async () => {
    const { activity } = await app.json<DialogAnswer>("GET", `dialog/${id}`);
    return activity?.kind === "running" ? (activity.ask ?? null) : null;
  };
  await expect.poll(async () => (await ask())?.host).toBe(index.host);
  await app.json("PUT", "dialog", { dialogId: id, network: [{ host: index.host, allow: true, question: (await ask())?.question }] });
  await turn;
  const [installed, used, program] = await results(app, id);
  expect(installed).toMatchObject({ success: true, stderr: expect.stringContaining("run `pip install pytest`") });
  expect(installed?.stdout).toContain("Successfully installed checks-2.1 words-1.4\n");
  expect(used?.stderr).toBe("");
  expect(used).toMatchObject({ success: true, stdout: "checks==2.1\nwords==1.4\n?? app.py\nchecks with words 1.4\n" });
  expect(program).toMatchObject({ success: true, stdout: "checks with words 1.4\n" });

  const other = await newDialog(app, "other");
  claude.play(call("toolu_4", "python3 -c 'import checks; checks.main()'"), say("Done."));
  await app.ask("PUT", "dialog", { dialogId: other, prompt: "Go", authorizations: ["run_command"] });
  expect((await results(app, other))[0]).toMatchObject({ stdout: "checks with words 1.4\n" });
  index.server.close();
});
