import { describe, expect, test } from "vitest";
import type { CallView, DialogAnswer } from "../../../src/protocol/index.ts";
import type { JsonObject } from "../../../src/dialog/model.ts";
import { readSimple } from "../../../src/shell/embedded/parts/simple.ts";
import { type Bench, bench, type BenchOptions, call, ended, type Reply, say } from "../harness.ts";

const run = (id: string, command: string, more: JsonObject = {}) => call(id, "run_command", { command, ...more });
const write = (id: string, path: string) => call(id, "write_file", { path, content: "x\n" });
const edit = (id: string, path: string) => call(id, "edit_file", { path, old_string: "a", new_string: "b" });

async function open(replies: readonly Reply[], main = "", options: BenchOptions = {}): Promise<{ b: Bench; id: string }> {
  const b = await bench(replies, { simpleCommands: readSimple, ...options });
  await b.ask("POST", "/file/doc-main.md", { content: main });
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  return { b, id: (await b.dialog()).id };
}

const answer = async (b: Bench) => (await (await b.ask("GET", `/dialog/${(await b.dialog()).id}`)).json()) as DialogAnswer;

async function calls(b: Bench): Promise<CallView[]> {
  return (await answer(b)).messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
}

/** `a:finished by npm test * in main`: every call and what allowed it. */
async function told(b: Bench): Promise<string[]> {
  return (await calls(b)).map(({ id, state, allowedByLines = [] }) =>
    [`${id}:${state}`, ...allowedByLines.map(({ value, place }) => `by ${value} in ${place}`)].join(" "),
  );
}

describe("a line of main", () => {
  test("lets what it covers through and says so in the file; the rest asks", async () => {
    const { b } = await open(
      [
        [
          run("a", "npm test -- --run b"),
          run("b", "npm test; rm x"),
          run("c", "npm test && npm run lint"),
          write("d", "src/a.ts"),
          write("e", "a.ts"),
          ended,
        ],
      ],
      "> Authorized: command npm test *\n> Authorized: command npm run lint\n> Authorized: writes under src/\n",
    );
    expect(await told(b)).toEqual([
      "a:finished by command npm test * in main",
      "b:pending",
      "c:finished by command npm test * in main by command npm run lint in main",
      "d:finished by writes under src/ in main",
      "e:pending",
    ]);
    expect(b.commands).toEqual(["npm test -- --run b", "npm test && npm run lint"]);
    const { markdown } = await b.dialog();
    expect(markdown).toContain("> Authorized: command npm test *\n");
    expect(markdown).toContain(
      "> Allowed: a by main: command npm test *\n> Allowed: c by main: command npm test *\n> Allowed: c by main: command npm run lint\n> Allowed: d by main: writes under src/\n",
    );
    expect((await calls(b)).map(({ allowedBy }) => allowedBy)).toEqual(["authorization", null, "authorization", "authorization", null]);
    expect(b.reported).toEqual([]);
  });

  test("covers no command in the background, none with a field that is not known, and none in a sandbox that can't read commands", async () => {
    const main = "> Authorized: command npm *\n";
    const { b } = await open(
      [[run("a", "npm x", { background: true }), run("b", "npm x", { as: "root" }), run("c", "npm x", { background: false }), ended]],
      main,
    );
    expect(await told(b)).toEqual(["a:pending", "b:pending", "c:finished by command npm * in main"]);
    const blind = await open([[run("a", "npm x"), ended]], main, { simpleCommands: async () => null });
    expect(await told(blind.b)).toEqual(["a:pending"]);
  });

  test.each([
    "vibey/doc-x.md",
    "vibey/dialog-x.md",
    "src/../vibey/doc-x.md",
    "src/../a.ts",
    "src/.git/config",
    "src/.git/hooks/post-checkout",
    "src/.vscode/tasks.json",
    "src/.env",
    "src/x/.hidden",
    "src/vibey/doc-x.md",
    "src/Vibey/x",
    "src/node_modules/a/index.js",
    "src/package.json",
    "src/sub/Package.JSON",
    "src/Makefile",
    "src/vite.config.ts",
    "src/conftest.py",
    "src/autorun.inf",
    "src/GIT~1/config",
    "src/git.exe",
    "SRC/a.ts",
    "Src/a.ts",
    "srcs/a.ts",
    "src",
    "asrc/a.ts",
    "/src/a.ts",
    "src\\a.ts",
    "\u0455rc/a.ts",
    "src/\u0430.ts",
    "src/a\u200b.ts",
    "src/a b.ts",
    "src/.",
    "src/..",
    "src/a.",
    "../src/a.ts",
  ])("for a folder does not cover %j", async (path) => {
    const { b } = await open(
      [[write("a", path), edit("b", path), ended]],
      "> Authorized: writes under src/\n> Authorized: writes under docs/\n",
    );
    expect(await told(b)).toEqual(["a:pending", "b:pending"]);
  });

  test.each(["src/a.ts", "./src/a.ts", "src//a.ts", "src/./x/../a.ts", "/project/src/a.ts", "docs/../src/deep/er/a.test.ts"])(
    "for a folder covers %j",
    async (path) => {
      const { b } = await open([[write("a", path), ended]], "> Authorized: writes under src/\n");
      expect(await told(b)).toEqual(["a:finished by writes under src/ in main"]);
    },
  );

  test("that does not fit to the letter lets nothing through", async () => {
    const lines = [
      "command npm test*",
      "command  npm test *",
      "command npm test *;",
      "writes under src",
      "writes under ./",
      "Command npm test *",
    ];
    const { b } = await open([[run("a", "npm test"), write("b", "src/a"), ended]], lines.map((line) => `> Authorized: ${line}\n`).join(""));
    expect(await told(b)).toEqual(["a:pending", "b:pending"]);
  });
});

