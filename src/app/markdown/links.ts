export interface Link {
  readonly href: string;
  /** `doc`: a doc of this project, opened here. `out`: leaves the page; `leadsTo` is shown beside the text. */
  readonly kind: "doc" | "out";
  readonly leadsTo: string;
}

const docName = /^(?:\.\/)?(?:vibey\/)?(doc-[A-Za-z0-9_.-]+\.md)(?:#.*)?$/;

/** Where a link of a stranger's text may lead; null for everything but http, https, mailto and the names of docs. */
export function safeLink(target: string): Link | null {
  const doc = docName.exec(target)?.[1];
  if (doc !== undefined && !doc.includes("..")) return { href: `#/docs/${doc}`, kind: "doc", leadsTo: doc };
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

/** Whether a link's text is itself where the link leads. A text that only contains it may name another place first. */
export const saysWhere = (link: Link, target: string, text: string) => text === target || text === link.href || text === link.leadsTo;
