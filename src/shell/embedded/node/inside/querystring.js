const unescapePart = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    // Malformed escapes stay unchanged.
    return text;
  }
};
const escapePart = (value) => encodeURIComponent(String(value));
const shown = (value) =>
  typeof value === "string" ||
  typeof value === "bigint" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value))
    ? String(value)
    : "";

function parse(text, separator = "&", equals = "=", options = {}) {
  const found = Object.create(null);
  if (typeof text !== "string" || text === "") return found;
  const decode = options?.decodeURIComponent ?? querystring.unescape;
  const max = options?.maxKeys ?? 1000;
  const parts = text.split(separator).filter((part) => part !== "");
  for (const part of max > 0 ? parts.slice(0, max) : parts) {
    const at = part.indexOf(equals);
    const name = decode((at < 0 ? part : part.slice(0, at)).replaceAll("+", " "));
    const value = at < 0 ? "" : decode(part.slice(at + equals.length).replaceAll("+", " "));
    if (name in found) found[name] = Array.isArray(found[name]) ? [...found[name], value] : [found[name], value];
    else found[name] = value;
  }
  return found;
}

function stringify(object, separator = "&", equals = "=", options = {}) {
  if (typeof object !== "object" || object === null) return "";
  const encode = options?.encodeURIComponent ?? querystring.escape;
  return Object.entries(object)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => `${encode(shown(name))}${equals}${encode(shown(one))}`),
    )
    .join(separator);
}

const querystring = { parse, stringify, decode: parse, encode: stringify, escape: escapePart, unescape: unescapePart };

export default querystring;
