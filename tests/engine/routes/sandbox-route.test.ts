import { describe, expect, test } from "vitest";
import type { NodeEngine, ServerView } from "../../../src/protocol/index.ts";
import type { SandboxSelector } from "../../../src/shell/sandbox-selector.ts";
import { sandboxRoutes } from "../../../src/engine/routes/sandbox.ts";
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

function routes(servers: readonly ServerView[] = []) {
  let chosen: "embedded" | "webcontainer" = "embedded";
  let node: NodeEngine = "quickjs";
  const did: string[] = [];
  const selector: SandboxSelector = {
    view: () => ({ chosen, node, computer: { state: chosen === "embedded" ? "off" : "resting" }, servers }),
    choose: async (name) => void (chosen = name),
    chooseNode: async (engine) => void (node = engine),
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

const server = (port: number, owner: ServerView["owner"]): ServerView => ({ port, url: `https://${port}`, owner });

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

  test("which of its dialogs to stop where nobody knows whose it is", async () => {
    const { ask } = routes([server(4000, null)]);
    expect((await ask("POST", "/sandbox/servers/4000/stop")).body).toMatchObject({
      error: "It is not known which command it belongs to; stop the dialog that started it",
    });
  });
});
