/**
 * Types alone, because the page shares them: the WebContainer as the engine sees it. The page boots and drives it on the engine's behalf, because its
 * client needs a document. There is one port for the life of the engine; nothing is sent before the first command needs it.
 *
 * - A request is answered once, by `answered` or `failed` with the same id. `boot` is answered within 20 s, whatever the client does, and may be sent
 *   again: a running WebContainer answers at once; one that is still starting answers when it has booted.
 * - `start` starts a process with a number that the engine chooses. The process ends with exactly one `exit`, even if it could not be started (`code`
 *   null) or the WebContainer has gone.
 * - Paths are relative to the project's folder.
 */
export type ToWebContainer =
  | { readonly type: "boot"; readonly id: number }
  /** Takes it down with everything that runs in it, even if it is still starting. It is no failure if there is none. Another one may be booted. */
  | { readonly type: "end"; readonly id: number }
  /** Creates or replaces these files, and creates the folders that they need. */
  | { readonly type: "put"; readonly id: number; readonly files: readonly WebContainerFile[] }
  /** Removes the files and folders with their contents. A missing one is no failure. */
  | { readonly type: "remove"; readonly id: number; readonly paths: readonly string[] }
  /** Exports all files except those in `node_modules` and in the folders of `excludes`. */
  | { readonly type: "export"; readonly id: number; readonly format: ExportFormat; readonly excludes: readonly string[] }
  | { readonly type: "start"; readonly process: number; readonly program: string; readonly args: readonly string[] }
  /** Writes to the process's standard input. */
  | { readonly type: "input"; readonly process: number; readonly text: string }
  /** Kills the process and everything it started, as far as the WebContainer knows. */
  | { readonly type: "kill"; readonly process: number };

export interface WebContainerFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** `binary`: the client's snapshot, as bytes; `json`: its tree, as an object. Both have the same content. */
export type ExportFormat = "binary" | "json";

export type FromWebContainer =
  | { readonly type: "answered"; readonly id: number; readonly answer: WebContainerAnswer }
  /** `why`: a sentence for people and agents. */
  | { readonly type: "failed"; readonly id: number; readonly why: string }
  | { readonly type: "output"; readonly process: number; readonly text: string }
  | { readonly type: "exit"; readonly process: number; readonly code: number | null; readonly why: string }
  /** A server inside starts or stops listening. `url`: an address that only the page can open. */
  | { readonly type: "port"; readonly port: number; readonly url: string; readonly open: boolean }
  /** The page is about to be hidden, perhaps forever: store now what is not stored yet. */
  | { readonly type: "hidden" }
  /** It has ended by itself: its processes and files are gone. It may be booted again. */
  | { readonly type: "gone"; readonly why: string };

export type WebContainerAnswer =
  | { readonly kind: "done" }
  /** `folder`: the absolute path of the project's folder. */
  | { readonly kind: "booted"; readonly folder: string }
  | { readonly kind: "snapshot"; readonly bytes: Uint8Array }
  | { readonly kind: "tree"; readonly tree: unknown };

/** The part of a `MessagePort` that the engine needs. */
export interface WebContainerPort {
  post(message: ToWebContainer): void;
  /** Called once. */
  listen(listener: (message: FromWebContainer) => void): void;
}
