// Sentences of the specification that no other test of the engine covers literally.
import { describe, expect, test } from "vitest";
import type { DialogAnswer } from "../../src/protocol/index.ts";
import { type Bench, bench, call, ended, say } from "./harness.ts";

const ls = call("toolu_abc123", "run_command", { command: "ls" });
const files = async (b: Bench): Promise<string[]> => (await (await b.ask("GET", "/files")).json()) as string[];
const start = async (b: Bench) => b.frames(await b.ask("POST", "/dialog", { provider: "claude", slug: "go", prompt: "Go" }));
const decide = async (b: Bench, decisions: string) => b.ask("PUT", "/dialog", { dialogId: (await b.dialog()).id, decisions });
const sentinel = (line: string) => `əəə\n${line}\nəəə`;

describe("files", () => {
  test("a second start changes nothing in vibey/", async () => {
    const b = await bench();
    await b.ask("POST", "/file/doc-main.md", { content: "mine" });
    const again = await b.reload();
    expect(await files(again)).toEqual(["doc-main.md"]);
    expect(await again.text("vibey/doc-main.md")).toBe("mine");
  });

  test("all .md files are listed, the last written first", async () => {
    const b = await bench();
    for (const name of ["doc-a.md", "notes.md", "A_b-1.2.md", "doc-a.md"]) await b.ask("POST", `/file/${name}`, { content: name });
    expect(await files(b)).toEqual(["doc-a.md", "A_b-1.2.md", "notes.md", "doc-main.md"]);
  });
});

describe("a dialog's name", () => {
  test("its id stays the same whatever its status; the status is the suffix of its only file", async () => {
    const b = await bench();
    const seen: string[] = [];
    const look = async () => {
      const names = (await files(b)).filter((name) => name.startsWith("dialog-"));
      expect(names).toHaveLength(1);
      seen.push(names[0] ?? "");
    };
    await b.ask("POST", "/dialog/new", { provider: "claude", slug: "game" });
    await look();
    const { id } = await b.dialog();
    b.replies = [
      async function* () {
        await look();
        yield ls;
        yield ended;
      },
      async function* () {
        await look();
        yield { type: "text", text: "Done." };
        yield ended;
      },
    ];
    await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Go" }));
    await look();
    await b.frames(await decide(b, sentinel("toolu_abc123: approve")));
    await look();
    expect(id).toMatch(/^\d{8}-\d{6}-game$/);
    expect(seen).toEqual(["waiting", "active", "waiting", "active", "done"].map((status) => `dialog-${id}-${status}.md`));
    expect((await b.dialog()).id).toBe(id);
    expect(b.reported).toEqual([]);
  });
});

describe("tools", () => {
  test("the model always receives four, and doc-main.md with them", async () => {
    const b = await bench([[ls, ended], say("Done.")]);
    await start(b);
    await b.frames(await decide(b, sentinel("toolu_abc123: approve")));
    expect(b.requests).toHaveLength(2);
    for (const request of b.requests) {
      expect(request.tools.map(({ name }) => name)).toEqual(["run_command", "write_file", "edit_file", "launch_agent"]);
      expect(request.system).toContain("# A game");
    }
  });

  test("a request, its approval and its result stand in the file as the specification writes them", async () => {
    const b = await bench([[ls, ended], say("Done.")]);
    await start(b);
    const request = '---\nTool request: run_command [toolu_abc123]\n\n    {"command": "ls"}\n\n';
    expect((await b.dialog()).markdown).toContain(`${request}---\n`);
    expect((await b.dialog()).markdown).not.toContain("Decision:");
    await b.frames(await decide(b, sentinel("toolu_abc123: approve")));
    const started = /^Started: \S+$/m.exec((await b.dialog()).markdown)?.[0] ?? "";
    expect((await b.dialog()).markdown).toContain(
      `${request}Decision: approved\n${started}\nResult:\n\n    {"success": true, "stdout": "ran ls\\n", "stderr": "", "ms": 1}\n\n---\n`,
    );
    expect(b.commands).toEqual(["ls"]);
  });

  test("a rejection stands there too, and nothing ran", async () => {
    const b = await bench([[ls, ended]]);
    await start(b);
    const answer = await decide(b, sentinel("toolu_abc123: deny"));
    expect(answer.headers.get("content-type")).toContain("application/json");
    const { filename, markdown } = await b.dialog();
    expect(markdown).toContain('---\nTool request: run_command [toolu_abc123]\n\n    {"command": "ls"}\n\nDecision: denied\n\n---\n');
    expect(filename).toMatch(/-waiting\.md$/);
    expect(b.commands).toEqual([]);
  });

  test("decisions have comments, blank and unknown lines, which do nothing", async () => {
    const b = await bench([[ls, ended], say("Done.")]);
    await start(b);
    await b.frames(await decide(b, "əəə\n# I have thought about it\n\ntoolu_abc123: approve\nperhaps: later\nwhat else\nəəə"));
    expect(b.commands).toEqual(["ls"]);
    expect((await b.dialog()).markdown).not.toContain("perhaps");
  });

  test("all state is in the markdown: another engine knows what waits, runs what is then approved, and sends the result on", async () => {
    const b = await bench([[ls, ended]]);
    await start(b);
    const again = await b.reload();
    const { id } = await again.dialog();
    const dialog = (await (await again.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
    expect(dialog.messages.at(-1)?.parts).toMatchObject([
      { kind: "call", call: { id: "toolu_abc123", tool: "run_command", state: "pending" } },
    ]);
    again.replies = [say("I have seen it.")];
    const frames = await again.frames(await decide(again, sentinel("toolu_abc123: approve")));
    expect(frames.at(-1)).toMatchObject({ type: "done", result: { content: "I have seen it.", status: "done" } });
    expect(again.commands).toEqual(["ls"]);
    expect(JSON.stringify(again.requests[0]?.dialog)).toContain("ran ls");
  });

  test("launch_agent makes the dialog that POST /dialog makes", async () => {
    const child = { provider: "claude", model: "model-2", prompt: "Draw the board", slug: "artist" };
    const launched = await bench([[call("a", "launch_agent", child), ended], say("One."), say("Two.")], {
      welcome: [{ name: "doc-main.md", content: "> Authorized: launch_agent\n> Authorized: run_command\n" }],
    });
    await start(launched);
    await expect.poll(async () => (await files(launched)).filter((name) => name.endsWith("-done.md")).length).toBe(2);
    const posted = await bench([say("Two.")], {
      welcome: [{ name: "doc-main.md", content: "> Authorized: launch_agent\n> Authorized: run_command\n" }],
    });
    await posted.frames(await posted.ask("POST", "/dialog", child));

    const timeless = (markdown: string) =>
      markdown
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
        .replace(/^> Launched by: .*\n/m, "")
        .replace(/(One|Two)\./, "");
    const name = (await files(launched)).find((file) => file.includes("-artist-")) ?? "";
    expect(timeless(await launched.text(`vibey/${name}`))).toBe(timeless((await posted.dialog()).markdown));
  });
});
