import { createRoot } from "solid-js";
import { buildScript } from "../src/app/preview/build/script.ts";
import { guardLoops } from "../src/app/preview/build/loops.ts";
import { createPreviewFeed } from "../src/app/preview/frame.ts";

/** A page that embeds the preview with the app's own feed, with files from a test. Scripts are built in the page itself. */

type Files = Record<string, string | number[]>;
/** Each value is a body or a complete answer. */
type Answers = Record<string, string | { status?: number; headers?: Record<string, string>; body?: string | number[]; leads?: string }>;
interface Heard {
  readonly type: string;
  readonly level?: string;
  readonly text?: string;
  readonly path?: string;
}

declare global {
  interface Window {
    /** Shows the page of a server that gives these answers, by method and path. `asks` lists its requests. */
    serve(answers: Answers): Promise<void>;
    asks: string[];
    /** Replaces all files. Opens `page` if given. */
    embed(files: Files, page: string | undefined): Promise<void>;
    /** Changes some files, as an agent does. */
    change(files: Files): void;
    /** The messages from the preview, in order. */
    heard: Heard[];
    /** The paths of the files, in the order in which they were read. */
    reads: string[];
    stalled(): boolean;
  }
}

window.heard = [];
window.reads = [];
window.asks = [];
const RealChannel = window.MessageChannel;
window.MessageChannel = class extends RealChannel {
  constructor() {
    super();
    this.port1.addEventListener("message", ({ data }) => {
      if (data.type !== "get" && data.type !== "pong") window.heard.push(data);
    });
  }
};

let files: Files = {};
let answers: Answers = {};
const times = new Map<string, number>();
let time = 0;
const bytes = (content: string | number[]) => (typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content));
const success = <T>(value: T) => ({ ok: true as const, value, etag: null });

createRoot(() => {
  const guard = new URLSearchParams(location.search).has("guard") ? guardLoops : undefined;
  const feed = createPreviewFeed({
    frame: () => document.querySelector("iframe") ?? undefined,
    source: {
      list: () => {
        const all = Object.entries(files).map(([path, content]) => ({ path, size: bytes(content).length, mtime: times.get(path) ?? 0 }));
        return Promise.resolve(success(all));
      },
      read: (path) => {
        window.reads.push(path);
        const content = files[path];
        if (content === undefined) return Promise.resolve({ ok: false, kind: "missing", message: "File not found" });
        return Promise.resolve(success(bytes(content).buffer));
      },
    },
    askSite: async ({ port }, { method, path, headers }, body) => {
      const sent = body === null ? "" : ` ${new TextDecoder().decode(body)}`;
      window.asks.push(`${method} ${path}${sent}`);
      let found = answers[`${method} ${path}`] ?? { status: 404, body: "none" };
      let at = path;
      if (typeof found !== "string" && found.leads !== undefined) {
        at = found.leads;
        found = answers[`GET ${at}`] ?? "";
      }
      const { status = 200, headers: own = {}, body: content = "" } = typeof found === "string" ? { body: found } : found;
      const text = content === "echo" ? JSON.stringify({ headers, sent }) : content;
      const url = `http://localhost:${port}${at}`;
      return success({ url, status, statusText: "", headers: Object.entries(own), body: bytes(text) });
    },
    flooded: () => document.querySelector("iframe")?.remove(),
    build: (source) => Promise.resolve(buildScript(source, guard)),
  });
  const put = (changed: Files) => {
    time += 1;
    for (const path of Object.keys(changed)) times.set(path, time);
  };
  window.embed = async (all, page) => {
    files = all;
    put(all);
    await feed.refresh();
    if (page !== undefined) feed.open(page);
  };
  window.change = (some) => {
    files = { ...files, ...some };
    put(some);
    feed.changed(new Set(Object.keys(some)));
  };
  window.serve = async (given) => {
    answers = given;
    feed.serve({ dialogId: "one", port: 3000 });
    const frame = document.querySelector("iframe");
    frame?.replaceWith(frame.cloneNode());
  };
  window.stalled = feed.stalled;
});
