import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { constantsOf } from "./texts-in-place.ts";

const page = "src/app/welcome/page.html";
const texts = "src/app/texts";

/**
 * Writes the welcome page and the top bar's words into index.html, so that a newcomer can read what Vibey is before any script has run. `{name}` in
 * the page stands for the text of that name, in the language of the build.
 */
export function welcomePage(language: string | undefined): Plugin {
  return {
    name: "welcome-page",
    transformIndexHtml: {
      order: "pre",
      handler: (html) =>
        fillIn(
          html.replace("<!--welcome-->", () => readFileSync(page, "utf8")),
          (name) => textsOf("welcome").get(name) ?? textsOf("frame").get(name),
        ),
    },
  };

  function textsOf(file: string): ReadonlyMap<string, string> {
    const translated = join(texts, language ?? "", `${file}.ts`);
    return constantsOf(existsSync(translated) ? translated : join(texts, `${file}.ts`));
  }
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };

export function fillIn(html: string, textOf: (name: string) => string | undefined): string {
  return html.replace(/\{(\w+)\}/g, (slot, name: string) => {
    const text = textOf(name);
    if (text === undefined) throw new Error(`the welcome page has ${slot}, and there is no such text`);
    return text.replace(/[&<"]/g, (sign) => escapes[sign] ?? sign);
  });
}
