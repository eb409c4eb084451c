/** TypeScript syntax that can't be turned into JavaScript by removing types. */
const namespaceStart = /^[ \t]*(?:export[ \t]+)?(?:namespace|module)[ \t]+([A-Za-z_$][\w$.]*)\s*\{/gm;
const decorator = /(?:^|[{};)])[ \t]*@[A-Za-z_$]/m;

/** The start of a value rather than of a property or type. */
const valueStart = /(?:^|[;{}])\s*(?:export\s+)?(?:async\s+|abstract\s+)?(?:const|let|var|function|class|enum)\s+[A-Za-z_$[{]/m;
const commentOrText = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`/g;

/** The position behind the block whose content begins at `start`. */
function endOfBlock(code: string, start: number): number {
  let depth = 1;
  let at = start;
  for (; at < code.length && depth > 0; at++)
    if (code[at] === "{") depth++;
    else if (code[at] === "}") depth--;
  return at;
}

/** The namespace that is missing in the compiled code `made`. Null: there is none, or it contains only types, which are removed rightly. */
export function lostNamespace(code: string, made: string): string | null {
  // Blank them out, so that positions and lines stay the same.
  const bare = code.replaceAll(commentOrText, (text) => text.replaceAll(/[^\n]/g, " "));
  const declared = [...bare.matchAll(/\bdeclare\b[^{;]*\{/g)].map(
    ({ index, 0: { length } }) => [index, endOfBlock(bare, index + length)] as const,
  );
  for (const found of bare.matchAll(namespaceStart)) {
    const { index } = found;
    if (declared.some(([from, to]) => from <= index && index < to)) continue;
    const start = index + found[0].length;
    // It may still be there in a string or a comment.
    if (made.includes(found[0].trimStart()) || !valueStart.test(bare.slice(start, endOfBlock(bare, start)))) continue;
    return found[1] ?? null;
  }
  return null;
}

export const mayHaveDecorators = (code: string): boolean => decorator.test(code);

export const whatToUse = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return `compile it first: npx esbuild ${name} --target=es2022 --outfile=${name.replace(/\.([cm]?)[jt]sx?$/, ".$1js")}`;
};
