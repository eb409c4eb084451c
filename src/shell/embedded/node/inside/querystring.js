/** Decodes the escapes that are right. The others stay. */
function unescapeBuffer(text) {
  const bytes = [];
  for (let at = 0; at < text.length; at++) {
    const hex = text[at] === "%" ? /^[0-9a-f]{2}$/i.exec(text.slice(at + 1, at + 3)) : null;
    bytes.push(hex ? Number.parseInt(hex[0], 16) : text.charCodeAt(at));
    if (hex) at += 2;
  }
  return globalThis.Buffer.from(bytes);
}
const unescapePart = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeBuffer(text).toString();
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

function parse(text, givenSeparator, givenEquals, options) {
  const [separator, equals] = [givenSeparator || "&", givenEquals || "="];
  const found = Object.create(null);
  if (typeof text !== "string" || text === "") return found;
  const decode = options?.decodeURIComponent ?? querystring.unescape;
  const max = typeof options?.maxKeys === "number" ? options.maxKeys : 1000;
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

function stringify(object, givenSeparator, givenEquals, options) {
  const [separator, equals] = [givenSeparator || "&", givenEquals || "="];
  if (typeof object !== "object" || object === null) return "";
  const encode = options?.encodeURIComponent ?? querystring.escape;
  return Object.entries(object)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => `${encode(shown(name))}${equals}${encode(shown(one))}`),
    )
    .join(separator);
}

const querystring = {
  unescapeBuffer,
  unescape: unescapePart,
  escape: escapePart,
  stringify,
  encode: stringify,
  parse,
  decode: parse,
};

export default querystring;
