import { parse } from "acorn";
import { evaluateGlobally } from "./natives.ts";

/** A text under the name that its lines have in stacks. */
export const named = (code: string, name: string): string => `${code}\n//# sourceURL=${name.replaceAll(/\s/g, encodeURIComponent)}`;

/** Runs a text as a script of this name, whose lines are the text's own. */
export function evaluate(code: string, name: string): unknown {
  try {
    return evaluateGlobally(named(code, name));
  } catch (error) {
    throw error instanceof SyntaxError && error.stack !== undefined ? placed(error, code, name) : error;
  }
}

/** Engines don't say where in a text the error is; the parser does. `SyntaxError`s that the text itself throws have a place already. */
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
