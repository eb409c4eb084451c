import extracted from "node-inspect-extracted";
import { codeError } from "./errors.js";

export function styleText(format, text) {
  const names = Array.isArray(format) ? format : [format];
  let before = "";
  let after = "";
  for (const name of names) {
    const codes = extracted.inspect.colors[name];
    if (codes === undefined)
      throw codeError(
        TypeError,
        "ERR_INVALID_ARG_VALUE",
        `The argument 'format' must be one of: ${Object.keys(extracted.inspect.colors)
          .map((key) => `'${key}'`)
          .join(", ")}. Received ${extracted.inspect(name)}`,
      );
    before += `\u001b[${codes[0]}m`;
    after = `\u001b[${codes[1]}m${after}`;
  }
  return `${before}${text}${after}`;
}
