import type { AsyncWork } from "../../operations/outside.ts";
import type { FromProcess, PostKind, ToProcess } from "../messages.ts";
import type { Table } from "./host-calls.ts";

/** The inside's function that hears of other processes. `id` 0: the one that started this one. */
export interface HearsChildren {
  readonly processEvent: (id: number, event: string, value: unknown) => void;
}

/** Other processes of this program: those that it starts, and the one that started it. What is said is copied as `structuredClone` copies. */
export function childOperations(
  port: MessagePort,
  data: unknown,
  work: AsyncWork,
  inside: HearsChildren,
  say: (message: FromProcess, transfer?: Transferable[]) => void,
): Table {
  const holds = new Map<number, () => void>();
  const tell = (id: number, event: string, value: unknown): void => work.post(() => inside.processEvent(id, event, value));

  function hold(id: number, on: unknown): void {
    if (on !== true) {
      holds.get(id)?.();
      holds.delete(id);
    } else if (!holds.has(id)) holds.set(id, work.hold());
  }

  port.addEventListener("message", ({ data: heard }: MessageEvent<ToProcess>) => {
    if (heard.type === "posted") tell(heard.from, heard.kind, heard.data);
    else if (heard.type === "childPrint") tell(heard.id, heard.stream, heard.printed);
    else if (heard.type === "childEnded") tell(heard.id, "ended", heard.code);
  });

  return {
    "process.start": (id: number, start: string, words: string | null, piped: unknown, hasInput: unknown, given: unknown) =>
      say({ type: "child", id, start, words: wordsOf(words), piped: piped === true, hasInput: hasInput === true, data: given }),
    "process.post": (to: number, kind: PostKind, given: unknown) => say({ type: "post", to, kind, data: given }),
    "process.end": (id: number) => say({ type: "endChild", id }),
    "process.hold": hold,
    "process.data": () => data,
  };
}

function wordsOf(json: string | null): readonly string[] | null {
  const words: unknown = json === null ? null : JSON.parse(json);
  return Array.isArray(words) ? words.map(String) : null;
}
