import { createSignal, onCleanup } from "solid-js";

/** What the page shows, as in the URL after `#`, so that reload, back and bookmarks work. */
export type Route =
  | { readonly tab: "docs"; readonly file: FileRef | null }
  | {
      readonly tab: "dialogs";
      readonly dialogId: string | null;
      /** Shows the dialog's file as text, read only, with lines or a place to show. Absent: the dialog's messages. */
      readonly text?: "whole" | Lines | TextPlace;
    }
  /**
   * `commit`: the open commit. `path`: only changes of this file, by its path in the history. `by`: only changes by this author: `human`, `vibey`, or
   * a dialog's id; absent: any author.
   */
  | { readonly tab: "history"; readonly commit: string | null; readonly path: string | null; readonly by?: string }
  /** The event list, filtered to these events. */
  | { readonly tab: "history"; readonly events: EventsOf }
  /** The project's cost, or the prices of models. */
  | { readonly tab: "cost"; readonly page: "cost" | "prices" }
  /**
   * The project's agents, or what a run of them did, or the versions of one agent. `version`: the commit, or the hash of the definition; null: the
   * newest.
   */
  | {
      readonly tab: "agents";
      readonly graph?: GraphPlace;
      readonly versions?: { readonly slug: string; readonly version: string | null };
    }
  /** Where each agent is. */
  | { readonly tab: "stations" }
  /** What Vibey is, and the ways to begin. */
  | { readonly tab: "welcome" };

/** `run`: the dialog that started the run; null: the newest run. `of`: what is open in it: a dialog's id, or `/` and a path; null: nothing. */
export interface GraphPlace {
  readonly run: string | null;
  readonly of: string | null;
}

/** The two tabs. The other pages belong to neither. */
export type Tab = "docs" | "dialogs";

/** Lines of a text, counted from 1; `to` is included. */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

/** A section of a dialog's file, or one of its parts, each counted from 0. Without a part: the section's head. */
export interface TextPlace {
  readonly section: number;
  readonly part?: number;
}

const eventKeys = ["dialog", "type", "tool", "severity"] as const;
/** The event filters in the address, by name. Their values may not exist. A missing filter excludes nothing. */
export type EventsOf = { readonly [key in (typeof eventKeys)[number]]?: string };

export type FileRef = { readonly kind: "doc"; readonly name: string } | { readonly kind: "deed"; readonly path: string };

