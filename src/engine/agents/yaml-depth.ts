import { CST, Lexer } from "yaml";

/** Maximum YAML nesting depth. Thousands of levels overflow the stack inside a RegExp, which crashes the program and can't be caught. */
const deepest = 50;

/** Whether the text is nested more deeply than is read. */
export const isDeep = (yaml: string): boolean => depthOf(yaml, deepest) > deepest;

/**
 * The nesting depth of a YAML text, valid or not, counted from its tokens without recursion. It is at least a third of the depth that the parser
 * creates. Counting stops above `enough`.
 */
export function depthOf(yaml: string, enough = Infinity): number {
  /** The indents of the open block collections. */
  const block: number[] = [];
  /**
   * For each open bracket, the number of indicators since its last comma. Each of them except the first may open a block collection inside the
   * bracket.
   */
  const flow: number[] = [];
  /** Levels that only invalid YAML has, such as those of `a: b: c`. The parser may keep them open until the end. */
  let stray = 0;
  let inner = 0;
  /** The depth of the deepest brackets since the beginning of the line. They may turn out to be the key of a mapping. */
  let keyDepth = 0;
  let indent = 0;
  let isLineStart = true;
  let hasKey = false;
  let isScalar = false;
  let most = 0;
  for (const source of new Lexer().lex(yaml)) {
    // The text of a scalar comes after a mark, and can look like an indicator.
    const type: ReturnType<typeof CST.tokenType> = isScalar ? null : CST.tokenType(source);
    isScalar = type === "scalar";
    const wasLineStart = isLineStart;
    if (type !== "space" && type !== "doc-mode" && type !== "flow-error-end") isLineStart = false;
    switch (type) {
      case "newline":
        [isLineStart, hasKey, indent, keyDepth] = [true, false, 0, 0];
        break;
      case "space":
        if (isLineStart && source.startsWith(" ")) indent += source.length;
        break;
      case "flow-map-start":
      case "flow-seq-start":
        flow.push(0);
        break;
      case "flow-map-end":
      case "flow-seq-end":
        inner -= Math.max(0, (flow.pop() ?? 0) - 1);
        break;
      case "comma":
        if (flow.length === 0) break;
        inner -= Math.max(0, (flow.pop() ?? 0) - 1);
        flow.push(0);
        break;
      case "flow-error-end":
        stray += flow.length + inner;
        [flow.length, inner] = [0, 0];
        break;
      case "seq-item-ind":
      case "explicit-key-ind":
      case "map-value-ind":
        if (flow.length > 0) {
          const before = flow.pop() ?? 0;
          flow.push(before + 1);
          if (before > 0) inner += 1;
        } else if (hasKey || (!wasLineStart && type !== "map-value-ind")) stray += 1;
        else {
          while ((block.at(-1) ?? -1) >= indent) block.pop();
          block.push(indent);
          hasKey = !wasLineStart;
        }
        if (wasLineStart) {
          isLineStart = true;
          indent += source.length;
        }
        break;
      default:
    }
    const isKeyEnd = type === "map-value-ind" && flow.length === 0;
    keyDepth = Math.max(keyDepth, flow.length + inner);
    most = Math.max(most, block.length + (isKeyEnd ? keyDepth : flow.length + inner) + stray);
    if (most > enough) return most;
  }
  return most;
}
