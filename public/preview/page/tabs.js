/**
 * Keeps links and forms from opening tabs, windows and downloads. A click with a modifier key or the middle button does that even in a frame whose
 * `sandbox` allows none, no policy of the page applies to the new tab, and its address can carry data.
 */
window.previewParts.push(function tabs(kit) {
  "use strict";

  // Captured before the page could replace them.
  const { apply, getOwnPropertyDescriptor } = Reflect;
  const { addEventListener } = EventTarget.prototype;
  const { composedPath, preventDefault, stopImmediatePropagation } = Event.prototype;
  const { attachShadow, hasAttribute, matches } = Element.prototype;
  const { has, add } = WeakSet.prototype;
  const getter = (object, name) => getOwnPropertyDescriptor(object, name).get;
  const nodeType = getter(Node.prototype, "nodeType");
  const localName = getter(Element.prototype, "localName");
  const namespaceURI = getter(Element.prototype, "namespaceURI");
  const mathMl = "http://www.w3.org/1998/Math/MathML";
  const type = getter(Event.prototype, "type");
  const button = getter(MouseEvent.prototype, "button");
  const ctrlKey = getter(MouseEvent.prototype, "ctrlKey");
  const metaKey = getter(MouseEvent.prototype, "metaKey");
  const shiftKey = getter(MouseEvent.prototype, "shiftKey");
  const altKey = getter(MouseEvent.prototype, "altKey");
  const mode = getter(ShadowRoot.prototype, "mode");
  /** Elements with a shadow tree that no event's path shows. */
  const closed = new WeakSet();
  /** Events that were already checked. */
  const seen = new WeakSet();

  Element.prototype.attachShadow = function (init) {
    const root = apply(attachShadow, this, [init]);
    if (apply(mode, root, []) === "closed") apply(add, closed, [this]);
    return root;
  };

  const opensTab = (event) =>
    apply(button, event, []) !== 0 ||
    apply(ctrlKey, event, []) ||
    apply(metaKey, event, []) ||
    apply(shiftKey, event, []) ||
    apply(altKey, event, []);

  function leads(element) {
    const name = apply(localName, element, []);
    // An SVG `use` shows a copy, which may contain a link, and which no event's path shows.
    if (name === "a" || name === "area" || name === "use") return true;
    if (name === "button") return !apply(matches, element, ["[type=button i], [type=reset i]"]);
    if (name === "input") return apply(matches, element, ["[type=submit i], [type=image i]"]);
    return apply(namespaceURI, element, []) === mathMl && apply(hasAttribute, element, ["href"]);
  }

  function refuse(event) {
    // The browser opens nothing for an event that a script made, nor for the right button, which shows a menu.
    if (!event.isTrusted || apply(button, event, []) === 2 || !opensTab(event) || apply(has, seen, [event])) return;
    apply(add, seen, [event]);
    const path = apply(composedPath, event, []);
    for (let at = 0; at < path.length; at++) {
      if (path[at] === window || apply(nodeType, path[at], []) !== 1) continue;
      // A closed tree may contain a link.
      if (!leads(path[at]) && !apply(has, closed, [path[at]])) continue;
      apply(preventDefault, event, []);
      kit.print("info", ["The preview opens no tabs, windows or downloads."]);
      return;
    }
  }

  // While a document is opened again, a custom element that it removes can add a listener before ours, which could keep the event from ours.
  Event.prototype.stopImmediatePropagation = function () {
    const name = apply(type, this, []);
    if (name === "click" || name === "auxclick") refuse(this);
    return apply(stopImmediatePropagation, this, []);
  };

  /** Must be called whenever the document was opened, because that removes all listeners. */
  kit.refuseTabs = () => {
    // No loop: the page could change what a loop uses.
    apply(addEventListener, window, ["click", refuse, true]);
    apply(addEventListener, window, ["auxclick", refuse, true]);
  };
});
