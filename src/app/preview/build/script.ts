import { type ImportSpecifier, parse } from "es-module-lexer/js";
import { type BuiltScript, type Part, refused, type ScriptSource } from "./built.ts";
import { inspectCommonJs, looksCommonJs } from "./commonjs.ts";
import { plainScript } from "./typescript.ts";
import { isPackaged } from "./built.ts";

/** The values of `ImportType` of es-module-lexer. Its build without WebAssembly has only the type. */
const kinds = { static: 1, dynamic: 2, meta: 3 } as const;

/** The value of `import.meta.env`, as users of Vite expect it. */
const environment = '({ MODE: "development", DEV: true, PROD: false, SSR: false, BASE_URL: "/" })';

/**
 * Turns a file's text into what a browser runs: without types and JSX, and with holes for the names of other modules. Every line stays on its line.
 * `guard` may add text if it keeps the lines. JavaScript that can't be parsed is passed on unchanged, because the browser's own error message is
 * better.
 */
export function buildScript(source: ScriptSource, guard: (code: string) => string = (code) => code): BuiltScript {
  const plain = source.served ? ({ ok: true, code: source.text } as const) : plainScript(source);
  if (!plain.ok) return refused(plain.problem);
  const guarded = guard(plain.code);
  const code = isPackaged(source.path) && !source.served ? withProcess(guarded) : withPlaces(guarded);
  let lexed: ReturnType<typeof parse>;
  try {
    lexed = parse(code);
  } catch {
    // It can't be parsed as a module: it has a syntax error, or is CommonJS with a top-level `return`.
    return source.as === "auto" && looksCommonJs(code) ? commonJs(code) : { parts: [code] };
  }
  const [imports, , , isModule] = lexed;
  if (source.as === "auto" && !isModule && (source.path.endsWith(".cjs") || looksCommonJs(code))) return commonJs(code);
  return { parts: split(code, imports, source) };
}

const commonJs = (code: string): BuiltScript => ({ parts: [], commonJs: inspectCommonJs(code.replace(/^#!/, "//")) });

function split(code: string, imports: readonly ImportSpecifier[], { path, served }: ScriptSource): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  const take = (until: number, part: Part, next: number) => {
    if (until < at) return;
    parts.push(code.slice(at, until), part);
    at = next;
  };
  for (const each of imports) {
    const kind: number = each.t;
    if (kind === kinds.meta) {
      if (code.startsWith(".url", each.e)) take(each.ss, { here: true }, each.e + 4);
      else if (!served && /^\.env\b/.test(code.slice(each.e, each.e + 5))) take(each.ss, environment, each.e + 4);
    } else if (kind === kinds.dynamic) {
      const options = each.a === -1 ? "" : code.slice(each.a, each.se - 1);
      // A computed name is looked up when it is known.
      if (each.n === undefined) take(each.ss, `previewImport(${JSON.stringify(path)}, `, each.s);
      else take(each.s, hole(code, each, type(options), true), options === "" ? each.e : each.se - 1);
    } else if (each.n !== undefined && kind === kinds.static) {
      const attribute = each.at?.find(([name]) => name === "type")?.[1];
      // The attributes are removed: the imported module is a script in any case.
      take(each.s - 1, hole(code, each, attribute, false), each.a === -1 ? each.e + 1 : each.se);
    }
  }
  parts.push(code.slice(at));
  return parts.filter((part) => part !== "");
}

function hole(code: string, { n, s }: ImportSpecifier, attribute: string | undefined, late: boolean): Part {
  const line = code.slice(0, s).split("\n").length;
  return { specifier: n ?? "", line, ...(attribute === undefined ? {} : { type: attribute }), ...(late ? { late } : {}) };
}

const type = (options: string) => /\btype["']?\s*:\s*["'](\w+)["']/.exec(options)?.[1];

/** Packages read `process.env.NODE_ENV` to choose their development or production code. */
function withProcess(code: string): string {
  if (!/\bprocess\.env\b/.test(code) || /\b(?:import|const|let|var|function|class)\s*\{?[^;\n=(]*\bprocess\b/.test(code)) return code;
  return `var process = previewModules.process;${code}`;
}

const members = "hash|host|hostname|href|origin|pathname|port|protocol|search|assign|reload|replace|toString";
const place = new RegExp(
  String.raw`(?<![\w$.#])(?:(?:window|document|self|globalThis)\s*\.\s*)?location(?=\s*\??\.\s*(?:${members})\b)`,
  "g",
);
const moved = /(?<![\w$.#])(?:window|document|self|globalThis)\s*\.\s*location(?=\s*=[^=>])/g;
const bound = /\b(?:const|let|var|function|class)\s[^;=()]*\blocation\b|[({,]\s*location\s*[,)}=]|\blocation\s*=>/;

/**
 * The preview's pages have no address that can be read or changed, so `location` is replaced with our own object. A script that declares `location`
 * itself keeps it.
 */
function withPlaces(code: string): string {
  if (!/\blocation\b/.test(code) || bound.test(code)) return code;
  return code.replace(place, "previewLocation").replace(moved, "previewLocation.value");
}
