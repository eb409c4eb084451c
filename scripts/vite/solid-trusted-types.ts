import type { Plugin } from "vite";

/**
 * Solid's `template()` assigns `innerHTML`, which `require-trusted-types-for 'script'` forbids. This plugin routes that one assignment through
 * the policy named `solid`. The strings are compiled from our own JSX; nothing else may use the policy.
 */
export function solidTrustedTypes(): Plugin {
  return {
    name: "solid-trusted-types",
    enforce: "pre",
    transform(code, id) {
      if (!/solid-js[\\/]web[\\/]dist[\\/](web|dev)\.js/.test(id)) return undefined;
      if (!code.includes("t.innerHTML = html;")) throw new Error("solid-js/web changed its template(): update solidTrustedTypes()");
      return (
        "const templatePolicy = globalThis.trustedTypes?.createPolicy('solid', { createHTML: (s) => s }) ?? { createHTML: (s) => s };\n" +
        code.replace("t.innerHTML = html;", "t.innerHTML = templatePolicy.createHTML(html);")
      );
    },
  };
}
