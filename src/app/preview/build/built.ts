/** A place in a script where another module's name belongs. The code that joins the parts quotes the name. */
export interface Hole {
  /** As written in the script. */
  readonly specifier: string;
  /** The line of the hole in the script, counted from 1. */
  readonly line: number;
  /** The value of `with { type: … }` in the import. */
  readonly type?: string;
  /** An `import()`, which fails only when it runs. */
  readonly late?: true;
}

/** Text between holes. `{ here: true }` is the script's own address, as in `import.meta.url`. */
export type Part = string | Hole | { readonly here: true };

/** A CommonJS module, and its exports as far as its text shows them. An extra name does no harm. */
export interface CommonJs {
  readonly text: string;
  readonly requires: readonly string[];
  readonly exports: readonly string[];
  /** Modules whose exports it also exports. */
  readonly reexports: readonly string[];
}

export interface BuiltScript {
  readonly parts: readonly Part[];
  /** Set if the script isn't an ES module. It then has no parts. */
  readonly commonJs?: CommonJs;
  /** Why there is nothing to run, with file and line. */
  readonly problem?: string;
}

/** Replaces a script that can't be run. Running it throws an error with the reason. */
export const refused = (problem: string): BuiltScript => ({ parts: [`throw new SyntaxError(${JSON.stringify(problem)});`], problem });

/** How JSX elements become calls. */
export type Jsx =
  | { readonly runtime: "automatic"; readonly source: string }
  | { readonly runtime: "classic"; readonly pragma: string; readonly fragment: string };

export interface ScriptSource {
  /** The path in the deed. An inline script has the path of its page. */
  readonly path: string;
  readonly text: string;
  /** `auto`: CommonJS if the text looks like it. */
  readonly as: "module" | "classic" | "auto";
  readonly jsx: Jsx;
  /** The script comes from a server, ready for a browser: nothing is compiled, and `import.meta.env` is up to the server. */
  readonly served?: true;
}

export const isPackaged = (path: string) => /(^|\/)node_modules\//.test(path);
