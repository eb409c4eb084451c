import type { Plugin } from "vite";

/**
 * The editor's style module adds a `<style>` element to a document, which `style-src 'self'` forbids. It adopts a style sheet only in a shadow
 * root. This plugin makes it adopt one in the document too.
 */
export function adoptedStyles(): Plugin {
  const guard = "!root.head && root.adoptedStyleSheets";
  return {
    name: "adopted-styles",
    enforce: "pre",
    transform(code, id) {
      if (!/style-mod[\\/]src[\\/]style-mod\.js/.test(id)) return undefined;
      if (!code.includes(guard)) throw new Error("style-mod changed its StyleSet: update adoptedStyles()");
      return code.replace(guard, "root.adoptedStyleSheets");
    },
  };
}
