import { encode } from "@msgpack/msgpack";
import type {
  WebContainerAnswer,
  WebContainerFile,
  WebContainerPort,
  FromWebContainer,
  ToWebContainer,
} from "../../../src/shell/webcontainer/page-messages.ts";

/** A WebContainer in memory that records its requests. */
export interface FakeWebContainer {
  readonly port: WebContainerPort;
  /** Its files. */
  readonly files: Map<string, Uint8Array>;
  /** Folders, including empty ones, besides those that its files need. A file can't replace a folder. */
  readonly folders: Set<string>;
  /** Links by name, with the file or folder that each leads to. Writes to a link or below it go to its target. */
  readonly links: Map<string, string>;
  /** The types of the requests, in order. */
  readonly asked: string[];
  /** The id of the last request. */
  lastId: number;
  say(message: FromWebContainer): void;
  /** Replaces answers: a string refuses with that reason, null never answers, undefined gives the usual answer. */
  answer: (message: ToWebContainer) => string | null | undefined;
  /** The behavior of a started process: it prints and exits. */
  start: (process: FakeProcess) => void;
}

export interface FakeProcess {
  readonly program: string;
  readonly args: readonly string[];
  print(text: string): void;
  exit(code: number): void;
  onInput: (text: string) => void;
  onKill: () => void;
}

const encoder = new TextEncoder();

export function fakeWebContainer(): FakeWebContainer {
  let listener: (message: FromWebContainer) => void = () => undefined;
  const processes = new Map<number, FakeProcess>();
  /** Boots without an answer so far. They get one when the container ends. */
  const pendingBoots = new Set<number>();
  const say = (message: FromWebContainer): void => queueMicrotask(() => listener(message));

  const fake: FakeWebContainer = {
    files: new Map(),
    folders: new Set(),
    links: new Map(),
    asked: [],
    lastId: 0,
    say,
    answer: () => undefined,
    start: (process) => process.exit(0),
    port: {
      listen: (next) => void (listener = next),
      post(message) {
        fake.asked.push(message.type);
        if (message.type === "start") return startProcess(message);
        if (message.type === "input") return processes.get(message.process)?.onInput(message.text);
        if (message.type === "kill") return processes.get(message.process)?.onKill();
        fake.lastId = message.id;
        let own = fake.answer(message);
        if (own === null) return void (message.type === "boot" && pendingBoots.add(message.id));
        if (own === undefined && message.type === "put") own = folderAt(message.files);
        if (own !== undefined) say({ type: "failed", id: message.id, why: own });
        else say({ type: "answered", id: message.id, answer: usual(message) });
      },
    },
  };

  function startProcess({ process, program, args }: Extract<ToWebContainer, { readonly type: "start" }>): void {
    const own: FakeProcess = {
      program,
      args,
      print: (text) => say({ type: "output", process, text }),
      exit(code) {
        if (processes.delete(process)) say({ type: "exit", process, code, why: "" });
      },
      onInput: () => undefined,
      onKill: () => own.exit(137),
    };
    processes.set(process, own);
    fake.start(own);
  }

  function followed(path: string): string {
    const link = [...fake.links.keys()].find((name) => `${path}/`.startsWith(`${name}/`));
    return link === undefined ? path : `${fake.links.get(link)}${path.slice(link.length)}`;
  }

  function folderAt(files: readonly WebContainerFile[]): string | undefined {
    const folder = files.find(({ path }) => fake.folders.has(path) || [...fake.files.keys()].some((name) => name.startsWith(`${path}/`)));
    return folder && `EISDIR: illegal operation on a directory, open '${folder.path}'`;
  }

  function usual(message: Exclude<ToWebContainer, { readonly type: "start" | "input" | "kill" }>): WebContainerAnswer {
    switch (message.type) {
      case "boot":
        return { kind: "booted", folder: "/home/project" };
      case "end":
        for (const process of processes.keys()) say({ type: "exit", process, code: null, why: "it was taken down" });
        processes.clear();
        for (const id of pendingBoots) say({ type: "failed", id, why: "it was taken down" });
        pendingBoots.clear();
        for (const all of [fake.files, fake.folders, fake.links]) all.clear();
        return { kind: "done" };
      case "put":
        for (const { path, bytes } of message.files) {
          const name = followed(path);
          fake.files.set(name, bytes.slice());
          for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) fake.folders.add(name.slice(0, at));
        }
        return { kind: "done" };
      case "remove":
        for (const gone of message.paths)
          for (const all of [fake.files, fake.folders, fake.links])
            for (const path of all.keys()) if (path === gone || path.startsWith(`${gone}/`)) all.delete(path);
        return { kind: "done" };
      case "export":
        return message.format === "json"
          ? { kind: "tree", tree: treeOf(fake.files) }
          : { kind: "snapshot", bytes: snapshotOf(fake.files, fake.links) };
    }
  }
  return fake;
}

interface Folder {
  [name: string]: { d: Folder } | { f: { c: string; b?: true } | { l: string } };
}

/** A snapshot in the client's format: text as it is, anything else as one byte per UTF-16 unit. */
export function snapshotOf(files: ReadonlyMap<string, Uint8Array>, links: ReadonlyMap<string, string> = new Map()): Uint8Array {
  const root: Folder = {};
  for (const [path, bytes] of files) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let folder = root;
    for (const name of names) {
      const entry = (folder[name] ??= { d: {} });
      if (!("d" in entry)) throw new Error(`${name} is a file and a folder`);
      folder = entry.d;
    }
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const isText = Buffer.from(encoder.encode(text)).equals(bytes);
    folder[last] = { f: isText ? { c: text } : { c: Buffer.from(bytes).toString("latin1"), b: true } };
  }
  for (const [name, to] of links) root[name] = { f: { l: to } };
  return encode({ d: root });
}

/** A tree in the client's format. */
export function treeOf(files: ReadonlyMap<string, Uint8Array>): unknown {
  const root: Record<string, unknown> = {};
  for (const [path, bytes] of files) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let folder = root;
    for (const name of names) {
      const entry = (folder[name] ??= { directory: {} }) as { directory: Record<string, unknown> };
      folder = entry.directory;
    }
    folder[last] = { file: { contents: bytes } };
  }
  return root;
}
