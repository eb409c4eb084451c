import { transform } from "sucrase";
import type { ScriptSource } from "./built.ts";
import { isPackaged } from "./built.ts";

export type Plain = { readonly ok: true; readonly code: string } | { readonly ok: false; readonly problem: string };

/** A JSX element at the start of an expression. In strings of HTML, a quote comes before it. */
const element = /(?:\breturn|=>|&&|\|\||[=(?:,[{])\s*<(?:[A-Za-z][\w.:-]*|)(?:\s[^<]*)?\/?>/;

/**
 * Compiles a file's text to JavaScript. Types and JSX are removed according to the file's extension; JSX also in a .js file that plainly contains it.
 */
export function plainScript({ path, text, jsx }: Pick<ScriptSource, "path" | "text" | "jsx">): Plain {
  const ending = /\.([cm]?[jt]sx?)$/.exec(path)?.[1] ?? "js";
  const typed = ending.includes("t");
  const elements = ending.endsWith("x") || (!typed && !isPackaged(path) && element.test(text));
  if (!typed && !elements) return { ok: true, code: text };
  try {
    const { code } = transform(text, {
      filePath: path,
      transforms: [...(typed ? ["typescript" as const] : []), ...(elements ? ["jsx" as const] : [])],
      disableESTransforms: true,
      production: true,
      ...(jsx.runtime === "automatic"
        ? { jsxRuntime: "automatic", jsxImportSource: jsx.source }
        : { jsxRuntime: "classic", jsxPragma: jsx.pragma, jsxFragmentPragma: jsx.fragment }),
    });
    return { ok: true, code };
  } catch (error) {
    // For a .js file, JSX was only a guess.
    if (ending === "js") return { ok: true, code: text };
    return { ok: false, problem: said(path, error) };
  }
}

/** sucrase says "Error transforming a.ts: Unexpected token (3:5)"; people look for a.ts:3:5. */
function said(path: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const found = /^(?:Error transforming [^\n]*?: )?([^]*?) \((\d+):(\d+)\)$/.exec(message);
  return found ? `${found[1]} (${path}:${found[2]}:${found[3]})` : `${message} (${path})`;
}
