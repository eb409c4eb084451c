import extracted from "node-inspect-extracted";
import { codeError } from "./errors.js";

/** As in Node, a stream that is not a terminal gets no colors, unless the environment asks for them. */
function colored(stream) {
  const { FORCE_COLOR } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return Boolean(stream?.isTTY);
}

export function styleText(format, text, { validateStream = true, stream = process.stdout } = {}) {
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
  return validateStream && !colored(stream) ? String(text) : `${before}${text}${after}`;
}
