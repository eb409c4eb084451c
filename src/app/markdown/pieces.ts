import type { createLowlight } from "lowlight";

type Root = ReturnType<ReturnType<typeof createLowlight>["highlight"]>;

/** A piece of code and its kind: a comment, a string and so on; null: it has no color. */
export interface Piece {
  readonly text: string;
  readonly kind: Kind | null;
}
export type Kind = "comment" | "keyword" | "string" | "literal" | "title" | "add" | "remove";

/** Only a few kinds, so that code doesn't look busy: finer distinctions of a grammar look the same. */
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

/** The tree of a highlighter as pieces in order; adjacent pieces of one kind are joined. Together they are the text. */
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
