import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { DialogAnswer } from "../src/protocol/index.ts";
import { type App, expect } from "./app.ts";

const npm = "https://registry.npmjs.org/";

/** The registry on this device, which the browser reaches wherever the tests have a network; null: they have none. */
export async function startRegistry(): Promise<{ readonly server: Server; readonly host: string } | null> {
  const isThere = await fetch(`${npm}vitest`, { method: "HEAD" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isThere) return null;
  const server = createServer(async (request, response) => {
    const { host = "", accept = "*/*" } = request.headers;
    const allowed = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    if (request.method === "OPTIONS") return void response.writeHead(204, allowed).end();
    const answer = await fetch(npm + (request.url ?? "/").slice(1), { headers: { accept } });
    const body = new Uint8Array(await answer.arrayBuffer());
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    response
      .writeHead(answer.status, allowed)
      .end(isJson ? new TextDecoder().decode(body).replaceAll(npm, `http://${host}/`) : Buffer.from(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Waits until the dialog asks about the host, and allows it. */
export async function allowHost(app: App, dialogId: string, host: string): Promise<void> {
  const asked = async () => {
    const { activity } = await app.json<DialogAnswer>("GET", `dialog/${dialogId}`);
    return activity?.kind === "running" ? (activity.ask ?? null) : null;
  };
  await expect.poll(async () => (await asked())?.host, { timeout: 60_000 }).toBe(host);
  const question = (await asked())?.question;
  await app.json("PUT", "dialog", { dialogId, network: [{ host, allow: true, question }] });
}
