import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { say } from "../tests/stand-in/claude.ts";
import type { Activity, DialogAnswer } from "../src/protocol/index.ts";
import type { App } from "./app.ts";
import { expect, newDialog, openWithKey, test } from "./steps.ts";

/** What commands reach in a real browser with the shipped policies: a redirect is followed only to allowed hosts. */

/** A server that lets every page read its answers. `heard`: the requests that it got. */
async function listen(
  answer: (path: string) => { readonly to?: string; readonly text?: string },
): Promise<{ server: Server; host: string; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    const { to, text = "" } = answer(request.url ?? "");
    const headers = { "access-control-allow-origin": "*", ...(to === undefined ? {} : { location: to }) };
    response.writeHead(to === undefined ? 200 : 302, headers).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

async function callsOf(app: App, id: string): Promise<readonly { readonly stdout: string; readonly stderr: string }[]> {
  const { messages } = await app.json<DialogAnswer>("GET", `dialog/${id}`);
  return messages.flatMap(({ parts }) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of a command's result.
    parts.flatMap((part) => (part.kind === "call" ? [part.call.result as unknown as { stdout: string; stderr: string }] : [])),
  );
}

const askOf = (activity: Activity | null) => (activity?.kind === "running" ? (activity.ask?.host ?? null) : null);

test("a command reaches what the human allowed, also through redirects, and nothing else", async ({ app, claude }) => {
  const other = await listen(() => ({ text: "other" }));
  const one = await listen(
    (path) => ({ "/moved": { to: "/end" }, "/away": { to: `http://${other.host}/far` } })[path] ?? { text: `one ${path}` },
  );
  await openWithKey(app, claude);
  const id = await newDialog(app, "net");
  const run = (name: string, command: string) => ({ blocks: [{ call: "run_command", id: name, input: { command } }] });
  const allow = async (host: string) => {
    const { activity } = await app.json<DialogAnswer>("GET", `dialog/${id}`);
    const ask = activity?.kind === "running" ? activity.ask : null;
    const network = [{ host, allow: "GET only", ...(ask?.host === host ? { question: ask.question } : {}) }];
    await app.json("PUT", "dialog", { dialogId: id, network });
  };

  claude.play(
    run("toolu_1", `curl -sS http://${one.host}/plain`),
    run("toolu_2", `curl -sSL http://${one.host}/moved`),
    run("toolu_3", `curl -sSL http://${one.host}/away`),
    say("Done."),
  );
  const turn = app.ask("PUT", "dialog", { dialogId: id, prompt: "Go", authorizations: ["run_command"] });
  await expect.poll(async () => askOf((await app.json<DialogAnswer>("GET", `dialog/${id}`)).activity)).toBe(one.host);
  expect(one.heard).toEqual([]);
  await allow(one.host);
  await turn;
  const [plain, moved, away] = await callsOf(app, id);
  expect([plain?.stdout, moved?.stdout, away?.stdout]).toEqual(["one /plain", "one /end", ""]);
  expect(away?.stderr).toContain("redirects to a host this dialog isn't allowed to connect to");
  expect(other.heard).toEqual([]);

  await allow(other.host);
  claude.play(run("toolu_4", `curl -sSL http://${one.host}/away`), say("Done."));
  await app.ask("PUT", "dialog", { dialogId: id, prompt: "Again" });
  expect((await callsOf(app, id)).at(-1)?.stdout).toBe("other");
  expect(other.heard).toEqual(["GET /far"]);
  await expect(app.page.locator('iframe[src*="net/"]')).toHaveCount(0);
  one.server.close();
  other.server.close();
});

test("the panel asks for a method and for an upload, each by itself, and keeps to the answer", async ({ app, claude }) => {
  const one = await listen(() => ({ text: "one" }));
  await openWithKey(app, claude);
  const id = await newDialog(app, "upload");
  await app.page.setViewportSize({ width: 360, height: 740 });
  await app.page.goto(`./#/dialogs/${id}`);
  await app.json("POST", "file/doc-note.md", { content: "A note of the project.\n" });
  const command = `curl -sS http://${one.host}/a; curl -sS -d @vibey/doc-note.md http://${one.host}/b`;
  claude.play({ blocks: [{ call: "run_command", id: "toolu_1", input: { command } }] }, say("Done."));
  const turn = app.ask("PUT", "dialog", { dialogId: id, prompt: "Go", authorizations: ["run_command"] });
  const panel = app.page.locator(".ask-network");
  await expect(panel).toContainText("wants to connect to");
  await panel.getByRole("button", { name: "Allow GET only" }).click();
  await expect(panel).toContainText("wants to send data to");
  await expect(panel).toContainText("22 B of form fields");
  expect(one.heard).toEqual(["GET /a"]);
  const picture = process.env["VIBEY_PICTURE"];
  if (picture !== undefined) await app.page.screenshot({ path: picture });
  await panel.getByRole("button", { name: "Keep GET only" }).click();
  await turn;
  expect(one.heard).toEqual(["GET /a"]);
  const { markdown } = await app.json<DialogAnswer>("GET", `dialog/${id}`);
  expect(markdown.match(/^> Network.*$/gm)).toEqual([`> Network: ${one.host} GET only`, `> Network: ${one.host} GET only, no more`]);
  one.server.close();
});
