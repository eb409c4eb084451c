import { parse } from "acorn";
import { type Edit, edited, type Moved, movedBy } from "./edits.ts";
import { childrenOf, isFunction, isTree, type Tree } from "./names-in-scope.ts";

/**
 * What `followAwaits` puts into code, by the names of the inside's own functions: `keep` gives what is stored now, `back` stores that again and gives
 * its second argument.
 */
export const awaitNames = { keep: "__vibey_keep", back: "__vibey_back" } as const;
const { keep, back } = awaitNames;

/**
 * A browser tells no one when an async function continues. So each `await` says it: what was stored for `AsyncLocalStorage` before is stored again after
 * it, also where what was awaited fails, and in each round of `for await`. Lines stay what they are.
 */
export function followAwaits(code: string): { readonly code: string; readonly moved: Moved } | null {
  if (!/\bawait\b/.test(code)) return null;
  let program: Tree;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same tree, with its fields open.
    program = parse(code, {
      ecmaVersion: "latest",
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowSuperOutsideMethod: true,
    }) as unknown as Tree;
  } catch (error) {
    // It can't be read: what runs it says what is wrong.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const edits = editsIn(program);
  return edits.length === 0 ? null : { code: edited(code, edits), moved: movedBy(code, edits) };
}

function editsIn(program: Tree): readonly Edit[] {
  const edits: Edit[] = [];
  let kept = 0;
  const insert = (at: number, text: string): void => void edits.push({ at, end: at, text });

  /** Stores again at the begin of a block. */
  function backIn(block: unknown, name: string): void {
    if (isTree(block)) insert(block.start + 1, ` ${back}(${name}); `);
  }

  /** Keeps what is stored for a statement that waits. `inside` is given the name under which it is kept. */
  function around(node: Tree, inside: (name: string) => void, after: (name: string) => string): void {
    const name = `${keep}${++kept}`;
    insert(node.start, `{ const ${name} = ${keep}(); `);
    inside(name);
    insert(node.end, `${after(name)} }`);
  }

  /** `labelled`: the statement with the labels of this one. */
  function visit(node: Tree, labelled: Tree | null): void {
    const visitChildren = (): void => {
      for (const each of childrenOf(node)) visit(each, node.type === "LabeledStatement" ? (labelled ?? node) : null);
    };
    if (node.type === "AwaitExpression") {
      insert(node.start, `${back}(${keep}(), `);
      visitChildren();
      insert(node.end, ")");
    } else if (node.type === "TryStatement" && waits(node)) {
      const { handler, finalizer } = node;
      around(
        node,
        (name) => {
          if (isTree(handler)) backIn(handler["body"], name);
          backIn(finalizer, name);
          visitChildren();
        },
        () => "",
      );
    } else if (node.type === "ForOfStatement" && node["await"] === true) {
      const { body } = node;
      const isBlock = isTree(body) && body.type === "BlockStatement";
      around(
        labelled ?? node,
        (name) => {
          if (isBlock) backIn(body, name);
          else if (isTree(body)) insert(body.start, `{ ${back}(${name}); `);
          visitChildren();
          if (!isBlock && isTree(body)) insert(body.end, " }");
        },
        (name) => ` ${back}(${name});`,
      );
    } else visitChildren();
  }

  visit(program, null);
  return edits;
}

/** Whether something is awaited in it, outside of other functions. */
function waits(node: Tree): boolean {
  if (node.type === "AwaitExpression" || (node.type === "ForOfStatement" && node["await"] === true)) return true;
  return childrenOf(node).some((each) => !isFunction(each) && waits(each));
}