describe("a line of this dialog", () => {
  const put = (b: Bench, dialogId: string, body: Record<string, unknown>) => b.ask("PUT", "/dialog", { dialogId, ...body });

  test("holds from there on, is listed, and can be taken back", async () => {
    const { b, id } = await open([
      [run("a", "npm test"), ended],
      [run("b", "npm test -- x"), ended],
      say("Done."),
      [run("c", "npm test"), ended],
    ]);
    await b.frames(await put(b, id, { decisions: "a: approve", authorizations: "əəə\nallow command npm test *\nəəə" }));
    expect(await told(b)).toEqual(["a:finished", "b:finished by command npm test * in this dialog"]);
    expect((await calls(b)).map(({ allowedBy }) => allowedBy)).toEqual(["human", "authorization"]);
    expect((await answer(b)).authorized).toEqual(["command npm test *"]);
    await put(b, id, { authorizations: "deny command npm test *" });
    expect((await answer(b)).authorized).toEqual([]);
    await b.frames(await put(b, id, { prompt: "Again" }));
    expect((await told(b)).at(-1)).toBe("c:pending");
    expect((await b.dialog()).markdown).toContain("> Revoked: command npm test *\n");
  });

  test("taking back the tool takes back its patterns", async () => {
    const { b, id } = await open([[run("a", "npm test"), ended]], "> Authorized: command npm *\n> Authorized: writes under src/\n");
    await put(b, id, { authorizations: "deny run_command" });
    expect((await answer(b)).authorized).toEqual(["writes under src/"]);
  });

  test("taken back while the answer is being written, it lets nothing of that answer through", async () => {
    let taken: Promise<unknown> = Promise.resolve();
    const b = await bench(
      [
        async function* () {
          taken =
            (await b.ask("PUT", "/dialog", { dialogId: (await b.dialog()).id, authorizations: "deny command npm *" })).body?.cancel() ??
            taken;
          yield run("a", "npm test");
          yield ended;
        },
      ],
      { simpleCommands: readSimple },
    );
    await b.ask("POST", "/file/doc-main.md", { content: "> Authorized: command npm *\n" });
    await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
    await taken;
    expect(await told(b)).toEqual(["a:pending"]);
  });

  test.each([
    ["əəə\nallow command npm; rm x\nəəə"],
    ["allow command npm test*"],
    ["allow writes under ../"],
    ["deny writes under src"],
    [["command sh *"]],
    [["run_command", "writes under /"]],
  ])("%j is refused, with the field's name, and nothing is written", async (authorizations) => {
    const { b, id } = await open([say("Hi.")]);
    const before = (await b.dialog()).markdown;
    const refused = await put(b, id, { authorizations });
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      400,
      expect.stringMatching(/^authorizations(?:\.1|\.0)?: expected, for a pattern/),
    ]);
    expect((await b.dialog()).markdown).toBe(before);
  });

  test("given as a list, too", async () => {
    const { b, id } = await open([say("Hi.")]);
    await put(b, id, { authorizations: ["writes under src/", "command npm test"] });
    expect((await answer(b)).authorized).toEqual(["command npm test", "writes under src/"]);
  });

  test("a fork begins without it, and offers it", async () => {
    const { b, id } = await open([say("Hi.")]);
    await put(b, id, { authorizations: ["command npm test *"] });
    const fork = (await (await b.ask("POST", `/dialog/${id}/fork`, { message: 2 })).json()) as { dialogId: string };
    const view = (await (await b.ask("GET", `/dialog/${fork.dialogId}`)).json()) as DialogAnswer;
    expect([view.authorized, view.imported.tools]).toEqual([[], ["command npm test *"]]);
  });
});

