import { type Node, parse } from "acorn";
import { simple } from "acorn-walk";

const tick = "if (--previewTicks < 0 && previewTicked()) throw Error(previewTicked.why);";

/**
 * Puts a check into every loop, on the line where its body begins, so that one that never pauses can be stopped from inside: for
 * browsers that run a frame of another origin in the page's own thread. What can't be read comes back as it is; so does code
 * that the page makes up while it runs, which no check gets into.
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
  // Of two at one place, the outer loop's end comes after the inner one's: the order in which they were found.
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at)) {
    out += code.slice(from, at) + text;
    from = at;
  }
  return out + code.slice(from);
}
