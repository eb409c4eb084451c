import { createRoot } from "solid-js";
import { afterEach, expect, test, vi } from "vitest";
import { soon } from "../../soon.ts";
import { createPreviewFeed } from "../../../src/app/preview/frame.ts";

afterEach(() => vi.unstubAllGlobals());

/** A preview whose lists are read when the test allows it. `said` lists the messages to the frame, in order, by type and path. */
function open(...paths: string[]) {
  const said: string[] = [];
  const lists: (() => void)[] = [];
  let hear: (event: object) => void = () => undefined;
  vi.stubGlobal("addEventListener", (_type: string, listener: typeof hear) => {
    hear = listener;
  });
  vi.stubGlobal("document", { visibilityState: "visible" });
  vi.stubGlobal("removeEventListener", () => undefined);
  const ports: MessagePort[] = [];
  const frame = {
    postMessage(_message: object, _target: string, [port]: MessagePort[]) {
      if (!port) throw new Error("no port");
      ports.push(port);
      port.addEventListener("message", ({ data }: MessageEvent<{ type: string; path?: string; id?: number; missing?: true }>) => {
        if (data.type !== "ping") said.push([data.type, data.path ?? data.id, data.missing && "missing"].filter(Boolean).join(" "));
      });
      port.start();
    },
  };
  const files = new Map(paths.map((path) => [path, 0]));
  /** While this set isn't empty, the engine doesn't answer. */
  const lost = new Set<string>();
  const { feed, dispose } = createRoot((end) => ({
    dispose: end,
    feed: createPreviewFeed({
      frame: () => ({ contentWindow: frame }) as unknown as HTMLIFrameElement,
      source: {
        list: () => {
          if (lost.size > 0) return Promise.resolve({ ok: false, kind: "unreachable", message: "No answer." });
          const value = [...files].map(([path, mtime]) => ({ path, size: 1, mtime }));
          return new Promise((resolve) => lists.push(() => resolve({ ok: true, value, etag: null })));
        },
        read: () => Promise.resolve({ ok: true, value: new ArrayBuffer(1), etag: null }),
      },
      build: ({ text }) => Promise.resolve({ parts: [text] }),
      askSite: async ({ dialogId, port }, { method, path }) => {
        const url = `http://localhost:${port}${path}`;
        const body = new TextEncoder().encode(`${method} ${dialogId}`);
        return { ok: true, value: { url, status: 200, statusText: "OK", headers: [["content-type", "text/html"]], body }, etag: null };
      },
      flooded: () => said.push("flooded"),
    }),
  }));
  return {
    said,
    lists,
    feed,
    files,
    lost,
    hello: (origin = "null") => hear({ source: frame, origin, data: { type: "hello" } }),
    strange: (origin = "null") => hear({ source: { parent: frame }, origin, data: "x" }),
    tell: (message: object) => ports.at(-1)?.postMessage(message),
    ports,
    close: () => {
      for (const port of ports) port.close();
      dispose();
    },
  };
}

const until = (what: () => void) => soon(what);

test("whoever sends more past the port than anybody can take has the frame taken away; others' messages are none of its", () => {
  const { strange, said, close } = open();
  for (let n = 0; n < 2_000; n++) strange("https://elsewhere.example");
  for (let n = 0; n < 999; n++) strange();
  expect(said).toEqual([]);
  for (let n = 0; n < 1_001; n++) strange();
  expect(said).toEqual(["flooded"]);
  close();
});

test("only a frame with an opaque origin gets a port", () => {
  const { hello, ports, close } = open("index.html");
  hello("https://app.example");
  expect(ports).toHaveLength(0);
  hello();
  expect(ports).toHaveLength(1);
  close();
});

test("of two looks at the files only the later one starts a page", async () => {
  const { said, lists, hello, feed, close } = open("index.html");
  hello();
  void feed.refresh();
  lists[1]?.();
  await until(() => expect(said).toEqual(["show index.html"]));
  lists[0]?.();
  await new Promise((resolve) => setTimeout(resolve));
  expect(said).toEqual(["show index.html"]);
  close();
});