describe("what is offered for a call that waits", () => {
  test.each<[string, JsonObject, readonly (readonly string[])[] | undefined]>([
    ["run_command", { command: "npm test -- --run board" }, [["command npm test *"], ["command npm test -- --run board"]]],
    ["run_command", { command: "npm run lint --fix" }, [["command npm run *"], ["command npm run lint *"], ["command npm run lint --fix"]]],
    ["run_command", { command: "git commit -m 'one two'" }, [["command git commit *"]]],
    [
      "run_command",
      { command: "npm test && npm run a" },
      [
        ["command npm test *", "command npm run *"],
        ["command npm test *", "command npm run a *"],
        ["command npm test", "command npm run a"],
      ],
    ],
    [
      "run_command",
      { command: "npm test && rm x" },
      [
        ["command npm test *", "command rm x"],
        ["command npm test", "command rm x"],
      ],
    ],
    ["run_command", { command: "ls -la" }, [["command ls *"], ["command ls -la"]]],
    ["run_command", { command: "rm -rf dist" }, [["command rm -rf dist"]]],
    ["run_command", { command: "node --test" }, [["command node --test"]]],
    ["run_command", { command: "git push origin main" }, [["command git push origin main"]]],
    ["run_command", { command: "git -c a=b status" }, undefined],
    ["run_command", { command: "npm test > x" }, undefined],
    ["run_command", { command: "rm -rf $HOME" }, undefined],
    ["run_command", { command: "sh build.sh" }, undefined],
    ["run_command", { command: "npm test", background: true }, undefined],
    ["write_file", { path: "src/lib/a.ts", content: "" }, [["writes under src/lib/"], ["writes under src/"]]],
    ["write_file", { path: "a.ts", content: "" }, undefined],
    ["edit_file", { path: "src/package.json", old_string: "a", new_string: "b" }, undefined],
    ["launch_agent", { slug: "x", prompt: "y", provider: "claude" }, undefined],
  ])("%s %j", async (name, input, expected) => {
    const { b } = await open([[call("a", name, input), ended]]);
    await expect.poll(async () => (await calls(b))[0]?.patterns).toEqual(expected);
  });

  test("what was let through is no text that a person read, so it may send nothing by its own words", async () => {
    const { approvedText } = await import("../../../src/engine/network/approved-text.ts");
    const { parseDialog } = await import("../../../src/dialog/parse.ts");
    const { b } = await open([[run("a", "npm test"), ended], say("x")], "> Authorized: command npm *\n");
    const dialog = parseDialog((await b.dialog()).markdown);
    expect(approvedText(dialog, "a")).toBeNull();
  });

  test("a reload neither runs it again nor forgets what let it through", async () => {
    const { b } = await open([[run("a", "npm test"), ended], say("x")], "> Authorized: command npm *\n");
    const again = await b.reload();
    expect(await told(again)).toEqual(["a:finished by command npm * in main"]);
    expect(again.commands).toEqual([]);
  });
});
