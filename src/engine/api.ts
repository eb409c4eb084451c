/**
 * The shapes of what the router takes and answers: the engine's only interface to a screen. Types alone, so that the page
 * can share them without a module of the engine.
 *
 * | call | answer |
 * |---|---|
 * | `GET /files` | `string[]`: names in `vibey/`, newest first |
 * | `GET /file/:name` | `FileAnswer` with an `ETag`; 404, 400 `ErrorAnswer` |
 * | `POST /file/:name` `{content}` | `{ok: true, name}` with an `ETag`; 412 when `If-Match` names another version; 409 on an active dialog |
 * | `DELETE /file/:name` | `{ok: true}`; 404; 409 on an active dialog |
 * | `GET /dialogs?facts=1` | `DialogListing[]`, newest first; with `facts=1` the newest ones are looked into for their `DialogFacts` |
 * | `PUT /dialogs` `{status: "waiting"}` | `StopAllAnswer`: every dialog that is active, or waits for its turn, is stopped |
 * | `GET /limits` | `LimitsAnswer` |
 * | `GET /prices` | `PricesAnswer` |
 * | `PUT /prices` `PricesBody` | `PricesAnswer`: these are the human's prices from now on; 400 names the row and what is wrong with it |
 * | `GET /cost?days=` | SSE of `CostFrame`: what the dialogs of the project cost in so many days, today the last of them, or ever |
 * | `POST /dialog/new` `NewDialogBody` | `{dialogId, filename, provider, model, status}` |
 * | `POST /dialog` `NewDialogBody & {prompt}` | SSE of `Frame` |
 * | `PUT /dialog` `PutDialogBody` | SSE of `Frame` when a provider request may follow, else `StatusAnswer` |
 * | `GET /dialog/:id` | `DialogAnswer` |
 * | `POST /dialog/:id/continue` `{prompt?}` | SSE of `Frame`: a fresh dialog that begins with a summary of this one, which stays whole |
 * | `POST /dialog/:id/fork` `ForkBody` | a new dialog with the messages of this one up to `message`; this one stays whole. With a prompt SSE of `Frame`, else `StatusAnswer`; 400 when there is no such message; 409 while it is being written |
 * | `GET /dialog/:id/stream` | SSE of `StreamFrame`: markdown; with `?view=parsed` SSE of `ViewFrame` |
 * | `GET /events` | SSE of `EngineEvent` |
 * | `GET /project.zip?scope=docs` or `dialogs` or `all` | the zip. `progress=<id>`, here and below: `EngineEvent`s say how far it is |
 * | `POST /project.zip`, a zip | `ZipContents`: what is in it and what taking it would do; 400 `ZipRefusedAnswer` |
 * | `POST /project.zip?into=new&accept=&history=&name=`, a zip | `ZipTaken`: it is a project of its own now. `accept=1`: its authority lines count; `history=0`: without its history |
 * | `POST /project.zip?into=here&conflicts=mine` or `theirs` or `both`, `&accept=&seen=`, a zip | `ZipTaken`: its files are in this project; 409 when the conflicts are not those that were `seen` |
 * | `GET /deed` | `DeedListing[]` |
 * | `GET`, `PUT`, `DELETE /deed/<path>` | bytes out with an `ETag`, bytes in, `{ok: true}` |
 * | `GET /sandbox` | `SandboxAnswer` |
 * | `POST /move` `{from, to, copy?}` | `{ok: true, path}` with an `ETag`: a doc or a file of the deed has another name, or a second one like it is there; both as paths of the project (`vibey/doc-a.md`). 409 when `to` is there already; 403 for doc-main.md and for dialogs |
 * | `GET /search?q=` | SSE of `SearchFrame`: files whose text holds the words, in whatever case; docs first, then dialogs, then the deed |
 * | `GET /history?path=&dialog=&by=&since=&before=&limit=` | `HistoryAnswer`, newest first; `path`: a file or a folder; `dialog`: commits of its turns; `by`: those of `human`, `dialog` or `vibey`; `since`: a time in ISO 8601; `before`: the id of a commit |
 * | `GET /history/:id` | `HistoryCommitAnswer`; 404 |
 * | `GET /history/:id/diff/<path>` | `HistoryDiffAnswer`; 404 |
 * | `GET /history/:id/file/<path>` | the bytes of the file as this commit left it; 404 |
 * | `GET /history/:id/restore` | `RestorePreview`: what a restore of everything would change now; 404 |
 * | `POST /history/restore` `{id, path?}` | `RestoreAnswer`: the file, or all of the deed and the docs, as this commit left it |
 * | `POST /history/undo` `{id, path?}` | `RestoreAnswer`: what this commit changed reads again as before it |
 * | `GET`, `PUT /provider/:name` `ProviderBody` | `ProviderAnswer`; a key goes in and never comes out |
 * | `GET /keys` | `KeysAnswer`: what is remembered of the keys on this device, and whether it is locked |
 * | `POST /keys/remember` `{provider} & SecretBody` | `KeysAnswer`; the secret makes what is remembered or opens it, none is needed while it is unlocked; 403 for a wrong one |
 * | `POST /keys/unlock` `SecretBody` | `KeysAnswer`; 403 for a wrong one |
 * | `POST /keys/lock` | `KeysAnswer` |
 * | `POST /keys/change` `SecretBody & {to: SecretBody}` | `KeysAnswer`: `to` opens it from now on, in the place of what was of its kind |
 * | `DELETE /keys`, `DELETE /keys/:provider` | `KeysAnswer`: all keys, or the one for the provider's address, are forgotten |
 * | `GET /provider/:name/models` | `ModelsAnswer`; 502 `ErrorAnswer` |
 * | `GET /projects` | `KnownProject[]`: the projects of this browser beside the first one |
 * | `PUT /projects/:id` `{name}`, `DELETE /projects/:id` | `{ok: true}`: it has another name; it is gone with its history and its copy. 409: a tab has it open |
 * | `GET /copy` | `CopyAnswer`: the second copy of the project |
 * | `GET /copy.zip?generation=` | the zip of one of its generations, without the number of the one that is written now |
 * | `GET /recovery` | `RecoveryAnswer` while the project's storage is lost, and then nothing else but `/copy.zip` is answered; else 404 |
 * | `POST /recovery` `{action: "restore", generation}` | SSE of `RecoveryFrame`; who leaves stops it |
 * | `POST /recovery` `{action: "anew"}` | SSE of `RecoveryFrame`: an empty project takes the place of the lost one |
 */
