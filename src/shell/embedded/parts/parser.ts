import { Bash } from "just-bash/browser";
import { readArithmetic } from "../arithmetic-commands.ts";
import { readByteEscapes } from "../byte-escapes.ts";
import { spellOutLists } from "../declared-lists.ts";
import { readableSource } from "../readable-source.ts";
import { isNode, type Script, type Statement } from "../script-nodes.ts";

/**
 * Parses list declarations and arithmetic commands like the shell does when it runs them. Changes the script in place. False: one can't be parsed.
 */
function readAgain(node: unknown): boolean {
  if (Array.isArray(node)) return node.every(readAgain);
  if (!isNode(node)) return true;
  if (node["type"] === "Statement") {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
    const statement = node as unknown as Statement;
    readByteEscapes(statement);
    readArithmetic(statement);
    if (spellOutLists(statement) !== null) return false;
  }
  return Object.values(node).every(readAgain);
}

/** Parses scripts like the shell does before it runs them, but runs nothing. */
export function parser(): (text: string) => Promise<Script | null> {
  let found: Script | null = null;
  const bash = new Bash({ defenseInDepth: false });
  bash.registerTransformPlugin({
    name: "vibey-parts",
    transform({ ast }) {
      found = ast;
      return { ast: { ...ast, statements: [] } };
    },
  });
  return async (text) => {
    found = null;
    await bash.exec(readableSource(text), { rawScript: true });
    return found === null || !readAgain(found) ? null : found;
  };
}
