import { expect, test } from "vitest";
import type { BridgeAnswer, SessionDetail } from "../../src/protocol/index.ts";
import { call, ended, say } from "../engine/harness.ts";
import { soon as until } from "../soon.ts";
import { openPage, openTown, psk, soon } from "./town.ts";

const asks = (command: string, id = "a") => [call(id, "run_command", { command }), ended];

test("a program starts a session, follows it, approves a call with other arguments, and stops it: over real sockets", async () => {
  const t = await openTown([asks("rm -rf ."), say("Done.")]);
  const made = await t.ask("POST", "/api/sessions", { provider: "claude", message: "Tidy up" });
  const { session_id: id } = (await made.json()) as { session_id: string };
  expect(made.status).toBe(201);
  const stream = t.follow(`/ws/events/${id}`);
  const waiting = await stream.until(({ type }) => type === "waiting_approval");
  expect(stream.all[0]).toEqual({ type: "connected", session_id: id });
  const approve = (body: object) => t.said("POST", `/api/sessions/${id}/approve`, body);
  expect(await approve({ tool_call_id: "x", approved: true })).toBe('404 {"detail":"No pending approval for tool_call_id=x"}');
  const said = await approve({ tool_call_id: waiting?.["tool_call_id"], approved: true, edited_args: { command: "ls" } });
  expect([said, (await stream.until(({ type }) => type === "tool_result"))?.["result"]]).toMatchObject([
    '200 {"status":"ok"}',
    { changedByUser: { command: "ls" }, success: true },
  ]);
  expect(t.b.commands).toEqual(["ls"]);
  await stream.until(({ type, status }) => type === "state_change" && status === "idle");
  expect(await t.said("DELETE", `/api/sessions/${id}`)).toBe(`200 {"session_id":"${id}","status":"disconnected"}`);
  expect(await stream.closed).toBe(4410);
  expect(await t.follow("/ws/events/none").closed).toBe(4404);
  const { backlog } = await t.read<SessionDetail>(`/api/sessions/${id}`);
  expect(stream.all.filter((message) => "id" in message)).toEqual(backlog);
});

test("the screen's own routes are closed until the user ticks it, and what changes who may do what stays closed", async () => {
  const t = await openTown();
  expect((await t.ask("GET", "/files")).status).toBe(403);
  await t.b.ask("PUT", "/bridge", { all: true });
  expect(await t.read("/files")).toEqual(["doc-main.md"]);
  for (const [method, path] of [
    ["GET", "/bridge"],
    ["GET", "/keys"],
    ["PUT", "/provider/claude"],
    ["DELETE", "/file/doc-main.md"],
    ["POST", "/project.zip"],
  ] as const)
    expect([403, 404]).toContain((await t.ask(method, path, method === "GET" ? undefined : "{}")).status);
  expect((await t.ask("GET", "/files", undefined, { "x-psk": "no" })).status).toBe(401);
});

test("another browser's page takes the place of this one, and this one takes it back when its user says so", async () => {
  const t = await openTown();
  const other = await openPage(t.bridge, () => new Response("other"), { epoch: 1_000 });
  await other.until("connected");
  const view = async () => (await (await t.b.ask("GET", "/bridge")).json()) as BridgeAnswer;
  await until(async () => expect(await view()).toMatchObject({ canTakeOver: true }));
  expect(await view()).toMatchObject({ state: "refused", problem: "Another page is connected for this project" });
  expect(await t.said("GET", "/api/state")).toBe("200 other");
  const taking = (await (await t.b.ask("PUT", "/bridge", { takeOver: true })).json()) as BridgeAnswer;
  expect(taking.canTakeOver).toBe(false);
  expect(await other.until("refused")).toMatchObject({ taken: 1_001 });
  await until(async () => expect(await view()).toMatchObject({ state: "connected" }));
  expect(await t.said("GET", "/api/state")).toContain('"total":0');
});

test("killed again and again at any moment, no acknowledged message is lost, and none is said twice", async () => {
  const t = await openTown([say("Carry on.")], { answer: say("Yes.") });
  const made = await t.ask("POST", "/api/sessions", { provider: "claude", message: "Begin" });
  const { session_id: id } = (await made.json()) as { session_id: string };
  const acknowledged: string[] = [];
  const isFree = async () => {
    const response = await t.ask("GET", `/api/sessions/${id}/state`);
    return response.ok && ((await response.json()) as { status: string }).status === "idle";
  };
  for (let n = 0; n < 24; n += 1) {
    while (!(await isFree().catch(() => false))) await soon();
    const text = `Message ${n}`;
    // The connection is cut at some time from before the call until after its answer. The program sends the same message until it gets an answer.
    const cut = new Promise<void>((resolve) => setTimeout(() => resolve(t.kill()), (n * 7) % 12));
    for (;;) {
      const sent = await t.ask("POST", `/api/sessions/${id}/message`, { text }, { "idempotency-key": `key ${n}` });
      if (sent.status === 200) break;
      expect([409, 502, 503]).toContain(sent.status);
      await soon();
    }
    acknowledged.push(text);
    await cut;
    await t.ready();
  }
  while (!(await isFree())) await soon();
  const { markdown } = await t.b.dialog();
  const said = [...markdown.matchAll(/^Message \d+$/gm)].map(([text]) => text);
  expect(said).toEqual(acknowledged);
  expect(markdown).not.toContain(psk);
}, 60_000);
