import { isNode } from "./script-nodes.ts";

/** just-bash's parse of arithmetic. */
type Node = Readonly<Record<string, unknown>>;

const half = 2 ** 26;

/**
 * just-bash computes `<<`, `>>`, `&`, `|`, `^` and `~` with 32 bits. This replaces them in place by operations that are exact to 53 bits: products,
 * quotients, and the two halves of a number. Each operand is still evaluated once, in order.
 */
export function widen(expression: unknown): void {
  if (!isNode(expression)) return;
  let count = 0;
  const visit = (node: unknown): unknown => {
    if (!isNode(node)) return node;
    for (const [key, child] of Object.entries(node)) if (isNode(child)) node[key] = visit(child);
    const { type, operator } = node;
    if (type === "ArithUnary" && operator === "~")
      return binary("-", { type: "ArithUnary", operator: "-", operand: node["operand"], prefix: true }, number(1));
    if (
      type === "ArithAssignment" &&
      isBits(String(operator).slice(0, -1)) &&
      !isNode(node["subscript"]) &&
      node["stringKey"] === undefined
    ) {
      const own = { type: "ArithVariable", name: node["variable"], hasDollarPrefix: false };
      return { ...node, operator: "=", value: wide(String(operator).slice(0, -1), own, node["value"]) };
    }
    return type === "ArithBinary" && isBits(String(operator)) ? wide(String(operator), node["left"], node["right"]) : node;
  };

  /** Builds `(a = left, b = right, …)`. */
  function wide(operator: string, left: unknown, right: unknown): Node {
    const [a, b] = [variable(`__vibey_bits_${count++}`), variable(`__vibey_bits_${count++}`)];
    return group(binary(",", binary(",", assignment(a, left), assignment(b, right)), operation(operator, a, b)));
  }

  const widened = visit(expression["expression"]);
  if (count === 0 && widened === expression["expression"]) return;
  expression["expression"] = widened;
  // The original text would be parsed again.
  expression["originalText"] = "";
}

function operation(operator: string, a: Node, b: Node): Node {
  const power = binary("**", number(2), b);
  if (operator === "<<") return binary("*", a, power);
  if (operator === ">>") return binary("/", binary("-", a, remainder(a, power)), power);
  const low = (of: Node): Node => remainder(of, number(half));
  const high = (of: Node): Node => binary("/", binary("-", of, low(of)), number(half));
  return binary("+", binary("*", binary(operator, high(a), high(b)), number(half)), binary(operator, low(a), low(b)));
}

/** The non-negative remainder. */
function remainder(a: Node, by: Node): Node {
  return binary("%", binary("+", binary("%", a, by), by), by);
}

function isBits(operator: string): boolean {
  return ["<<", ">>", "&", "|", "^"].includes(operator);
}

function binary(operator: string, left: unknown, right: unknown): Node {
  return { type: "ArithBinary", operator, left, right };
}

function number(value: number): Node {
  return { type: "ArithNumber", value };
}

function variable(name: string): Node {
  return { type: "ArithVariable", name, hasDollarPrefix: false };
}

function assignment(to: Node, value: unknown): Node {
  return { type: "ArithAssignment", operator: "=", variable: to["name"], value };
}

function group(expression: Node): Node {
  return { type: "ArithGroup", expression };
}
