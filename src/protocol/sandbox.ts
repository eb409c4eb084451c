/** Where the commands of a project's agents run: in Vibey's own shell, or in a WebContainer. */
export type SandboxName = "embedded" | "webcontainer";

/** What runs programs of `node` in Vibey's own shell: QuickJS, or the browser's own engine in a frame of the dialog. */
export type NodeEngine = "quickjs" | "browser";

/** What agents' commands run in. */
export interface SandboxAnswer {
  /** As the model is told. */
  readonly about: string;
  /** What the user chose for this project. */
  readonly chosen: SandboxName;
  /** What the user chose to run programs of `node` in Vibey's own shell, for this project. */
  readonly node: NodeEngine;
  /** How the WebContainer is doing; `off` when it is not chosen. */
  readonly computer: WebContainerView;
  /** What listens in either now, by port. */
  readonly servers: readonly ServerView[];
}

export type WebContainerView =
  | { readonly state: "off" | "running" }
  /** `doing`: a line about what continues. */
  | { readonly state: "starting"; readonly doing?: string }
  /** It starts with the next command. */
  | { readonly state: "resting" }
  /** Commands run in Vibey's own shell instead. `why`: a sentence. */
  | { readonly state: "unavailable"; readonly why: string };

export interface ServerView {
  readonly port: number;
  /** In a WebContainer, for a frame of the page; null: it listens in the built-in shell, and is asked by `POST /sandbox/servers/:port/request`. */
  readonly url: string | null;
  /**
   * The command that it seems to belong to; null: it is not known, and it can't be stopped alone. `background`: its id; null: it runs in the
   * foreground, and its servers end with it.
   */
  readonly owner: ServerOwnerView | null;
  /** Since when it listens, in ISO 8601; null: it is not known. */
  readonly since: string | null;
}

export interface ServerOwnerView {
  readonly dialogId: string;
  readonly background: string | null;
  readonly command: string;
}

/** The first line of `POST /sandbox/servers/:port/request`, whose bytes after it are the body of the request. */
export interface ServerRequest {
  /** Whose server it is. */
  readonly dialogId: string;
  readonly method: string;
  /** With a slash at its beginning, and with its query. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Whether redirects within the dialog's ports are followed. */
  readonly follow: boolean;
}

/** The first line of its answer, whose bytes after it are the body of the server's answer. */
export interface ServerResponse {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** `PUT /sandbox`. */
export interface SandboxBody {
  readonly sandbox: SandboxName;
}

/** `PUT /sandbox/node`. */
export interface NodeEngineBody {
  readonly node: NodeEngine;
}