test("a change of a file that nobody asked for starts nothing; of one that was missing, it does", async () => {
  const { said, lists, hello, feed, files, tell, close } = open("index.html", "README.md");
  hello();
  lists[0]?.();
  await until(() => expect(said).toEqual(["show index.html"]));
  tell({ type: "get", id: 1, as: "file", path: "late.png" });
  await until(() => expect(said).toContain("got 1 missing"));
  files.set("README.md", 1);
  feed.changed(new Set(["README.md"]));
  lists[1]?.();
  files.set("late.png", 1);
  feed.changed(new Set(["late.png"]));
  lists[2]?.();
  await until(() => expect(lists).toHaveLength(4));
  lists[3]?.();
  await until(() => expect(said).toEqual(["show index.html", "got 1 missing", "show index.html"]));
  close();
});

test("style sheets alone are handed on without a new start", async () => {
  const { said, lists, hello, feed, files, tell, close } = open("index.html", "a.css");
  hello();
  lists[0]?.();
  await until(() => expect(said).toEqual(["show index.html"]));
  tell({ type: "get", id: 1, as: "text", path: "a.css" });
  tell({ type: "ready", path: "index.html" });
  await until(() => expect(feed.state()).toBe("ready"));
  files.set("a.css", 1);
  feed.changed(new Set(["a.css"]));
  lists[1]?.();
  await until(() => expect(said).toEqual(["show index.html", "got 1", "styles"]));
  close();
});

test("strange questions get an answer or none, and lead to no other file", async () => {
  const { said, lists, hello, tell, close } = open("index.html");
  hello();
  lists[0]?.();
  await until(() => expect(said).toEqual(["show index.html"]));
  for (const message of [null, "x", { type: "get" }, { type: "get", id: "1", as: "file" }, { type: "show", path: "x" }])
    tell(message as object);
  tell({ type: "get", id: 1, as: "file", path: "../vibey/doc-main.md" });
  tell({ type: "get", id: 2, as: "module", path: "x".repeat(10_000) });
  tell({ type: "get", id: 3, as: "nonsense", path: ["index.html"] });
  await until(() => expect(said.slice(1).toSorted()).toEqual(["got 1 missing", "got 2 missing", "got 3"]));
  close();
});

test("a server's page is asked of that server alone: what the page before asks for is not heard", async () => {
  const { said, lists, hello, feed, tell, ports, close } = open("index.html");
  hello();
  lists[0]?.();
  await until(() => expect(said).toEqual(["show index.html"]));
  feed.serve({ dialogId: "one", port: 3000 });
  tell({ type: "get", id: 1, as: "request", path: "index.html", method: "POST" });
  hello();
  await until(() => expect(said.slice(1)).toEqual(["show"]));
  feed.serve({ dialogId: "two", port: 3000 });
  ports.at(-1)?.postMessage({ type: "get", id: 2, as: "file", path: "" });
  hello();
  await until(() => expect(said.slice(1)).toEqual(["show", "show"]));
  tell({ type: "get", id: 3, as: "file", path: "a?b" });
  await until(() => expect(said.slice(1)).toEqual(["show", "show", "got 3"]));
  // File changes don't concern a server's page.
  feed.changed(new Set(["index.html"]));
  feed.serve(null);
  hello();
  lists[1]?.();
  await until(() => expect(said.at(-1)).toBe("show index.html"));
  close();
});

test("what could not be read at first is read when the engine answers again, and nothing is said of it anymore", async () => {
  const { said, lists, hello, feed, lost, close } = open("index.html");
  lost.add("engine");
  hello();
  await until(() => expect(feed.problem()).toBe("No answer."));
  expect([feed.connected(), feed.state()]).toEqual([true, "loading"]);
  lost.clear();
  feed.changed(new Set());
  lists.shift()?.();
  await until(() => expect(lists).toHaveLength(1));
  lists.shift()?.();
  await until(() => expect(said).toEqual(["show index.html"]));
  expect(feed.problem()).toBe(null);
  close();
});

test("a look that failed is forgotten with the next one, also where no page starts again", async () => {
  const { said, lists, hello, feed, lost, close } = open("index.html");
  hello();
  lists.shift()?.();
  await until(() => expect(said).toEqual(["show index.html"]));
  lost.add("engine");
  feed.changed(new Set());
  await until(() => expect(feed.problem()).toBe("No answer."));
  lost.clear();
  feed.changed(new Set());
  lists.shift()?.();
  await until(() => expect(feed.problem()).toBe(null));
  expect(said).toEqual(["show index.html"]);
  close();
});
