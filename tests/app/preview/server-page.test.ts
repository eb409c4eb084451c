import { createRoot, createSignal } from "solid-js";
import { afterEach, expect, test, vi } from "vitest";
import type { ServerView } from "../../../src/protocol/index.ts";
import { createServerPage } from "../../../src/app/preview/server-page.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const url = "https://abc--5173--def.local-credentialless.webcontainer-api.io/";

/** The page of a server whose frame is `window`; `say` sends a message to the app. */
function open(...servers: ServerView[]) {
  let hear: (event: object) => void = () => undefined;
  vi.useFakeTimers();
  vi.stubGlobal("location", { origin: "https://app.example" });
  vi.stubGlobal("addEventListener", (_type: string, listener: typeof hear) => {
    hear = listener;
  });
  const window = {};
  const [listening, setListening] = createSignal<readonly ServerView[]>(servers);
  const page = createRoot(() => createServerPage(listening));
  page.setFrame({ contentWindow: window } as unknown as HTMLIFrameElement);
  const line = (text: string) => ({ vibeyPage: "console", level: "warn", text });
  return {
    page,
    window,
    setListening,
    line,
    say: (data: unknown, source: object | null = window, origin = new URL(url).origin) => hear({ source, origin, data }),
    lines: () => {
      vi.advanceTimersByTime(1_000);
      return page.console.state().lines.map(({ level, text }) => `${level} ${text}`);
    },
  };
}

const server = (port: number, address = url): ServerView => ({ port, url: address, owner: null, since: null });

test("the console of the page is heard, and of no other window, origin or form", () => {
  const { page, say, line, lines, window } = open(server(5173));
  say(line("before it is open"));
  page.open(5173);
  expect(page.url()).toBe(url);
  say(line("heard"));
  const other: { parent?: object } = {};
  other.parent = other;
  say(line("another window"), other);
  say(line("a frame within"), { parent: window });
  say(line("another origin"), window, "https://app.example");
  for (const data of [null, "text", 1, {}, { vibeyPage: "console", level: 1, text: "x" }, { vibeyPage: "other", level: "log", text: "x" }])
    say(data);
  expect(lines()).toEqual(["warn heard"]);
});

test("one that talks without end is taken away, until it is loaded anew", () => {
  const { page, say, line } = open(server(5173));
  page.open(5173);
  for (let at = 0; at < 999; at++) say(line("x"));
  expect(page.flooded()).toBe(false);
  say(null, null);
  expect(page.flooded()).toBe(true);
  const load = page.load();
  page.reload();
  expect([page.flooded(), page.load()]).toEqual([false, load + 1]);
});

test("a server that has ended has no address, and neither has one that is no other site's", () => {
  const { page, setListening } = open(server(1), server(2, "https://app.example/index.html"), server(3, "nonsense"));
  page.open(1);
  expect(page.url()).toBe(url);
  setListening([]);
  expect([page.port(), page.url()]).toEqual([1, null]);
  setListening([server(2, "https://app.example/index.html"), server(3, "nonsense")]);
  page.open(2);
  expect(page.url()).toBeNull();
  page.open(3);
  expect(page.url()).toBeNull();
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "http://abc.local-credentialless.webcontainer-api.io/",
  "https://app.example/x",
  "no address",
])("%s is no address of a server's page", (address) => {
  const { page } = open(server(5173, address));
  page.open(5173);
  expect(page.url()).toBeNull();
});
