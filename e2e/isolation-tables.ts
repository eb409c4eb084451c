import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Plant, type Reach, pythonReaches, sandboxReaches } from "../tests/shell/isolation.ts";
import { isWhole } from "./campaign.ts";
import type { CommandResult } from "./steps.ts";

/** Runs commands as one turn of one of two dialogs. Returns their results in order. */
export type RunIn = (dialog: "a" | "b", commands: readonly string[]) => Promise<readonly CommandResult[]>;

/** The rows of a table that run now: all of them in the campaign. */
export const some = <T extends { readonly always?: boolean }>(all: readonly T[]): readonly T[] =>
  isWhole ? all : all.filter(({ always }) => always);

/** Leaves each plant in dialog a, and looks for it from both dialogs. Returns the number of looks and what was wrong. */
export async function lookForPlants(plants: readonly Plant[], run: RunIn): Promise<{ looks: number; failures: readonly string[] }> {
  const failures: string[] = [];
  let looks = 0;
  const judge = (plant: Plant, from: string, expected: string, seen: CommandResult | undefined): void => {
    looks += 1;
    if (seen?.stdout !== expected) failures.push(`${plant.name}, from ${from}: ${JSON.stringify(seen)}`);
  };
  let before: Plant | null = null;
  for (const plant of [...plants, null]) {
    // The dialog that planted looks for what it may see, and then plants the next.
    const own = await run("a", [...(before === null ? [] : [before.look]), ...(plant === null ? [] : [plant.plant])]);
    if (before !== null) judge(before, "a", before.sameDialog ?? before.clean, own[0]);
    if (plant === null) break;
    const planted = own.at(-1);
    if (planted?.success !== true) failures.push(`${plant.name}: could not be planted: ${JSON.stringify(planted)}`);
    judge(plant, "b", plant.clean, (await run("b", [plant.look]))[0]);
    before = plant;
  }
  return { looks, failures };
}

/** Starts a server on this machine that any page may ask. `heard`: the method and path of each request. */
export async function listenForRequests(): Promise<{ host: string; heard: readonly string[]; close: () => void }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/javascript" }).end("export {}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, heard, close: () => void server.close() };
}

export interface Reaching {
  /** One command for each way. A way of Python prints REACHED if no error stops it. */
  readonly commands: readonly string[];
  /** The ways of Python that got through, according to their results. */
  readonly reached: (results: readonly CommandResult[]) => readonly string[];
}

/** Commands that try to run text as code, or to load code, from a host such as `127.0.0.1:8000`. */
export function reaching(host: string): Reaching {
  const toServer = ({ code }: Reach, at: string) =>
    code.replaceAll("globalThis.vibeyReached = 1", `fetch(\`http://${host}/${at}\`),import(\`http://${host}/${at}.js\`)`);
  const python = some(pythonReaches).map((reach, at) => `python3 - <<'EOF'\n${toServer(reach, `python-${at}`)}\nprint("REACHED")\nEOF`);
  return {
    commands: [...python, ...some(sandboxReaches).map((reach, at) => toServer(reach, `other-${at}`))],
    reached: (results) => python.filter((_, at) => results[at]?.success !== false || results[at].stdout.includes("REACHED")),
  };
}
