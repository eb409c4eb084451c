/** The messages between the host's page and its server, as MessagePack over one WebSocket per container. */

export interface BuildOptions {
  readonly workdirName: string | null;
  /** Which errors of a preview are reported: "exceptions-only" leaves out `console.error`. */
  readonly forwardPreviewErrors: boolean | "exceptions-only" | null;
  readonly coep: Coep;
}

/** The embedder's policy, which previews have to follow. */
export type Coep = "require-corp" | "credentialless" | "none";

export interface RuntimeInfo {
  /** The PATH of processes. */
  readonly path: string;
  /** The project's folder. */
  readonly cwd: string;
}

/** Entry types as numbered by libuv: file, folder, link. */
export type EntryType = 1 | 2 | 3;

export interface DirectoryEntry {
  readonly name: string;
  readonly type: EntryType;
}

export interface RunOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Relative to the project's folder. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string | number | boolean>> | null;
  readonly terminal: Size | null;
  /** Whether anyone listens to its output. */
  readonly output: boolean;
}

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export interface ExportOptions {
  readonly format: "json" | "binary" | "zip";
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

export interface PreviewScriptOptions {
  readonly type?: "module" | "importmap";
  readonly defer?: boolean;
  readonly async?: boolean;
}

/**
 * The page's requests to its container; null is an answer without a value. Process and watch ids come from the page; paths are relative to
 * the project's folder.
 */
export interface Calls {
  build(options: BuildOptions): RuntimeInfo;
  readFile(path: string, encoding: string | null): Uint8Array | string;
  writeFile(path: string, data: Uint8Array | string, encoding: string | null): null;
  readdir(path: string): readonly DirectoryEntry[];
  /** Returns the first folder that was created. */
  mkdir(path: string, recursive: boolean): string | null;
  rm(path: string, force: boolean, recursive: boolean): null;
  rename(from: string, to: string): null;
  watch(id: number, path: string, recursive: boolean): null;
  unwatch(id: number): null;
  /** Takes a tree as JSON or MessagePack, and an existing folder. */
  loadFiles(packed: Uint8Array, mountPoint: string | null): null;
  serialize(path: string, options: ExportOptions): Uint8Array;
  run(id: number, options: RunOptions): null;
  write(id: number, data: string): null;
  resize(id: number, size: Size): null;
  kill(id: number): null;
  setPreviewScript(source: string, options: PreviewScriptOptions): null;
  teardown(): null;
}

export type CallName = keyof Calls;

/** Implements the calls. */
export type Callee = { readonly [Name in CallName]: (...args: Parameters<Calls[Name]>) => Promise<ReturnType<Calls[Name]>> };

export interface Call {
  readonly id: number;
  readonly name: CallName;
  readonly args: readonly unknown[];
}

/** The arguments of `WebContainer.on` listeners. */
export interface Events {
  port: readonly [port: number, type: "open" | "close", url: string];
  "server-ready": readonly [port: number, url: string];
  "preview-message": readonly [message: unknown];
  error: readonly [error: { readonly message: string }];
}

export type EventName = keyof Events;

/** The server's messages: answers to calls, and events in the container. */
export type Told =
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "refusal"; readonly id: number; readonly error: { readonly name: string; readonly message: string } }
  | { readonly kind: "output"; readonly process: number; readonly data: Uint8Array }
  | { readonly kind: "exit"; readonly process: number; readonly code: number }
  | { readonly kind: "watched"; readonly watch: number; readonly type: string; readonly filename: string }
  | { readonly kind: "event"; readonly name: EventName; readonly args: readonly unknown[] };
