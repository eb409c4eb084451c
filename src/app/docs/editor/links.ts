import { syntaxTree } from "@codemirror/language";
import { type EditorState, Facet, StateField } from "@codemirror/state";
import { type Command, EditorView, showTooltip, type Tooltip } from "@codemirror/view";
import { safeLink } from "../../markdown/links.ts";
import { onMac, shownKeys } from "../../ui/commands.ts";
import * as t from "../../texts/docs-editor.ts";

/** A link in the text: its position, and its target as written. */
export interface LinkAt {
  readonly from: number;
  readonly to: number;
  readonly target: string;
}

/** What the editor knows about the files around it. */
export interface Surroundings {
  /** The address of a file of the project that `safeLink` doesn't know; null if there is none. */
  readonly hrefOf: (target: string) => string | null;
  /** Whether a doc with this file name exists. */
  readonly hasDoc: (name: string) => boolean;
}

const nowhere: Surroundings = { hrefOf: () => null, hasDoc: () => true };
export const surroundings = Facet.define<Surroundings, Surroundings>({ combine: ([first]) => first ?? nowhere });

/** Matches names of docs and dialogs in a text, without any mark around them. */
export const bareNames = (): RegExp =>
  /(?<![\w./-])(?:doc-[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.md|dialog-\d{8}-\d{6}-[a-z0-9-]{1,40}-(?:active|waiting|done)\.md)(?![\w-])/g;

/** The address and name of a link; null if the target is unknown or may be harmful. */
export function linkTargetOf(
  state: EditorState,
  target: string,
): { readonly href: string; readonly out: boolean; readonly name: string } | null {
  const link = safeLink(target);
  if (link !== null) return { href: link.href, out: link.kind === "out", name: link.leadsTo };
  const href = state.facet(surroundings).hrefOf(target);
  return href === null ? null : { href, out: false, name: target };
}

export function linkAt(state: EditorState, pos: number): LinkAt | null {
  const tree = syntaxTree(state);
  for (const side of [-1, 1] as const) {
    for (let node: ReturnType<typeof tree.resolveInner> | null = tree.resolveInner(pos, side); node !== null; node = node.parent) {
      if (node.name === "URL") return { from: node.from, to: node.to, target: clean(state.sliceDoc(node.from, node.to)) };
      if (node.name !== "Link" && node.name !== "Image" && node.name !== "Autolink") continue;
      const url = node.getChild("URL");
      if (url !== null) return { from: node.from, to: node.to, target: clean(state.sliceDoc(url.from, url.to)) };
    }
  }
  const line = state.doc.lineAt(pos);
  for (const match of line.text.matchAll(bareNames())) {
    const from = line.from + match.index;
    if (from <= pos && pos <= from + match[0].length) return { from, to: from + match[0].length, target: match[0] };
  }
  return null;
}

const clean = (url: string) =>
  url.startsWith("<") && url.endsWith(">") ? url.slice(1, -1) : url.startsWith("www.") ? `https://${url}` : url;

/** Follows the link at `pos`: in this page, or in another window without access to this one. */
export function follow(view: EditorView, pos: number): boolean {
  const link = linkAt(view.state, pos);
  const place = link && linkTargetOf(view.state, link.target);
  if (place == null) return false;
  if (place.out) window.open(place.href, "_blank", "noopener,noreferrer");
  else location.hash = place.href;
  return true;
}

export const followAtCursor: Command = (view) => follow(view, view.state.selection.main.head);

/** A click with Ctrl or Cmd follows a link. */
const clicks = EditorView.domEventHandlers({
  mousedown(event, view) {
    if (event.button !== 0 || !(onMac() ? event.metaKey : event.ctrlKey)) return false;
    const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
    if (pos === null || !follow(view, pos)) return false;
    event.preventDefault();
    return true;
  },
});

/** While the cursor is in a link, shows a button that follows it, for touch and for people who don't know the keys. */
const offer = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, transaction) {
    if (!transaction.docChanged && !transaction.selection) return shown;
    const { state } = transaction;
    const { main } = state.selection;
    const link = main.empty ? linkAt(state, main.head) : null;
    const place = link && linkTargetOf(state, link.target);
    if (link === null || place == null) return null;
    const missing = /^doc-.*\.md$/.test(place.name) && !state.facet(surroundings).hasDoc(place.name);
    return {
      pos: link.from,
      above: false,
      create: (view) => ({ dom: missing ? note(t.docMissing(place.name)) : button(view, link, place.name) }),
    };
  },
  provide: (field) => showTooltip.from(field),
});

function note(words: string): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "link-offer";
  dom.append(words);
  return dom;
}

function button(view: EditorView, link: LinkAt, name: string): HTMLElement {
  const dom = note("");
  const open = document.createElement("button");
  open.type = "button";
  open.tabIndex = -1;
  open.append(t.openLink(name));
  const keys = document.createElement("kbd");
  keys.append(shownKeys("Mod+Enter", onMac()));
  open.append(keys);
  // The text keeps the focus until the link is followed.
  open.addEventListener("mousedown", (event) => event.preventDefault());
  open.addEventListener("click", () => follow(view, link.from));
  dom.append(open);
  return dom;
}

export const links = [clicks, offer];
