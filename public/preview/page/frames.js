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
  const { open: openDocument } = Document.prototype;
  const { slice } = String.prototype;
  const Numbers = Uint16Array;
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
    // A script may write pieces of the name anywhere: before a text that is written already, in a text that it writes itself, in another order.
    // So it is known of every text which pieces it began and ended with, and no text that could complete the name is written as it is.
    const name = "shadowrootmode";
    const length = name.length;
    const small = { __proto__: null, S: "s", H: "h", A: "a", D: "d", O: "o", W: "w", R: "r", T: "t", M: "m", E: "e" };
    const isIn = { __proto__: null, s: true, h: true, a: true, d: true, o: true, w: true, r: true, t: true, m: true, e: true };
    /**
     * Sets of numbers, as bits. By how much of the name a text ended with: how much of it stood before that text (0: nothing). All texts since the
     * page began count.
     */
    const ends = new Numbers(length);
    /** How much of the name may stand at the end of what was written. */
    let open = 1;
    /** How much of the name would have to stand before some text that has the rest. */
    let wanted = 0;
    const follow = () => {
      for (let n = 0; n < length; n++)
        for (let at = 1; at < length; at++) {
          if (ends[at] & open) open |= 1 << at;
          if ((wanted >> at) & 1) wanted |= ends[at];
        }
    };
    kit.withoutShadowTrees = (all) => {
      /** The same for the place that is looked at. */
      const runs = new Numbers(length);
      let isRunning = false;
      let text = "";
      let from = 0;
      // What a script writes comes behind its tag, so that another text may come before what stands there.
      let isStart = true;
      for (let at = 0; at < all.length; at++) {
        const letter = small[all[at]] ?? all[at];
        let whole = 0;
        if (isIn[letter] || isRunning) {
          isRunning = false;
          for (let had = length - 1; had >= 0; had--) {
            const before = (had === 0 ? 1 : runs[had]) | (isStart ? (1 << had) | ends[had] : 0);
            const now = letter === name[had] ? before : 0;
            if (had === length - 1) whole = now;
            else runs[had + 1] = now;
            if (now !== 0) isRunning = true;
          }
        }
        isStart = all[at] === ">";
        if (whole & open) {
          text += `${apply(slice, all, [from, at])}-`;
          from = at;
          for (let had = 0; had < length; had++) runs[had] = 0;
          isRunning = false;
        } else if (whole !== 0) {
          wanted |= whole;
          follow();
        }
      }
      text += apply(slice, all, [from]);
      for (let had = 1; had < length; had++) if (runs[had] & open && (wanted >> had) & 1) return `${text} `;
      if (isRunning) {
        for (let had = 1; had < length; had++) ends[had] |= runs[had];
        follow();
      }
      return text;
    };
    Document.prototype.open = function (...values) {
      const opened = apply(openDocument, this, values);
      if (this === document) watch(document);
      return opened;
    };
  };
});
