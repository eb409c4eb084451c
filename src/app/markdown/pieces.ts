import type { createLowlight } from "lowlight";

type Root = ReturnType<ReturnType<typeof createLowlight>["highlight"]>;

/** A stretch of code, and what it is. A comment, a string and so on; null: nothing that has a colour. */
export interface Piece {
  readonly text: string;
  readonly kind: Kind | null;
}
export type Kind = "comment" | "keyword" | "string" | "literal" | "title" | "add" | "remove";

/** Few kinds, so that code stays calm: what a grammar tells apart beyond them looks alike. */
const kinds: Readonly<Record<string, Kind>> = {
  "hljs-comment": "comment",
  "hljs-quote": "comment",
  "hljs-meta": "comment",
  "hljs-keyword": "keyword",
  "hljs-built_in": "keyword",
  "hljs-type": "keyword",
  "hljs-selector-tag": "keyword",
  "hljs-tag": "keyword",
  "hljs-string": "string",
  "hljs-regexp": "string",
  "hljs-code": "string",
  "hljs-number": "literal",
  "hljs-literal": "literal",
  "hljs-attr": "literal",
  "hljs-attribute": "literal",
  "hljs-symbol": "literal",
  "hljs-variable": "literal",
  "hljs-title": "title",
  "hljs-section": "title",
  "hljs-name": "title",
  "hljs-selector-class": "title",
  "hljs-selector-id": "title",
  "hljs-addition": "add",
  "hljs-deletion": "remove",
};

/** The tree of a highlighter as pieces in order, neighbours of one kind as one. Joined they are the text. */
export function pieces(tree: Root): Piece[] {
  const out: { text: string; kind: Kind | null }[] = [];
  const walk = (nodes: Root["children"], around: Kind | null): void => {
    for (const node of nodes) {
      if (node.type === "element") walk(node.children, kindOf(node.properties["className"]) ?? around);
      else if (node.type === "text") {
        const last = out.at(-1);
        if (last?.kind === around) last.text += node.value;
        else out.push({ text: node.value, kind: around });
      }
    }
  };
  walk(tree.children, null);
  return out;
}

function kindOf(names: unknown): Kind | null {
  if (!Array.isArray(names)) return null;
  for (const name of names) if (typeof name === "string" && kinds[name] !== undefined) return kinds[name];
  return null;
}
