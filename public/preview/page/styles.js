/** Stylesheets. The files that a stylesheet refers to become URLs before it does. */
window.previewParts.push(function styles(kit) {
  "use strict";

  /** Replaces the references in a stylesheet of the file `from` with URLs. `chain`: the files whose imports led here. */
  kit.rewriteStyle = async (text, from, chain = []) => {
    const pattern = /(@import\s+)(?:(["'])([^"'\n]+)\2)|\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"')\s]+))\s*\)/g;
    const found = [...text.matchAll(pattern)];
    const urls = await Promise.all(
      found.map(([, , , imported, double, single, bare]) => mapped(imported ?? double ?? single ?? bare, from, chain)),
    );
    let at = 0;
    return text.replace(pattern, (match, keyword) => {
      const url = urls[at++];
      if (url === null) return match;
      return keyword === undefined ? `url(${JSON.stringify(url)})` : keyword + JSON.stringify(url);
    });
  };

  async function mapped(reference, from, chain) {
    const path = kit.resolve(reference, from);
    if (path === null) return null;
    if ((await kit.kind(path)) !== "style") {
      const url = await kit.mapped(reference, from);
      // No event reports that an image of a stylesheet failed to load.
      if (url.startsWith("blob:missing/")) kit.print("warn", [`${kit.notThere(path)} (${from})`]);
      return url;
    }
    const url = await kit.styleUrl(path, chain);
    if (url === null) kit.print("warn", [`${kit.notThere(path)} (${from})`]);
    return url ?? kit.missing(path);
  }

  /** Stylesheets that are imported by another stylesheet or a <style>. */
  const imported = new Set();

  /** Null if there is no such file. */
  kit.styleUrl = async (path, chain) => {
    // Stylesheets that import each other in a circle: the second time, there is nothing to add.
    if (chain.includes(path)) return "data:text/css,";
    if (chain.length > 0) imported.add(path);
    if (chain.length > 0 && kit.urls.has(path)) return kit.urls.get(path);
    const { text } = await kit.ask({ as: "text", path });
    return text === undefined ? null : kit.keep(path, await kit.rewriteStyle(text, path, [...chain, path]), "text/css;charset=utf-8");
  };

  /** Reloads linked stylesheets. False if these files are also used in other ways. */
  kit.restyle = async (paths) => {
    const links = [...document.querySelectorAll("link[rel~='stylesheet' i]")];
    const linked = new Map(links.map((link) => [link, kit.paths.get(link.href)]));
    const shown = new Set(linked.values());
    // If another stylesheet, a module or a <style> uses one of them, the page must start again.
    if (!paths.every((path) => shown.has(path)) || paths.some((path) => imported.has(path) || kit.isModule(path))) return false;
    for (const [link, path] of linked) {
      if (!paths.includes(path)) continue;
      kit.forget(path);
      const url = await kit.urlOf(path);
      const fresh = link.cloneNode();
      kit.setNative(fresh, "href", url);
      // The old link stays until the new one has loaded, so that the page always has its style.
      const done = () => link.remove();
      fresh.addEventListener("load", done, { once: true });
      fresh.addEventListener("error", done, { once: true });
      link.after(fresh);
    }
    return true;
  };
});
