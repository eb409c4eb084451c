import type { AsyncWork } from "../../operations/outside.ts";
import type { FromProcess, PostKind, ToProcess } from "../messages.ts";
import { InsideError } from "../../plain.ts";
import type { Table } from "./host-calls.ts";

/** The callbacks of the runtime inside for events of other processes. `id` 0 is the parent process. */
export interface HearsChildren {
  readonly processEvent: (id: number, event: string, value: unknown) => void;
  /** `end`: the local end of a channel to another process. */
  readonly portEvent: (end: string, event: "message" | "close", value: unknown) => void;
}

/** Operations on the program's other processes: its children and its parent. Messages are copied like `structuredClone` does. */
export function childOperations(
  port: MessagePort,
  data: unknown,
  work: AsyncWork,
  inside: HearsChildren,
  post: (message: FromProcess) => void,
): Table {
  /** Each browser has its own wording for the error that a frame without an origin can't send shared memory. */
  function say(message: FromProcess): void {
    try {
      post(message);
    } catch (error) {
      if (!(error instanceof Error || error instanceof DOMException) || !/shared/i.test(error.message)) throw error;
      throw new InsideError(
        "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM",
        "memory can't be shared with a thread here (SharedArrayBuffer); send a copy",
      );
    }
  }
  const tell = (id: number, event: string, value: unknown): void => work.post(() => inside.processEvent(id, event, value));

  port.addEventListener("message", ({ data: heard }: MessageEvent<ToProcess>) => {
    if (heard.type === "posted") tell(heard.from, heard.kind, heard.data);
    else if (heard.type === "childPrint") tell(heard.id, heard.stream, heard.printed);
    else if (heard.type === "childEnded") tell(heard.id, "ended", heard.how);
    else if (heard.type === "portPosted") work.post(() => inside.portEvent(heard.end, "message", heard.data));
    else if (heard.type === "portClosed") work.post(() => inside.portEvent(heard.end, "close", null));
  });

  return {
    "process.start": (
      id: number,
      start: string,
      words: readonly string[] | null,
      piped: unknown,
      hasInput: unknown,
      given: unknown,
      ports: readonly string[],
    ) => say({ type: "child", id, start, words, piped: piped === true, hasInput: hasInput === true, data: given, ports }),
    "process.post": (to: number, kind: PostKind, given: unknown, ports: readonly string[]) =>
      say({ type: "post", to, kind, data: given, ports }),
    "process.end": (id: number, signal: string | null) => say({ type: "endChild", id, signal }),
    "port.post": (end: string, given: unknown, ports: readonly string[]) => say({ type: "portPost", end, data: given, ports }),
    "port.close": (end: string) => say({ type: "portClose", end }),
    "process.data": () => data,
  };
}
