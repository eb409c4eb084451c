/**
 * The page's side of the router: one function per call, with paths relative to the page. No answer of the engine or the network throws: a failure is
 * a value with a `kind`, and a `message` that is a sentence for the user.
 */
import type {
  AsksAnswer,
  DeedListing,
  DialogAnswer,
  DialogListing,
  ErrorAnswer,
  FileAnswer,
  ForkBody,
  LimitsAnswer,
  ModelsAnswer,
  NewDialogBody,
  ProviderAnswer,
  ProviderBody,
  PutDialogBody,
  SandboxAnswer,
  Status,
  StatusAnswer,
  StopAllAnswer,
} from "../../../protocol/index.ts";
import * as t from "../../texts/answers.ts";

export interface Failure {
  readonly ok: false;
  /** `changed`: someone else wrote in the meantime (412). `busy`: not now (409). `unreachable`: no answer came. */
  readonly kind: "missing" | "changed" | "busy" | "refused" | "unreachable";
  readonly message: string;
}
export interface Success<T> {
  readonly ok: true;
  readonly value: T;
  readonly etag: string | null;
}
export type Answer<T> = Success<T> | Failure;

export interface NewDialogAnswer {
  readonly dialogId: string;
  readonly filename: string;
  readonly provider: string;
  readonly model: string;
  readonly status: Status;
}

const kinds: Readonly<Record<number, Failure["kind"]>> = { 404: "missing", 409: "busy", 412: "changed" };

/** URLs resolve `.` and `..` in a path even if they are encoded, so such a request would go elsewhere. A typed address may contain them. */
const leadsAway = /\/\.\.?(?![^/?])/;

async function send(path: string, init: RequestInit = {}): Promise<Answer<Response>> {
  let response: Response;
  try {
    response = leadsAway.test(path) ? new Response(path, { status: 404 }) : await fetch(path, init);
  } catch (error) {
    return unreachable(error);
  }
  if (response.ok) return { ok: true, value: response, etag: response.headers.get("ETag") };
  try {
    return { ok: false, kind: kinds[response.status] ?? "refused", message: await errorText(response) };
  } catch (error) {
    return unreachable(error);
  }
}

/** The failure of a request, or of a response whose body was cut off. */
export function unreachable(error: unknown): Failure {
  const detail = error instanceof Error ? error.message : String(error);
  return { ok: false, kind: "unreachable", message: t.noAnswer(detail) };
}

/** Sends a request and reads the body of the response. */
export async function ask<T>(path: string, read: (response: Response) => Promise<T>, init?: RequestInit): Promise<Answer<T>> {
  const answer = await send(path, init);
  if (!answer.ok) return answer;
  try {
    return { ok: true, value: await read(answer.value), etag: answer.etag };
  } catch (error) {
    return unreachable(error);
  }
}

async function errorText(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const answer: Partial<ErrorAnswer> | null = JSON.parse(text);
    if (typeof answer?.error === "string" && answer.error !== "") return answer.error;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return t.answered(response.status, response.statusText);
}

export const json = <T>(path: string, init?: RequestInit): Promise<Answer<T>> => ask(path, (response): Promise<T> => response.json(), init);

export function body(method: string, value: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method, headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(value) };
}

/** The version that is overwritten. Null: the file must not exist. */
const on = (etag: string | null): Record<string, string> => (etag === null ? { "If-None-Match": "*" } : { "If-Match": etag });
/** The version that is moved or deleted. Null: any. */
const onAny = (etag: string | null): Record<string, string> => (etag === null ? {} : on(etag));
export const encodePath = (path: string) => path.split("/").map(encodeURIComponent).join("/");

export const listFiles = () => json<readonly string[]>("files");
export const readFile = (name: string) => json<FileAnswer>(`file/${encodeURIComponent(name)}`);
export const writeFile = (name: string, content: string, etag: string | null = null) =>
  json<{ ok: true; name: string }>(`file/${encodeURIComponent(name)}`, body("POST", { content }, on(etag)));
/** `etag`: only this version is deleted; null: any. */
export const deleteFile = (name: string, etag: string | null = null) =>
  json<{ ok: true }>(`file/${encodeURIComponent(name)}`, { method: "DELETE", headers: onAny(etag) });

export const listDeed = () => json<readonly DeedListing[]>("deed");
export const readDeed = (path: string) => ask(`deed/${encodePath(path)}`, (response) => response.arrayBuffer());
export const writeDeed = (path: string, content: BodyInit, etag: string | null = null) =>
  json<{ ok: true }>(`deed/${encodePath(path)}`, { method: "PUT", headers: on(etag), body: content });