/** The route of a hash. An unknown hash leads to the Docs tab, with nothing open. */
export function parseRoute(hash: string): Route {
  const [tab = "", ...rest] = hash.replace(/^#\/?/, "").split("/").map(decode);
  const name = rest.join("/");
  if (tab === "dialogs") return dialogRoute(rest);
  if (tab === "history") return historyRoute(rest);
  if (tab === "agents" && rest[0] === "graph") return { tab, graph: graphPlace(rest.slice(1)) };
  if (tab === "agents" && rest[0] === "versions" && rest[1]) return { tab, versions: { slug: rest[1], version: rest[2] || null } };
  if (tab === "welcome" || tab === "agents" || tab === "stations") return { tab };
  if (tab === "cost") return { tab, page: name === "prices" ? name : "cost" };
  if (tab === "deed" && name !== "") return { tab: "docs", file: { kind: "deed", path: name } };
  if (tab === "docs" && name !== "") return { tab, file: { kind: "doc", name } };
  return { tab: "docs", file: null };
}

/** `<run>`, then `agent/<dialog>` or `file/<path>`. */
function graphPlace([run = "", kind, ...rest]: readonly string[]): GraphPlace {
  const name = rest.join("/");
  return { run: run || null, of: name === "" ? null : kind === "file" ? `/${name}` : kind === "agent" ? name : null };
}

/** `text`, `text/<lines>`, or `place/<section>.<part>`. */
function dialogRoute([dialogId = "", view, where = ""]: readonly string[]): Route {
  if (dialogId === "") return { tab: "dialogs", dialogId: null };
  if (view === "place") return { tab: "dialogs", dialogId, text: parsePlace(where) ?? "whole" };
  return view === "text" ? { tab: "dialogs", dialogId, text: parseLines(where) ?? "whole" } : { tab: "dialogs", dialogId };
}

/** `events` with their filters, such as `tool/run_command`; else any of `<commit>`, `by/<who>`, `of/<path>`, in this order. */
function historyRoute(parts: readonly string[]): Route {
  // No commit can have this name: commit ids are hexadecimal.
  if (parts[0] === "events") return { tab: "history", events: eventsOf(parts.slice(1)) };
  const rest = [...parts];
  const commit = rest[0] === "of" || rest[0] === "by" ? null : rest.shift() || null;
  const by = rest[0] === "by" ? rest.splice(0, 2)[1] : undefined;
  const path = rest[0] === "of" ? rest.slice(1).join("/") || null : null;
  return { tab: "history", commit, path, ...(by ? { by } : {}) };
}

function eventsOf(parts: readonly string[]): EventsOf {
  return Object.fromEntries(
    eventKeys.flatMap((key) => {
      const at = parts.findIndex((part, index) => index % 2 === 0 && part === key);
      const value = at < 0 ? "" : (parts[at + 1] ?? "");
      return value === "" ? [] : [[key, value]];
    }),
  );
}

/** "3" or "3.1"; null for anything else. */
function parsePlace(text: string): TextPlace | null {
  const [, section, part] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (section === undefined) return null;
  return { section: Number(section), ...(part === undefined ? {} : { part: Number(part) }) };
}

/** "12" or "12-30"; null for anything else. */
export function parseLines(text: string): Lines | null {
  const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  if (first === undefined) return null;
  const from = Math.max(1, Number(first));
  return { from, to: Math.max(from, Number(last ?? first)) };
}

const formatLines = ({ from, to }: Lines) => (from === to ? `/${from}` : `/${from}-${to}`);

function formatText(text: "whole" | Lines | TextPlace | undefined): string {
  if (text === undefined) return "";
  if (text === "whole") return "/text";
  if ("from" in text) return `/text${formatLines(text)}`;
  return `/place/${text.section}${text.part === undefined ? "" : `.${text.part}`}`;
}

export function formatRoute(route: Route): string {
  if (route.tab === "dialogs") {
    if (route.dialogId === null) return "#/dialogs";
    return `#/dialogs/${encodeURIComponent(route.dialogId)}${formatText(route.text)}`;
  }
  if (route.tab === "history" && "events" in route) {
    const of = eventKeys.map((key) => (route.events[key] === undefined ? "" : `/${key}/${encodeURIComponent(route.events[key])}`));
    return `#/history/events${of.join("")}`;
  }
  if (route.tab === "history") {
    const commit = route.commit === null ? "" : `/${encodeURIComponent(route.commit)}`;
    const by = route.by === undefined ? "" : `/by/${encodeURIComponent(route.by)}`;
    return `#/history${commit}${by}${route.path === null ? "" : `/of/${encodePath(route.path)}`}`;
  }
  if (route.tab === "agents" && route.graph) return formatRunGraph(route.graph);
  if (route.tab === "agents" && route.versions) {
    const { slug, version } = route.versions;
    return `#/agents/versions/${encodePath(version === null ? slug : `${slug}/${version}`)}`;
  }
  if (route.tab === "welcome" || route.tab === "agents" || route.tab === "stations") return `#/${route.tab}`;
  if (route.tab === "cost") return route.page === "cost" ? "#/cost" : "#/cost/prices";
  if (route.file === null) return "#/docs";
  if (route.file.kind === "doc") return `#/docs/${encodeURIComponent(route.file.name)}`;
  return `#/deed/${encodePath(route.file.path)}`;
}

function formatRunGraph({ run, of }: GraphPlace): string {
  if (run === null) return "#/agents/graph";
  const isFile = of?.startsWith("/") === true;
  const open = of === null ? "" : isFile ? `/file/${encodePath(of.slice(1))}` : `/agent/${encodeURIComponent(of)}`;
  return `#/agents/graph/${encodeURIComponent(run)}${open}`;
}

const encodePath = (path: string) => path.split("/").map(encodeURIComponent).join("/");

export const fileKey = (ref: FileRef) => (ref.kind === "doc" ? `doc:${ref.name}` : `deed:${ref.path}`);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

export function createRoute(start: Route) {
  const initial = location.hash === "" ? start : parseRoute(location.hash);
  const [route, setRoute] = createSignal<Route>(initial);
  /** Where each tab was left, so that it shows the same when the user returns. */
  const last: { [Name in Route["tab"]]: Route } = {
    docs: start.tab === "docs" ? start : { tab: "docs", file: null },
    dialogs: { tab: "dialogs", dialogId: null },
    history: { tab: "history", commit: null, path: null },
    cost: { tab: "cost", page: "cost" },
    agents: { tab: "agents" },
    stations: { tab: "stations" },
    welcome: { tab: "welcome" },
  };
  const take = () => {
    const next = location.hash === "" ? start : parseRoute(location.hash);
    last[next.tab] = next;
    setRoute(next);
  };
  last[initial.tab] = initial;
  addEventListener("hashchange", take);
  onCleanup(() => removeEventListener("hashchange", take));
  return {
    route,
    last: (tab: Route["tab"]) => last[tab],
    go(next: Route) {
      if (formatRoute(next) !== location.hash) location.hash = formatRoute(next);
    },
    /** Changes the route without a history entry: "back" must not return to what no longer exists. */
    replace(next: Route) {
      history.replaceState(null, "", formatRoute(next));
      take();
    },
  };
}
export type Router = ReturnType<typeof createRoute>;
