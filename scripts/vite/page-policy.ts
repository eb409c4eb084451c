import type { Plugin } from "vite";
import { headersFor, readHeaderRules } from "../headers.mjs";

/**
 * Writes the page's Content-Security-Policy of `public/_headers` into the page as a `<meta>` too, for hosts that send no
 * headers. A `<meta>` can't carry `frame-ancestors`, so that directive is left to the header.
 */
export function pagePolicy(): Plugin {
  return {
    name: "page-policy",
    apply: "build",
    transformIndexHtml(html) {
      const policy = headersFor(readHeaderRules("public/_headers"), "/")["Content-Security-Policy"];
      if (!policy) throw new Error("public/_headers has no Content-Security-Policy for /");
      const inPage = policy
        .split("; ")
        .filter((directive) => !directive.startsWith("frame-ancestors"))
        .join("; ");
      return html.replace("<!--policy-->", `<meta http-equiv="Content-Security-Policy" content="${inPage}">`);
    },
  };
}
