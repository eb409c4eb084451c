import { formatRoute } from "../model/route.ts";
import { hostInTwoForms, linesOf } from "../texts/links.ts";
import { visible } from "../calls/visible.ts";

export interface Link {
  readonly href: string;
  /** `own`: a doc or dialog of this project, opened here. `out`: leaves the page; `leadsTo` is shown beside the text. */
  readonly kind: "own" | "out";
  readonly leadsTo: string;
  /**
   * The address doesn't plainly show its host: it has letters that are looked up as others, a number instead of a name, or a user name before the
   * host.
   */
  readonly veiled?: boolean;
}

const docName = /^(?:\.\/)?(?:vibey\/)?(doc-[A-Za-z0-9_.-]+\.md)(?:#.*)?$/;
/** A dialog's file, with the status that it had when the link was written, and optionally lines in it. */
const dialogName =
  /^(?:\.\/)?(?:vibey\/)?(dialog-(\d{8}-\d{6}-[a-z0-9-]{1,40})-(?:active|waiting|done)\.md)(?:#L(\d{1,9})(?:-L?(\d{1,9}))?)?$/;

/** Where a link in foreign text may lead. Null for everything but http, https, mailto, and the names of docs and dialogs. */
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
  const written = /^https?:\/{2}(?:[^/?#]*@)?([^/:?#]+)/i.exec(target)?.[1] ?? "";
  const leadsTo = /[^ -~]/.test(written) ? hostInTwoForms(visible(written), url.host) : url.host;
  const veiled = written.toLowerCase() !== url.hostname || url.username !== "" || url.password !== "";
  return { href: url.href, kind: "out", leadsTo, ...(veiled ? { veiled } : {}) };
}

function dialogLink(target: string): Link | null {
  const [, filename, dialogId, from, to = from] = dialogName.exec(target) ?? [];
  if (filename === undefined || dialogId === undefined) return null;
  if (from === undefined || to === undefined) return { href: formatRoute({ tab: "dialogs", dialogId }), kind: "own", leadsTo: filename };
  const text = { from: Number(from), to: Number(to) };
  return { href: formatRoute({ tab: "dialogs", dialogId, text }), kind: "own", leadsTo: linesOf(filename, from, to) };
}

/** Whether a link's text is exactly its target. A text that only contains the target may name another place first. */
export const saysWhere = (link: Link, target: string, text: string) =>
  link.veiled !== true && (text === target || text === link.href || text === link.leadsTo);

/** Text that looks like an address: with a scheme, with `www.`, or just a name under one of the most common top-level domains. */
const address = /^\s*(?:https?:\/{2}|(?=www\.)|(?=[\p{L}\p{N}.-]+\.(?:com|org|net|io|dev|app|gov|edu)(?:[/:]\S*)?\s*$))(\S+)/iu;

/** Whether a link's text looks like an address of another host than the one it leads to. */
export function saysElsewhere(link: Link, text: string): boolean {
  const said = address.exec(text)?.[1];
  if (said === undefined || link.kind !== "out" || link.href.startsWith("mailto:")) return false;
  const url = URL.canParse(`https://${said}`) ? new URL(`https://${said}`) : null;
  return url === null || url.hostname !== new URL(link.href).hostname;
}