import type { Json, JsonObject, Meta } from "./format/model.ts";

export type Status = "active" | "waiting" | "done";

export interface ErrorAnswer {
  readonly error: string;
}

export interface FileAnswer {
  readonly name: string;
  readonly content: string;
}

/** What a list says of a dialog, as far as this engine has looked into it; absent or null where it is not known. */
export interface DialogFacts {
  /** What a waiting dialog waits for; null for one that does not wait, too. */
  readonly waitingFor: WaitingFor | null;
  /** The tool that it wants to use, when it asks for one and no other. */
  readonly wants?: string | null | undefined;
  /** All of the dialog's so far, as the provider reported them. */
  readonly tokens?: number | null | undefined;
  /** Nanodollars that the dialog cost so far, as far as that is known. */
  readonly cost?: number | null | undefined;
  /** Id of the dialog whose agent launched it. */
  readonly launchedBy?: string | null | undefined;
}

export interface DialogListing extends DialogFacts {
  readonly dialogId: string;
  readonly status: Status;
  readonly filename: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** What happens in it now; null when nothing does. */
  readonly activity: Activity | null;
}

/**
 * `leave`: calls are undecided. `interrupted`: its turn broke off, because the page was closed or the stream was cut. `question`: the agent
 * asked one. `stopped`: a human stopped it. `failed`: the provider did. `word`: anything else that a human has to say.
 */
export type WaitingFor = "leave" | "interrupted" | "question" | "stopped" | "failed" | "word";

export interface StopAllAnswer {
  readonly ok: true;
  /** Ids of the dialogs that were stopped. */
  readonly stopped: readonly string[];
}

/** The limits that hold now, and how much of them is used. */
export interface LimitsAnswer {
  readonly limits: readonly {
    /** `command`: seconds that a command may run, in a dialog that sets no limit of its own. */
    readonly name: "agents" | "depth" | "launches" | "requests" | "command";
    readonly value: number;
    /** Where the value comes from: a `> Limit:` line of doc-main.md, or Vibey itself. */
    readonly from: "doc-main.md" | "default";
  }[];
  /** What the project may cost, and what it has cost of that: nanodollars, billionths of a US dollar. null: there is no such limit. */
  readonly cost: { readonly nanos: number; readonly spent: number; readonly period: "day" | "week" | "month" | null } | null;
  /** Ids of the dialogs that run, and of those that wait for their turn, first one first. */
  readonly running: readonly string[];
  readonly queued: readonly string[];
}

