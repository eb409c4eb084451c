import { createSignal, onCleanup } from "solid-js";
import { listDeed, readDeed } from "../api/calls.ts";

export interface PreviewFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
export interface ConsoleLine {
  readonly level: string;
  readonly text: string;
}

/** Lines of the console that are kept, and UTF-16 units of one. */
const kept = { lines: 500, text: 4_000 };
/** Folders that hold history and packages, not what is shown. */
const skipped = /(^|\/)(\.git|node_modules)\//;

/** All files that the preview may need, or what went wrong. */
export async function deedFiles(): Promise<{ readonly files: PreviewFile[] } | { readonly problem: string }> {
  const list = await listDeed();
  if (!list.ok) return { problem: list.message };
  const wanted = list.value.filter(({ path }) => !skipped.test(path));
  const answers = await Promise.all(wanted.map(async ({ path }) => ({ path, answer: await readDeed(path) })));
  const files: PreviewFile[] = [];
  for (const { path, answer } of answers) {
    if (answer.ok) files.push({ path, bytes: new Uint8Array(answer.value) });
    // A file deleted since the list was made is not part of the deed any more.
    else if (answer.kind !== "missing") return { problem: answer.message };
  }
  return { files };
}

const text = (value: unknown, length: number) => (typeof value === "string" ? value : String(value)).slice(0, length);

/**
 * Feeds a sandboxed frame. The frame has an opaque origin: it says hello, gets the files with a port of its own, and whatever
 * comes over that port is a stranger's text. Each load of the frame gets a new port; the old one is closed.
 */
export function createPreviewFeed(frame: () => HTMLIFrameElement | undefined) {
  const [lines, setLines] = createSignal<readonly ConsoleLine[]>([]);
  const [state, setState] = createSignal<"loading" | "ready">("loading");
  const [problem, setProblem] = createSignal<string | null>(null);
  let port: MessagePort | undefined;

  function hear(event: MessageEvent<unknown>) {
    const data = event.data;
    if (typeof data !== "object" || data === null || !("type" in data)) return;
    if (data.type === "ready") setState("ready");
    else if (data.type === "error" && "text" in data) setProblem(text(data.text, kept.text));
    else if (data.type === "console" && "text" in data) {
      const level = "level" in data ? text(data.level, 10) : "log";
      setLines([...lines(), { level, text: text(data.text, kept.text) }].slice(-kept.lines));
    }
  }

  /** Reads the files and hands them on; they start the page anew. */
  async function feed(hand: (message: object, buffers: ArrayBuffer[]) => void) {
    setState("loading");
    setLines([]);
    setProblem(null);
    const found = await deedFiles();
    if ("problem" in found) setProblem(found.problem);
    else
      hand(
        { type: "files", files: found.files, entry: "index.html" },
        found.files.map((file) => file.bytes.buffer),
      );
  }

  function connect(window: Window) {
    void feed((message, buffers) => {
      if (frame()?.contentWindow !== window) return;
      port?.close();
      const channel = new MessageChannel();
      port = channel.port1;
      port.addEventListener("message", hear);
      port.start();
      // An opaque origin can't be named as the target; the window itself was checked.
      window.postMessage(message, "*", [channel.port2, ...buffers]);
    });
  }

  function onMessage(event: MessageEvent<unknown>) {
    const window = frame()?.contentWindow;
    if (!window || event.source !== window || event.origin !== "null") return;
    const data = event.data;
    if (typeof data !== "object" || data === null || !("type" in data) || data.type !== "hello") return;
    connect(window);
  }
  addEventListener("message", onMessage);
  onCleanup(() => {
    removeEventListener("message", onMessage);
    port?.close();
  });
  return {
    lines,
    state,
    problem,
    /** Gives the frame the files as they are now, without a new frame. */
    refresh: () => {
      const current = port;
      if (current !== undefined) void feed((message, buffers) => current.postMessage(message, buffers));
    },
  };
}
