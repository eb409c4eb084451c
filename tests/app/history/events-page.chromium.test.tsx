// The events page: paging, filters, live updates from the log's stream, and keys.
import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import EventsPage from "../../../src/app/history/EventsPage.tsx";
import { createRoute, type EventsOf } from "../../../src/app/model/route.ts";
import pageStyle from "../../../src/app/history/history-pages.css?inline";
import baseStyle from "../../../src/app/style/base.css?inline";
import colours from "../../../src/app/style/tokens.css?inline";
import type { Heard } from "../../../src/app/model/api/events.ts";
import { live } from "../../live-event.ts";
import type { LogEvent, LogFrame } from "../../../src/protocol/index.ts";
import { eventOf, nth } from "./an-event.ts";

for (const text of [colours, baseStyle, pageStyle]) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}

/** The events of the engine, newest first. */
let stored: readonly LogEvent[] = [];
let asked: string[] = [];
let stream: ReadableStreamDefaultController<Uint8Array> | null = null;
let dispose = () => {};
const listeners = new Set<(event: Heard) => void>();

function tell(...frames: readonly LogFrame[]): void {
  for (const frame of frames) stream?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\n`));
}
const joined = (restarted = false) => tell({ type: "log", logId: "log", restarted });

beforeEach(() => {
  stored = [];
  asked = [];
  stream = null;
  listeners.clear();
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path.replace(/[?&]progress=[^&]*$/, ""));
    const query = new URLSearchParams(path.split("?")[1] ?? "");
    if (path.startsWith("events?")) {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    }
    const severity = query.get("severity");
    const matching = stored.filter((event) => severity === null || event.severity === severity);
    if (path.startsWith("log.json")) return Response.json(matching.toReversed());
    const from = matching.findIndex(({ cursor }) => cursor === query.get("before")) + 1;
    const to = from + Number(query.get("limit"));
    return Response.json({ logId: "log", events: matching.slice(from, to), more: to < matching.length });
  });
});
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  location.hash = "";
});

/** Opens the page. Its address follows the filters. */
function open(of: EventsOf = {}): void {
  const root = document.createElement("div");
  root.className = "history-page";
  root.style.cssText = "height: 500px; width: 900px";
  document.body.append(root);
  dispose = render(() => {
    const router = createRoute({ tab: "history", events: of });
    const [start] = createSignal(of);
    const shown = () => {
      const route = router.route();
      return route.tab === "history" && "events" in route ? route.events : start();
    };
    return <EventsPage router={router} engine={{ lost: () => false, listeners }} of={shown()} dialogs={[]} />;
  }, root);
}

const rows = () => Array.from(document.querySelectorAll<HTMLAnchorElement>("a.event"));
const sentences = () => rows().map((row) => row.querySelector(".event-what")?.textContent);
const line = (n: number) => `said: “line ${n}”`;
function select(label: string): HTMLSelectElement {
  const found = Array.from(document.querySelectorAll("label")).find((one) => one.querySelector("span")?.textContent === label);
  const box = found?.querySelector("select");
  if (!box) throw new Error(`no select ${label}`);
  return box;
}
function choose(label: string, value: string): void {
  const box = select(label);
  box.value = value;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}

test("while the log is built, the page says how far that is", async () => {
  let answer = () => {};
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (path.startsWith("log?")) await new Promise<void>((resolve) => (answer = resolve));
    return Response.json({ logId: "log", events: [], more: false });
  });
  open();
  await expect.poll(() => asked.length).toBe(1);
  expect(document.querySelector("progress")).toBeNull();
  const id = new URLSearchParams(asked[0]?.split("?")[1]).get("progress") ?? "";
  for (const listener of listeners) listener(live({ type: "progress", data: { id, done: 3, total: 4 } }));
  await expect.poll(() => document.querySelector("progress")?.value).toBe(0.75);
  answer();
  await expect.poll(() => document.querySelector("progress")).toBeNull();
});

test("without events it says what will be here", async () => {
  open();
  await expect.poll(() => document.querySelector(".empty")?.textContent).toMatch(/^No events yet\./);
  await expect.poll(() => asked).toEqual(["log?limit=100", "events?since="]);
  // The log has no cursor yet, so every event that arrives is new.
  joined(true);
  tell({ type: "event", event: nth(1) }, { type: "current", cursor: "c1" });
  await expect.poll(sentences).toEqual([line(1)]);
});

test("each row says who, what and when, and leads to its place", async () => {
  stored = [
    eventOf(
      { type: "approval", data: { call: "a", tool: "write_file", decision: "approved", from: "human" } },
      { actor: { kind: "human" } },
    ),
    nth(1, { severity: "error", anchor: { section: 3, part: 2 } }),
  ];
  open();
  await expect.poll(() => rows().length).toBe(2);
  const [approval, text] = rows();
  expect(approval?.querySelector(".event-who")?.textContent).toBe("You");
  expect(approval?.querySelector(".event-dialog")?.textContent).toBe("style");
  expect(text?.querySelector(".event-who")?.textContent).toBe("style");
  expect(text?.querySelector(".event-dialog")?.textContent).toBe("");
  expect(text?.querySelector(".event-severity")?.textContent).toBe("Error");
  expect(text?.getAttribute("href")).toBe("#/dialogs/20261121-201100-style/place/3.2");
});

test("what happens while it is open comes to the top, each event once", async () => {
  stored = [nth(2), nth(1)];
  open();
  await expect.poll(() => asked.at(-1)).toBe("events?since=c2");
  await expect.poll(() => stream).not.toBeNull();
  joined();
  tell({ type: "event", event: nth(2) }, { type: "event", event: nth(3) }, { type: "current", cursor: "c3" });
  await expect.poll(sentences).toEqual([line(3), line(2), line(1)]);
  tell({ type: "event", event: nth(4) }, { type: "current", cursor: "c4" });
  await expect.poll(sentences).toEqual([line(4), line(3), line(2), line(1)]);

  // The stream breaks and continues after the last event.
  stream?.close();
  await expect.poll(() => asked.at(-1)).toBe("events?since=c4");
});

test("when very many come at once, the newest are read again", async () => {
  stored = [nth(1)];
  open();
  await expect.poll(() => asked.at(-1)).toBe("events?since=c1");
  await expect.poll(() => stream).not.toBeNull();
  joined();
  tell({ type: "current", cursor: "c1" });
  stored = Array.from({ length: 5_000 }, (_, n) => nth(5_000 - n));
  asked = [];
  tell(...Array.from({ length: 1_500 }, (_, n) => ({ type: "event", event: nth(n + 2) }) as const));
  await expect.poll(() => asked).toEqual(["log?limit=100", "events?since=c5000"]);
  await expect.poll(() => sentences()[0]).toBe(line(5_000));
});

test("a log that was built again is read again", async () => {
  stored = [nth(1)];
  open();
  await expect.poll(() => asked.at(-1)).toBe("events?since=c1");
  stored = [nth(8), nth(7)];
  await expect.poll(() => stream).not.toBeNull();
  joined(true);
  await expect.poll(sentences).toEqual([line(8), line(7)]);
  await expect.poll(() => asked.at(-1)).toBe("events?since=c8");
});

test("a filter narrows the list, and what comes; it can be cleared", async () => {
  stored = [nth(3), nth(2, { severity: "error" }), nth(1)];
  open();
  await expect.poll(() => rows().length).toBe(3);
  stream = null;
  choose("Severity", "error");
  await expect.poll(sentences).toEqual([`Error ${line(2)}`]);
  expect(location.hash).toBe("#/history/events/severity/error");
  // The stream starts after all events, including hidden ones.
  await expect.poll(() => asked.at(-1)).toBe("events?since=c3");
  await expect.poll(() => stream).not.toBeNull();
  joined();
  tell({ type: "current", cursor: "c3" }, { type: "event", event: nth(4) }, { type: "event", event: nth(5, { severity: "error" }) });
  tell({ type: "current", cursor: "c5" });
  await expect.poll(sentences).toEqual([`Error ${line(5)}`, `Error ${line(2)}`]);

  choose("Severity", "warning");
  await expect.poll(() => document.querySelector(".empty")?.textContent).toContain("No events match these filters.");
  expect(document.querySelector("[class*=empty] a")?.getAttribute("href")).toBe("#/history/events");
  location.hash = "#/history/events";
  await expect.poll(() => rows().length).toBe(3);
});

test("what the address names can be seen in the selects, also where there is no such thing", async () => {
  location.hash = "#/history/events/dialog/20260101-000000-gone/type/text/tool/odd/severity/worst";
  open();
  await expect.poll(() => select("Dialog").selectedOptions[0]?.textContent).toBe("gone");
  expect(select("Kind").value).toBe("text");
  expect(select("Tool").value).toBe("odd");
  expect(select("Severity").value).toBe("");
  expect(asked[0]).toBe("log?limit=1");
  await expect.poll(() => asked[1]).toBe("log?dialog=20260101-000000-gone&type=text&tool=odd&limit=100");
});

test("a list that one chooses from stays as it is while events come", async () => {
  stored = [nth(1)];
  open();
  await expect.poll(() => Array.from(select("Dialog").options, ({ text }) => text)).toEqual(["All", "style"]);
  const [, style] = select("Dialog").options;
  await expect.poll(() => stream).not.toBeNull();
  joined();
  const other = nth(3, { id: "20261121-201200-other/0/0.text", dialogId: "20261121-201200-other" });
  tell({ type: "current", cursor: "c1" }, { type: "event", event: nth(2) }, { type: "event", event: other });
  tell({ type: "current", cursor: "c3" });
  await expect.poll(() => Array.from(select("Dialog").options, ({ text }) => text)).toEqual(["All", "other", "style"]);
  expect(select("Dialog").options[2]).toBe(style);
});

test("ten thousand events: a page at a time, and few in the page", async () => {
  stored = Array.from({ length: 10_000 }, (_, n) => nth(10_000 - n));
  open();
  const list = await vi.waitUntil(() => document.querySelector<HTMLElement>(".event-list"));
  await expect.poll(() => rows().length).toBeGreaterThan(5);
  expect(rows().length).toBeLessThan(60);
  expect(asked.filter((path) => path.startsWith("log?"))).toEqual(["log?limit=100"]);
  list.scrollTo(0, list.scrollHeight);
  await expect.poll(() => asked.filter((path) => path.startsWith("log?")).at(1)).toBe("log?before=c9901&limit=200");
  expect(rows().length).toBeLessThan(60);
});

test("up and down move between the rows", async () => {
  stored = [nth(2), nth(1)];
  open();
  await expect.poll(() => rows().length).toBe(2);
  rows()[0]?.focus();
  rows()[0]?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  expect(document.activeElement).toBe(rows()[1]);
});

test("new events move neither what one reads further down nor the focus", async () => {
  stored = Array.from({ length: 90 }, (_, n) => nth(90 - n));
  open();
  await expect.poll(() => stream).not.toBeNull();
  joined();
  tell({ type: "current", cursor: "c90" });
  const list = await vi.waitUntil(() => document.querySelector<HTMLElement>(".event-list"));
  list.scrollTo(0, 1_000);
  const seen = () => {
    const top = list.getBoundingClientRect().top;
    const row = rows().find((one) => one.getBoundingClientRect().top >= top);
    return `${row?.textContent} ${Math.round((row?.getBoundingClientRect().top ?? 0) - top)}`;
  };
  await expect.poll(() => list.scrollTop).toBe(1_000);
  await expect.poll(() => rows().some((row) => row.getBoundingClientRect().top >= list.getBoundingClientRect().top)).toBe(true);
  const before = seen();
  const focused = rows().find((one) => one.getBoundingClientRect().top >= list.getBoundingClientRect().top);
  focused?.focus({ preventScroll: true });
  const height = list.scrollHeight;
  tell({ type: "event", event: nth(91) }, { type: "event", event: nth(92) }, { type: "current", cursor: "c92" });
  await expect.poll(() => list.scrollHeight).toBeGreaterThan(height + 50);
  await expect.poll(seen).toBe(before);
  expect(document.activeElement).toBe(focused);
  expect(document.activeElement?.isConnected).toBe(true);
});

test("what can't be read is told", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ error: "No log." }, { status: 500 }));
  open();
  await expect.poll(() => document.querySelector("[role=alert]")?.textContent).toBe("Couldn't read the events: No log.");
  expect(document.querySelector(".empty")).toBeNull();
});

test("older events that can't be read are asked for again with a click, and the list keeps the focus", async () => {
  stored = Array.from({ length: 150 }, (_, n) => nth(150 - n));
  open();
  await expect.poll(() => asked.at(-1)).toBe("events?since=c150");
  const works = fetch;
  vi.stubGlobal("fetch", async () => Response.json({ error: "No log." }, { status: 500 }));
  const list = await vi.waitUntil(() => document.querySelector<HTMLElement>(".event-list"));
  list.scrollTo(0, list.scrollHeight);
  const button = await vi.waitUntil(() => Array.from(document.querySelectorAll("button")).find((one) => one.textContent === "Try again"));
  expect(document.querySelector("[role=alert]")?.textContent).toBe("Couldn't read the events: No log.");
  expect(rows().length).toBeGreaterThan(5);
  vi.stubGlobal("fetch", works);
  button.focus();
  button.click();
  await expect.poll(() => document.querySelector("[role=alert]")).toBeNull();
  expect(asked.at(-1)).toBe("log?before=c51&limit=200");
  await expect.poll(() => document.activeElement?.getAttribute("tabindex")).toBe("-1");
  expect(document.activeElement).not.toBe(document.body);
});

test("the export asks for all that match, as a file", async () => {
  stored = [nth(2, { severity: "error" }), nth(1)];
  let saved: Blob | null = null;
  vi.spyOn(URL, "createObjectURL").mockImplementation((made) => {
    if (made instanceof Blob) saved = made;
    return "#/history/events/severity/error";
  });
  location.hash = "#/history/events/severity/error";
  open();
  const button = await vi.waitUntil(() =>
    Array.from(document.querySelectorAll("button")).find((one) => one.textContent === "Export as JSON"),
  );
  button.click();
  await expect.poll(() => document.querySelector("output")?.textContent).toBe("Exported the events.");
  expect(asked.at(-1)).toBe("log.json?severity=error");
  const file: Blob | null = saved;
  expect(file).not.toBeNull();
  vi.restoreAllMocks();
});
