import { parse } from "acorn";
import { type Edit, edited, type Moved, movedBy } from "./edits.ts";
import { childrenOf, isFunction, isTree, type Tree } from "./names-in-scope.ts";

/**
 * The functions of the runtime inside that `followAwaits` inserts calls of: `keep` returns the current store; `back` restores it and returns its
 * second argument.
 */
export const awaitNames = { keep: "__vibey_keep", back: "__vibey_back" } as const;
const { keep, back } = awaitNames;

/**
 * A browser does not report when an async function continues, so each `await` is rewritten to do it: after it, the `AsyncLocalStorage` store from
 * before is restored. That also applies if the awaited promise rejects, and to each round of `for await`. Line numbers stay the same.
 */
export function followAwaits(code: string): { readonly code: string; readonly moved: Moved } | null {
  if (!/\bawait\b/.test(code)) return null;
  let program: Tree;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same tree, with its fields accessible.
    program = parse(code, {
      ecmaVersion: "latest",
      allowHashBang: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowSuperOutsideMethod: true,
    }) as unknown as Tree;
  } catch (error) {
    // The code can't be parsed; running it reports the error.
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

  /** Restores the store at the start of a block. */
  function backIn(block: unknown, name: string): void {
    if (isTree(block)) insert(block.start + 1, ` ${back}(${name}); `);
  }

  /** Keeps the store for a statement that waits. `inside` receives the name of the variable that holds it. */
  function around(node: Tree, inside: (name: string) => void, after: (name: string) => string): void {
    const name = `${keep}${++kept}`;
    insert(node.start, `{ const ${name} = ${keep}(); `);
    inside(name);
    insert(node.end, `${after(name)} }`);
  }

  /** `labelled`: the statement that has this one's labels. */
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

/** Whether the node awaits anything outside of nested functions. */
function waits(node: Tree): boolean {
  if (node.type === "AwaitExpression" || (node.type === "ForOfStatement" && node["await"] === true)) return true;
  return childrenOf(node).some((each) => !isFunction(each) && waits(each));
}