/** What the tokens of a model cost: US dollars a million tokens, with six decimals at most. */
export interface PriceView {
  /** Of the provider's address: `https://api.example`. */
  readonly origin: string;
  /** A model's id, or the beginning of some with a star behind it. */
  readonly model: string;
  readonly input: number;
  readonly output: number;
  /** null: as any other input. */
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}

/** A price of the human's comes before one of the provider's; in each list a model's id before the beginning of it, a longer one first. */
export interface PricesAnswer {
  /** The human's own, in their order. */
  readonly own: readonly PriceView[];
  /** What the providers said with their lists of models. */
  readonly listed: readonly PriceView[];
  /** The addresses of the providers as they are set now. */
  readonly origins: readonly string[];
}

export interface PricesBody {
  readonly prices: readonly (Omit<PriceView, "cacheRead" | "cacheWrite"> & {
    readonly cacheRead?: number | null;
    readonly cacheWrite?: number | null;
  })[];
}

/** `nanos`: nanodollars, as far as they are known. `unpriced`: responses of which nobody knows what they cost. */
export interface CostSum {
  readonly nanos: number;
  readonly responses: number;
  readonly unpriced: number;
  /** Tokens. */
  readonly input: number;
  readonly output: number;
}

export interface CostReport {
  readonly total: CostSum;
  /** The first and the last day that it is about, `2026-11-22`, by the clock of this device; null when nothing was asked for yet. */
  readonly from: string | null;
  readonly to: string | null;
  /** Days on which something was asked for, the earliest first. */
  readonly days: readonly (CostSum & { readonly day: string })[];
  /** The dearest first. */
  readonly models: readonly (CostSum & { readonly provider: string; readonly model: string })[];
  readonly dialogs: readonly (CostSum & { readonly dialogId: string })[];
}

/** Frames of `GET /cost`: how many of how many dialogs are read, then the report. */
export type CostFrame =
  | { readonly type: "progress"; readonly done: number; readonly total: number }
  | ({ readonly type: "report" } & CostReport);

export interface NewDialogBody {
  readonly provider: string;
  readonly model?: string;
  readonly slug?: string;
}

/** What agents' commands run in, as the model is told of it: markdown. */
export interface SandboxAnswer {
  readonly about: string;
}

export interface PutDialogBody {
  readonly dialogId: string;
  readonly status?: "waiting" | "done";
  readonly prompt?: string;
  /** Lines `<tool_call_id>: approve` or `: deny` between `əəə` lines (optional on input); or `[{id, approved}]`. */
  readonly decisions?: string | readonly { readonly id: string; readonly approved: boolean }[];
  /** Lines `allow <tool_name>` or `deny <tool_name>` between `əəə` lines; or names to allow. */
  readonly authorizations?: string | readonly string[];
  /** What was shown when the human decided: call id → `CallView.hash`. A call that reads otherwise now is not run: 409. */
  readonly hashes?: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly model?: string;
  /** Hosts that the commands of this dialog may reach from here on, or may not; `host` with its port when that is not the usual one. */
  readonly network?: readonly { readonly host: string; readonly allow: boolean }[];
  /**
   * `command`: seconds that a command of this dialog may run from here on, 1 to 3600. `cost`: `once` lets the turn that begins go on past
   * the limit of what the project may cost; `unknown` lets this dialog go on with models whose price nobody knows.
   */
  readonly limits?: { readonly command?: number; readonly cost?: "once" | "unknown" };
  /** The command in the background that is to be stopped. */
  readonly stopBackground?: string;
}

export interface ForkBody {
  /** The first message is 1. */
  readonly message: number;
  /** Said in the place of message `message`, which is a human's, and sent at once. Without it the fork ends with that message and waits. */
  readonly prompt?: string;
  /** Who answers the prompt; whoever answers in the old dialog, when it is not said. */
  readonly provider?: string;
  readonly model?: string;
}

