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
  readonly computer: ComputerView;
  /** What listens in it now, by port. */
  readonly servers: readonly ServerView[];
}

export type ComputerView =
  | { readonly state: "off" | "running" }
  /** `doing`: a line about what continues. */
  | { readonly state: "starting"; readonly doing?: string }
  /** It starts with the next command. */
  | { readonly state: "resting" }
  /** Commands run in Vibey's own shell instead. `why`: a sentence. */
  | { readonly state: "unavailable"; readonly why: string };

export interface ServerView {
  readonly port: number;
  /** For a frame of the page. */
  readonly url: string;
  /** The command in the background that it seems to belong to; null: it is not known, and it can't be stopped alone. */
  readonly owner: { readonly dialogId: string; readonly background: string; readonly command: string } | null;
}

/** `PUT /sandbox`. */
export interface SandboxBody {
  readonly sandbox: SandboxName;
}

/** `PUT /sandbox/node`. */
export interface NodeEngineBody {
  readonly node: NodeEngine;
}
