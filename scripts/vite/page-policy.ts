import type { Plugin } from "vite";
import { headersFor, readHeaderRules } from "../headers.mjs";

/**
 * Also writes the page's Content-Security-Policy from `public/_headers` into the page as a `<meta>`, for hosts that send no headers. A `<meta>`
 * can't carry `frame-ancestors`, so only the header has that directive.
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
