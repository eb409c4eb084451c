import type { Jsx } from "./built.ts";

/** Packages whose JSX runtime is used if they exist; the first one found wins. solid-js's own runtime needs a compiler; its `h` doesn't. */
const runtimes = [
  { name: "react", source: "react" },
  { name: "preact", source: "preact" },
  { name: "solid-js", source: "solid-js/h" },
] as const;

export interface JsxHints {
  /** `compilerOptions` of the deed's tsconfig.json. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether a package is in the deed's node_modules, or an import map names its JSX runtime. */
  readonly has: (name: string) => boolean;
}

/**
 * Which calls the JSX elements of a file become. In this order: the file's own `@jsxImportSource` and `@jsx` comments; tsconfig.json; the runtime of
 * react, preact or solid-js; else the classic call: `h` if the file has one and no React, otherwise `React.createElement`.
 */
export function chooseJsx(text: string, { options, has }: JsxHints): Jsx {
  const source = /@jsxImportSource\s+([\w@/.-]+)/.exec(text)?.[1];
  if (source !== undefined) return { runtime: "automatic", source };
  const pragma = /@jsx\s+([\w$.]+)/.exec(text)?.[1];
  if (pragma !== undefined) return classic(pragma, /@jsxFrag\s+([\w$.]+)/.exec(text)?.[1]);
  const option = (name: string) => (typeof options[name] === "string" ? options[name] : undefined);
  const chosen = option("jsxImportSource");
  if (chosen !== undefined) return { runtime: "automatic", source: chosen };
  const call = option("jsxFactory");
  if (call !== undefined) return classic(call, option("jsxFragmentFactory"));
  const found = option("jsx") === "react" ? undefined : runtimes.find(({ name }) => has(name));
  if (found !== undefined) return { runtime: "automatic", source: found.source };
  return /(?:\bimport\b[^;]*|\bfunction\s+|\bconst\s+)\bh\b/.test(text) && !/\bReact\b/.test(text)
    ? classic("h")
    : classic("React.createElement");
}

function classic(pragma: string, fragment?: string): Jsx {
  return { runtime: "classic", pragma, fragment: fragment ?? (pragma === "React.createElement" ? "React.Fragment" : "Fragment") };
}
