import { appendFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { NetworkAsk } from "../../../src/protocol/index.ts";
import { type HostGrant, hostGrants } from "../../../src/dialog/ids.ts";
import { fetchSend } from "../../../src/engine/network/send.ts";
import { systemDeps } from "../../../src/engine/providers/deps.ts";
import type { NetRequest } from "../../../src/shell/network.ts";
import { type Random, randomFrom } from "../../../chaos/random.ts";
import { type Bench, bench, call, ended, outcome, say } from "../harness.ts";
import { askOf, begin, view } from "./commands.ts";

/**
 * Random requests, answers, redirects, dialogs and reloads against real servers on this machine: every request that arrives must be allowed by a
 * line of the dialog's file. The test reads these lines with its own rule, not with the engine's. VIBEY_CHAOS_TIMES sets the size, for
 * `npm run chaos -- network`.
 */

const times = Number(process.env["VIBEY_CHAOS_TIMES"] ?? 30);
const seed = Number(process.env["VIBEY_CHAOS_SEED"] ?? 1 + Math.floor(Math.random() * 2 ** 31));

interface Arrived {
  readonly host: string;
  readonly method: string;
  readonly bytes: number;
  readonly pathname: string;
  /** The dialog's file when the request arrived. */
  readonly file: string;
}

async function listen(fileOf: (dialog: string) => Promise<string>, arrived: Arrived[]): Promise<{ server: Server; host: string }> {
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => {
      const url = new URL(request.url ?? "", "http://x");
      const host = request.headers.host ?? "";
      const answer = async (): Promise<void> => {
        const file = await fileOf(url.searchParams.get("d") ?? "");
        arrived.push({ host, method: request.method ?? "", bytes, pathname: url.pathname + url.search, file });
        const [, status, to] = /^\/to\/(\d+)\/(.+)$/.exec(url.pathname) ?? [];
        if (status === undefined) response.end("ok");
        else response.writeHead(Number(status), { location: `http://${to}/end${url.search}` }).end();
      };
      answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Why no line of the file allows the request; null if a line does. */
function notAllowed({ host, method, bytes, pathname, file }: Arrived): string | null {
  let said = "";
  for (const line of file.split("\n")) {
    if (line === `> Network refused: ${host}`) said = "refused";
    else if (line.startsWith(`> Network: ${host} `)) said = line.slice(`> Network: ${host} `.length);
  }
  const isRead = (method === "GET" || method === "HEAD") && bytes === 0;
  const isLong = pathname.length > 300 && !pathname.startsWith("/end");
  const enough =
    bytes > 0 || isLong
      ? ["any method and uploads"]
      : isRead
        ? [...hostGrants]
        : hostGrants.filter((word) => word.startsWith("any method"));
  return enough.some((word) => word === said)
    ? null
    : `${method} with ${bytes} bytes arrived at ${host}, of which was said: ${said || "nothing"}`;
}

function pick<T>(random: Random, list: readonly T[]): T {
  const one = list[random.whole(0, list.length - 1)];
  if (one === undefined) throw new RangeError("an empty list");
  return one;
}

test(`nothing arrives that no line allows (seed ${seed})`, { timeout: 60_000 + times * 1_000 }, async () => {
  const random = randomFrom(seed);
  const arrived: Arrived[] = [];
  let next: NetRequest[] = [];
  let b: Bench;
  const fileOf = async (dialog: string): Promise<string> => {
    const found = (await (await b.ask("GET", "/dialogs")).json()) as { dialogId: string; filename: string }[];
    return b.text(`vibey/${found.find(({ dialogId }) => dialogId === dialog)?.filename}`);
  };
  const sites = await Promise.all([listen(fileOf, arrived), listen(fileOf, arrived)]);
  const hosts = sites.map(({ host }) => host);
  const kinds: string[] = [];
  const counts = { commands: 0, asked: 0, stale: 0, reloads: 0 };
  b = await bench([], {
    send: fetchSend(systemDeps),
    async run(_command, signal, { network }) {
      counts.commands += 1;
      // One request after the other: nothing is decided while a request is on its way, so the file hasn't changed since it was sent.
      for (const one of next) kinds.push((await network?.(one, { signal, waitsForHuman: () => undefined }))?.kind ?? "none");
      return outcome("");
    },
  });
  const dialogs = [await begin(b, "one"), await begin(b, "two")];
  for (let step = 0; step < times; step += 1) {
    if (random.next() < 0.1) {
      counts.reloads += 1;
      b = await b.reload();
    }
    const dialog = pick(random, dialogs);
    next = Array.from({ length: random.whole(1, 3) }, () => {
      const method = pick(random, ["GET", "HEAD", "POST", "PUT", "DELETE"]);
      const path = random.next() < 0.4 ? `/to/${pick(random, [301, 302, 303, 307, 308])}/${pick(random, hosts)}` : "/plain";
      const long = random.next() < 0.15 ? `&long=${"x".repeat(300)}` : "";
      const body = method.startsWith("P") && random.next() < 0.7 ? new Uint8Array(pick(random, [1, 40, 5_000])) : null;
      return {
        url: `http://${pick(random, hosts)}${path}?d=${dialog}${long}`,
        method,
        headers: [],
        body,
        program: "curl",
        follow: random.next() < 0.8,
      };
    });
    b.replies = [[call(`c${step}`, "run_command", { command: "x" }), ended], say("Done.")];
    const turnIs = { over: false };
    const turn = b
      .ask("PUT", "/dialog", { dialogId: dialog, prompt: "Go" })
      .then((response) => response.text())
      .finally(() => (turnIs.over = true));
    let before: Pick<NetworkAsk, "host" | "question"> | null = null;
    while (!turnIs.over) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      const ask: NetworkAsk | null = askOf((await view(b, dialog)).activity);
      if (ask === null || turnIs.over) continue;
      counts.asked += 1;
      const allow: boolean | HostGrant = pick(random, [false, true, ...hostGrants]);
      if (before !== null && random.next() < 0.5) {
        counts.stale += 1;
        const widest = { ...before, allow: "any method and uploads" };
        if (before.question !== ask.question)
          expect((await b.ask("PUT", "/dialog", { dialogId: dialog, network: [widest] })).status).toBe(409);
      }
      await b.ask("PUT", "/dialog", { dialogId: dialog, network: [{ host: ask.host, allow, question: ask.question }] });
      before = { host: ask.host, question: ask.question };
    }
    await turn;
    // Revoke or widen permissions between two turns.
    if (random.next() < 0.5)
      await b.ask("PUT", "/dialog", {
        dialogId: dialog,
        network: [{ host: pick(random, hosts), allow: pick(random, [false, ...hostGrants]) }],
      });
  }
  for (const { server } of sites) {
    server.closeAllConnections();
    server.close();
  }
  expect(arrived.flatMap((one) => notAllowed(one) ?? [])).toEqual([]);
  expect(b.reported).toEqual([]);
  expect(arrived.length).toBeGreaterThan(0);
  expect(kinds.filter((kind) => kind === "refused").length).toBeGreaterThan(0);
  const report = process.env["VIBEY_CHAOS_COUNT"];
  if (report !== undefined) appendFileSync(report, `${JSON.stringify({ ...counts, requests: kinds.length, arrived: arrived.length })}\n`);
});
