/**
 * A file's path in a project: segments joined by "/", no leading "/", no empty segment, no "." or "..", no NUL, no backslash, at most 1,024
 * characters, well-formed Unicode in NFC. `parsePath` converts a text to NFC and refuses any other fault.
 */
export type Path = string & { readonly path: unique symbol };

export type PathFailure = { kind: "bad-path"; text: string; why: string };

export type ParsedPath = { readonly ok: true; readonly path: Path } | { readonly ok: false; readonly failure: PathFailure };

/** In UTF-16 code units. */
const longest = 1024;

const loneSurrogate = /\p{Surrogate}/u;

/** ASCII paths in which canonicalization changes only the case, as in nearly all paths: no segment ends in a dot. */
const plain = /^(?:[\w/-]|\.(?=[\w-]))+$/;

/** `most`: the maximum in UTF-16 code units, for names outside a project that may be longer. */
export function parsePath(text: string, most = longest): ParsedPath {
  const normal = text.normalize("NFC");
  const why = fault(normal, most);
  return why === null ? { ok: true, path: brand(normal) } : { ok: false, failure: { kind: "bad-path", text, why } };
}

function brand(text: string): Path {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where a text becomes a Path, after all checks.
  return text as Path;
}

function fault(path: string, most: number): string | null {
  if (path === "") return "it is empty";
  if (path.length > most) return `it is longer than ${most} characters`;
  if (loneSurrogate.test(path)) return "it is not well-formed Unicode";
  if (path.includes("\0")) return "it contains a NUL character";
  if (path.includes("\\")) return "it contains a backslash";
  if (path.startsWith("/")) return "it starts with a slash";
  if (path.endsWith("/")) return "it ends with a slash";
  for (const segment of path.split("/")) {
    if (segment === "") return "it contains an empty segment";
    if (segment === "." || segment === "..") return `it contains the segment "${segment}"`;
  }
  return null;
}

/**
 * The form in which paths are compared for authority. Two paths that any common file system could treat as the same file have the same form: case and
 * Unicode composition are folded, and invisible characters and final dots and spaces of a segment are dropped. Never read or write the form: it is
 * often a different path.
 */
export function canonical(path: Path): string {
  if (plain.test(path)) return path.toLowerCase();
  const segments: string[] = [];
  resolve(path, segments);
  return segments.join("/");
}

/**
 * The same form for any text that may name a file of the project, such as `./vibey//Dialog-x.MD` or `src\..\vibey/x`. A leading slash means the
 * project's root, which itself is "". Null if the text names no file of the project: it leaves the root at any point, even if it returns, or it
 * contains NUL or a lone surrogate.
 */
export function canonicalText(text: string): string | null {
  if (plain.test(text) && !/^\/|\/\/|\/$/.test(text)) return text.toLowerCase();
  if (text.includes("\0") || loneSurrogate.test(text)) return null;
  const segments: string[] = [];
  return resolve(text, segments) ? segments.join("/") : null;
}

/** Adds the folded segments. Returns false if a ".." left the root. That ".." is then ignored. */
function resolve(text: string, segments: string[]): boolean {
  let inside = true;
  for (const raw of text.replaceAll("\\", "/").split("/")) {
    const visible = raw.normalize("NFC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
    if (visible.trimEnd() === "..") {
      if (segments.pop() === undefined) inside = false;
      continue;
    }
    const segment = fold(withoutTail(visible));
    if (segment !== "") segments.push(segment);
  }
  return inside;
}

/** A manual loop, because `/[.\s]+$/` takes quadratic time on a long run of dots that ends in something else. */
function withoutTail(segment: string): string {
  let end = segment.length;
  while (end > 0 && (segment[end - 1] === "." || segment[end - 1]?.trim() === "")) end--;
  return segment.slice(0, end);
}

/** JavaScript has no case folding. Lower, upper, lower is the shortest chain that unifies ẞ, ß and SS, ſ and s, ı and I. */
function fold(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}
