import type { Plugin } from "vite";

const first = /\n *<script src="\.\/first\.js"><\/script>/;
const main = /\n *<script type="module"[^>]*><\/script>/;
const style = /\n *<link rel="stylesheet"[^>]*>/;

/**
 * Puts the page's style before its code, and the script that the parser waits for last in the head. Because of the policy in the head, Chromium requests nothing
 * before the parser reaches it: behind that script, style and code would be requested a round trip later.
 */
export function headOrder(): Plugin {
  return {
    name: "head-order",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const [script, code, link] = [first, main, style].map((tag) => tag.exec(html)?.[0]);
        if (script === undefined || code === undefined || link === undefined)
          throw new Error("the page's head lacks first.js, its style or its code");
        return html
          .replace(link, "")
          .replace(script, "")
          .replace(code, () => link + code)
          .replace("\n  </head>", () => `${script}\n  </head>`);
      },
    },
  };
}
