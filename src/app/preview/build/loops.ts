import { type Node, parse } from "acorn";
import { simple } from "acorn-walk";

const tick = "if (--previewTicks < 0 && previewTicked()) throw Error(previewTicked.why);";

/**
 * Adds a check to every loop, on the line where its body begins, so that an endless loop can be stopped from inside. For browsers that run a frame of
 * another origin in the page's own thread. Code that can't be parsed is returned unchanged. Code that the page creates at run time gets no check.
 */
export function guardLoops(code: string): string {
  const insertions: { readonly at: number; readonly text: string }[] = [];
  const guard = ({ body }: { readonly body: Node }) => {
    if (body.type === "BlockStatement") insertions.push({ at: body.start + 1, text: tick });
    else insertions.push({ at: body.start, text: `{${tick}` }, { at: body.end, text: "}" });
  };
  try {
    const tree = parse(code, {
      ecmaVersion: "latest",
      sourceType: "module",
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    });
    simple(tree, {
      WhileStatement: guard,
      DoWhileStatement: guard,
      ForStatement: guard,
      ForOfStatement: guard,
      ForInStatement: guard,
    });
  } catch (error) {
    if (error instanceof SyntaxError) return code;
    throw error;
  }
  let out = "";
  let from = 0;
  // Two insertions at the same place keep the order in which they were found: the end of the inner loop comes before the end of the outer one.
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at)) {
    out += code.slice(from, at) + text;
    from = at;
  }
  return out + code.slice(from);
}
