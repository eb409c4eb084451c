/** Where the commands of a project's agents run: in Vibey's own shell or in a WebContainer. */
export type SandboxName = "embedded" | "webcontainer";

/** What runs `node` programs in Vibey's own shell: QuickJS, or the browser's own engine in a frame of the dialog. */
export type NodeEngine = "quickjs" | "browser";

/** Where agents' commands run. */
export interface SandboxAnswer {
  /** The description that the model gets. */
  readonly about: string;
  /** The user's choice for this project. */
  readonly chosen: SandboxName;
  /** The user's choice for `node` programs in Vibey's own shell, for this project. */
  readonly node: NodeEngine;
  /** The state of the WebContainer. `off` if it is not chosen. */
  readonly computer: WebContainerView;
  /** The servers that listen in either of them now, by port. */
  readonly servers: readonly ServerView[];
}

export type WebContainerView =
  | { readonly state: "off" | "running" }
  /** `doing`: a line about the current step. */
  | { readonly state: "starting"; readonly doing?: string }
  /** It starts with the next command. */
  | { readonly state: "resting" }
  /** Commands run in Vibey's own shell instead. `why`: a sentence. */
  | { readonly state: "unavailable"; readonly why: string };

export interface ServerView {
  readonly port: number;
  /**
   * For a frame of the page, in a WebContainer. Null: the server listens in the built-in shell, and `POST /sandbox/servers/:port/request` reaches it.
   */
  readonly url: string | null;
  /**
   * The command that the server seems to belong to. Null if unknown: it can't be stopped alone. `background`: the command's id. Null: it runs in the
   * foreground, and its servers end with it.
   */
  readonly owner: ServerOwnerView | null;
  /** When it began to listen, in ISO 8601. Null if unknown. */
  readonly since: string | null;
}

export interface ServerOwnerView {
  readonly dialogId: string;
  readonly background: string | null;
  readonly command: string;
}

/** The first line of `POST /sandbox/servers/:port/request`. The bytes after it are the body of the request. */
export interface ServerRequest {
  /** The dialog whose server it is. */
  readonly dialogId: string;
  readonly method: string;
  /** Begins with a slash and includes the query. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Whether redirects within the dialog's ports are followed. */
  readonly follow: boolean;
}

/** The first line of the response. The bytes after it are the body of the server's response. */
export interface ServerResponse {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  /** Names are in lower case. */
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
