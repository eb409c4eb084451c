// If a regular expression does not match, the library throws the original error; Node says what did not match.
import { inspect } from "./util.js";

/** Wraps `throws` or `rejects` of `assert`. */
export function matching(assert, name) {
  const original = assert[name];
  return (code, expected, message) => {
    if (Object.prototype.toString.call(expected) !== "[object RegExp]")
      return Reflect.apply(
        original,
        assert,
        message === undefined ? (expected === undefined ? [code] : [code, expected]) : [code, expected, message],
      );
    const check = (actual) => {
      if (expected.test(String(actual))) return true;
      if (message instanceof Error) throw message;
      throw new assert.AssertionError({
        actual,
        expected,
        message: message ?? `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(actual))}\n`,
        operator: name,
        stackStartFn: assert[name],
      });
    };
    // Its name would appear in the message if nothing is thrown.
    Object.defineProperty(check, "name", { value: "" });
    return message === undefined ? original(code, check) : original(code, check, message);
  };
}
