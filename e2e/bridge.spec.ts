import type { Page } from "@playwright/test";
import { type Bridge, startBridge } from "../bridge/server.ts";
import type { SessionDetail } from "../src/protocol/index.ts";
import { say } from "../tests/stand-in/claude.ts";
import { client } from "../tests/bridge/client.ts";
import { expect, openWithKey, panel, test as base } from "./steps.ts";
import { messages } from "./hands.ts";

/** A real bridge next to a real page: programs reach the page, but text written by agents can't reach the bridge. */

const psk = "CANARY-bridge-key-7f3Q9zXw";

const test = base.extend<{ bridge: Bridge }>({
  async bridge({ baseURL }, use) {
    const bridge = await startBridge({
      psk,
      host: "127.0.0.1",
      port: 0,
      agentPort: 0,
      origins: [new URL(baseURL ?? "").origin],
      hosts: ["localhost", "127.0.0.1"],
      openAgents: false,
      dist: null,
    });
    await use(bridge);
    await bridge.close();
  },
});

const settings = (page: Page) => page.getByRole("dialog", { name: "Settings" });
const state = (page: Page) => settings(page).locator(".bridge-state");

async function openBridgeSettings(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Settings" }).click();
  await settings(page).getByRole("button", { name: "Bridge", exact: true }).click();
  await expect(state(page)).not.toBeEmpty();
}

test("connected in the settings, a program starts an agent, follows it, and approves a call with other arguments; no page reaches the bridge", async ({
  app,
  claude,
  bridge,
  context,
}) => {
  const { page } = app;
  await openWithKey(app, claude);
  await openBridgeSettings(page);
  await expect(state(page)).toHaveText("Off. No program can connect.");
  const program = client(bridge.port, psk);
  expect((await program.ask("GET", "/api/state")).status).toBe(503);

  const connect = async (key: string, port: number) => {
    await settings(page).getByLabel("Bridge key").fill(key);
    await settings(page).getByLabel("Bridge address").fill(`ws://127.0.0.1:${port}`);
    await settings(page).getByRole("button", { name: "Connect", exact: true }).click();
  };
  // Nothing listens on port 9.
  await connect(psk, 9);
  await expect(state(page)).toContainText("No bridge answers there");
  await connect("another key, long enough", bridge.port);
  await expect(state(page)).toHaveText("Not connected. The bridge has another key.");
  await connect(psk, bridge.port);
  await expect(state(page)).toContainText(`Connected to ws://127.0.0.1:${bridge.port}.`);
  await expect(settings(page)).toContainText(`Programs reach this project at http://127.0.0.1:${bridge.port}/api.`);
  await settings(page).getByRole("button", { name: "Close" }).click();

  claude.play({ blocks: [{ call: "run_command", input: { command: "rm -rf ." } }] });
  claude.play(say("All is tidy."));
  const made = await program.ask("POST", "/api/sessions", { provider: "claude", message: "Tidy up" });
  const { session_id: id } = (await made.json()) as SessionDetail;
  const stream = program.follow(`/ws/events/${id}`);
  const waiting = await stream.until(({ type }) => type === "waiting_approval");
  await page.evaluate((to) => (location.hash = `#/dialogs/${to}`), id);
  await expect(panel(page)).toBeVisible();
  const body = { tool_call_id: waiting?.["tool_call_id"], approved: true, edited_args: { command: "echo tidy" } };
  expect(await program.said("POST", `/api/sessions/${id}/approve`, body)).toBe('200 {"status":"ok"}');
  await stream.until(({ type, status }) => type === "state_change" && status === "idle");
  await expect(messages(page)).toContainText("approved by you with changes");
  await expect(messages(page)).toContainText("All is tidy.");
  expect(await app.file(`dialog-${id}-done.md`)).toContain('Decision: approved with changes\n\n    {"command": "echo tidy"}');

  // After a reload the key still works, and nothing can read it.
  await page.reload();
  await expect.poll(async () => (await program.ask("GET", "/api/state")).status).toBe(200);
  expect(await page.content()).not.toContain(psk);
  expect((await app.ask("GET", "bridge")).text).not.toContain(psk);
  expect((await app.ask("GET", "api/state")).status).toBe(401);
  expect((await program.ask("HEAD", "/api/sessions")).status).toBe(200);

  // The app, a preview and the frame for commands' requests can't reach the bridge, with or without the key.
  for (const path of ["./", "./preview/index.html", "./net/index.html"]) {
    const other = await context.newPage();
    await other.goto(path);
    const reached = await other.evaluate(
      async ([address, key]) => {
        const over = await new Promise<string>((resolve) => {
          try {
            const socket = new WebSocket(`ws://${address}/ws/events/x?psk=${key}`);
            socket.addEventListener("open", () => resolve("open"));
            socket.addEventListener("error", () => resolve("no"));
          } catch {
            resolve("no");
          }
        });
        const read = await fetch(`http://${address}/api/state?psk=${key}`).then(
          (response) => `${response.status}`,
          () => "no",
        );
        return [over, read];
      },
      [`127.0.0.1:${bridge.port}`, psk] as const,
    );
    expect([path, ...reached]).toEqual([path, "no", "no"]);
    await other.close();
  }

  await openBridgeSettings(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await settings(page).getByRole("checkbox", { name: "Programs with the key may do everything I can" }).scrollIntoViewIfNeeded();
  expect((await program.ask("GET", "/files")).status).toBe(403);
  await settings(page).getByRole("checkbox", { name: "Programs with the key may do everything I can" }).check();
  await expect.poll(async () => (await program.ask("GET", "/files")).status).toBe(200);
  // What was opened while everything was allowed ends with that.
  const events = await program.ask("GET", "/events");
  expect(events.status).toBe(200);
  const over = events.text().catch(() => "broken off");
  await settings(page).getByRole("checkbox", { name: "Programs with the key may do everything I can" }).uncheck();
  await over;
  await expect.poll(async () => (await program.ask("GET", "/files")).status).toBe(403);
  expect((await program.ask("GET", "/api/state")).status).toBe(200);
  await settings(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(state(page)).toHaveText("Off. No program can connect.");
  expect((await program.ask("GET", "/api/state")).status).toBe(503);
  expect(await stream.closed).not.toBe(1000);
});
