/** References that elements get while the page runs, from scripts or HTML. The element gets a URL once its file is loaded. */
window.previewParts.push(function sources(kit) {
  "use strict";

  const setters = [
    [HTMLImageElement, "src"],
    [HTMLMediaElement, "src"],
    [HTMLScriptElement, "src"],
    [HTMLSourceElement, "src"],
    [HTMLTrackElement, "src"],
    [HTMLEmbedElement, "src"],
    [HTMLInputElement, "src"],
    [HTMLLinkElement, "href"],
    [HTMLVideoElement, "poster"],
    [HTMLObjectElement, "data"],
  ];
  const setAttribute = Element.prototype.setAttribute;
  kit.setNative = (element, name, value) => setAttribute.call(element, name, value);

  /** The pending URLs of each element, by attribute. @type {WeakMap<Element, Map<string, Promise<void>>>} */
  const coming = new WeakMap();
  kit.isComing = (element) => (coming.get(element)?.size ?? 0) > 0;
  const settled = (element) => Promise.all(coming.get(element)?.values() ?? []);

  /** Sets the attribute when `url` resolves, unless something else was set in the meantime. */
  function later(element, attribute, url) {
    const waits = coming.get(element) ?? new Map();
    coming.set(element, waits);
    const mine = url.then((value) => {
      if (waits.get(attribute) !== mine) return;
      waits.delete(attribute);
      if (value !== null) kit.setNative(element, attribute, value);
    });
    waits.set(attribute, mine);
  }

  const isModule = (element) => element instanceof HTMLScriptElement && element.type.trim().toLowerCase() === "module";
  async function moduleUrl(key) {
    kit.addToMap(await kit.gather([key]));
    return (await kit.moduleUrl(key)) ?? kit.missing(key);
  }

  /** True if the value is a project file. Its URL is set now or later. */
  function assign(element, attribute, value) {
    const path = kit.resolve(value);
    if (path === null) {
      coming.get(element)?.delete(attribute);
      return false;
    }
    const known = isModule(element) ? undefined : kit.urls.get(path);
    if (known !== undefined) {
      coming.get(element)?.delete(attribute);
      kit.setNative(element, attribute, known + (/#.*$/.exec(String(value))?.[0] ?? ""));
    } else later(element, attribute, isModule(element) ? moduleUrl(path) : kit.mapped(value));
    return true;
  }

  kit.replaceSources = () => {
    for (const [type, attribute] of setters) {
      const own = Object.getOwnPropertyDescriptor(type.prototype, attribute);
      Object.defineProperty(type.prototype, attribute, {
        ...own,
        set(value) {
          if (!assign(this, attribute, value)) own.set.call(this, value);
        },
      });
    }
    Element.prototype.setAttribute = function (name, value) {
      const attribute = String(name).toLowerCase();
      const holds = setters.some(([type, each]) => this instanceof type && attribute === each);
      if (!holds || !assign(this, attribute, value)) setAttribute.call(this, name, value);
    };
    // Properties and methods that depend on whether an element has loaded.
    const complete = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "complete");
    Object.defineProperty(HTMLImageElement.prototype, "complete", {
      ...complete,
      get() {
        return !kit.isComing(this) && complete.get.call(this);
      },
    });
    for (const [prototype, name] of [
      [HTMLImageElement.prototype, "decode"],
      [HTMLMediaElement.prototype, "play"],
    ]) {
      const real = prototype[name];
      prototype[name] = async function () {
        if (kit.isComing(this)) await settled(this);
        return real.call(this);
      };
    }
    const load = HTMLMediaElement.prototype.load;
    HTMLMediaElement.prototype.load = function () {
      if (kit.isComing(this)) void settled(this).then(() => load.call(this));
      else load.call(this);
    };
    const RealAudio = window.Audio;
    window.Audio = function Audio(source) {
      const audio = new RealAudio();
      audio.preload = "auto";
      if (source !== undefined) audio.src = source;
      return audio;
    };
    window.Audio.prototype = RealAudio.prototype;
    if (window.FontFace) replaceFontFace();
  };

  function replaceFontFace() {
    const RealFontFace = window.FontFace;
    window.FontFace = class FontFace extends RealFontFace {
      #family;
      #source;
      #descriptors;
      constructor(family, source, descriptors) {
        super(family, source, descriptors);
        this.#family = family;
        this.#source = source;
        this.#descriptors = descriptors;
      }
      /** Returns another font face, which is loaded from the file's URL. The page adds the face that it gets. */
      async load() {
        if (typeof this.#source !== "string") return super.load();
        return new RealFontFace(this.#family, await kit.rewriteStyle(this.#source, kit.place.path), this.#descriptors).load();
      }
    };
  }

  // ---- elements that already exist

  /** Attributes with a reference, by the elements that have them. */
  const references = [
    ["img, source, audio, video, track, embed, input", "src"],
    ["link, image, use", "href"],
    ["video", "poster"],
    ["object", "data"],
  ];
  const own = (value) => value !== null && value !== "" && kit.resolve(value) !== null;

  /** Calls `put` for every attribute of the element that must change, with a promise of its new value. */
  kit.rewrite = (element, from, put) => {
    if (element.localName === "iframe" && own(element.getAttribute("src"))) {
      kit.print("warn", [`The preview doesn't show nested pages: ${element.getAttribute("src")}`]);
    }
    for (const [elements, attribute] of references) {
      const value = element.matches(elements) ? element.getAttribute(attribute) : null;
      if (own(value)) put(element, attribute, kit.mapped(value, from));
    }
    const set = element.matches("img[srcset], source[srcset]") ? element.getAttribute("srcset") : null;
    if (set !== null && set.split(",").some((each) => own(each.trim().split(/\s/)[0]))) put(element, "srcset", rewriteSet(set, from));
    const style = element.getAttribute("style");
    const refers = style?.includes("url(") && [...style.matchAll(/\burl\(\s*["']?([^"')]+)/g)].some(([, value]) => own(value));
    if (refers) put(element, "style", kit.rewriteStyle(style, from));
  };

  async function rewriteSet(set, from) {
    const parts = set.split(/(,\s+|\s+)/);
    return (
      await Promise.all(parts.map(async (part) => (/^[\s,]*$|^[\d.]+[wx]$/.test(part) ? part : ((await kit.mapped(part, from)) ?? part))))
    ).join("");
  }

  kit.watchDocument = () => {
    const observer = new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === "attributes") kit.rewrite(target, undefined, later);
        for (const node of addedNodes) {
          if (node.nodeType !== Node.ELEMENT_NODE) continue;
          for (const element of [node, ...node.querySelectorAll("*")]) kit.rewrite(element, undefined, later);
        }
      }
    });
    const attributeFilter = ["src", "href", "srcset", "poster", "style", "data"];
    observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter });
  };
});
