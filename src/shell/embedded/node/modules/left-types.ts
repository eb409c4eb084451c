/** What stands in TypeScript and can't be made JavaScript of by leaving out types. */
const namespaceStart = /^[ \t]*(?:export[ \t]+)?(?:namespace|module)[ \t]+([A-Za-z_$][\w$.]*)\s*\{/gm;
const decorator = /(?:^|[{};)])[ \t]*@[A-Za-z_$]/m;

/** Whether the block that begins there has more than types. Those are gone without a trace, as they should be. */
function hasValues(code: string, start: number): boolean {
  let depth = 1;
  let at = start;
  for (; at < code.length && depth > 0; at++)
    if (code[at] === "{") depth++;
    else if (code[at] === "}") depth--;
  return /\b(?:const|let|var|function|class|enum)\b/.test(code.slice(start, at));
}

/** The namespace that is missing in what was made of `code`; null: there is none. */
export function lostNamespace(code: string, made: string): string | null {
  for (const found of code.matchAll(namespaceStart)) {
    // In a text or a comment it is still there.
    if (made.includes(found[0].trimStart()) || !hasValues(code, found.index + found[0].length)) continue;
    return found[1] ?? null;
  }
  return null;
}

export const mayHaveDecorators = (code: string): boolean => decorator.test(code);

export const whatToUse = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return `compile it first: npx esbuild ${name} --target=es2022 --outfile=${name.replace(/\.([cm]?)[jt]sx?$/, ".$1js")}`;
};
