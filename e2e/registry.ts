import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DialogAnswer } from "../src/protocol/index.ts";
import { type App, expect } from "./app.ts";

const npm = "https://registry.npmjs.org/";

/** A package server on this device that the browser reaches if the tests have a network. */
export interface Packages {
  readonly server: Server;
  /** The host that the user is asked about. */
  readonly host: string;
}

/** The npm registry; null if the tests have no network. */
export async function startRegistry(): Promise<Packages | null> {
  const isThere = await fetch(`${npm}vitest`, { method: "HEAD" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isThere) return null;
  return serve(async ({ url = "/", headers: { accept = "*/*", host } }) => {
    const answer = await fetch(npm + url.slice(1), { headers: { accept } });
    const body = new Uint8Array(await answer.arrayBuffer());
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    return { status: answer.status, body: isJson ? new TextDecoder().decode(body).replaceAll(npm, `http://${host}/`) : body };
  });
}

/** An index with the Python packages that this machine's pip fetches for `wanted` (`name==version`); null if that fails. */
export async function startIndex(wanted: string): Promise<Packages | null> {
  const folder = mkdtempSync(join(tmpdir(), "vibey-wheels-"));
  const { status } = spawnSync("pip", ["download", "-q", "--retries", "0", "--only-binary=:all:", "-d", folder, wanted]);
  if (status !== 0) return null;
  const wheels = readdirSync(folder);
  return serve(({ url = "/", headers: { host } }) => {
    const name = /^\/simple\/([^/]+)\/$/.exec(url)?.[1];
    if (name === undefined) return { status: 200, body: readFileSync(join(folder, decodeURIComponent(url.slice(1)))) };
    const files = wheels
      .filter((file) => file.split("-")[0]?.replaceAll("_", "-") === name)
      .map((filename) => {
        const sha256 = createHash("sha256")
          .update(readFileSync(join(folder, filename)))
          .digest("hex");
        return { filename, url: `http://${host}/${filename}`, hashes: { sha256 } };
      });
    return { status: files.length === 0 ? 404 : 200, body: JSON.stringify({ name, files }) };
  });
}

type Answer = { readonly status: number; readonly body: string | Uint8Array };

async function serve(answer: (request: IncomingMessage) => Answer | Promise<Answer>): Promise<Packages> {
  const server = createServer(async (request, response) => {
    const allowed = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    if (request.method === "OPTIONS") return void response.writeHead(204, allowed).end();
    const { status, body } = await answer(request);
    response.writeHead(status, allowed).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the address of a server that listens on a port.
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
