/**
 * Resource hints. `<link rel=preconnect>` and similar hints open connections that no content security policy covers, and a host's name can
 * carry data. So a link keeps only relations that load nothing, or that the policy covers. This part runs first, so the later parts and the
 * page only get its wrapped prototypes. It filters everything that sets `rel`, parses markup or inserts nodes, before a link is in a document.
 */
(window.previewParts ??= []).push(function hints(kit) {
  "use strict";

  // Captured before the page's first script. Everything below uses only these functions, and syntax that the page can't change.
  const { apply, ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect;
  const { toLowerCase, indexOf, slice } = String.prototype;
  const { get: mapGet, set: mapSet } = WeakMap.prototype;
  const getter = (object, name) => getOwnPropertyDescriptor(object, name).get;
  const nodeType = getter(Node.prototype, "nodeType");
  const firstChild = getter(Node.prototype, "firstChild");
  const parentNode = getter(Node.prototype, "parentNode");
  const localName = getter(Element.prototype, "localName");
  const attributeName = getter(Attr.prototype, "localName");
  const ownerElement = getter(Attr.prototype, "ownerElement");
  const attributeValue = getOwnPropertyDescriptor(Attr.prototype, "value");
  const content = getter(HTMLTemplateElement.prototype, "content");
  const host = getter(ShadowRoot.prototype, "host");
  const listLength = getter(NodeList.prototype, "length");
  const { getAttribute, setAttribute, replaceWith, before, after, prepend, append } = Element.prototype;
  const { appendChild } = Node.prototype;
  const replaceElementChildren = Element.prototype.replaceChildren;
  const replaceFragmentChildren = DocumentFragment.prototype.replaceChildren;
  const innerHtml = getOwnPropertyDescriptor(Element.prototype, "innerHTML");
  const { createHTMLDocument } = DOMImplementation.prototype;
  const { importNode, createDocumentFragment, createElement, write } = Document.prototype;
  const { implementation } = document;
  const find = {
    1: Element.prototype.querySelectorAll,
    9: Document.prototype.querySelectorAll,
    11: DocumentFragment.prototype.querySelectorAll,
  };
  const lower = (text) => apply(toLowerCase, text, []);

  /** Relations that a link may have. The policy covers stylesheets and icons. The others load nothing. */
  const relations = {
    __proto__: null,
    stylesheet: true,
    alternate: true,
    icon: true,
    shortcut: true,
    "apple-touch-icon": true,
    canonical: true,
    author: true,
    license: true,
    help: true,
    bookmark: true,
    me: true,
  };

  const told = { __proto__: null };
  let tellings = 0;
  function isAllowed(token) {
    const name = lower(token);
    if (relations[name]) return true;
    if (kit.port && !told[name] && tellings < 20) {
      told[name] = true;
      tellings++;
      kit.print("warn", [`<link rel="${name}"> has no effect in the preview: it could reach the network.`]);
    }
    return false;
  }

  /** The allowed relations in this list. */
  function filtered(value) {
    const text = `${value}`;
    let kept = "";
    let token = "";
    for (let at = 0; at <= text.length; at++) {
      const letter = text[at];
      if (at < text.length && letter !== " " && letter !== "\t" && letter !== "\n" && letter !== "\f" && letter !== "\r") {
        token += letter;
        continue;
      }
      if (token !== "" && isAllowed(token)) kept += kept === "" ? token : ` ${token}`;
      token = "";
    }
    return kept;
  }

  // ---- nodes

  /** Filters every link in a node, and in the templates inside it. */
  function clean(node) {
    const type = apply(nodeType, node, []);
    if (type !== 1 && type !== 9 && type !== 11) return node;
    if (type === 1) cleanOne(node);
    if (apply(firstChild, node, []) === null) return node;
    const found = apply(find[type], node, ["link, template"]);
    const count = apply(listLength, found, []);
    for (let n = 0; n < count; n++) cleanOne(found[n]);
    return node;
  }

  function cleanOne(element) {
    const name = apply(localName, element, []);
    if (name === "link") {
      const rel = apply(getAttribute, element, ["rel"]);
      if (rel === null) return;
      const kept = filtered(rel);
      if (kept !== rel) apply(setAttribute, element, ["rel", kept]);
    } else if (name === "template") {
      let inside;
      try {
        inside = apply(content, element, []);
      } catch {
        // An element named `template` in another namespace has no content.
        return;
      }
      clean(inside);
    }
  }

  const isNode = (value) => {
    if (typeof value !== "object" || value === null) return false;
    try {
      return apply(nodeType, value, []) > 0;
    } catch {
      // Not a node: the browser converts it to text or refuses it.
      return false;
    }
  };

  function wrap(object, name, make) {
    const own = object && getOwnPropertyDescriptor(object, name);
    if (typeof own?.value === "function") defineProperty(object, name, { ...own, value: make(own.value) });
  }
  function wrapSetter(object, name, make) {
    const own = object && getOwnPropertyDescriptor(object, name);
    if (own?.set) defineProperty(object, name, { ...own, set: make(own.set) });
  }
  function wrapGetter(object, name, make) {
    const own = object && getOwnPropertyDescriptor(object, name);
    if (own?.get) defineProperty(object, name, { ...own, get: make(own.get) });
  }

  const cleansArguments = (real) =>
    function (...values) {
      for (let n = 0; n < values.length; n++) if (isNode(values[n])) clean(values[n]);
      return apply(real, this, values);
    };
  const cleansResult = (real) =>
    function (...values) {
      const result = apply(real, this, values);
      return isNode(result) ? clean(result) : result;
    };
  const inserts = {
    appendChild: [Node],
    insertBefore: [Node],
    replaceChild: [Node],
    append: [Element, Document, DocumentFragment],
    prepend: [Element, Document, DocumentFragment],
    replaceChildren: [Element, Document, DocumentFragment],
    moveBefore: [Element, Document, DocumentFragment],
    before: [Element, CharacterData, DocumentType],
    after: [Element, CharacterData, DocumentType],
    replaceWith: [Element, CharacterData, DocumentType],
    insertAdjacentElement: [Element],
    insertNode: [Range],
    surroundContents: [Range],
  };
  for (const name of Object.keys(inserts)) for (const { prototype } of inserts[name]) wrap(prototype, name, cleansArguments);
  for (const [object, name] of [
    [Document.prototype, "body"],
    [HTMLTableElement.prototype, "caption"],
    [HTMLTableElement.prototype, "tHead"],
    [HTMLTableElement.prototype, "tFoot"],
  ])
    wrapSetter(object, name, cleansArguments);

  // ---- attributes

  const isLink = (element) => element !== null && apply(localName, element, []) === "link";
  const filtersSecond = (real) =>
    function (name, value) {
      const key = `${name}`;
      return apply(real, this, [key, lower(key) === "rel" && isLink(this) ? filtered(value) : value]);
    };
  wrap(Element.prototype, "setAttribute", filtersSecond);
  wrap(
    Element.prototype,
    "setAttributeNS",
    (real) =>
      function (space, name, value) {
        const key = `${name}`;
        return apply(real, this, [space, key, lower(key) === "rel" && isLink(this) ? filtered(value) : value]);
      },
  );
  /** For attributes that are set as nodes. A `rel` without an element is filtered too: no other element needs the removed values. */
  const takesAttribute = (real) =>
    function (attribute) {
      if (isNode(attribute) && apply(nodeType, attribute, []) === 2 && apply(attributeName, attribute, []) === "rel") {
        const value = apply(attributeValue.get, attribute, []);
        const kept = filtered(value);
        if (kept !== value && (apply(ownerElement, attribute, []) === null || isLink(apply(ownerElement, attribute, []))))
          apply(attributeValue.set, attribute, [kept]);
      }
      return apply(real, this, [attribute]);
    };
  for (const name of ["setAttributeNode", "setAttributeNodeNS"]) wrap(Element.prototype, name, takesAttribute);
  for (const name of ["setNamedItem", "setNamedItemNS"]) wrap(NamedNodeMap.prototype, name, takesAttribute);
  const changesAttribute = (real) =>
    function (value) {
      const isRel = apply(nodeType, this, []) === 2 && apply(attributeName, this, []) === "rel" && isLink(apply(ownerElement, this, []));
      return apply(real, this, [isRel && value !== null ? filtered(value) : value]);
    };
  wrapSetter(Attr.prototype, "value", changesAttribute);
  wrapSetter(Node.prototype, "nodeValue", changesAttribute);
  wrapSetter(Node.prototype, "textContent", changesAttribute);

  const setRel = getOwnPropertyDescriptor(HTMLLinkElement.prototype, "rel").set;
  const filtersValue = () =>
    function (value) {
      return apply(setRel, this, [filtered(value)]);
    };
  wrapSetter(HTMLLinkElement.prototype, "rel", filtersValue);
  wrapSetter(HTMLLinkElement.prototype, "relList", filtersValue);
  const lists = new WeakMap();
  wrapGetter(
    HTMLLinkElement.prototype,
    "relList",
    (real) =>
      function () {
        const list = apply(real, this, []);
        apply(mapSet, lists, [list, this]);
        return list;
      },
  );
  const isLinks = (list) => apply(mapGet, lists, [list]) !== undefined;
  wrap(
    DOMTokenList.prototype,
    "add",
    (real) =>
      function (...tokens) {
        if (!isLinks(this)) return apply(real, this, tokens);
        for (let n = 0; n < tokens.length; n++) {
          const token = `${tokens[n]}`;
          if (isAllowed(token)) apply(real, this, [token]);
        }
      },
  );
  wrap(
    DOMTokenList.prototype,
    "toggle",
    (real) =>
      function (token, ...force) {
        const text = `${token}`;
        return isLinks(this) && !isAllowed(text) ? false : apply(real, this, [text, ...force]);
      },
  );
  wrap(
    DOMTokenList.prototype,
    "replace",
    (real) =>
      function (token, other) {
        const text = `${other}`;
        return isLinks(this) && !isAllowed(text) ? false : apply(real, this, [token, text]);
      },
  );
  wrapSetter(
    DOMTokenList.prototype,
    "value",
    (real) =>
      function (value) {
        return apply(real, this, [isLinks(this) ? filtered(value) : value]);
      },
  );

  // ---- markup

  const hasLink = (text) => apply(indexOf, lower(text), ["<link"]) !== -1;

  /** Markup as filtered nodes, parsed in a document that loads nothing. `context`: the element that the markup is for. */
  function parsed(markup, context) {
    const inert = apply(createHTMLDocument, implementation, [""]);
    const isElement = context !== null && apply(nodeType, context, []) === 1;
    const parent = isElement ? apply(importNode, inert, [context, false]) : apply(createElement, inert, ["body"]);
    apply(innerHtml.set, parent, [markup]);
    clean(parent);
    const fragment = apply(createDocumentFragment, inert, []);
    for (let child = apply(firstChild, parent, []); child !== null; child = apply(firstChild, parent, []))
      apply(appendChild, fragment, [child]);
    return fragment;
  }

  wrapSetter(
    Element.prototype,
    "innerHTML",
    (real) =>
      function (value) {
        const markup = value === null ? "" : `${value}`;
        if (!hasLink(markup)) apply(real, this, [markup]);
        else if (apply(localName, this, []) === "template") {
          apply(real, this, [markup]);
          clean(this);
        } else apply(replaceElementChildren, this, [parsed(markup, this)]);
      },
  );
  wrapSetter(
    ShadowRoot.prototype,
    "innerHTML",
    (real) =>
      function (value) {
        const markup = value === null ? "" : `${value}`;
        if (hasLink(markup)) apply(replaceFragmentChildren, this, [parsed(markup, apply(host, this, []))]);
        else apply(real, this, [markup]);
      },
  );
  wrapSetter(
    Element.prototype,
    "outerHTML",
    (real) =>
      function (value) {
        const markup = value === null ? "" : `${value}`;
        const parent = apply(parentNode, this, []);
        if (hasLink(markup) && parent !== null && apply(nodeType, parent, []) !== 9) apply(replaceWith, this, [parsed(markup, parent)]);
        else apply(real, this, [markup]);
      },
  );
  const places = { __proto__: null, beforebegin: before, afterbegin: prepend, beforeend: append, afterend: after };
  wrap(
    Element.prototype,
    "insertAdjacentHTML",
    (real) =>
      function (where, value) {
        const [place, markup] = [lower(`${where}`), `${value}`];
        const put = places[place];
        const context = place === "beforebegin" || place === "afterend" ? apply(parentNode, this, []) : this;
        if (!hasLink(markup) || put === undefined || context === null || apply(nodeType, context, []) === 9)
          return apply(real, this, [place, markup]);
        apply(put, this, [parsed(markup, context)]);
      },
  );
  for (const [object, names] of [
    [Range.prototype, ["createContextualFragment"]],
    [DOMParser.prototype, ["parseFromString"]],
    [window.XSLTProcessor?.prototype, ["transformToFragment", "transformToDocument"]],
  ])
    for (const name of names) wrap(object, name, cleansResult);
  for (const name of ["response", "responseXML"]) wrapGetter(XMLHttpRequest.prototype, name, cleansResult);
  wrap(
    Document.prototype,
    "execCommand",
    (real) =>
      function (command, ui, value) {
        const [name, text] = [`${command}`, `${value}`];
        return lower(name) === "inserthtml" && hasLink(text)
          ? false
          : apply(real, this, value === undefined ? [name, ui] : [name, ui, text]);
      },
  );
  // Removes newer ways to parse markup, which no page needs.
  const known = { __proto__: null, innerHTML: true, outerHTML: true, insertAdjacentHTML: true, getHTML: true };
  for (const object of [Element.prototype, ShadowRoot.prototype, Document, Document.prototype, Range.prototype, DocumentFragment.prototype])
    for (const name of ownKeys(object)) if (typeof name === "string" && /HTML/.test(name) && !known[name]) delete object[name];

  // ---- markup that is written

  /**
   * Written text goes to the parser in pieces, and the browser looks for hints in it before there are nodes. So each link's tag is replaced
   * with a tag without meaning that the parser treats alike, and replaced back once it is in the document. In the page's own text, links that
   * are already filtered have a mark and are kept. The possible beginning of a link's tag at the end of a text waits for the next piece.
   */
  let held = "";
  function withoutLinks(text, mark) {
    let out = "";
    let from = 0;
    for (let at = apply(indexOf, text, ["<", 0]); at !== -1; at = apply(indexOf, text, ["<", at + 1])) {
      const name = lower(apply(slice, text, [at + 1, at + 5]));
      const next = text[at + 5];
      if (name === "link" && next !== undefined) {
        const ends = next === " " || next === "\t" || next === "\n" || next === "\f" || next === "\r" || next === "/" || next === ">";
        if (!ends || (mark !== null && apply(slice, text, [at + 5, at + 5 + mark.length]) === mark)) continue;
        out += `${apply(slice, text, [from, at])}<bgsound data-preview-link`;
        from = at + 5;
      } else if (at + 5 >= text.length && apply(slice, "link", [0, name.length]) === name) {
        held = mark === null ? apply(slice, text, [at]) : "";
        return out + apply(slice, text, [from, at]);
      }
    }
    return out + apply(slice, text, [from]);
  }
  const writes = (end) => (real) =>
    function (...texts) {
      if (this === document) {
        // Opens a complete document again, which removes all listeners.
        apply(real, this, [""]);
        kit.refuseTabs();
      }
      let all = held;
      held = "";
      for (let n = 0; n < texts.length; n++) all += `${texts[n]}`;
      return apply(real, this, [kit.withoutShadowTrees(withoutLinks(all + end, null))]);
    };
  wrap(Document.prototype, "write", writes(""));
  const writesLine = writes("\n")(write);
  wrap(Document.prototype, "writeln", () => writesLine);

  /** Marks the links of the page before it is converted to text. Returns the mark, which `writePage` needs. */
  kit.markLinks = (page) => {
    let secret = "";
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) secret += byte.toString(16).padStart(2, "0");
    const markIn = (root) => {
      for (const link of root.querySelectorAll("link")) {
        const marked = page.createElement("link");
        apply(setAttribute, marked, ["data-preview", secret]);
        for (const { name, value } of link.attributes) if (/^[a-z][a-z\d-]*$/.test(name)) marked.setAttribute(name, value);
        link.replaceWith(marked);
      }
      for (const { content } of root.querySelectorAll("template")) if (content) markIn(content);
    };
    markIn(page);
    return ` data-preview="${secret}"`;
  };
  kit.writePage = (text, mark) => apply(write, document, [kit.withoutShadowTrees(withoutLinks(text, mark))]);

  /** Replaces the stand-ins in the document with links. */
  kit.restoreLinks = () => {
    const selector = "bgsound[data-preview-link]";
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue;
          for (const stand of node.matches(selector) ? [node] : node.querySelectorAll(selector)) {
            const link = document.createElement("link");
            for (const { name, value } of stand.attributes) if (/^[a-z][a-z\d-]*$/.test(name)) link.setAttribute(name, value);
            link.removeAttribute("data-preview-link");
            stand.replaceWith(link);
          }
        }
    }).observe(document, { subtree: true, childList: true });
  };
});
