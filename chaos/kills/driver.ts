import type { DialogAnswer } from "../../src/protocol/index.ts";
import type { Ack } from "./ledger.ts";

/** The page's orders until it is killed. */
export interface Orders {
  /** The next version to write, by file name. Names that end in `.md` are docs, the others are files of the deed. */
  readonly versions: Readonly<Record<string, number>>;
  /** Name prefixes. Each lane runs one dialog after the other. */
  readonly lanes: readonly string[];
  /** Interrupted dialogs that continue first, by lane; `undecided`: calls that the prompt denies. */
  readonly goOn: readonly { readonly id: string; readonly prompt: string; readonly undecided: readonly string[] }[];
  /** The dialog files to remove. */
  readonly remove: readonly { readonly id: string; readonly filename: string }[];
  readonly key: string;
  readonly baseURL: string;
}

declare global {
  interface Window {
    acknowledged?: (ack: Ack) => Promise<void>;
  }
}

/** Runs in the page, forever. It is self-contained, because it is sent to the page as text. */
export async function drive(orders: Orders): Promise<void> {
  // Wait for each acknowledgement, so that even on a busy machine only the last one can be on its way when the kill comes.
  const tell = async (ack: Ack): Promise<void> => {
    await window.acknowledged?.(ack);
  };
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(path, { method, ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }) });
  const ok = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await send(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${await response.text()}`);
    return response;
  };
  /** The last acknowledged version of each file. */
  const known: Record<string, number> = {};

  const keepWriting = async (name: string, first: number): Promise<void> => {
    for (let version = first; ; version += 1) {
      const lines = 1 + ((version * 7_919) % 400);
      const text = `${name} version ${version} of ${lines} lines\n`.repeat(lines);
      if (name.endsWith(".md")) await ok("POST", `file/${name}`, { content: text });
      else if (version % 7 === 0) {
        const { status } = await send("DELETE", `deed/${name}`);
        // The file may be gone already if the browser was killed during an earlier removal.
        if (status !== 200 && status !== 404) throw new Error(`DELETE ${name} answered ${status}`);
      } else await ok("PUT", `deed/${name}`, text);
      known[name] = version;
      await tell({ of: "file", name, version });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  interface Frame {
    readonly type: string;
    readonly toolCalls?: readonly { readonly id: string }[];
    readonly result?: {
      readonly content: string;
      readonly autoExecuted: readonly { readonly id: string; readonly result: unknown }[];
      readonly interrupted?: true;
    };
    readonly error?: string;
  }
  /** Reads the response to its end and reports what it acknowledges. Returns the ids of the calls that it asks for. */
  const follow = async (id: string, response: Response): Promise<string[]> => {
    if (!(response.headers.get("Content-Type") ?? "").startsWith("text/event-stream")) {
      await response.text();
      return [];
    }
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const calls: string[] = [];
    let text = "";
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) return calls;
      text += value;
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const frame = JSON.parse(event.replace(/^data: /, "")) as Frame;
        if (frame.type === "error") await tell({ of: "fault", message: `${id}: ${frame.error}` });
        if (frame.type === "tool_request" && frame.toolCalls) {
          calls.push(...frame.toolCalls.map((call) => call.id));
          await tell({ of: "asked", id, calls });
        }
        if (frame.type !== "done" || !frame.result) continue;
        const { content, autoExecuted } = frame.result;
        const succeeded = autoExecuted.filter(({ result }) => JSON.stringify(result).includes('"success":true'));
        await tell({ of: "turn", id, content, succeeded: succeeded.map((call) => call.id) });
      }
    }
  };
  const turn = async (id: string, prompt: string, undecided: readonly string[]): Promise<void> => {
    const denied = undecided.map((call) => ({ id: call, approved: false }));
    const response = await ok("PUT", "dialog", { dialogId: id, prompt, ...(denied.length > 0 ? { decisions: denied } : {}) });
    await tell({ of: "prompt", id, text: prompt });
    if (denied.length > 0) await tell({ of: "decided", id, decisions: denied });
    const calls = await follow(id, response);
    if (calls.length === 0) return;
    // A denial ends the turn; approved calls are reported to the provider.
    const decisions = calls.map((call, at) => ({ id: call, approved: at !== 1 || prompt.endsWith("-0") }));
    const { messages } = (await (await ok("GET", `dialog/${id}`)).json()) as DialogAnswer;
    const shown = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
    const hashes = Object.fromEntries(shown.flatMap((call) => (calls.includes(call.id) ? [[call.id, call.hash]] : [])));
    const decided = await ok("PUT", "dialog", { dialogId: id, decisions, hashes });
    await tell({ of: "decided", id, decisions });
    await follow(id, decided);
  };
  const lane = async (name: string, at: number): Promise<void> => {
    const first = orders.goOn[at];
    if (first) await turn(first.id, first.prompt, first.undecided);
    for (let n = 0; ; n += 1) {
      const tag = `${name}-${n}`;
      const { dialogId } = (await (await ok("POST", "dialog/new", { provider: "claude", slug: tag })).json()) as { dialogId: string };
      await tell({ of: "new", tag, id: dialogId });
      await turn(dialogId, `Do it ${tag}-0`, []);
      await turn(dialogId, `And again ${tag}-1`, []);
      await ok("PUT", "dialog", { dialogId, status: "done" });
      await tell({ of: "status", id: dialogId, status: "done" });
    }
  };

  const removeOld = async (): Promise<void> => {
    for (const { id, filename } of orders.remove) {
      const { status } = await send("DELETE", `file/${filename}`);
      if (status !== 200 && status !== 404) throw new Error(`DELETE ${filename} answered ${status}`);
      await tell({ of: "removed", id });
    }
  };
  const takeZips = async (): Promise<void> => {
    for (;;) {
      const atLeast = { ...known };
      const bytes = new Uint8Array(await (await ok("GET", "project.zip?scope=all")).arrayBuffer());
      let letters = "";
      for (let at = 0; at < bytes.length; at += 30_000) letters += String.fromCharCode(...bytes.subarray(at, at + 30_000));
      await tell({ of: "zip", base64: btoa(letters), atLeast });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const readHistory = async (): Promise<void> => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { commits } = (await (await ok("GET", "history?limit=1")).json()) as { commits: readonly { readonly id: string }[] };
      if (commits[0]) await tell({ of: "commit", id: commits[0].id });
    }
  };

  await ok("PUT", "provider/claude", { apiKey: orders.key, baseURL: orders.baseURL });
  await Promise.all(
    [
      ...Object.entries(orders.versions).map(([name, version]) => keepWriting(name, version)),
      ...orders.lanes.map(lane),
      removeOld(),
      takeZips(),
      readHistory(),
    ].map((each) => each.catch((error: unknown) => tell({ of: "fault", message: String(error) }))),
  );
}
