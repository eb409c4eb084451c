import { createRoot } from "solid-js";
import { buildScript } from "../src/app/preview/build/script.ts";
import { guardLoops } from "../src/app/preview/build/loops.ts";
import { createPreviewFeed } from "../src/app/preview/frame.ts";

/** A page that embeds the preview with the app's own feed, over files that a test gives it. Scripts are built in the page itself. */

type Files = Record<string, string | number[]>;
interface Heard {
  readonly type: string;
  readonly level?: string;
  readonly text?: string;
  readonly path?: string;
}

declare global {
  interface Window {
    /** Replaces all files; with a page's path that page is opened. */
    embed(files: Files, page: string | undefined): Promise<void>;
    /** Replaces some files, as an agent does. */
    change(files: Files): void;
    /** What came from the preview, in order. */
    heard: Heard[];
    /** Paths of files in the order in which they were read. */
    reads: string[];
    stalled(): boolean;
  }
}

window.heard = [];
window.reads = [];
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
  window.stalled = feed.stalled;
});
