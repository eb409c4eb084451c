import type { ErrorAnswer, OutgoingAnswer, ZipContents, ZipRefusedAnswer, ZipTaken } from "../../protocol/index.ts";
import { unreachable } from "../model/api/calls.ts";
import * as t from "../texts/zip.ts";

/** The maximum size of a zip, in bytes. A larger one isn't even sent for inspection. */
const maxBytes = 512_000_000;

export type Choice = "mine" | "theirs" | "both";

export interface TakeOptions {
  readonly into: "new" | "here";
  readonly choice: Choice;
  readonly accept: boolean;
  readonly seen: string;
  /** The name of a new project. */
  readonly name: string;
}

export type ZipAnswer<T> =
  | { readonly ok: true; readonly value: T }
  /** `entry`: the entry of the zip that the problem is about; null: the whole zip, or something else. */
  | { readonly ok: false; readonly message: string; readonly entry: string | null };

export const lookInto = (file: File, progress: string, signal: AbortSignal) => post<ZipContents>(file, { progress }, signal);

export function take(file: File, { into, choice, accept, seen, name }: TakeOptions, progress: string, signal: AbortSignal) {
  return post<ZipTaken>(file, { into, conflicts: choice, accept: accept ? "1" : "0", seen, name, progress }, signal);
}

async function post<T>(file: File, query: Record<string, string>, signal: AbortSignal): Promise<ZipAnswer<T>> {
  if (file.size > maxBytes) return { ok: false, message: t.tooLarge, entry: null };
  try {
    const response = await fetch(`project.zip?${String(new URLSearchParams(query))}`, { method: "POST", body: file, signal });
    if (response.ok) {
      const value: T = await response.json();
      return { ok: true, value };
    }
    const answer: ErrorAnswer & Partial<ZipRefusedAnswer> = await response.json();
    return { ok: false, message: answer.error, entry: answer.refused?.entry ?? null };
  } catch (error) {
    return { ok: false, message: unreachable(error).message, entry: null };
  }
}

/** `safe`: holds back content that runs by itself. */
export type ExportForm = "safe" | "as-it-is";

export interface ExportChoice {
  readonly form: ExportForm;
  /** Whether to include installed packages. */
  readonly packages: boolean;
}

/** Content of the project that would run outside the browser. */
export const lookOut = (scope: string, signal: AbortSignal) =>
  get(`project.zip?${String(new URLSearchParams({ scope, look: "1" }))}`, signal, (response): Promise<OutgoingAnswer> => response.json());

/** A zip of the project, created by the engine. */
export const fetchZip = (scope: string, { form, packages }: ExportChoice, progress: string, signal: AbortSignal) =>
  get(`project.zip?${String(new URLSearchParams({ scope, form, packages: packages ? "1" : "0", progress }))}`, signal, (response) =>
    response.blob(),
  );

async function get<T>(address: string, signal: AbortSignal, read: (response: Response) => Promise<T>): Promise<ZipAnswer<T>> {
  try {
    const response = await fetch(address, { signal });
    if (response.ok) return { ok: true, value: await read(response) };
    const answer: ErrorAnswer = await response.json();
    return { ok: false, message: answer.error, entry: null };
  } catch (error) {
    return { ok: false, message: unreachable(error).message, entry: null };
  }
}

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
