import { formatRoute } from "../shell/route.ts";
import { linesOf } from "../texts/links.ts";

export interface Link {
  readonly href: string;
  /** `own`: a doc or a dialog's file of this project, opened here. `out`: leaves the page; `leadsTo` is shown beside the text. */
  readonly kind: "own" | "out";
  readonly leadsTo: string;
}

const docName = /^(?:\.\/)?(?:vibey\/)?(doc-[A-Za-z0-9_.-]+\.md)(?:#.*)?$/;
/** A dialog's file, by whatever status it had when the link was written, and lines of it. */
const dialogName =
  /^(?:\.\/)?(?:vibey\/)?(dialog-(\d{8}-\d{6}-[a-z0-9-]{1,40})-(?:active|waiting|done)\.md)(?:#L(\d{1,9})(?:-L?(\d{1,9}))?)?$/;

/** Where a link of a stranger's text may lead; null for everything but http, https, mailto and the names of docs and dialogs. */
export function safeLink(target: string): Link | null {
  const doc = docName.exec(target)?.[1];
  if (doc !== undefined && !doc.includes("..")) return { href: `#/docs/${doc}`, kind: "own", leadsTo: doc };
  const dialog = dialogLink(target);
  if (dialog !== null) return dialog;
  let url: URL;
  try {
    url = new URL(target);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
  if (url.protocol === "mailto:") return { href: url.href, kind: "out", leadsTo: url.pathname };
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  return { href: url.href, kind: "out", leadsTo: url.host };
}

function dialogLink(target: string): Link | null {
  const [, filename, dialogId, from, to = from] = dialogName.exec(target) ?? [];
  if (filename === undefined || dialogId === undefined) return null;
  if (from === undefined || to === undefined) return { href: formatRoute({ tab: "dialogs", dialogId }), kind: "own", leadsTo: filename };
  const text = { from: Number(from), to: Number(to) };
  return { href: formatRoute({ tab: "dialogs", dialogId, text }), kind: "own", leadsTo: linesOf(filename, from, to) };
}

/** Whether a link's text is itself where the link leads. A text that only contains it may name another place first. */
export const saysWhere = (link: Link, target: string, text: string) => text === target || text === link.href || text === link.leadsTo;
