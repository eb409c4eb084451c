import { describe, expect, test, vi } from "vitest";
import type { NodeEngine, ServerView } from "../../../src/protocol/index.ts";
import type { SandboxSelector } from "../../../src/shell/sandbox-selector.ts";
import { sandboxRoutes } from "../../../src/engine/routes/sandbox.ts";
import { splitLine, withLine } from "../../../src/protocol/line-and-body.ts";
import type { NetRequest } from "../../../src/shell/network.ts";
import { bench } from "../harness.ts";
import { createRoutes } from "../../../src/engine/routes/route.ts";

test("a human reads of the sandbox what the model is told", async () => {
  const b = await bench();
  expect(await (await b.ask("GET", "/sandbox")).json()).toEqual({
    about: "A shell that echoes.",
    chosen: "embedded",
    node: "quickjs",
    computer: { state: "off" },
    servers: [],
  });
  expect((await b.ask("DELETE", "/sandbox")).status).toBe(405);
});

function routes(servers: readonly ServerView[] = [], askServer: SandboxSelector["askServer"] = async () => null) {
  let chosen: "embedded" | "webcontainer" = "embedded";
  let node: NodeEngine = "quickjs";
  const did: string[] = [];
  const selector: SandboxSelector = {
    view: () => ({ chosen, node, computer: { state: chosen === "embedded" ? "off" : "resting" }, servers }),
    choose: async (name) => void (chosen = name),
    chooseNode: async (engine) => void (node = engine),
    askServer,
    start: () => void did.push("start"),
    listen: () => undefined,
  };
  const app = createRoutes((error) => {
    throw error;
  });
  sandboxRoutes(app, {
    about: async () => "about",
    selector: selector,
    dialogs: {
      async stopBackground(dialogId, background) {
        did.push(`stop ${background} of ${dialogId}`);
        return { ok: false, refusal: { kind: "not-running", id: background } };
      },
    },
  });
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await app.fetch(
      new Request(`http://x${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    );
    return { status: answer.status, body: await answer.json() };
  };
  return { ask, did };
}

const server = (port: number, owner: ServerView["owner"]): ServerView => ({ port, url: `https://${port}`, owner, since: null });

describe("the choice", () => {
  test("of what runs node is taken, and answered; nothing else can be chosen", async () => {
    const { ask } = routes();
    expect(await ask("PUT", "/sandbox/node", { node: "browser" })).toMatchObject({
      status: 200,
      body: { node: "browser", chosen: "embedded" },
    });
    expect(await ask("PUT", "/sandbox/node", { node: "quickjs" })).toMatchObject({ status: 200, body: { node: "quickjs" } });
    expect((await ask("PUT", "/sandbox/node", { node: "deno" })).status).toBe(400);
  });

  test("is taken, and answered", async () => {
    const { ask } = routes();
    expect(await ask("PUT", "/sandbox", { sandbox: "webcontainer" })).toMatchObject({
      status: 200,
      body: { chosen: "webcontainer", computer: { state: "resting" } },
    });
  });

  test.each([{}, { sandbox: "docker" }, { sandbox: null }, []])("%j is refused by its field", async (body) => {
    const { ask } = routes();
    expect((await ask("PUT", "/sandbox", body)).status).toBe(400);
  });

  test("the WebContainer is started when it is chosen, and not else", async () => {
    const { ask, did } = routes();
    expect((await ask("POST", "/sandbox/start")).status).toBe(409);
    await ask("PUT", "/sandbox", { sandbox: "webcontainer" });
    expect((await ask("POST", "/sandbox/start")).status).toBe(200);
    expect(did).toEqual(["start"]);
  });
});

describe("a server is stopped with the command that it belongs to", () => {
  test.each([
    ["3000", 200, ["stop bg-1 of d"], "the command has ended meanwhile, and takes it along"],
    ["4000", 409, [], "nobody knows whose it is"],
    ["5000", 404, [], "nothing listens there"],
    ["x", 404, [], "that is no port"],
  ] as const)("%s: %i", async (port, status, wanted, _why) => {
    const { ask, did } = routes([server(3000, { dialogId: "d", background: "bg-1", command: "serve" }), server(4000, null)]);
    expect((await ask("POST", `/sandbox/servers/${port}/stop`)).status).toBe(status);
    expect(did).toEqual(wanted);
  });

  test("of its own dialog, where several listen on one port; one in the foreground ends with its command", async () => {
    const own = (dialogId: string, background: string | null) => server(3000, { dialogId, background, command: "x" });
    const { ask, did } = routes([own("a", "bg-1"), own("b", "bg-2"), own("c", null)]);
    expect((await ask("POST", "/sandbox/servers/3000/stop?dialog=b")).status).toBe(200);
    expect((await ask("POST", "/sandbox/servers/3000/stop?dialog=c")).status).toBe(409);
    expect((await ask("POST", "/sandbox/servers/3000/stop?dialog=d")).status).toBe(404);
    expect(did).toEqual(["stop bg-2 of b"]);
  });

  test("which of its dialogs to stop where nobody knows whose it is", async () => {
    const { ask } = routes([server(4000, null)]);
    expect((await ask("POST", "/sandbox/servers/4000/stop")).body).toMatchObject({
      error: "It is not known which command it belongs to; stop the dialog that started it",
    });
  });
});

describe("a request to a server of the built-in shell", () => {
  const first = { dialogId: "d", method: "POST", path: "/a?b=1", headers: [["x-own", "1"]], follow: true };
  async function request(line: unknown, body = "", port = "3000") {
    const asked: unknown[] = [];
    const app = createRoutes((error) => {
      throw error;
    });
    const selector = {
      askServer: async (session: string, { url, method, headers, body: sent }: NetRequest) => {
        asked.push([session, method, url, headers, sent && new TextDecoder().decode(sent)]);
        if (url.endsWith("/none")) return null;
        if (url.endsWith("/bad")) return { kind: "failed", why: "no HTTP" } as const;
        return { kind: "answer", url, status: 404, statusText: "No", headers: [["a", "b"]], body: new Uint8Array([0, 10, 255]) } as const;
      },
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is asked
    sandboxRoutes(app, { about: async () => "", selector: selector as unknown as SandboxSelector, dialogs: { stopBackground: vi.fn() } });
    const sent = typeof line === "string" ? line : withLine(line, new TextEncoder().encode(body));
    return { asked, answer: await app.fetch(new Request(`http://x/sandbox/servers/${port}/request`, { method: "POST", body: sent })) };
  }

  test("is asked of that dialog's port alone, and answered byte by byte, whatever its status", async () => {
    const { asked, answer } = await request(first, "sent");
    expect(asked).toEqual([["d", "POST", "http://localhost:3000/a?b=1", [["x-own", "1"]], "sent"]]);
    expect(answer.status).toBe(200);
    expect(splitLine(new Uint8Array(await answer.arrayBuffer()))).toEqual({
      line: { url: "http://localhost:3000/a?b=1", status: 404, statusText: "No", headers: [["a", "b"]] },
      body: new Uint8Array([0, 10, 255]),
    });
  });

  test("leaves out what is about the connection, so that no second request can be hidden in it", async () => {
    const headers = [
      ["Transfer-Encoding", "chunked"],
      ["content-length", "0"],
      ["HOST", "x"],
      ["accept", "*/*"],
    ];
    const { asked } = await request({ ...first, method: "GET", headers });
    expect(asked).toEqual([["d", "GET", "http://localhost:3000/a?b=1", [["accept", "*/*"]], null]]);
  });

  test.each([
    ["no line", "x", 400],
    ["no JSON", "x\n", 400],
    ["no dialog", { ...first, dialogId: "" }, 400],
    ["a path that leads elsewhere", { ...first, path: "@example.com/" }, 400],
    ["a path of two lines", { ...first, path: "/ HTTP/1.1\r\nx: y" }, 400],
    ["a method of two words", { ...first, method: "GET /x" }, 400],
    ["a header of two lines", { ...first, headers: [["a", "b\r\nc: d"]] }, 400],
    ["a header without a name", { ...first, headers: [["", "b"]] }, 400],
    ["a port where nothing listens", { ...first, path: "/none" }, 404],
    ["an answer that is no HTTP", { ...first, path: "/bad" }, 502],
  ])("with %s fails", async (_name, line, status) => {
    const { answer } = await request(line);
    expect(answer.status).toBe(status);
  });

  test.each(["0", "65536", "x", "30000000"])("of the port %s finds nothing", async (port) => {
    const { answer, asked } = await request(first, "", port);
    expect([answer.status, asked]).toEqual([404, []]);
  });
});