export const deleteDeed = (path: string, etag: string | null = null) =>
  json<{ ok: true }>(`deed/${encodePath(path)}`, { method: "DELETE", headers: onAny(etag) });

/** Moves or copies a file; paths of the project. `etag`: only this version may be moved; null: any. */
export const moveFile = (from: string, to: string, copy = false, etag: string | null = null) =>
  json<{ ok: true; path: string }>("move", body("POST", { from, to, copy }, onAny(etag)));
/** Returns a stream of `SearchFrame`. */
export const openSearch = (words: string, signal: AbortSignal) => send(`search?q=${encodeURIComponent(words)}`, { signal });

export const listDialogs = () => json<readonly DialogListing[]>("dialogs");
/** The same list, after the engine has looked into the newest dialogs, or into all. */
export const listDialogFacts = (which: "newest" | "all") => json<readonly DialogListing[]>(`dialogs?facts=${which === "all" ? which : 1}`);
export const readDialog = (id: string) => json<DialogAnswer>(`dialog/${encodeURIComponent(id)}`);
/** Only what the dialog asks the user for. */
export const readAsks = (id: string) => json<AsksAnswer>(`dialog/${encodeURIComponent(id)}/asks`);
export const newDialog = (dialog: NewDialogBody) => json<NewDialogAnswer>("dialog/new", body("POST", dialog));
export const setStatus = (dialogId: string, status: "waiting" | "done") => json<StatusAnswer>("dialog", body("PUT", { dialogId, status }));
/** Stops every dialog that is running or queued. */
export const stopAll = () => json<StopAllAnswer>("dialogs", body("PUT", { status: "waiting" }));
/** Returns a stream of `CostFrame`. `days`: the number of days; null: all. */
export const openCost = (days: number | null, signal: AbortSignal) => send(days === null ? "cost" : `cost?days=${days}`, { signal });
export const readLimits = () => json<LimitsAnswer>("limits");
export const readSandbox = () => json<SandboxAnswer>("sandbox");

/** Requests a summary of a fork, to be sent to the dialog that was forked. */
export const resolveFork = (id: string) => json<StatusAnswer>(`dialog/${encodeURIComponent(id)}/resolve`, { method: "POST" });
export const sendSummary = (id: string) => json<StatusAnswer>(`dialog/${encodeURIComponent(id)}/resolve`, { method: "PUT" });

/** Returns a stream of `Frame`, or JSON if no provider is asked: check the content type. */
export const putDialog = (put: PutDialogBody) => send("dialog", body("PUT", put));
export const startDialog = (dialog: NewDialogBody & { readonly prompt: string }) => send("dialog", body("POST", dialog));
/** Starts a new dialog with a summary of this one. Returns a stream of `Frame`. */
export const continueDialog = (id: string) => send(`dialog/${encodeURIComponent(id)}/continue`, body("POST", {}));

/** Creates a new dialog that ends with message `message` of this one, counted from 1. */
export const forkDialog = (id: string, message: number, provider?: string) =>
  json<StatusAnswer>(
    `dialog/${encodeURIComponent(id)}/fork`,
    body("POST", { message, ...(provider === undefined ? {} : { provider }) } satisfies ForkBody),
  );
/** The same, with a prompt in place of that message. Returns a stream of `Frame`. */
export const forkWith = (id: string, fork: ForkBody & { readonly prompt: string }) =>
  send(`dialog/${encodeURIComponent(id)}/fork`, body("POST", fork));
/** Creates a side discussion of message `message`, counted from 1. */
export const sideFork = (id: string, message: number, topic: string) =>
  json<StatusAnswer>(`dialog/${encodeURIComponent(id)}/fork`, body("POST", { message, side: true, topic } satisfies ForkBody));

export const openDialogStream = (id: string, signal: AbortSignal) =>
  send(`dialog/${encodeURIComponent(id)}/stream?view=parsed`, { signal });
/** The file's Markdown, as it grows. */
export const openTextStream = (id: string, signal: AbortSignal) => send(`dialog/${encodeURIComponent(id)}/stream`, { signal });
export const openEvents = (signal: AbortSignal) => send("events", { signal });

export const readProvider = (name: string) => json<ProviderAnswer>(`provider/${encodeURIComponent(name)}`);
export const writeProvider = (name: string, provider: ProviderBody) =>
  json<ProviderAnswer>(`provider/${encodeURIComponent(name)}`, body("PUT", provider));
export const listModels = (name: string) => json<ModelsAnswer>(`provider/${encodeURIComponent(name)}/models`);
