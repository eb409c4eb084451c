import type { Plugin } from "vite";

/**
 * The editor's style module writes a `<style>` element into a document, which `style-src 'self'` forbids; only in a shadow root it adopts a
 * style sheet. This lets it adopt one in the document too.
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
