/** The page's text, with everything that the page refers to. */
window.previewParts.push(function documents(kit) {
  "use strict";

  /** Types of scripts that become modules once their types and JSX elements are compiled. */
  const compiled = /^\s*(?:text\/(?:babel|jsx|typescript|tsx)|application\/typescript)\s*$/i;
  const isModule = (script) => /^\s*module\s*$/i.test(script.type);
  const isClassic = (script) => /^\s*(?:|(?:text|application)\/(?:x-)?(?:java|ecma)script)\s*$/i.test(script.type);

  /**
   * The same program or data without `<link` in its text, because written text is filtered for links (hints.js). In a script's names, strings,
   * templates and patterns, an escaped letter means the same letter.
   */
  const withoutTags = (text) => text.replaceAll(/<([Ll])(?=ink)/gi, (_tag, letter) => `<\\u00${letter.charCodeAt(0).toString(16)}`);
  const isData = (script) => /^\s*(?:importmap|speculationrules|[^;]*[/+]json)\s*(?:;|$)/i.test(script.type);

  kit.page = async (path, text) => {
    const parsed = new DOMParser().parseFromString(text, "text/html");
    // The page's own base or policy would not fit the URLs in the preview. A refresh would navigate away.
    const foreign = 'base, meta[http-equiv="content-security-policy" i], meta[http-equiv="refresh" i]';
    for (const element of parsed.querySelectorAll(`${foreign}, link[rel~="preload" i], link[rel~="modulepreload" i]`)) element.remove();
    for (const map of parsed.querySelectorAll('script[type="importmap" i]')) {
      kit.readImportMap(map.textContent);
      map.remove();
    }
    const work = [];
    const needs = [];
    const put = (element, attribute, value) => work.push(value.then((url) => url !== null && kit.setNative(element, attribute, url)));
    for (const element of parsed.querySelectorAll("*")) {
      element.removeAttribute("integrity");
      for (const { name, value } of element.attributes) {
        if (name.startsWith("on") && value.includes("location")) kit.setNative(element, name, kit.rewriteHandler(value));
      }
      kit.rewrite(element, path, put);
      if (element.localName === "style")
        work.push(kit.rewriteStyle(element.textContent, path, [""]).then((style) => (element.textContent = style)));
      if (element instanceof HTMLScriptElement) work.push(script(element, needs));
    }
    await Promise.all(work);
    const imports = await kit.gather(needs);
    parsed.head.prepend(kit.importMap(parsed, { ...kit.earlyImports, ...imports }));
    const doctype = parsed.doctype ? new XMLSerializer().serializeToString(parsed.doctype) : "";
    // Browsers look up the hosts of links in advance. Once a document has turned that off, its page can't turn it on.
    const prefetch = parsed.createElement("meta");
    prefetch.httpEquiv = "x-dns-prefetch-control";
    prefetch.content = "off";
    parsed.head.prepend(prefetch);
    const mark = kit.markLinks(parsed);
    return { text: doctype + parsed.documentElement.outerHTML, mark };
  };

  async function script(element, needs) {
    const source = element.getAttribute("src");
    if (compiled.test(element.type)) element.type = "module";
    const module = isModule(element);
    if (isData(element)) element.textContent = withoutTags(element.textContent);
    if (!module && !isClassic(element)) return;
    if (source === null) {
      if (element.textContent.trim() === "") return;
      const { text, needs: more } = await kit.inline(element.textContent, module ? "inline" : "classic");
      // For the parser, the first end tag ends a script's text.
      element.textContent = withoutTags(text.replaceAll(/<\/(?=script)/gi, "<\\/"));
      needs.push(...more);
      return;
    }
    const path = kit.resolve(source);
    if (path === null) return;
    if (!module) return kit.setNative(element, "src", await kit.urlOf(path));
    needs.push(path);
    kit.setNative(element, "src", (await kit.moduleUrl(path)) ?? kit.missing(path));
  }

  /** A page around a file that isn't a page. */
  kit.wrapped = async (path, type = kit.typeOf(path), text = null) => {
    const shell = document.implementation.createHTMLDocument(path);
    const kind = type.split("/")[0];
    const element = shell.createElement({ image: "img", audio: "audio", video: "video" }[kind] ?? "pre");
    if (kind === "image" || kind === "audio" || kind === "video") kit.setNative(element, "src", await kit.urlOf(path));
    else element.textContent = text ?? (await kit.ask({ as: "text", path })).text ?? kit.notThere(path);
    if (kind === "audio" || kind === "video") element.controls = true;
    shell.body.append(element);
    return { text: `<!doctype html>${shell.documentElement.outerHTML}`, mark: kit.markLinks(shell) };
  };
});
