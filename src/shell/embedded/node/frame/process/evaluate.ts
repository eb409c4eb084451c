import { parse } from "acorn";
import { evaluateGlobally } from "./natives.ts";

/** Gives a text the name that stack traces show. */
export const named = (code: string, name: string): string => `${code}\n//# sourceURL=${name.replaceAll(/\s/g, encodeURIComponent)}`;

/** Runs a text as a script with this name. Line numbers are the text's own. */
export function evaluate(code: string, name: string): unknown {
  try {
    return evaluateGlobally(named(code, name));
  } catch (error) {
    throw error instanceof SyntaxError && error.stack !== undefined ? placed(error, code, name) : error;
  }
}

/** Engines don't say where in a text a syntax error is, but the parser does. A `SyntaxError` that the text itself throws already has a place. */
function placed(error: SyntaxError, code: string, name: string): SyntaxError {
  if (error.stack?.includes(`${name}:`) === true) return error;
  try {
    parse(code, { ecmaVersion: "latest", allowHashBang: true, allowReturnOutsideFunction: true });
  } catch (found) {
    const place: unknown = found instanceof SyntaxError ? Reflect.get(found, "loc") : null;
    if (typeof place !== "object" || place === null) return error;
    const [line, column] = [Number(Reflect.get(place, "line")), Number(Reflect.get(place, "column"))];
    Object.defineProperty(error, "stack", {
      value: `${error.name}: ${error.message}\n    at ${name}:${line}:${column + 1}`,
      writable: true,
      configurable: true,
    });
  }
  return error;
}
