import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { normalizePath, parseSync, type Plugin } from "vite";

/** The language of the texts in the repository. */
const own = "en";

/** Scripts written from right to left. */
const fromRight = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);

/**
 * Builds the app in another language, `wanted`, a BCP 47 tag. For an import from `texts`, such as `texts/docs.ts`, the build uses
 * `texts/de/docs.ts` if it exists, else the English file. A doc imported as text is replaced in the same way by the one in the folder `de`
 * next to it. Sets the page's `lang` and `dir`. Undefined, empty and "en" change nothing.
 *
 * The build fails with a reason if the language has no folder, if a file has no English counterpart, or if a file doesn't export the same
 * names as the English one.
 */
export function language(wanted: string | undefined, texts = resolve("src/app/texts")): Plugin {
  const tag = wanted === undefined || wanted === "" ? own : wanted;
  const folder = join(texts, tag);
  if (!languagesIn(texts).includes(tag)) {
    throw new Error(`There is no language ${JSON.stringify(tag)} in ${texts}; there are: ${languagesIn(texts).join(", ")}`);
  }
  return {
    name: "language",
    enforce: "pre",
    buildStart() {
      if (tag === own) return;
      const wrong = misfits(texts, folder);
      if (wrong.length > 0) throw new Error(`The texts in ${folder} do not fit:\n${wrong.join("\n")}`);
    },
    resolveId(source, importer) {
      if (tag === own || importer === undefined || !source.startsWith(".")) return null;
      const [path = "", query] = source.split("?");
      const from = importer.replace(/\?.*/, "");
      // English texts import English texts, so don't replace an import from inside `texts`.
      if (resolve(from).startsWith(join(texts, "/"))) return null;
      const english = resolve(dirname(from), path);
      if (dirname(english) !== texts && !english.endsWith(".md")) return null;
      const translated = join(dirname(english), tag, basename(english));
      return existsSync(translated) ? normalizePath(translated) + (query === undefined ? "" : `?${query}`) : null;
    },
    transformIndexHtml(html) {
      if (tag === own) return html;
      const tagged = html.replace(/<html lang="[^"]*"/, `<html lang="${tag}" dir="${directionOf(tag)}"`);
      if (tagged === html) throw new Error("the page has no <html lang> that its language could replace");
      return tagged;
    },
  };
}

/** Each folder of texts is named after its language. */
export function languagesIn(texts: string): readonly string[] {
  const folders = readdirSync(texts, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [own, ...folders.map(({ name }) => name).toSorted()];
}

function directionOf(tag: string): "ltr" | "rtl" {
  return fromRight.has(new Intl.Locale(tag).maximize().script ?? "") ? "rtl" : "ltr";
}

/** The reasons why a language's files can't replace the English ones, one line each. Files that they share may be in a subfolder. */
function misfits(texts: string, folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ name }) => {
    const english = join(texts, name);
    if (!existsSync(english)) return [`${name}: there is no ${english}`];
    const [theirs, ours] = [exportsOf(english), exportsOf(join(folder, name))];
    const missing = theirs.filter((text) => !ours.includes(text));
    const surplus = ours.filter((text) => !theirs.includes(text));
    return [
      ...(missing.length > 0 ? [`${name} has no ${missing.join(", ")}`] : []),
      ...(surplus.length > 0 ? [`${name} has ${surplus.join(", ")}, which ${english} has not`] : []),
    ];
  });
}

/** The names that a module exports as values. */
function exportsOf(file: string): string[] {
  const { module, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors[0]) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const entries = module.staticExports.flatMap(({ entries: all }) => all);
  return entries.filter(({ isType }) => !isType).flatMap(({ exportName }) => (exportName.name === null ? [] : [exportName.name]));
}
