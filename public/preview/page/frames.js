/**
 * Removes frames that the page creates, before they run anything. In a frame, a script would find the API that was removed from the page
 * (requests.js): access to the network that no policy blocks. A frame starts in a task of its own, and mutation observers run before it.
 */
window.previewParts.push(function frames(kit) {
  "use strict";

  // Captured before the page could replace them.
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
  // No prototype and no array: the page could change those, and so prevent that a tree is observed.
  const everything = { __proto__: null, subtree: true, childList: true, attributes: true };

  /** Removes the frames in a document or in a shadow tree. */
  function sweep(root) {
    if (root === document && apply(framesIn, window, []) === 0) return;
    const found = apply(root === document ? find.document : find.shadow, root, [selector]);
    const count = apply(lengthOf, found, []);
    let named = 0;
    for (let n = 0; n < count; n++) {
      // sources.js reports frames that show a project file, by its name.
      if (apply(hasAttribute, found[n], ["src"])) named++;
      apply(remove, found[n], []);
    }
    if (count > named) kit.print("warn", ["The preview doesn't show nested pages."]);
  }

  function watch(root) {
    apply(observe, new Observer(() => sweep(root)), [root, everything]);
  }

  /** Must be called before any script of the page runs. */
  kit.refuseFrames = () => {
    watch(document);
    // A cloned shadow tree, or one declared in markup, would not be observed (hints.js removes what else parses markup).
    Element.prototype.attachShadow = function (init) {
      const root = apply(attachShadow, this, [{ ...init, clonable: false }]);
      watch(root);
      return root;
    };
    // Scripts may write pieces of this name in any place and order: before text that is already written, or inside text that they write. So the
    // pieces at the beginning and the end of every text are recorded, and a text that could complete the name is changed before it is written.
    const name = "shadowrootmode";
    const length = name.length;
    const small = { __proto__: null, S: "s", H: "h", A: "a", D: "d", O: "o", W: "w", R: "r", T: "t", M: "m", E: "e" };
    const isIn = { __proto__: null, s: true, h: true, a: true, d: true, o: true, w: true, r: true, t: true, m: true, e: true };
    /**
     * Bit sets. Bit m of `ends[n]`: some text since the page began ended with the first n letters of the name, if m of them came before that
     * text (bit 0: none).
     */
    const ends = new Numbers(length);
    /** A bit set. Bit n: the written text may end with the first n letters of the name. */
    let open = 1;
    /** A bit set. Bit n: some text completes the name if the first n letters come before it. */
    let wanted = 0;
    const follow = () => {
      for (let n = 0; n < length; n++)
        for (let at = 1; at < length; at++) {
          if (ends[at] & open) open |= 1 << at;
          if ((wanted >> at) & 1) wanted |= ends[at];
        }
    };
    kit.withoutShadowTrees = (all) => {
      /** Like `ends`, for the current position in the text. */
      const runs = new Numbers(length);
      let isRunning = false;
      let text = "";
      let from = 0;
      // A script's output comes after its tag, so another text may be inserted before the text after a tag.
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
      if (this === document) {
        watch(document);
        kit.refuseTabs();
      }
      return opened;
    };
  };
});
