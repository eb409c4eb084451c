import * as t from "../texts/webcontainer.ts";

/** The messages of the script in a server's page to the app that frames it. */
export interface ServerPageNews {
  readonly vibeyPage: "console";
  readonly level: string;
  readonly text: string;
}

export const isServerPageNews = (data: unknown): data is ServerPageNews =>
  typeof data === "object" &&
  data !== null &&
  "vibeyPage" in data &&
  data.vibeyPage === "console" &&
  "level" in data &&
  typeof data.level === "string" &&
  "text" in data &&
  typeof data.text === "string";

/**
 * A script for every page of a server: it reports the page's console and errors to the app at `origin`, which frames it. It sends at most a hundred
 * lines a second, and changes nothing else.
 */
export const previewScript = (origin: string): string =>
  `(${inPage.toString()})(${JSON.stringify(origin)}, ${JSON.stringify({ more: t.leftOut("#"), rejected: t.rejected("#"), secret: t.notShown("#") })});`;

/** Runs alone in another page, so it must not use anything from this module. */
function inPage(origin: string, words: { readonly more: string; readonly rejected: string; readonly secret: string }) {
  const app = window.parent;
  if (app === window) return;
  const most = { text: 4_000, depth: 3, entries: 50, perSecond: 100 };
  let second = 0;
  let count = 0;

  const send = (level: string, text: string) => app.postMessage({ vibeyPage: "console", level, text: text.slice(0, most.text) }, origin);

  function say(level: string, text: string) {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) {
      if (count > most.perSecond) send("warn", words.more.replace("#", String(count - most.perSecond)));
      second = now;
      count = 0;
    }
    if (++count <= most.perSecond) send(level, text);
  }

  function shown(value: unknown, depth: number): string {
    if (typeof value === "string") return depth === 0 ? value : JSON.stringify(value);
    if (value instanceof Error) return value.stack?.includes(value.message) ? value.stack : `${value.name}: ${value.message}`;
    if (typeof value === "function") return `${value.name}()`;
    if (typeof value !== "object" || value === null) return typeof value === "bigint" ? `${value}n` : String(value);
    if (value instanceof Element) return `<${value.localName}>`;
    const isList = Array.isArray(value);
    if (depth === most.depth) return isList ? "[…]" : "{…}";
    const entries = Object.entries(value);
    const parts = entries.slice(0, most.entries).map(([name, one]) => (isList ? "" : `${name}: `) + shown(one, depth + 1));
    if (entries.length > most.entries) parts.push("…");
    return isList ? `[${parts.join(", ")}]` : `{${parts.join(", ")}}`;
  }

  function line(values: readonly unknown[]): string {
    try {
      return values.map((value) => shown(value, 0)).join(" ");
    } catch (error) {
      return words.secret.replace("#", () => String(error));
    }
  }

  for (const level of ["debug", "log", "info", "warn", "error"] as const) {
    const own = console[level].bind(console);
    console[level] = (...values: unknown[]) => {
      own(...values);
      say(level, line(values));
    };
  }
  window.addEventListener("error", ({ message, filename, lineno, error }) =>
    say("error", error instanceof Error ? line([error]) : `${message} (${filename}:${lineno})`),
  );
  window.addEventListener("unhandledrejection", ({ reason }) =>
    say(
      "error",
      words.rejected.replace("#", () => line([reason])),
    ),
  );
}
