/**
 * Turns tokens of `marked` into DOM nodes. Nothing is ever parsed as HTML: raw HTML is shown as text, so a hostile text can show but not act. Tokens
 * of unknown kinds show as written.
 */
import type { MarkedToken, Token, Tokens } from "marked";
import * as t from "../texts/markdown.ts";
import { resolveEntities } from "./entities.ts";
import { leadsElsewhere } from "../texts/links.ts";
import { safeLink, saysElsewhere, saysWhere } from "./links.ts";

type Child = Node | string;

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  children: readonly Child[] = [],
  className = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  if (flowing.has(name)) made.dir = "auto";
  made.append(...children);
  return made;
}

/** Elements whose direction follows their first word. List items follow their list: all marks of a list are on one side. */
const flowing: ReadonlySet<string> = new Set(["p", "ul", "ol", "h3", "h4", "h5", "h6", "td", "th"]);

/** Scrollable content must be reachable with the keyboard. */
function reachable<Made extends HTMLElement>(made: Made): Made {
  made.tabIndex = 0;
  return made;
}

const types: ReadonlySet<string> = new Set<MarkedToken["type"]>([
  "blockquote",
  "br",
  "checkbox",
  "code",
  "codespan",
  "def",
  "del",
  "em",
  "escape",
  "heading",
  "hr",
  "html",
  "image",
  "link",
  "list",
  "list_item",
  "paragraph",
  "space",
  "strong",
  "table",
  "text",
]);
const isKnown = (token: Token): token is MarkedToken => types.has(token.type);

/** Creates the element of a code block, on its own or in a list or a quote. */
export type MakeCode = (text: string, info: string) => HTMLElement;

/** The nodes of one block; none for a block without visible content, such as a link definition. */
export function blockNodes(token: Token, makeCode: MakeCode): Child[] {
  if (!isKnown(token)) return [element("p", [token.raw])];
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return [heading(token)];
    case "paragraph":
      return [element("p", inlineNodes(token.tokens))];
    case "text":
      return [element("p", inlineNodes("tokens" in token && token.tokens ? token.tokens : [token]))];
    case "code":
      return [makeCode(token.text, token.lang ?? "")];
    case "blockquote":
      return [
        element(
          "blockquote",
          token.tokens.flatMap((each) => blockNodes(each, makeCode)),
        ),
      ];
    case "hr":
      return [element("hr")];
    case "list":
      return [list(token, makeCode)];
    case "table":
      return [table(token)];
    case "html":
      return [element("p", [token.raw], "raw")];
    default:
      return [element("p", [token.raw])];
  }
}

/** A page has one `h1`, and it isn't in a message: headings start two levels lower. */
function heading(token: Tokens.Heading): HTMLElement {
  const levels = ["h3", "h4", "h5", "h6", "h6", "h6"] as const;
  return element(levels[token.depth - 1] ?? "h6", inlineNodes(token.tokens), `heading-${token.depth}`);
}

function list(token: Tokens.List, makeCode: MakeCode): HTMLElement {
  const items = token.items.map((item) =>
    element(
      "li",
      item.tokens.flatMap((each) => itemNodes(each, makeCode)),
      item.task ? "task" : "",
    ),
  );
  if (!token.ordered) return element("ul", items);
  const made = element("ol", items);
  if (typeof token.start === "number" && token.start !== 1) made.start = token.start;
  return made;
}

const itemNodes = (token: Token, makeCode: MakeCode): Child[] =>
  token.type === "text" || token.type === "checkbox" ? inlineNodes([token]) : blockNodes(token, makeCode);

function table(token: Tokens.Table): HTMLElement {
  const cell = (name: "th" | "td") => (content: Tokens.TableCell) =>
    element(name, inlineNodes(content.tokens), content.align ? `align-${content.align}` : "");
  const head = element("thead", [element("tr", token.header.map(cell("th")))]);
  const rows = token.rows.map((row) => element("tr", row.map(cell("td"))));
  return reachable(element("div", [element("table", [head, element("tbody", rows)])], "wide"));
}

function inlineNodes(tokens: readonly Token[]): Child[] {
  return tokens.flatMap((token): Child[] => {
    if (!isKnown(token)) return [token.raw];
    switch (token.type) {
      case "text":
        return "tokens" in token && token.tokens ? inlineNodes(token.tokens) : [resolveEntities(token.text)];
      case "escape":
        return [token.text];
      case "strong":
        return [element("strong", inlineNodes(token.tokens))];
      case "em":
        return [element("em", inlineNodes(token.tokens))];
      case "del":
        return [element("del", inlineNodes(token.tokens))];
      case "codespan":
        return [element("code", [token.text])];
      case "br":
        return [element("br")];
      case "link":
        return link(token.href, inlineNodes(token.tokens));
      case "image":
        return image(token);
      case "checkbox":
        return [checkbox(token.checked)];
      default:
        return [token.raw];
    }
  });
}

/** A link shows where it leads, unless its text does. A link that may not be followed becomes text. */
function link(href: string, children: readonly Child[]): Child[] {
  const text = children.map((child) => (typeof child === "string" ? child : (child.textContent ?? ""))).join("");
  const safe = safeLink(href);
  if (safe === null) return [...children, href === text ? "" : ` (${href})`];
  const made = element("a", children);
  made.href = safe.href;
  made.title = safe.kind === "own" ? safe.leadsTo : safe.href;
  if (safe.kind === "own") return [made];
  made.target = "_blank";
  made.rel = "noopener noreferrer";
  if (saysWhere(safe, href, text)) return [made];
  const isElsewhere = saysElsewhere(safe, text);
  const where = element(
    "span",
    [` (${isElsewhere ? leadsElsewhere(safe.leadsTo) : safe.leadsTo})`],
    `leads-to${isElsewhere ? " elsewhere" : ""}`,
  );
  where.dir = "ltr";
  return [made, where];
}

/** Images are never loaded: their server would learn who reads this and when. A click opens the image elsewhere. */
function image(token: Tokens.Image): Child[] {
  const safe = safeLink(token.href);
  const name = token.text;
  if (safe === null || safe.kind === "own") return [name === "" ? t.imageUnnamed : t.image(name)];
  const made = element("a", [name === "" ? t.imageOnUnnamed(safe.leadsTo) : t.imageOn(safe.leadsTo, name)], "image-link");
  made.href = safe.href;
  made.title = safe.href;
  made.target = "_blank";
  made.rel = "noopener noreferrer";
  return [made];
}

function checkbox(checked: boolean): HTMLElement {
  const box = element("input");
  box.type = "checkbox";
  box.defaultChecked = checked;
  box.disabled = true;
  box.ariaLabel = checked ? t.taskDone : t.taskOpen;
  return box;
}