export interface StatusAnswer {
  readonly ok: true;
  readonly dialogId: string;
  readonly filename: string;
  readonly status: Status;
}

/** One dialog, parsed. */
export interface DialogView {
  readonly dialogId: string;
  readonly filename: string;
  readonly status: Status;
  /** The provider and model that the next turn would use. */
  readonly provider: string;
  readonly model: string;
  readonly started: string | null;
  /** The dialog that launched this one. */
  readonly launchedBy: string | null;
  /** The dialog that this one goes on from, with a summary. */
  readonly continuedFrom: string | null;
  /** Where this one was forked from another: after that message, or in its place when it was `edited`. The first message is 1. */
  readonly forkedFrom: { readonly dialogId: string; readonly message: number; readonly edited: boolean } | null;
  /** How full the model's window was after the last response; null when the provider reported no usage or the window is not known. */
  readonly context: ContextView | null;
  /** Nanodollars that it cost so far, as far as that is known; null when it is known of no response. */
  readonly cost: number | null;
  /** Tools that run without asking from here on. */
  readonly authorized: readonly string[];
  /** Hosts that the human let the commands of this dialog reach, and those that were refused. */
  readonly network: { readonly allowed: readonly string[]; readonly refused: readonly string[] };
  /** Seconds that a command may run. */
  readonly commandSeconds: number;
  /** What came with an import and decides nothing until the human accepts it: tools, hosts to reach and not to reach, seconds that a command may run. */
  readonly imported: {
    readonly tools: readonly string[];
    readonly allowed: readonly string[];
    readonly refused: readonly string[];
    readonly commandSeconds: number | null;
  };
  /** What the command that runs has printed so far; null when none runs. */
  readonly output: OutputView | null;
  /** Commands that go on in the background, and those of this engine that have ended, oldest first. */
  readonly background: readonly BackgroundView[];
  /** False for a file of a format that this Vibey only shows; `readOnlyReason` says why. */
  readonly readOnlyReason: string | null;
  /** Header lines that are not in the fields above, and parts before the first message. */
  readonly notes: readonly PartView[];
  readonly messages: readonly MessageView[];
  /** What happens now, in this tab: null when nothing does. */
  readonly activity: Activity | null;
  /** When the last turn failed: what happened and what to do; null otherwise. */
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

export interface OutputView {
  readonly callId: string;
  /** The last 20,000 characters of stdout and stderr, as they came. */
  readonly text: string;
  /** What goes on in it, such as a download: one line; null when it says nothing. */
  readonly progress: string | null;
}

export interface BackgroundView {
  readonly id: string;
  readonly command: string;
  /** ISO 8601. */
  readonly started: string;
  readonly state: "running" | "ended" | "stopped";
  /** null while it runs. */
  readonly exitCode: number | null;
}

/** Tokens. `used`: input and output of the last response, as the provider reported them. */
export interface ContextView {
  readonly used: number;
  readonly window: number;
  /** Past the threshold: the agent was told, and the human is offered a fresh dialog. */
  readonly nearlyFull: boolean;
}

export type Activity =
  /** It waits until a limit lets it go on. `ahead`: how many wait before it. `reason`: which limit, as a sentence. */
  | { readonly kind: "queued"; readonly ahead: number; readonly reason: string }
  | { readonly kind: "thinking" }
  | { readonly kind: "writing" }
  /** `ask`: the command waits because it wants to reach a host, and a human has to say whether it may. */
  | { readonly kind: "running"; readonly callId: string; readonly tool: string; readonly ask: NetworkAsk | null }
  | { readonly kind: "retrying"; readonly at: number; readonly reason: string };

export interface NetworkAsk {
  /** With its port when that is not the usual one. */
  readonly host: string;
  /** `curl`, `npm`, `git`, `node`. */
  readonly program: string;
  readonly method: string;
  readonly url: string;
}

export interface MessageView {
  readonly role: "user" | "assistant";
  /** ISO times as in the file; `end` is null while the message is being written, and for a user's. */
  readonly start: string | null;
  readonly end: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly parts: readonly PartView[];
  /** Only when the provider reported it. */
  readonly usage: UsageView | null;
  readonly usageCumulative: UsageView | null;
  /** Tokens of the input that the provider's cache gave, and that were written to it; left out where it did neither. */
  readonly cached?: { readonly read: number; readonly write: number };
  /** Left out where nobody knows it. `nanos`: nanodollars. `reported`: the provider said so; else it is by the prices of then. */
  readonly cost?: { readonly nanos: number; readonly reported: boolean };
  /** The value of `> Stop:`, null when the message ended by itself. */
  readonly stop: string | null;
}

export interface UsageView {
  readonly input: number;
  readonly output: number;
  readonly total: number;
}

export type PartView =
  | { readonly kind: "text"; readonly text: string }
  /** Lines that no field of the message holds: `Authorized`, `Revoked`, `Waiting`, `Edited`, unknown keys. */
  | { readonly kind: "meta"; readonly lines: readonly Meta[] }
  | { readonly kind: "call"; readonly call: CallView };

export interface CallView {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** `running`: claimed, no result yet. `approved`: decided, not started. */
  readonly state: "pending" | "approved" | "running" | "finished" | "denied";
  /** When it was claimed, as it stands in the file: ISO 8601 unless a hand wrote it. */
  readonly started: string | null;
  /** Who allowed it: the human for this call, or an authorization that stands above it. */
  readonly allowedBy: "human" | "authorization" | null;
  readonly result: Json | null;
  /** SHA-256 (hex) of tool name, id and input as they stand in the file. */
  readonly hash: string;
  /** `write_file` over a file that exists: its text now, while the call is pending, to show a diff; null otherwise. */
  readonly before: string | null;
}

export interface DialogAnswer extends DialogView {
  readonly markdown: string;
}

/** Frames of `POST /dialog` and `PUT /dialog`. A reader skips types it does not know. */
export type Frame =
  | { readonly type: "chunk"; readonly content: string }
  | { readonly type: "tool_request"; readonly toolCalls: readonly ToolCall[]; readonly dialogId: string; readonly filename: string }
  | { readonly type: "done"; readonly result: TurnResult }
  | { readonly type: "error"; readonly error: string }
  /** The dialog is stored and has its id; sent first. */
  | { readonly type: "dialog"; readonly dialogId: string; readonly filename: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

export interface TurnResult {
  readonly dialogId: string;
  readonly filename: string;
  readonly provider: string;
  readonly model: string;
  /** The text of the turn, all of its responses joined by a blank line. */
  readonly content: string;
  readonly toolCalls: readonly ToolCall[] | null;
  readonly autoExecuted: readonly { readonly id: string; readonly name: string; readonly result: Json }[];
  readonly status: Status;
  readonly interrupted?: true;
}

/** Frames of `GET /dialog/:id/stream`: the file's markdown. `patch`: from UTF-16 offset `from` on, the file now reads `text`. */
export type StreamFrame =
  | {
      readonly type: "snapshot";
      readonly version: number;
      readonly dialogId: string;
      readonly filename: string;
      readonly status: Status;
      readonly text: string;
    }
  | { readonly type: "patch"; readonly version: number; readonly from: number; readonly text: string }
  | { readonly type: "status"; readonly version: number; readonly filename: string; readonly status: Status }
  | { readonly type: "gone"; readonly version: number };

/** Frames of `GET /dialog/:id/stream?view=parsed`. The first is `dialog`; so is every one after which a reader must start over. */
export type ViewFrame =
  | { readonly type: "dialog"; readonly version: number; readonly dialog: DialogView }
  /** Everything of the dialog but its messages. */
  | { readonly type: "head"; readonly version: number; readonly head: Omit<DialogView, "messages"> }
  /** Message `index` is now this; `index` may be one past the end. */
  | { readonly type: "message"; readonly version: number; readonly index: number; readonly message: MessageView }
  /** `text` is added to the end of text part `part` of message `index`; `part` may be one past the end. */
  | { readonly type: "text"; readonly version: number; readonly index: number; readonly part: number; readonly text: string }
  /** The command that runs printed this, or (`progress`) says what goes on in it. */
  | {
      readonly type: "output";
      readonly version: number;
      readonly callId: string;
      readonly stream: "stdout" | "stderr" | "progress";
      readonly text: string;
    }
  | { readonly type: "gone"; readonly version: number };

/** A line that holds what was looked for. */
export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  /** Where it stands in the line, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** A piece of the line, and where what was found begins in it. */
  readonly text: string;
  readonly at: number;
}

export interface FoundFile {
  /** In the project: `vibey/doc-a.md`. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
  /** Further finds that are not listed. */
  readonly more: number;
}

/** Frames of `GET /search`. The last is `end`; `cut`: there may be further files; `unread`: files too long to be looked through, or damaged. */
export type SearchFrame =
  | ({ readonly type: "found" } & FoundFile)
  | { readonly type: "end"; readonly cut: boolean; readonly unread: number };

/** Frames of `GET /events`. The first is `hello`. */
export type EngineEvent =
  | { readonly type: "hello" }
  | { readonly type: "file"; readonly name: string; readonly change: "changed" | "removed"; readonly by: string }
  | { readonly type: "deed"; readonly path: string; readonly change: "changed" | "removed"; readonly by: string }
  | ({
      readonly type: "dialog";
      readonly dialogId: string;
      readonly filename: string;
      readonly status: Status;
      readonly activity: Activity | null;
    } & DialogFacts)
  | { readonly type: "dialog-removed"; readonly dialogId: string }
  /** A key is there, gone, remembered, locked or unlocked. */
  | { readonly type: "keys" }
  /** How far the work is that was asked for with this id. In bytes. */
  | { readonly type: "progress"; readonly id: string; readonly done: number; readonly total: number }
  /** The history has a new commit. */
  | { readonly type: "history"; readonly id: string }
  /** The human is told: an agent wanted to write authority, storage is full, a limit was hit. */
  | { readonly type: "notice"; readonly kind: string; readonly message: string; readonly dialogId: string | null };

/** Who changed something. `dialogId`: of the dialog whose agent did. */
export interface HistoryBy {
  readonly kind: "human" | "dialog" | "vibey";
  readonly dialogId: string | null;
}

export interface HistoryCommit {
  /** 40 hexadecimal digits: the commit's hash in git. */
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly by: HistoryBy;
  /** One line that says what was changed. */
  readonly summary: string;
  readonly filesChanged: number;
  /** It was taken back, by this commit, in so many files; to take that one back is to do it again. null: it was not, or not for good. */
  readonly undone: { readonly by: string; readonly files: number } | null;
}

export interface HistoryAnswer {
  readonly commits: readonly HistoryCommit[];
  /** There are older ones. */
  readonly more: boolean;
}

export interface HistoryCommitAnswer extends HistoryCommit {
  readonly changes: readonly { readonly path: string; readonly change: "added" | "changed" | "removed" }[];
}

/** Texts before and after; null: there was no such file; `binary`: it is no text, and both are null. */
export interface HistoryDiffAnswer {
  readonly before: string | null;
  readonly after: string | null;
  readonly binary: boolean;
}

export interface RestoreAnswer {
  readonly ok: true;
  /** Files that read otherwise now. */
  readonly changed: readonly string[];
  /** Files that were left as they are, because they were changed since in the same places. */
  readonly kept: readonly string[];
  /** Files that were left as they are, because what they should read like is damaged in the history. */
  readonly damaged: readonly string[];
  /** The commit of the history that this is, which can be undone itself; null: nothing was changed, or it is not there yet. */
  readonly commit: string | null;
}

/** What is not committed yet of turns that go on is not counted. */
export interface RestorePreview {
  /** How many files would read otherwise. */
  readonly files: number;
  /** The first of them, sorted. */
  readonly paths: readonly string[];
}

/** What is in a zip, all of it checked, and how it stands to the project. */
export interface ZipContents {
  readonly files: readonly {
    readonly path: string;
    /** Bytes. */
    readonly size: number;
    readonly kind: "doc" | "dialog" | "deed";
    /** `same`: the project has it, byte for byte. `conflict`: it has another one of this name. `repository`: both have a repository there; it stays. */
    readonly standing: "new" | "same" | "conflict" | "repository";
  }[];
  /** Lines that let agents do something, which will decide nothing unless they are accepted; as they stand. */
  readonly inactive: readonly { readonly path: string; readonly line: string }[];
  /** Dialogs in which an agent was at work; they wait now. */
  readonly interrupted: readonly string[];
  /** Calls that were approved and had not run; they are asked about again. */
  readonly undecided: number;
  /** Vibey's own history of the project. `left-out`: it can't be taken over; `why` goes on after "the history". */
  readonly history:
    | { readonly kind: "none" }
    | { readonly kind: "whole"; readonly commits: number }
    | { readonly kind: "left-out"; readonly why: string };
  /** There is a place for another project. */
  readonly canBeNew: boolean;
  /** For the call that takes it. */
  readonly seen: string;
}

/** A zip of which nothing was taken. `error` says why. */
export interface ZipRefusedAnswer extends ErrorAnswer {
  readonly refused: { readonly kind: string; readonly entry: string | null };
}

export interface ZipTaken {
  readonly ok: true;
  /** The id of the new project; null when it went into this one. */
  readonly project: string | null;
  /** Files that were not there, that read otherwise now, that came in under another name, that were left out, and that were there already. */
  readonly added: number;
  readonly replaced: number;
  readonly renamed: number;
  readonly kept: number;
  readonly same: number;
}

export interface DeedListing {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

export interface ProviderBody {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly model?: string;
}

export interface ProviderAnswer {
  /** A key is there, or none is needed. */
  readonly configured: boolean;
  readonly baseURL: string;
  readonly model: string;
  readonly key: KeyState;
  /** Origins for which a key of this provider is remembered on this device; it goes nowhere else. */
  readonly remembered: readonly string[];
}

/**
 * The key for a provider's address. `session`: in memory only, or typed while another one is remembered and locked. `locked`:
 * remembered on this device, and not in memory. `unlocked`: remembered, and in memory. `damaged`: what was remembered can't be read.
 */
export type KeyState = "none" | "session" | "locked" | "unlocked" | "damaged";

export interface KeysAnswer {
  readonly state: "none" | "locked" | "unlocked" | "damaged";
  /** Why it can't be read; null when it can. */
  readonly problem: string | null;
  /** A passphrase opens it. */
  readonly passphrase: boolean;
  /** The passkey that opens it: its id, and what it turns into its secret. In base64url. */
  readonly passkey: { readonly id: string; readonly input: string } | null;
  readonly remembered: readonly { readonly provider: string; readonly origin: string }[];
}

/** What opens the remembered keys: one of the two. It goes in and never comes out. In base64url; `id` and `input` with a passkey that is new. */
export interface SecretBody {
  readonly passphrase?: string;
  readonly passkey?: { readonly secret: string; readonly id?: string; readonly input?: string };
}

export interface ModelsAnswer {
  readonly models: readonly string[];
}

/** A generation of the second copy. */
/** A project beside the first one. */
export interface KnownProject {
  readonly id: string;
  /** null: nobody knows any more what it was called. */
  readonly name: string | null;
}

export interface CopyFound {
  readonly generation: number;
  /** Milliseconds since 1970: all that was stored by then is in it. */
  readonly at: number;
  readonly docs: number;
  readonly dialogs: number;
  /** Of the deed. */
  readonly files: number;
  readonly bytes: number;
  /** Its end can't be read: a crash tore it, or the disk has lost it. */
  readonly torn: boolean;
}

export interface CopyAnswer {
  /** Null: nothing is written yet. */
  readonly kept: Pick<CopyFound, "at" | "bytes"> | null;
  /** Why it can't be written now. */
  readonly trouble: string | null;
  /** Paths of files that the browser's storage has lost bytes of; the copy may hold an earlier state of them. */
  readonly damaged: readonly string[];
  /** Of a project that was here before this one; it goes in time. */
  readonly earlier: readonly CopyFound[];
}

export interface RecoveryAnswer {
  /** `empty`: the storage is empty, and the copy is not. `unreadable`: it does not open, or contradicts itself. `gone`: it was taken away while it was open. */
  readonly why: "empty" | "unreadable" | "gone";
  /** What the browser said; may be empty. */
  readonly message: string;
  /** The newest first. */
  readonly copies: readonly CopyFound[];
  /** Something was stored in it, as far as that is known. */
  readonly written: boolean;
  /** Another tab has copies open, which can't be read before it lets go of them. */
  readonly held: boolean;
  /** Why the copies can't be looked at; null when they can. */
  readonly trouble: string | null;
}

/** A `done` or an `error` is the last one. `part`: from 0 to 1. */
export type RecoveryFrame =
  | { readonly type: "progress"; readonly part: number }
  | { readonly type: "waiting"; readonly message: string }
  | { readonly type: "done" }
  | { readonly type: "error"; readonly error: string };
