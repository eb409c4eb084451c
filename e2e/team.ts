import type { Page } from "@playwright/test";
import type { DialogAnswer, DialogListing } from "../src/protocol/index.ts";
import type { Call } from "../src/dialog/model.ts";
import { parseDialog } from "../src/dialog/parse.ts";
import { serialiseDialog } from "../src/dialog/serialise.ts";
import type { Recorded } from "../tests/stand-in/serve.ts";
import type { Sent, Wire, WireReply } from "../tests/stand-in/wire.ts";
import { expect } from "./app.ts";

/** Several agents of one project. Each plays its part on any wire. */

interface Act {
  readonly call: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One response: its text and its calls. */
export interface Line {
  readonly text: string;
  readonly calls?: readonly Act[];
}

/** The lines of each agent, by name. An agent's first prompt begins with its name. */
export type Parts = Readonly<Record<string, readonly Line[]>>;

export interface Team {
  /** The requests in order: `north 2` is the second request of the agent north. */
  readonly asked: string[];
  /** Problems found in requests. */
  readonly problems: string[];
  /** The number of requests open now. */
  readonly open: () => number;
  /** The largest number open at the same time since the last call. */
  readonly peak: () => number;
  /** Holds the answers to these requests until the returned function is called. */
  hold(...requests: readonly string[]): () => void;
  /** These requests get the beginning of a long text, and then nothing more. */
  stall(...requests: readonly string[]): void;
}

/**
 * Plays the parts on the wire. An agent says its first line that isn't done yet: the first with a call that has no result in the request. So it
 * also finds its place after an interruption.
 */
export function playTeam(wire: Wire, parts: Parts): Team {
  const asked: string[] = [];
  const problems: string[] = [];
  const stalls = new Set<string>();
  const holds: { readonly requests: readonly string[]; readonly over: Promise<void> }[] = [];
  let open = 0;
  let peak = 0;

  async function answer(request: Recorded): Promise<WireReply> {
    open += 1;
    peak = Math.max(peak, open);
    void request.left.finally(() => {
      open -= 1;
    });
    const sent = wire.sent(request);
    const name = nameOf(sent);
    const nth = asked.filter((one) => one.startsWith(`${name} `)).length + 1;
    asked.push(`${name} ${nth}`);
    const said = sent.flatMap((one) => ("user" in one ? [one.user] : []));
    if (new Set(said).size < said.length) problems.push(`${name} ${nth}: a message twice: ${JSON.stringify(said)}`);
    await Promise.all(holds.filter(({ requests }) => requests.includes(`${name} ${nth}`)).map(({ over }) => over));
    const line = parts[name]?.find((each) => (each.calls ?? []).some((act) => !isAnswered(sent, act))) ?? parts[name]?.at(-1);
    if (line === undefined) problems.push(`${name} ${nth}: nobody has this name`);
    const text = line?.text ?? "Who am I?";
    if (stalls.has(`${name} ${nth}`))
      return { blocks: [{ text: text + " And on it goes.".repeat(400) }], faults: { stallAfterBytes: 12_000 } };
    return { blocks: [{ text }, ...(line?.calls ?? [])] };
  }

  wire.play(...Array.from({ length: 200 }, () => answer));
  return {
    asked,
    problems,
    open: () => open,
    peak() {
      const most = peak;
      peak = open;
      return most;
    },
    stall: (...requests) => requests.forEach((request) => stalls.add(request)),
    hold(...requests) {
      let release = () => {};
      const over = new Promise<void>((resolve) => {
        release = resolve;
      });
      holds.push({ requests, over });
      return release;
    },
  };
}

function nameOf([first]: readonly Sent[]): string {
  return first && "user" in first ? (/^\w+/.exec(first.user)?.[0] ?? "") : "";
}

function isAnswered(sent: readonly Sent[], act: Act): boolean {
  const ids = sent.flatMap((one) => ("call" in one && one.name === act.call && isSame(one.input, act.input) ? [one.call] : []));
  return sent.some((one) => "result" in one && ids.includes(one.result));
}

/** Compares objects regardless of the order of their fields, which a server may change. */
function isSame(one: unknown, other: Act["input"]): boolean {
  const sorted = (value: object) => JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return typeof one === "object" && one !== null && sorted(one) === sorted(other);
}

export const append = (name: string): Act => ({ call: "run_command", input: { command: `echo ${name} >> log.txt` } });
export const write = (path: string, content: string): Act => ({ call: "write_file", input: { path, content } });
export const launch = (wire: Wire, name: string): Act => ({
  call: "launch_agent",
  input: { provider: wire.provider, model: wire.model, slug: name, prompt: `${name}: do your part.` },
});

/** An agent that writes a file, asks to run a command, and reports that it is done. */
export const worker = (name: string): readonly Line[] => [
  { text: `I am ${name}.`, calls: [write(`${name}.txt`, `By ${name}.\n`)] },
  { text: `Now the log, says ${name}.`, calls: [append(name)] },
  { text: `This was ${name}.` },
];

/** A lead that launches three agents, one of which launches a fourth. All do the same work. */
export const family = (wire: Wire): Parts => ({
  lead: [{ text: "I launch three.", calls: ["north", "south", "east"].map((name) => launch(wire, name)) }, ...worker("lead")],
  north: worker("north"),
  south: worker("south"),
  east: [{ text: "I need help.", calls: [launch(wire, "west")] }, ...worker("east")],
  west: worker("west"),
});
export const everybody = ["east", "lead", "north", "south", "west"] as const;

/** doc-main.md with these lines. It authorizes launches and writes; commands are asked for unless a line allows them. */
export const main = (...lines: readonly string[]): string =>
  ["# Main", "", "> Authorized: launch_agent", "> Authorized: write_file", ...lines.map((line) => `> ${line}`), ""].join("\n");

export const slugOf = (dialogId: string): string => dialogId.replace(/^\d{8}-\d{6}-/, "");

/** A request of the page that must succeed. */
export async function get<T>(page: Page, path: string): Promise<T> {
  return page.evaluate(async (from) => {
    const response = await fetch(from);
    const text = await response.text();
    if (!response.ok) throw new Error(`${from}: ${response.status} ${text}`);
    return JSON.parse(text);
  }, path);
}

export const statuses = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries((await get<DialogListing[]>(page, "dialogs")).map(({ dialogId, status }) => [slugOf(dialogId), status]));

/** Waits until all existing dialogs and all of these are done. */
export async function expectDone(page: Page, names: readonly string[] = everybody): Promise<void> {
  await expect
    .poll(() => statuses(page), { timeout: 20_000 })
    .toEqual(Object.fromEntries([...names].toSorted().map((name) => [name, "done"])));
}

/**
 * Checks what must hold whenever nothing runs: each dialog has one whole file. Calls took effect once if their results say so, and not at
 * all otherwise.
 */
export async function expectWhole(page: Page): Promise<DialogAnswer[]> {
  const [listed, files] = [await get<DialogListing[]>(page, "dialogs"), await get<string[]>(page, "files")];
  expect(files.filter((name) => name.startsWith("dialog-")).toSorted()).toEqual(listed.map(({ filename }) => filename).toSorted());
  expect(new Set(listed.map(({ dialogId }) => dialogId)).size).toBe(listed.length);
  expect(new Set(listed.map(({ dialogId }) => slugOf(dialogId))).size).toBe(listed.length);

  const dialogs = await Promise.all(listed.map(({ dialogId }) => get<DialogAnswer>(page, `dialog/${dialogId}`)));
  const calls: Call[] = [];
  for (const { markdown, filename } of dialogs) {
    const dialog = parseDialog(markdown);
    expect([dialog.format, serialiseDialog(dialog)]).toEqual([1, markdown]);
    expect((await get<{ content: string }>(page, `file/${filename}`)).content).toBe(markdown);
    const own = dialog.sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
    // A call that was begun has a result, whatever happened.
    for (const { started, result, id } of own) if (started !== null) expect([id, result]).not.toEqual([id, undefined]);
    calls.push(...own);
  }

  const deed = (path: string) =>
    page.evaluate(async (from) => {
      const response = await fetch(from);
      return response.status === 404 ? null : response.text();
    }, `deed/${path}`);
  const log = ((await deed("log.txt")) ?? "").split("\n").filter((line) => line !== "");
  const allRuns = calls.filter(({ name }) => name === "run_command");
  for (const name of new Set([...log, ...allRuns.map(({ input }) => appended(input))])) {
    const runs = allRuns.filter(({ input }) => appended(input) === name);
    const lines = log.filter((line) => line === name).length;
    const done = runs.filter(isDone).length;
    const unknown = runs.filter(({ result }) => JSON.stringify(result ?? null).includes("this may or may not have run")).length;
    const holds = lines >= done && lines <= done + unknown && lines <= 1;
    expect(holds ? name : { name, lines, results: runs.map(({ result }) => result), log }).toBe(name);
  }
  for (const { name, input, result } of calls) {
    if (name === "write_file") expect(await deed(textOf(input["path"]))).toBe(isDone({ result }) ? input["content"] : null);
  }
  // Each launch has exactly one launched dialog.
  const launched = dialogs.filter(({ launchedBy }) => launchedBy !== null).map(({ dialogId }) => slugOf(dialogId));
  const launches = calls.filter((call) => call.name === "launch_agent" && isDone(call)).map(({ input }) => textOf(input["slug"]));
  expect(launched.toSorted()).toEqual(launches.toSorted());
  return dialogs;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const appended = ({ command }: Call["input"]) => /^echo (\w+) >>/.exec(textOf(command))?.[1] ?? "";

function isDone({ result }: Pick<Call, "result">): boolean {
  return result !== null && typeof result === "object" && "success" in result && result["success"] === true;
}

/** The log's lines, sorted. */
export const logOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await (await fetch("deed/log.txt")).text()).trim().split("\n").toSorted());
