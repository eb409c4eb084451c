/**
 * Frames of the page's own run nothing. In a frame of its own a script would find what was taken from the page (requests.js): a way to the
 * network that no policy shuts. A frame is gone before it begins, since that takes a task of its own, and anyone who watches changes comes first.
 */
window.previewParts.push(function frames(kit) {
  "use strict";

  // Taken before the page could put something else in their place.
  const { apply } = Reflect;
  const Observer = MutationObserver;
  const { observe } = Observer.prototype;
  const { remove, attachShadow, hasAttribute } = Element.prototype;
  const { write, open } = Document.prototype;
  const { slice, includes } = String.prototype;
  const find = { document: Document.prototype.querySelectorAll, shadow: DocumentFragment.prototype.querySelectorAll };
  const getter = (object, name) => Object.getOwnPropertyDescriptor(object, name).get;
  const lengthOf = getter(NodeList.prototype, "length");
  const framesIn = getter(window, "length");
  const selector = "iframe, frame, object, embed, fencedframe";
  // Nothing inherited and no list: what the page could change of those would keep a tree from being watched.
  const everything = { __proto__: null, subtree: true, childList: true, attributes: true };

  /** Takes away the frames in a document or in a shadow tree. */
  function sweep(root) {
    if (root === document && apply(framesIn, window, []) === 0) return;
    const found = apply(root === document ? find.document : find.shadow, root, [selector]);
    const count = apply(lengthOf, found, []);
    let named = 0;
    for (let n = 0; n < count; n++) {
      // Of those with a file of the project the reader is told by its name (sources.js).
      if (apply(hasAttribute, found[n], ["src"])) named++;
      apply(remove, found[n], []);
    }
    if (count > named) kit.print("warn", ["The preview doesn't show nested pages."]);
  }

  function watch(root) {
    apply(observe, new Observer(() => sweep(root)), [root, everything]);
  }

  /** Before any script of the page. */
  kit.refuseFrames = () => {
    watch(document);
    // A cloned shadow tree, or one declared in markup, would not be observed (hints.js removes what else parses markup).
    Element.prototype.attachShadow = function (init) {
      const root = apply(attachShadow, this, [{ ...init, clonable: false }]);
      watch(root);
      return root;
    };
    // Letter by letter, so that nothing of the page's has a say: the name may come in pieces.
    const name = "shadowrootmode";
    const small = { __proto__: null, S: "s", H: "h", A: "a", D: "d", O: "o", W: "w", R: "r", T: "t", M: "m", E: "e" };
    const blank = { __proto__: null, " ": true, "\t": true, "\n": true, "\f": true, "\r": true };
    let matched = 0;
    let behindTag = true;
    /**
     * Whether what stands at `at`, right behind a tag, could be a later piece of the name: the tag may be the end of a script, which writes the
     * earlier piece before it.
     */
    const goesOn = (all, at) => {
      let piece = "";
      let end = at;
      for (; end < all.length; end++) {
        const more = piece + (small[all[end]] ?? all[end]);
        if (!apply(includes, name, [more])) break;
        piece = more;
      }
      if (piece === "") return false;
      while (end < all.length && blank[all[end]]) end++;
      return end === all.length || all[end] === "=";
    };
    const broken = (texts, end) => {
      let all = "";
      for (let n = 0; n < texts.length; n++) all += texts[n];
      all += end;
      let text = "";
      let from = 0;
      for (let at = 0; at < all.length; at++) {
        if (behindTag && goesOn(all, at)) {
          text += `${apply(slice, all, [from, at])} `;
          from = at;
          matched = 0;
        }
        behindTag = all[at] === ">";
        const letter = small[all[at]] ?? all[at];
        matched = letter === name[matched] ? matched + 1 : letter === "s" ? 1 : 0;
        if (matched < name.length) continue;
        text += `${apply(slice, all, [from, at])}-`;
        from = at;
        matched = 0;
      }
      return text + apply(slice, all, [from]);
    };
    kit.withoutShadowTrees = (text) => broken([text], "");
    Document.prototype.write = function (...texts) {
      apply(write, this, [broken(texts, "")]);
    };
    Document.prototype.writeln = function (...texts) {
      apply(write, this, [broken(texts, "\n")]);
    };
    Document.prototype.open = function (...values) {
      const opened = apply(open, this, values);
      if (this === document) watch(document);
      return opened;
    };
  };
});
