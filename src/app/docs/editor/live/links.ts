import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { bareNames, linkTargetOf, surroundings } from "../links.ts";
import type { Canvas, Stretch } from "./canvas.ts";
import { hidden, marks } from "./looks.ts";

/** Draws a link or an image that contains its own address. */
export function drawLink({ state, add }: Canvas, node: SyntaxNode): void {
  const url = node.getChild("URL");
  if (url !== null) add(look(state, state.sliceDoc(url.from, url.to)), node.from, node.to);
}

export function drawUrl({ touches, add }: Canvas, { from, to, parent }: SyntaxNode): void {
  if (parent?.name !== "Link" && parent?.name !== "Image") add(marks.link, from, to);
  else if (touches(parent.from, parent.to)) add(marks.faint, from, to);
  else add(hidden, from, to);
}

/** Names of docs and dialogs are links, wherever they are. */
export function drawBareNames({ state, add }: Canvas, { from, to }: Stretch): void {
  // Offsets count a line end as one character, however it is written.
  const text = state.doc.sliceString(from, to, "\n");
  for (const match of text.matchAll(bareNames())) {
    const at = from + match.index;
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, 1);
    while (node !== null && node.name !== "Link" && node.name !== "FencedCode" && node.name !== "Image") node = node.parent;
    if (node === null) add(look(state, match[0]), at, at + match[0].length);
  }
}

/** A link to a doc that doesn't exist yet looks different. */
function look(state: EditorState, target: string) {
  const place = linkTargetOf(state, target);
  const missing = place !== null && !place.out && /^doc-.*\.md$/.test(place.name) && !state.facet(surroundings).hasDoc(place.name);
  return missing ? marks.missing : marks.link;
}
