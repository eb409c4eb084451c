/**
 * Types alone, because the page shares them. The WebContainer as the engine sees it, which the page boots and drives on the engine's behalf, since its client needs
 * a document. One port for the life of the engine; nothing is sent before the first command wants it.
 *
 * - A question is answered by `answered` or `failed` of the same id, once. `boot` is answered within 20 s, whatever the client does, and
 *   may be asked again: a WebContainer that runs answers at once, one that is still being waited for answers when it is there.
 * - A process is started by `start` with a number of the engine's choice, and ends with `exit`, which comes exactly once for each, also when
 *   it could not be started (`code` null) and when the WebContainer is gone.
 * - Paths are the project's own, relative to its folder.
 */
export type ToWebContainer =
  | { readonly type: "boot"; readonly id: number }
  /** Takes it down with all that runs in it, also one that is still waited for. Where there is none that is no failure; another one may be booted. */
  | { readonly type: "end"; readonly id: number }
  /** Makes or replaces these files; folders that they need are made. */
  | { readonly type: "put"; readonly id: number; readonly files: readonly WebContainerFile[] }
  /** Removes the files and folders, with all that is in them; what is not there is no failure. */
  | { readonly type: "remove"; readonly id: number; readonly paths: readonly string[] }
  /** All files but what is in `node_modules` and in the folders of `excludes`. */
  | { readonly type: "export"; readonly id: number; readonly format: ExportFormat; readonly excludes: readonly string[] }
  | { readonly type: "start"; readonly process: number; readonly program: string; readonly args: readonly string[] }
  /** To its standard input. */
  | { readonly type: "input"; readonly process: number; readonly text: string }
  /** With all that it started, as far as the WebContainer knows of it. */
  | { readonly type: "kill"; readonly process: number };

export interface WebContainerFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** `binary`: the client's snapshot, as bytes; `json`: its tree, as an object. Both hold the same. */
export type ExportFormat = "binary" | "json";

export type FromWebContainer =
  | { readonly type: "answered"; readonly id: number; readonly answer: WebContainerAnswer }
  /** `why`: a sentence for humans and agents. */
  | { readonly type: "failed"; readonly id: number; readonly why: string }
  | { readonly type: "output"; readonly process: number; readonly text: string }
  | { readonly type: "exit"; readonly process: number; readonly code: number | null; readonly why: string }
  /** A server inside listens, or does so no more. `url`: where the page, and no one else, can open it. */
  | { readonly type: "port"; readonly port: number; readonly url: string; readonly open: boolean }
  /** The page is about to be hidden, perhaps forever: what is not stored yet should be. */
  | { readonly type: "hidden" }
  /** It has ended by itself: its processes and its files are gone. It may be booted again. */
  | { readonly type: "gone"; readonly why: string };

export type WebContainerAnswer =
  | { readonly kind: "done" }
  /** `folder`: the project's, absolute. */
  | { readonly kind: "booted"; readonly folder: string }
  | { readonly kind: "snapshot"; readonly bytes: Uint8Array }
  | { readonly kind: "tree"; readonly tree: unknown };

/** What the engine needs of a `MessagePort`. */
export interface WebContainerPort {
  post(message: ToWebContainer): void;
  /** Called once. */
  listen(listener: (message: FromWebContainer) => void): void;
}
