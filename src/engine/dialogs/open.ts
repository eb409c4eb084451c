import type { Files } from "../../fs/files.ts";
import { nameOf, vibeyPath } from "../../fs/vibey-name.ts";
import type { Status } from "../../protocol/index.ts";
import { type DialogPiece, pieces } from "../../dialog/edit.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { recoverDialog } from "../../dialog/recover.ts";
import { upgrade } from "../../dialog/upgrade.ts";
import { limits } from "../../protocol/limits.ts";
import type { State } from "../turn/machine/model.ts";
import { createFileText } from "./file-text.ts";
import type { Live, Revisions } from "./live.ts";

export interface DialogFile {
  readonly dialogId: string;
  readonly filename: string;
  readonly status: Status;
  /** In milliseconds since 1970. */
  readonly mtime: number;
}

/** The project's dialog files whose ids start with `idStart`, newest first. A file with another kind of name isn't a dialog, whatever its content. */
export async function listDialogs(files: Files, idStart = ""): Promise<DialogFile[]> {
  const stats = await files.list(`vibey/dialog-${idStart}`);
  return stats
    .flatMap((stat): DialogFile[] => {
      const filename = nameOf(stat.path);
      const parsed = filename === null ? null : parseDialogFilename(filename);
      return filename !== null && parsed ? [{ dialogId: parsed.dialogId, filename, status: parsed.status, mtime: stat.mtime }] : [];
    })
    .toSorted((a, b) => b.mtime - a.mtime || (a.filename < b.filename ? 1 : -1));
}

/**
 * Opens a dialog's file. The file may differ from what the engine would write: it was edited by hand, is torn, or comes from an earlier Vibey.
 * Then the dialog is `stale`, and its file is rewritten before the first append. This check happens only when something has to be written,
 * because most opened files are only read.
 */
export async function openDialog(files: Files, file: DialogFile, revisions: Revisions): Promise<Live | null> {
  const path = vibeyPath(file.filename);
  const content = await files.read(path);
  if (!content) return null;
  const text = new TextDecoder().decode(content.bytes);
  const parsed = recoverDialog(text).dialog;
  const dialog = parsed.format === null ? upgrade(parsed) : parsed;
  return makeLive({
    id: file.dialogId,
    path,
    version: content.version,
    state: { dialog, status: file.status, turn: null },
    text,
    layout() {
      const layout = pieces(dialog);
      return isJoined(text, layout) ? layout : null;
    },
    revisions,
  });
}

function isJoined(text: string, layout: readonly DialogPiece[]): boolean {
  let at = 0;
  for (const { data } of layout) {
    if (!text.startsWith(data, at)) return false;
    at += data.length;
  }
  return at === text.length;
}

export interface LiveFacts extends Pick<Live, "id" | "path" | "version" | "text" | "revisions"> {
  readonly state: State;
  /** The pieces of the file. Null if the file differs from what the engine would write. Left out if the file was just written for `state`. */
  readonly layout?: () => readonly DialogPiece[] | null;
}

export function makeLive({ layout, text, ...facts }: LiveFacts): Live {
  const { dialog } = facts.state;
  /** Set until something has to be written. */
  let opened: { readonly text: string; readonly layout: () => readonly DialogPiece[] | null } | null = {
    text,
    layout: layout ?? (() => pieces(dialog)),
  };
  let file = createFileText("");
  let stale = false;
  const look = (): void => {
    if (opened === null) return;
    const known = opened.layout();
    file = createFileText(opened.text, known ?? undefined);
    stale = known === null;
    opened = null;
  };
  return {
    ...facts,
    get file() {
      look();
      return file;
    },
    get text() {
      return opened === null ? file.text() : opened.text;
    },
    get stale() {
      look();
      return stale;
    },
    set stale(now) {
      look();
      stale = now;
    },
    buffered: [],
    news: [],
    work: null,
    gone: false,
    activity: null,
    output: null,
    before: new Map(),
    patterns: new Map(),
    rules: new Map(),
    lines: new Map(),
    revision: facts.revisions.next(),
    watchers: new Set(),
    frames: new Set(),
    lock: Promise.resolve(),
    lost() {
      throw new Error("no one follows this dialog's file");
    },
    window: () => null,
    background: () => [],
    commandSeconds: () => limits.commandMs / 1000,
  };
}
