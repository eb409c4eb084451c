// If what is thrown is not what was expected, the library throws the original error; Node says what differs.
import { inspect } from "./util.js";

const isRegExp = (value) => Object.prototype.toString.call(value) === "[object RegExp]";

/** Node's words for an error that is not as `expected`, a regular expression, a class or a function; null if it is. */
function difference(actual, expected) {
  if (isRegExp(expected))
    return expected.test(String(actual))
      ? null
      : `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(actual))}\n`;
  if (expected.prototype !== undefined && actual instanceof expected) return null;
  const isError = actual instanceof Error;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) {
    const received = isError ? `${actual.name}"\n\nError message:\n\n${actual.message}` : `${inspect(actual, { depth: -1 })}"`;
    return `The error is expected to be an instance of "${expected.name}". Received "${received}`;
  }
  const answer = Reflect.apply(expected, {}, [actual]);
  if (answer === true) return null;
  const name = expected.name ? `"${expected.name}" ` : "";
  return `The ${name}validation function is expected to return "true". Received ${inspect(answer)}${isError ? `\n\nCaught error:\n\n${actual}` : ""}`;
}

/** Wraps `throws` or `rejects` of `assert`. */
export function matching(assert, name) {
  const original = assert[name];
  return (code, expected, message) => {
    if (!isRegExp(expected) && typeof expected !== "function")
      return Reflect.apply(
        original,
        assert,
        message === undefined ? (expected === undefined ? [code] : [code, expected]) : [code, expected, message],
      );
    const check = (actual) => {
      const text = difference(actual, expected);
      if (text === null) return true;
      if (message instanceof Error) throw message;
      const error = new assert.AssertionError({
        actual,
        expected,
        message: message ?? text,
        operator: name,
        stackStartFn: assert[name],
      });
      error.generatedMessage = message === undefined;
      throw error;
    };
    // Its name appears in the message if nothing is thrown.
    Object.defineProperty(check, "name", { value: isRegExp(expected) ? "" : expected.name });
    return message === undefined ? original(code, check) : original(code, check, message);
  };
}
