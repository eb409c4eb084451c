/** A place in a script's text where the name of another module stands. Anyone who puts the text together quotes what belongs there. */
export interface Hole {
  /** As the script has it. */
  readonly specifier: string;
  /** Of the hole in the script, counted from 1. */
  readonly line: number;
  /** What the import says with `with { type: … }`. */
  readonly type?: string;
  /** An `import()`, which fails only when it is run. */
  readonly late?: true;
}

/** Text between holes. `{ here: true }` is the script's own address, as in `import.meta.url`. */
export type Part = string | Hole | { readonly here: true };

/** A CommonJS module, and what it shows from outside as far as its text tells. A name too many does no harm. */
export interface CommonJs {
  readonly text: string;
  readonly requires: readonly string[];
  readonly exports: readonly string[];
  /** Modules whose names are its own, too. */
  readonly reexports: readonly string[];
}

export interface BuiltScript {
  readonly parts: readonly Part[];
  /** Set when the script is no ES module; it has no parts then. */
  readonly commonJs?: CommonJs;
  /** Why there is nothing to run, with file and line. */
  readonly problem?: string;
}

/** What stands in for a script that can't be run: anyone who runs it is told why. */
export const refused = (problem: string): BuiltScript => ({ parts: [`throw new SyntaxError(${JSON.stringify(problem)});`], problem });

/** How elements in angle brackets become calls. */
export type Jsx =
  | { readonly runtime: "automatic"; readonly source: string }
  | { readonly runtime: "classic"; readonly pragma: string; readonly fragment: string };

export interface ScriptSource {
  /** In the deed; an inline script has that of its page. */
  readonly path: string;
  readonly text: string;
  /** `auto`: CommonJS where the text looks like it. */
  readonly as: "module" | "classic" | "auto";
  readonly jsx: Jsx;
  /** It comes from a server as a browser runs it: nothing is taken out, and `import.meta.env` is the server's own matter. */
  readonly served?: true;
}

export const isPackaged = (path: string) => /(^|\/)node_modules\//.test(path);
