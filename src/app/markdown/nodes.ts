/**
 * Tokens of `marked` become DOM nodes. Nothing is ever parsed as HTML: raw HTML in the text stands as text, so a hostile
 * text can show but not act. A token of a kind unknown here shows as it was written.
 */
import type { MarkedToken, Token, Tokens } from "marked";
import { resolveEntities } from "./entities.ts";
import { safeLink } from "./links.ts";

type Child = Node | string;

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  children: readonly Child[] = [],
  className = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  made.append(...children);
  return made;
}

/** The nodes of one block; none for a block that shows nothing, such as the definition of a link. */
export function blockNodes(token: Token): Child[] {
  const known = token as MarkedToken;
  switch (known.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return [heading(known)];
    case "paragraph":
      return [element("p", inlineNodes(known.tokens))];
    case "text":
      return [element("p", inlineNodes("tokens" in known && known.tokens ? known.tokens : [known]))];
    case "code":
      return [element("pre", [element("code", [`${known.text}\n`])])];
    case "blockquote":
      return [element("blockquote", known.tokens.flatMap(blockNodes))];
    case "hr":
      return [element("hr")];
    case "list":
      return [list(known)];
    case "table":
      return [table(known)];
    case "html":
      return [element("p", [known.raw], "raw")];
    default:
      return [element("p", [token.raw])];
  }
}

/** A page has one `h1`, and it is not in a message: headings start two levels lower. */
function heading(token: Tokens.Heading): HTMLElement {
  const levels = ["h3", "h4", "h5", "h6", "h6", "h6"] as const;
  return element(levels[token.depth - 1] ?? "h6", inlineNodes(token.tokens), `heading-${token.depth}`);
}

function list(token: Tokens.List): HTMLElement {
  const items = token.items.map((item) => element("li", item.tokens.flatMap(itemNodes), item.task ? "task" : ""));
  if (!token.ordered) return element("ul", items);
  const made = element("ol", items);
  if (typeof token.start === "number" && token.start !== 1) made.start = token.start;
  return made;
}

const itemNodes = (token: Token): Child[] =>
  token.type === "text" || token.type === "checkbox" ? inlineNodes([token]) : blockNodes(token);

function table(token: Tokens.Table): HTMLElement {
  const cell = (name: "th" | "td") => (content: Tokens.TableCell) =>
    element(name, inlineNodes(content.tokens), content.align ? `align-${content.align}` : "");
  const head = element("thead", [element("tr", token.header.map(cell("th")))]);
  const rows = token.rows.map((row) => element("tr", row.map(cell("td"))));
  const wide = element("div", [element("table", [head, element("tbody", rows)])], "wide");
  wide.tabIndex = 0;
  return wide;
}

function inlineNodes(tokens: readonly Token[]): Child[] {
  return tokens.flatMap((token): Child[] => {
    const known = token as MarkedToken;
    switch (known.type) {
      case "text":
        return "tokens" in known && known.tokens ? inlineNodes(known.tokens) : [resolveEntities(known.text)];
      case "escape":
        return [known.text];
      case "strong":
        return [element("strong", inlineNodes(known.tokens))];
      case "em":
        return [element("em", inlineNodes(known.tokens))];
      case "del":
        return [element("del", inlineNodes(known.tokens))];
      case "codespan":
        return [element("code", [known.text])];
      case "br":
        return [element("br")];
      case "link":
        return link(known.href, inlineNodes(known.tokens), known.text);
      case "image":
        return image(known);
      case "checkbox":
        return [checkbox(known.checked)];
      default:
        return [token.raw];
    }
  });
}

/** A link says where it leads, unless its own text does. One that may not be followed is text. */
function link(href: string, children: readonly Child[], text: string): Child[] {
  const safe = safeLink(href);
  if (safe === null) return [...children, href === text ? "" : ` (${href})`];
  const made = element("a", children);
  made.href = safe.href;
  made.title = safe.kind === "doc" ? safe.leadsTo : safe.href;
  if (safe.kind === "doc") return [made];
  made.target = "_blank";
  made.rel = "noopener noreferrer";
  return text.includes(safe.leadsTo) ? [made] : [made, element("span", [` (${safe.leadsTo})`], "leads-to")];
}

/** Pictures are never loaded: whoever serves one would learn who reads this and when. A click opens it elsewhere. */
function image(token: Tokens.Image): Child[] {
  const safe = safeLink(token.href);
  const name = token.text === "" ? "without a description" : token.text;
  if (safe === null || safe.kind === "doc") return [`[Image: ${name}]`];
  const made = element("a", [`Image on ${safe.leadsTo}: ${name}`], "image-link");
  made.href = safe.href;
  made.title = safe.href;
  made.target = "_blank";
  made.rel = "noopener noreferrer";
  return [made];
}

function checkbox(checked: boolean): HTMLElement {
  const box = element("input");
  box.type = "checkbox";
  box.checked = checked;
  box.disabled = true;
  return box;
}
