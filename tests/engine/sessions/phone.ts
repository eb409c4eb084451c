import type { SessionDetail, SessionMessage } from "../../../src/protocol/index.ts";
import { bench, type BenchOptions, type Reply } from "../harness.ts";

export const psk = "correct-horse-battery";

/** An engine, and an outside program that has its key. */
export async function phone(replies: readonly Reply[] = [], options: BenchOptions = {}) {
  const b = await bench(replies, options);
  const connected = await b.ask("PUT", "/bridge", { key: psk });
  if (connected.status !== 200) throw new Error(await connected.text());
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    b.ask(method, path, body, { "x-psk": psk, ...headers });
  const read = async <T>(path: string) => (await (await ask("GET", path)).json()) as T;
  /** The answer as `200 {"status":"ok"}`. */
  const said = async (answer: Promise<Response>) => {
    const response = await answer;
    return `${response.status} ${await response.text()}`;
  };
  return {
    ...b,
    b,
    phone: ask,
    read,
    said,
    detail: (id: string) => read<SessionDetail>(`/api/sessions/${id}`),
    /** Waits until the session has this status. */
    async until(id: string, status: SessionDetail["status"]): Promise<SessionDetail> {
      for (;;) {
        const detail = await read<SessionDetail>(`/api/sessions/${id}`);
        if (detail.status === status) return detail;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    /** Starts a session with this message and returns its id. */
    async begin(message: string): Promise<string> {
      const made = await ask("POST", "/api/sessions", { provider: "claude", message });
      if (made.status !== 201) throw new Error(await made.text());
      return ((await made.json()) as { session_id: string }).session_id;
    },
    async followWith(id: string, headers: Record<string, string>) {
      return messagesOf(await ask("GET", `/ws/events/${id}`, undefined, headers));
    },
    async follow(id: string, query = "") {
      return messagesOf(await ask("GET", `/ws/events/${id}${query}`));
    },
  };
}

/** The messages of a stream, one after another. */
export function messagesOf(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  const all: SessionMessage[] = [];
  const ids: string[] = [];
  return {
    all,
    /** The ids of the events. */
    ids,
    /** Reads until a message matches; undefined if the stream ends first. */
    async until(isWanted: (message: SessionMessage) => boolean): Promise<SessionMessage | undefined> {
      for (;;) {
        const end = rest.indexOf("\n\n");
        if (end >= 0) {
          const block = rest.slice(0, end);
          const message = JSON.parse(block.slice(block.indexOf("data: ") + "data: ".length)) as SessionMessage;
          rest = rest.slice(end + 2);
          if (block.startsWith("id: ")) ids.push(block.slice("id: ".length, block.indexOf("\n")));
          all.push(message);
          if (isWanted(message)) return message;
          continue;
        }
        const { done = true, value } = (await reader?.read()) ?? {};
        if (done) return undefined;
        rest += value ?? "";
      }
    },
    leave: () => reader?.cancel(),
  };
}
