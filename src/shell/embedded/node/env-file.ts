/** Parses the lines of an environment file like Node does. */
export function parseEnvFile(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const line = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*("(?:[^"])*"|'(?:[^'])*'|`(?:[^`])*`|[^\n]*)/gm;
  for (const [, name = "", raw = ""] of text.replaceAll("\r\n", "\n").matchAll(line)) {
    const quote = raw[0];
    if (quote === '"' || quote === "'" || quote === "`") {
      const end = raw.indexOf(quote, 1);
      if (end > 0) {
        const value = raw.slice(1, end);
        found[name] = quote === '"' ? value.replaceAll("\\n", "\n") : value;
        continue;
      }
    }
    found[name] = raw.replace(/#.*$/, "").trim();
  }
  return found;
}
